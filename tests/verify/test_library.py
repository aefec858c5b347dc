"""The case library: what is in it, and how a case is opened."""

import pytest

from hiermeasures import Hierarchy
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.verify import load_cases
from tests.verify.helpers import FIGURE, PAPER, write

LIBRARY = load_cases()


def test_every_shipped_file_can_be_used():
    assert LIBRARY.faults == ()


def test_papers_come_with_their_citation():
    papers = [paper.key for paper in LIBRARY if paper.kind == "paper"]
    assert {"falis2021", "kosmopoulos2015", "plaud2024", "riehl2023"} <= set(papers)
    for paper in LIBRARY:
        assert paper.name.endswith(str(paper.year)) == (paper.kind == "paper")
        assert paper.authors
        assert paper.title
        assert paper.citation
        assert paper.cases or paper.note


def test_a_case_is_opened_with_its_classes_and_options():
    case = LIBRARY.case("kosmopoulos2015/figure-11a")
    assert case.hierarchy == Hierarchy.from_edges(
        [("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")]
    )
    assert case.true == {"T1"}
    assert case.predicted == {"P1", "P2"}
    assert case.options == {"dmax": 5.0}
    assert case.explain()["hP"] == 0.5
    assert case.explain(dmax=10)["GIE"] == 12  # 2 for the pair, 10 for the class left over


def test_the_events_of_a_distribution_are_classes_with_their_ancestors():
    # Plaud et al. 2024, Figure 3: P(1) = .75 is all with the children 3, 4 and 5, so only these and
    # 2 are events.
    events = dict(LIBRARY.case("plaud2024/figure-3-left").events())
    assert {frozenset(k): round(p, 9) for k, p in events.items()} == {
        frozenset("13"): 0.2,
        frozenset("14"): 0.2,
        frozenset("15"): 0.35,
        frozenset("2"): 0.25,
    }


def test_children_more_probable_than_their_parent_are_no_distribution(tmp_path):
    text = FIGURE.replace("published:", "probabilities: {B: 0.5, T1: 0.4, P1: 0.4}\npublished:")
    (case,) = load_cases(write(tmp_path, one=text)).cases.values()
    with pytest.raises(InputError, match="children of 'B'"):
        case.events()


def test_values_stay_as_they_are_written(tmp_path):
    text = "figure: Figure 1\ntitle: On\nhierarchy: 1>3.1 1>3.10 1>no 1>0x10\ntrue: 3.10\npredicted: no\n"
    (case,) = load_cases(write(tmp_path, one=text)).cases.values()
    assert (case.true, case.predicted, case.title) == ({"3.10"}, {"no"}, "On")


def test_a_file_that_stands_alone_brings_its_paper(tmp_path):
    inside = "paper:\n" + "".join(f"  {line}\n" for line in PAPER.splitlines())
    (tmp_path / "mine.yaml").write_text(inside + FIGURE, encoding="utf-8")
    library = load_cases(tmp_path)
    assert library.faults == ()
    assert [paper.name for paper in library] == ["Someone 2025"]
    assert list(library.cases) == ["mine/mine"]


def test_nested_hierarchies_and_names_with_blanks_can_be_written(tmp_path):
    text = FIGURE.replace("A>B A>C B>T1 B>P1", "{nested: {A: {B: [T1, P1], C: }}}")
    blanks = FIGURE.replace(
        "A>B A>C B>T1 B>P1", '["A > B", "A > C c", "B > T1", "B > P1"]'
    ).replace("Figure 1", "Figure 2")
    library = load_cases(write(tmp_path, one=text, two=blanks))
    assert library.faults == ()
    first, second = library.cases.values()
    assert ("B", "T1") in first.hierarchy.edges
    assert ("A", "C c") in second.hierarchy.edges
