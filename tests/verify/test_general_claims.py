"""Claims about measures in the documentation, the lessons and the docstrings of measures: each
stands somewhere, and its evidence holds, also beyond its size.
"""

import ast
import json
import re
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
import yaml

from docs.make.generated import FOLDER
from hiermeasures.cli import main
from hiermeasures.debug.worlds import random_world
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE, FAMILIES
from hiermeasures.measures.registry import SAME
from hiermeasures.verify.claims import Claim, claim, claims

PROJECT = FOLDER.parent


def texts() -> Iterator[str]:
    """The texts in which claims stand."""
    for page in (*FOLDER.rglob("*.md"), PROJECT / "README.md"):
        yield page.read_text(encoding="utf-8")
    for lesson in (PROJECT / "cases" / "lessons").glob("*.yaml"):
        yield from _strings(yaml.safe_load(lesson.read_text(encoding="utf-8")))
    for described in (*CATALOGUE.values(), *FAMILIES.values()):
        yield described.description
    for module in (PROJECT / "hiermeasures" / "measures").glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield ast.get_docstring(node) or ""


def _strings(entry: object) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict | list):
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from _strings(part)


THEOREMS = [claim for claim in claims() if claim.kind == "theorem" and claim.searches]


def plain(text: str) -> str:
    return " ".join(text.split())


def test_every_claim_stands_in_the_documentation():
    said = [plain(text) for text in texts()]
    made = {same.words for same in SAME}
    written = [claim.says for claim in claims() if claim.says not in made]
    assert [words for words in written if not any(plain(words) in text for text in said)] == []


def test_a_test_that_a_claim_names_is_there():
    named = [claim.test for claim in claims() if claim.test]
    assert named
    for path, _, name in (test.partition("::") for test in named):
        assert f"def {name}(" in (FOLDER.parent / path).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("{says: a, kind: theorem, nowhere: ['trees=3, hF > 1']}", "'a' is called"),
        (
            "{says: a, kind: searched, shown: ['{on R>a; T = {a}, P = {a}} {hF}']}",
            "'a' has no evidence",
        ),
        ("{says: a, kind: example}", "'a' has no evidence"),
        ("{says: a, kind: sure}", "'sure'"),
        ("{says: a, kind: example, nowere: []}", "'nowere'"),
    ],
)
def test_an_entry_that_shows_nothing_is_refused(entry, fault):
    with pytest.raises(InputError, match=re.escape(fault)):
        claim(yaml.safe_load(entry))


def test_verify_ends_with_1_where_the_documentation_claims_what_is_not_so(monkeypatch, capsys):
    false = Claim("hF is one half", "example", shown=("{on R>a R>b; T = {a}, P = {b}} {hF = 0.6}",))
    monkeypatch.setattr("hiermeasures.verify.claims.claims", lambda: (false,))
    assert main(["verify", "--json"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["claims"] == {
        "theorem": 0,
        "searched": 0,
        "example": 1,
        "definition": 0,
        "broken": 1,
    }
    assert "hiermeasures: claims.yaml" in told.err
    assert "'hF is one half'" in told.err


def refuted(claim: Claim, rng: Random, size: int) -> list[str]:
    """Counterexamples to a claim in one random hierarchy."""
    search = claim.searches[rng.randrange(len(claim.searches))]
    world = random_world(rng, size, tree=search.trees)
    most = 1 if search.question.single_label else 4

    def labels() -> int:
        return sum(
            1 << c
            for c in rng.sample(range(world.classes), rng.randint(1, min(most, world.classes)))
        )

    drawn = np.array([labels() for _ in range(20)]), np.array([labels() for _ in range(20)])
    found = (
        search.at(world, true, predicted)
        for true, predicted in zip(*map(np.ndarray.tolist, drawn), strict=True)
    )
    return [f"{search.text}: {example}" for example in found if example is not None]


@pytest.mark.parametrize(
    ("count", "largest"), [(6, 8), pytest.param(200, 12, marks=pytest.mark.slow)]
)
def test_claims_drawn_at_random_hold_beyond_their_size(count: int, largest: int):
    rng = Random(2026)
    drawn = [rng.choice(THEOREMS) for _ in range(count)]
    assert [r for claim in drawn for r in refuted(claim, rng, rng.randint(6, largest))] == []
