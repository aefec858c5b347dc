"""Formulas of the whole catalogue as MathML: words, operators and indices."""

import io
import itertools
import unicodedata
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.explore.formulas import ROWS, mathml, write_mathml
from hiermeasures.explore.parts import math_font
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import mark_term

TREE = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
SIGNS = {"⧵", "∖", ":", "△", "′", "|", "+", "−", "=", "·", "∩", "∪", "∈", "⊆", "⊈", "≤", "∃"}
NAMED = explain(TREE, true={"T1"}, predicted={"P1", "P2"}, dmax=5)


def formulas(key: str) -> list[Any]:
    measure = CATALOGUE[key]
    latex = (measure.symbol, measure.formula, NAMED.derivation(key).marked)
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


@pytest.mark.parametrize("key", ["GIE", "SP_up", "mi"])
def test_the_limits_of_a_sum_are_below_it_in_a_term_too(key: str) -> None:
    for formula in formulas(key):
        assert not [p for p in elements(formula) if p[0] == "msub" and p[2][0] == ["mo", "∑"]]
    summed = mathml(mark_term("error", r"\sum_{i} x"))
    assert [p[0] for p in elements(summed) if p[2:] and p[2][0] == ["mo", "∑"]] == ["munder"]


def test_a_bar_keeps_off_the_letter_before_it() -> None:
    for latex, tags in (("|Y|", ["mo", "mi", "mspace", "mo"]), ("|C|", ["mo", "mi", "mo"])):
        assert [part[0] for part in mathml(latex)[2][0][2]] == tags


def test_the_site_has_the_same_formulas_in_markup() -> None:
    made = ElementTree.fromstring(write_mathml(r"|Y_{\mathrm{aug}}| < 1 \setminus \text{<b>}"))
    words = [element.text for element in made.iter() if element.tag.endswith("}mi")]
    assert words == ["Y", "aug"]
    assert [element.text for element in made.iter() if element.tag.endswith("}mtext")] == ["<b>"]


def painted(part: Any) -> set[str]:
    """Return the signs with which a browser paints the letters and operators of an element."""
    tag, text = part[0], part[1] if len(part) > 1 else ""
    if tag == "mi" and len(text) == 1 and not is_word(part) and text.isalpha() and text != "ℓ":
        name = unicodedata.name(text)  # a single letter is set in italics
        small = name.split()[-1] if "SMALL" in name else name.split()[-1].upper()
        size = "SMALL" if "SMALL" in name else "CAPITAL"
        if text == "h":
            return {"ℎ"}
        return {unicodedata.lookup(f"MATHEMATICAL ITALIC {size} {small}")}
    return set(text) if tag in ("mi", "mo", "mn") else set()


@pytest.mark.slow
def test_the_font_has_every_sign_of_every_formula_and_its_own_name() -> None:
    from fontTools.ttLib import TTFont  # the everyday tests do not install it

    font = TTFont(io.BytesIO(math_font()))
    signs = {
        sign
        for key in CATALOGUE
        for formula in formulas(key)
        for part in elements(formula)
        for sign in painted(part)
    }
    assert {"𝑌", "∖", "κ", "𝜅"} & signs == {"𝑌", "∖", "𝜅"}
    assert not {sign for sign in signs if ord(sign) not in font.getBestCmap()}
    assert "MATH" in font
    names = {str(record) for record in font["name"].names if record.nameID in (1, 4, 6, 16)}
    assert not any("Latin" in name for name in names)
    assert "GUST Font License" in str(font["name"].getDebugName(0))
