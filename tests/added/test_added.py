"""A format, a measure, a property and a page cost what CONTRIBUTING.md says, and are then
everywhere.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.added.use import USES
from tests.fresh import copied

TOYS = Path(__file__).parent / "toys"

EDIT = '''

def predict_everything(world: World, true: Masks, predicted: Masks) -> Iterator[WorldPairs]:
    """The prediction replaced by every class."""
    everything = np.int64((1 << world.classes) - 1)
    yield _predict(world, true, true, true != everything, everything)
'''
BEFORE = "\n\n@dataclass(frozen=True, kw_only=True)\nclass Property:"
PROPERTY = """- key: everything_is_worse
  name: Everything is worse
  says: Predicting every class is worse than predicting the true ones.
  edit: predict_everything
  relation: worse
"""
LINES = {  # what is added to a file: before which text, and what
    "hiermeasures/read/hierarchies/__init__.py": (
        ("\n)\n\nHIERARCHY_FORMATS", "\n    arrows.FORMAT,\n)\n\nHIERARCHY_FORMATS"),
        ("import (\n    dot,", "import (\n    arrows,\n    dot,"),
    ),
    "hiermeasures/read/labels/__init__.py": (
        ("\n)\n\nLABEL_FORMATS", "\n    bars.FORMAT,\n)\n\nLABEL_FORMATS"),
        ("labels import indicator", "labels import bars, indicator"),
    ),
    "hiermeasures/debug/properties.py": ((BEFORE, EDIT + BEFORE),),
    "hiermeasures/app/pages.py": (
        ('    "help": {"": "help"},\n', '    "help": {"": "help"},\n    "toy": {"": "toy"},\n'),
    ),
}


@pytest.fixture(scope="module")
def failures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Uses that failed in a copy of the project with two more formats and measures, and others."""
    copy = copied(tmp_path_factory.mktemp("copy") / "project")
    shutil.copy(TOYS / "arrows.py", copy / "hiermeasures/read/hierarchies/arrows.py")
    shutil.copy(TOYS / "bars.py", copy / "hiermeasures/read/labels/bars.py")
    for measure in ("bare", "levels"):
        shutil.copy(TOYS / f"{measure}.py", copy / f"hiermeasures/measures/toy_{measure}.py")
    shutil.copy(TOYS / "page.py", copy / "hiermeasures/app/toy.py")
    with (copy / "hiermeasures/debug/properties.yaml").open("a", encoding="utf-8") as file:
        file.write(PROPERTY)
    for name, lines in LINES.items():
        text = (copy / name).read_text("utf-8")
        for before, after in lines:
            assert text.count(before) == 1, (name, before)
            text = text.replace(before, after)
        (copy / name).write_text(text, "utf-8")
    surroundings = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    called = [sys.executable, "-m", "tests.added.use"]
    ran = subprocess.run(
        called, cwd=copy, env=surroundings, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, str] = json.loads(ran.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("use", [use.__name__ for use in USES])
def test_added(use: str, failures: dict[str, str]) -> None:
    assert not failures[use], failures[use]
