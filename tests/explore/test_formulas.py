"""Formulas of the whole catalogue as MathML: words, operators and indices."""

import itertools
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.explore.formulas import ROWS, mathml, write_mathml
from hiermeasures.measures import CATALOGUE

TREE = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
SIGNS = {"⧵", "∖", ":", "△", "′", "|", "+", "−", "=", "·", "∩", "∪", "∈", "⊆", "⊈", "≤", "∃"}
NAMED = explain(TREE, true={"T1"}, predicted={"P1", "P2"}, dmax=5)


def formulas(key: str) -> list[Any]:
    measure = CATALOGUE[key]
    latex = (measure.symbol, measure.formula, NAMED.derivation(key).latex)
    return [mathml(each) for each in latex if each]


def rows(part: Any) -> Iterator[list[Any]]:
    """Yield the parts of each element that are one after another, or one at a time."""
    parts = part[2] if len(part) > 2 else []
    yield from [parts] if part[0] in ROWS else [[each] for each in parts]
    for each in parts:
        yield from rows(each)


def elements(part: Any) -> Iterator[Any]:
    yield part
    for row in rows(part):
        yield from row


def is_word(part: Any) -> bool:
    return part[0] == "mi" and part[-1] == {"mathvariant": "normal"}


@pytest.mark.parametrize("key", CATALOGUE)
def test_operators_are_operators_and_words_are_words(key: str) -> None:
    for formula in formulas(key):
        letters = {part[1] for part in elements(formula) if part[0] == "mi"}
        assert not letters & SIGNS
        for row in rows(formula):
            kinds = [
                "word" if is_word(part) else "letter" if part[0] == "mi" else "" for part in row
            ]
            assert ("word", "word") not in set(itertools.pairwise(kinds))
            runs = [
                [part[1] for part in run]
                for kind, run in itertools.groupby(row, lambda p: p[0] == "mi" and not is_word(p))
                if kind
            ]
            # Letters in a row are a product, or the two indices of the pairing's sums.
            assert all(run == ["i", "j"] for run in runs if len(run) > 1)


@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("hF", "aug"),
        ("F_LCA_ext", "ex"),
        ("F_LCA_ext", "LCA"),
        ("MGIA", "fnerror"),
        ("over_prediction", "spe"),
        ("path_accuracy", "path"),
        ("hF_desc", "De"),
        ("ICM_norm", "norm"),
        ("C_F1", "an"),
        ("rank_F", "rank"),
        ("SP_up", "lca"),
        ("Wu_Palmer", "depth"),
        ("HCM_MCC", "TP"),
        ("wF", "ru"),
    ],
)
def test_a_word_is_one_upright_word(key: str, word: str) -> None:
    assert ["mi", word, [], {"mathvariant": "normal"}] in [
        part for formula in formulas(key) for part in elements(formula)
    ]


@pytest.mark.parametrize("key", ["SDL", "H_loss", "SDL_LCA", "mi", "ru"])
def test_set_minus_is_the_sign_that_fonts_have(key: str) -> None:
    assert any(["mo", "∖"] in elements(formula) for formula in formulas(key))


def test_a_prime_and_an_upper_index_do_not_float() -> None:
    primes = [row for row in rows(mathml("Y'_{a}")) if ["mo", "′"] in row]
    assert primes == [[["mo", "′"]]]
    padded = [part for part in elements(mathml(r"\hat{Y}'_{a}")) if part[0] == "mpadded"]
    assert [part[2][0][0] for part in padded] == ["mover", "mo"]


def test_a_minus_sign_after_an_equals_sign_is_that_of_a_number() -> None:
    row = mathml("a - b = -1")[2][0][2]
    assert [part for part in row if part[:2] == ["mo", "−"]] == [
        ["mo", "−"],
        ["mo", "−", [], {"form": "prefix"}],
    ]


def test_the_site_has_the_same_formulas_in_markup() -> None:
    made = ElementTree.fromstring(write_mathml(r"|Y_{\mathrm{aug}}| < 1 \setminus \text{<b>}"))
    words = [element.text for element in made.iter() if element.tag.endswith("}mi")]
    assert words == ["Y", "aug"]
    assert [element.text for element in made.iter() if element.tag.endswith("}mtext")] == ["<b>"]
