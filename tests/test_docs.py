"""The documentation that is made from the code is the code's."""

import doctest
import re
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from hiermeasures import Hierarchy
from hiermeasures.docs import FOLDER, PAGES

SEARCHED = pytest.param("behaviour.md", marks=pytest.mark.slow)  # a minute of searching


@pytest.mark.parametrize("name", [*sorted(PAGES.keys() - {"behaviour.md"}), SEARCHED])
def test_the_page_is_what_the_catalogue_gives(name):
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name](), "run python -m hiermeasures.docs"


PROJECT = FOLDER.parent
NAMED = re.compile(r"`([\w./-]+/[\w./-]*|[\w-]+\.(?:py|js|yaml|toml|md))`")


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md", "README.md"])
def test_files_that_the_documentation_names_are_there(page):
    named = NAMED.findall((PROJECT / page).read_text(encoding="utf-8"))
    everywhere = {path.name for path in PROJECT.glob("hiermeasures/**/*.*")} | {"paper.yaml"}
    missing = [
        name
        for name in named
        if not any((place / name.rstrip("…/")).exists() for place in (PROJECT, PROJECT / "hiermeasures"))
        and name not in everywhere
        and not (PROJECT / "hiermeasures" / "io" / name).exists()
    ]
    assert missing == []


@pytest.mark.slow
@pytest.mark.parametrize("page", ["scikit-learn.md", "training-loop.md"])
def test_the_examples_of_the_documentation_run(page):
    blocks = re.findall(r"```pycon\n(.*?)```", (FOLDER / page).read_text(encoding="utf-8"), re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    assert len(examples.examples) > 3
    said = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=said.append)
    assert result.failed == 0, "".join(said)


class Tensor(np.ndarray):
    """What the example asks of torch's tensors."""

    def cpu(self):
        return self

    def numpy(self):
        return np.asarray(self)


def test_the_training_loop_runs(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(no_grad=nullcontext))
    code = re.search(r"```python\n(.*?)```", (FOLDER / "training-loop.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    names = {}
    exec(code, names)

    class Model:
        """The numbers given are its own logits."""

        def eval(self):
            pass

        def __call__(self, x):
            return x

    h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C")])
    # {R, A, C} against {R, A}, then {R, B} against itself.
    batches = [([[-1.0, 2.0, -3.0]], [[0, 0, 1]]), ([[0.5, -1.0, -1.0]], [[1, 0, 0]])]
    loader = [tuple(np.array(side).view(Tensor) for side in batch) for batch in batches]
    assert names["validate"](Model(), loader, h, ["B", "A", "C"])["hF"] == pytest.approx((4 / 5 + 1) / 2)
