"""The catalogue: what every measure promises, whichever family it belongs to; its tiers; and the
bibliography, complete entries, each cited name an entry, what was read said of each.
"""

import math
import re
from pathlib import Path

import pytest
from hypothesis import given

from docs.make.generated import FOLDER
from hiermeasures import InputError, explain
from hiermeasures.hierarchy.options import DECLARED
from hiermeasures.measures import CATALOGUE, FAMILIES, STRUCTURES
from hiermeasures.measures.catalogue import READ, references, works_in
from hiermeasures.measures.weighted import other_names
from hiermeasures.verify.library import own_cases
from tests.conftest import FIGURE_11A, instances


@pytest.mark.parametrize("measure", CATALOGUE.values(), ids=CATALOGUE.keys())
def test_a_declaration_is_whole(measure):
    assert measure.family in FAMILIES
    assert STRUCTURES[measure.structure.key] is measure.structure
    assert measure.description.endswith(".")
    assert measure.source
    assert set(measure.options) <= set(DECLARED)
    assert measure.formula.count("{") == measure.formula.count("}")


@given(instances())
def test_values_stay_in_range_and_derivations_end_in_the_value(instance):
    h, true, predicted = instance
    x = explain(h, true, predicted)
    for key, measure in CATALOGUE.items():
        value = x[key]
        derivation = x.derivation(key)
        assert derivation.sentence
        assert derivation.latex.count("{") == derivation.latex.count("}")
        if not math.isnan(value):
            assert measure.low is None or value >= measure.low - 1e-12
            assert measure.high is None or value <= measure.high + 1e-12


@given(instances(empty=False))
def test_a_perfect_prediction_gives_the_perfect_value(instance):
    h, true, _ = instance
    x = explain(h, true, true)
    # no negatives: 0/0; all pairs, not only the right ones
    others = {"HCM_MCC", "HCM_PT", "HCM_TNR", "all_pairs"}
    for key, measure in CATALOGUE.items():
        if measure.perfect is not None and key not in others:
            assert x[key] == pytest.approx(measure.perfect), key


@given(instances())
def test_swapping_the_sides_swaps_precision_and_recall(instance):
    h, true, predicted = instance
    x, y = explain(h, true, predicted), explain(h, predicted, true)
    for pair in ("hP hR", "hP_desc hR_desc", "precision recall", "CoPHE_P CoPHE_R", "wP wR"):
        p, r = pair.split()
        assert (x[p], x[r]) == (y[r], y[p])
    same = "hF hF_desc f1 CoPHE_F1 wF SDL H_loss hamming accuracy TIE all_pairs GIE MGIA MGIA_error own_pairing".split()
    assert [x[key] for key in same] == pytest.approx([y[key] for key in same], nan_ok=True)


def test_unknown_names_are_refused_with_the_nearest_known_one():
    x = explain(FIGURE_11A, {"T1"}, {"P1"})
    with pytest.raises(InputError, match="'F_LCA'"):
        x["F_LCS"]
    with pytest.raises(InputError, match="'dmax'"):
        explain(FIGURE_11A, {"T1"}, {"P1"}, d_max=5)
    with pytest.raises(InputError, match="'P3'"):
        explain(FIGURE_11A, {"T1"}, {"P3"})


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("dmax", 0, "greater than 0"),
        ("dmax", "five", "number"),
        ("dmax", float("nan"), "finite"),
        ("normaliser", "product", "'union'"),
        ("zero_division", 2, "less than"),
        ("max_ancestor_distance", 0, "greater than"),
        ("graphs", "small", "'minimal' or 'extended'"),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_range(option, value, words):
    with pytest.raises(InputError, match=words) as refusal:
        explain(FIGURE_11A, {"T1"}, {"P1"}, **{option: value})
    assert "\n" not in str(refusal.value)


WORKS = references()
PROJECT = FOLDER.parent
CITED = re.compile(r"\b([A-Z][\w-]+(?: et al\.| and [A-Z][\w-]+)) ((?:19|20)\d\d)\b")


def test_every_entry_says_what_was_read_and_has_a_name_of_its_own():
    assert {work.read for work in WORKS.values()} == set(READ)
    assert len({work.short for work in WORKS.values()}) == len(WORKS)
    assert list(WORKS) == sorted(WORKS)
    assert all(
        work.title and work.published and work.key.endswith(str(work.year))
        for work in WORKS.values()
    )


def test_the_papers_that_were_read_whole_have_cases_and_titles_agree():
    papers = {paper.key: paper for paper in own_cases().papers if paper.key in WORKS}
    assert {key for key, work in WORKS.items() if work.read == "whole"} <= set(papers)
    assert all(WORKS[key].title == paper.title for key, paper in papers.items())


def test_each_source_of_the_catalogue_is_a_work_or_a_program():
    sources = [*(m.source for m in CATALOGUE.values()), *(name.source for name in other_names())]
    assert [
        s for s in sources if not list(works_in(s)) and not re.search("scikit-learn|Cellarium", s)
    ] == []


def _pages() -> list[Path]:
    return [
        *FOLDER.rglob("*.md"),
        *(PROJECT / "hiermeasures").rglob("*.py"),
        *(PROJECT / "cases" / "lessons").glob("*.yaml"),
    ]


def test_what_is_cited_in_words_is_in_the_bibliography():
    # the end of a list of names
    names = {work.short for work in WORKS.values()} | {"Neunteufel and Hemberg 2023"}
    found = {
        f"{a} {b}": p.name
        for p in _pages()
        for a, b in CITED.findall(" ".join(p.read_text("utf-8").split()))
    }
    assert len(found) > 20
    assert {name: page for name, page in found.items() if name not in names} == {}
