"""General sentences about measures in the documentation, the lessons and the docstrings of
measures: each is a claim of a kind, and its evidence holds, also beyond its size.

A sentence is one of them where both hold:

- it names a measure: by its key, its name in the catalogue, or its family's (CoPHE, HCM, H-loss).
  Keys and names that are plain words (precision, S, …) count only as `keys`. With "never", "always"
  and "cannot" the words measure and score name one, too;
- it has one of the words never, always, every, all, cannot.

Code, tables, headings and pictures are no sentences. A sentence of a lesson that computes its claim
in braces is checked by `verify` already, and so is an item of the guide that holds evidence.
"""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np
import pytest
import yaml

from docs.make.generated import FOLDER
from docs.make.guide_page import SOURCE
from hiermeasures.cli import main
from hiermeasures.debug.worlds import random_world
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE, FAMILIES
from hiermeasures.measures.registry import SAME
from hiermeasures.verify.claims import Claim, claim, claims, prose

PROJECT = FOLDER.parent
ELSEWHERE = {  # pages whose claims have evidence of their own
    "choose.md",  # made from the rules of the selector, each with its claim
    "errata.md",  # case files, which `verify` checks
    "behaviour.md",  # the matrix
    "which-measure.md",  # its source is read instead
    "benchmarks.md",  # measured
    "claims.md",  # made from the claims
    "measures.md",  # made from the catalogue, which is read instead
}
PLAIN = {
    "accuracy",
    "precision",
    "recall",
    "f1",
    "hamming",
    "mi",
    "ru",
    "S",
    "Accuracy",
    "Precision",
    "Recall",
    "F1",
}
PLAIN |= {"All pairs"}
GENERAL = re.compile(r"\b(?:never|always|every|all|cannot)\b", re.IGNORECASE)
STRONG = re.compile(r"\b(?:never|always|cannot)\b", re.IGNORECASE)
SUBJECT = re.compile(r"\b(?:measures?|scores?)\b", re.IGNORECASE)


def _named() -> re.Pattern[str]:
    keys = [*CATALOGUE, "CoPHE", "HCM", "H-loss"]
    names = [m.name for m in CATALOGUE.values() if m.name not in PLAIN]
    words = "|".join(re.escape(key) for key in keys if key not in PLAIN)
    in_any_case = "|".join(map(re.escape, names))
    return re.compile(
        rf"(?<![\w.])(?:{words}|(?i:{in_any_case}))(?!\w)|`(?:{'|'.join(map(re.escape, PLAIN))})`"
    )


NAMED = _named()


def is_general(sentence: str) -> bool:
    about = NAMED.search(sentence) or (STRONG.search(sentence) and SUBJECT.search(sentence))
    return bool(
        about
        and GENERAL.search(re.sub(r"`all_pairs`|\ball pairs\b", "", sentence, flags=re.IGNORECASE))
    )


def sentences(text: str) -> Iterator[str]:
    text = re.sub(r"^( *)```.*?^\1```", "\n\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^ *(?:\||#|!\[|>>> |\.\.\. ).*$", "\n", text, flags=re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n|\n(?= *- )", text):
        yield from re.split(r"(?<=[.!?])\s+(?=[A-Z`*\[“{])", " ".join(paragraph.split()))


@cache
def general_sentences() -> list[tuple[str, str]]:
    """Every general sentence about measures, with its place."""
    return [
        (place, sentence)
        for place, text in texts()
        for sentence in sentences(text)
        if is_general(sentence)
    ]


def texts() -> Iterator[tuple[str, str]]:
    """The texts in which they are looked for, each with its place."""
    pages = [page for page in FOLDER.rglob("*.md") if page.name not in ELSEWHERE]
    for page in sorted([*pages, PROJECT / "README.md"]):
        yield page.relative_to(PROJECT).as_posix(), page.read_text(encoding="utf-8")
    guide = SOURCE.read_text(encoding="utf-8")
    bare = [part for part in re.split(r"\n\s*\n|\n(?=- )", guide) if "{" not in part]
    yield SOURCE.name, "\n\n".join(bare)
    for lesson in sorted((PROJECT / "cases" / "lessons").glob("*.yaml")):
        for text in _strings(yaml.safe_load(lesson.read_text(encoding="utf-8"))):
            said = (s for s in sentences(text) if "{" not in s)
            yield lesson.name, "\n\n".join(said)
    yield from _declared()


def _declared() -> Iterator[tuple[str, str]]:
    for key, measure in CATALOGUE.items():
        yield f"the description of {key}", measure.description
    for family in FAMILIES.values():
        yield f"the description of {family.title}", family.description
    for module in sorted((PROJECT / "hiermeasures" / "measures").glob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield f"{module.name}:{getattr(node, 'name', '')}", ast.get_docstring(node) or ""


def _strings(entry: object) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict | list):
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from _strings(part)


THEOREMS = [claim for claim in claims() if claim.kind == "theorem" and claim.searches]


def plain(text: str) -> str:
    return " ".join(text.split())


def test_every_general_sentence_about_measures_is_a_claim():
    said = [*(claim.says for claim in claims()), *prose()]
    bare = [
        f"{place}: {s}"
        for place, s in general_sentences()
        if not any(plain(words) in s for words in said)
    ]
    assert bare == []


def test_every_claim_stands_in_the_documentation():
    said = [*(plain(text) for _, text in texts()), plain(SOURCE.read_text(encoding="utf-8"))]
    made = {same.words for same in SAME}
    written = [claim.says for claim in claims() if claim.says not in made] + list(prose())
    assert [words for words in written if not any(plain(words) in text for text in said)] == []


def test_a_test_that_a_claim_names_is_there():
    named = [claim.test for claim in claims() if claim.test]
    assert named
    for path, _, name in (test.partition("::") for test in named):
        assert f"def {name}(" in (FOLDER.parent / path).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (
            "{says: a, kind: theorem, nowhere: ['trees of 3: hF > 1']}",
            "'a' is called a theorem and has no proof",
        ),
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
