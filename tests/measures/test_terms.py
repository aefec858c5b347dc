"""The terms of the formulas: what each stands for, in every figure of the library."""

import re
from collections.abc import Iterator, Mapping

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.explore.controls import formula
from hiermeasures.explore.library import figure, figures
from hiermeasures.measures import CATALOGUE, Explanation
from hiermeasures.measures.catalogue import BETWEEN, CLOSE, OPEN

MARK = re.compile(f"{OPEN}([^{BETWEEN}]*){BETWEEN}([^{CLOSE}]*){CLOSE}")
COUNTED = {"flat", "augmented", "descendants", "lca", "path_constrained", "ranks"}
TREE = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
NAMED = explain(TREE, true={"T1"}, predicted={"P1", "P2"}, dmax=5)


def marked(x: Explanation, key: str) -> Iterator[tuple[str, str]]:
    """Yield the key and the LaTeX of each term."""
    yield from MARK.findall(x.derivation(key).marked)


@pytest.mark.parametrize("name", figures())
def test_every_term_of_every_measure_has_its_classes_in_every_figure(name: str) -> None:
    shown = figure(name)
    x = shown.explained()
    for key in CATALOGUE:
        found, terms = list(marked(x, key)), x.terms(key)
        assert {term for term, _ in found} <= terms.keys()
        assert found or "emptyset" in x.derivation(key).latex or x[key] != x[key]
        for term, latex in found:
            assert terms[term].classes <= set(x.hierarchy.nodes)
            assert terms[term].words
            if latex.isdigit() and CATALOGUE[key].structure.key in COUNTED and term != "farthest":
                assert len(terms[term].classes) == int(latex)


@pytest.mark.parametrize(
    ("key", "expected"),
    [  # Figure 11(a), by hand: T1, P1 and P2 are below B, and B is below A
        ("hF", {"shared": "A B", "predicted": "A B P1 P2", "true": "A B T1"}),
        ("SDL", {"spurious": "P1 P2", "missed": "T1"}),
        ("hamming", {"wrong": "P1 P2 T1"}),
        ("F_LCA", {"shared": "B", "predicted": "B P1 P2", "true": "B T1"}),
        ("GIE", {"error": "P1 P2 T1", "pair0": "P1 T1", "pair1": "P2"}),
        ("MGIA", {"error": "P1 P2 T1", "union": "P1 P2 T1"}),
        ("HCM_ACC", {"TP": "B", "TN": "C P1", "FP": "B P1 P2", "FN": "T1"}),
        ("HCM_FP", {"FP": "B P1 P2", "FP0": "P2", "FP1": "B P1"}),
        ("HCM_PT", {"TPR": "B T1", "TNR": "B C P1 P2"}),
        ("CoPHE_F1", {"TP": "A B", "FP": "A B P1 P2", "FN": "T1"}),
        ("SP", {"distance": "P1 P2 T1", "distance0": "P1 T1", "distance1": "P2 T1"}),
        ("SP_up", {"up": "B P1 P2", "up0": "B P1", "up1": "B P2"}),
        ("LCA_height", {"height": "B"}),
        ("wP", {"tp": "A B", "mi": "P1 P2"}),
        ("C_F1", {"shared": "A", "predicted": "A P1 P2", "true": "A B T1"}),
        ("inconsistency", {"inconsistent": "P1 P2"}),
        ("rank_F", {"TP": "", "FP": "P1 P2", "FN": "T1"}),
        ("Lin", {"match0": "P1 T1", "match1": "P2 T1", "match2": "P1 T1"}),
    ],
)
def test_the_terms_of_figure_11a(key: str, expected: Mapping[str, str]) -> None:
    terms = NAMED.terms(key)
    keys = {term for term, _ in marked(NAMED, key)}
    assert {term: terms[term].classes for term in keys} == {
        term: frozenset(labels.split()) for term, labels in expected.items()
    }


def test_two_classes_that_are_compared_are_terms_of_their_own() -> None:
    x = explain(TREE, true={"T1"}, predicted={"P1"})
    terms = x.terms("Wu_Palmer")
    assert {term: terms[term].classes for term, _ in marked(x, "Wu_Palmer")} == {
        "first": frozenset({"P1"}),
        "second": frozenset({"T1"}),
        "meeting": frozenset({"B"}),
    }


def test_marks_are_in_no_formula_that_leaves_the_explorer() -> None:
    marks = {OPEN, BETWEEN, CLOSE}
    for key, measure in CATALOGUE.items():
        written = measure.formula + measure.symbol + NAMED.derivation(key).latex
        assert not marks & set(written)


def test_a_formula_brings_the_words_and_classes_of_its_terms() -> None:
    found = formula(NAMED.derivation("hP").marked, NAMED.terms("hP")).data
    assert found["terms"]["shared"] == ["2 classes in both sets: A, B", ["A", "B"]]
    assert found["terms"].keys() == {"shared", "predicted"}
    assert "terms" not in formula(NAMED.derivation("hP").marked).data


def test_a_label_cannot_be_a_mark() -> None:
    label = f"P{OPEN}true{BETWEEN}{CLOSE}"
    h = Hierarchy.from_edges([("A", "B"), ("A", label)])
    x = explain(h, true={"B"}, predicted={label})
    assert {term for term, _ in marked(x, "GIE")} == {"error", "pair0"}
