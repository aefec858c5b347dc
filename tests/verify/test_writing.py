"""An instance saved as a case file: it loads again as it was, and `verify --cases` accepts it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import Instance
from hiermeasures.verify.library import read_cases, write_case
from tests.conftest import hierarchy_of, instances, weighted

FIGURE_15 = hierarchy_of("A>B A>C B>T1 C>D C>E D>P1 E>P1 E>P2")


def saved(h: Hierarchy, true=(), predicted=(), *, paths=None, define=None, **options) -> bytes:  # type: ignore[no-untyped-def]
    instance = Instance(
        h, frozenset(true), frozenset(predicted), Options(**options), true_paths=paths
    )
    return write_case(instance, title="Mine", year=2000, define=define).encode()


def test_figure_15_comes_back_with_its_classes_and_options() -> None:
    (case,) = read_cases(saved(FIGURE_15, {"T1"}, {"P1", "P2"}, dmax=3.0, count_root=False))
    assert (case.hierarchy, case.true, case.predicted) == (FIGURE_15, {"T1"}, {"P1", "P2"})
    assert case.options == {"dmax": 3.0, "count_root": False}
    assert case.figure == "Mine"


def test_a_virtual_root_and_paths_come_back() -> None:
    h = Hierarchy.from_edges([("a", "b")], ["lone"])
    (case,) = read_cases(saved(h, {"b"}, {"lone"}, paths=(("(root)", "a", "b"),)))
    assert (case.hierarchy, case.true_paths) == (h, (("(root)", "a", "b"),))


LABELS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)


@given(instances(), st.lists(LABELS, min_size=10, max_size=10, unique=True))
def test_any_names_come_back(instance, names: list[str]) -> None:  # type: ignore[no-untyped-def]
    h, true, predicted = instance
    called = {label: names[i] for i, label in enumerate(h.nodes)}
    renamed = Hierarchy.from_edges(
        [(called[p], called[c]) for p, c in h.edges], map(called.get, h.nodes)
    )
    (case,) = read_cases(saved(renamed, {called[c] for c in true}, {called[c] for c in predicted}))
    assert case.hierarchy == renamed
    assert (case.true, case.predicted) == (
        {called[c] for c in true},
        {called[c] for c in predicted},
    )


@given(instances(), st.data())
def test_what_classes_weigh_comes_back(instance, data) -> None:  # type: ignore[no-untyped-def]
    h, true, predicted = instance
    h = data.draw(weighted(h))
    (case,) = read_cases(saved(h, true, predicted, class_weights="given"))
    assert case.hierarchy == h


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"figure: 1\nhierarchy: A>B\ntrue: C\n", "mine.yaml, line 3: unknown class 'C'"),
        (b"figure: [", "mine.yaml, line"),
        (b"\x00", "NUL byte"),
        (b"\x89PNG\xff", "not UTF-8"),
        (b"", "empty"),
        (b"x" * 2_000_000, "larger than 1 MB"),
        (b"figure: 1\nhierarchy: {nested: " + b"{a: " * 500, "mine.yaml"),
        (b"table: T\nranking: x.csv\n", "missing"),
        (b"- a\n- b\n", "case file"),
    ],
)
def test_what_is_no_case_is_refused_by_name_and_line(text: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_cases(text, "mine.yaml")


def test_own_measures_are_written_and_read_again():
    define = {"mine:0..1": "0.5*hF + 0.5*F_LCA", "cost:lower": "GIE / (len_T + len_P)"}
    h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    (case,) = read_cases(saved(h, {"B"}, {"C"}, define=define))
    assert case.define == define
    assert case.explained["cost"] == 2 / 2  # B and C are two edges apart
