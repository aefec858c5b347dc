"""A case file of one's own: what is loaded, changed and saved again is all there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE, Instance
from hiermeasures.verify import errata_page, verify
from hiermeasures.verify.checks import published
from hiermeasures.verify.errata import OWN_TITLE
from hiermeasures.verify.format import FigureFile
from hiermeasures.verify.library import own_cases
from hiermeasures.verify.paper_file import PaperFile, begin_paper, copy_of, read_paper_file
from tests.conftest import hierarchy_of, instances, weighted

FILES = [file for file in own_cases().files if isinstance(file.entries, FigureFile)]
TWO = """figure: Figure 1
options: {dmax: 5}
cases:
  - {part: a, hierarchy: A>B A>C, true: B, predicted: C}
  - {part: b, hierarchy: {like: a, edges: B>D}, true: D, predicted: B}
published:  # a remark
  - source: Table 1
    columns: hP | hR, hF | GIE
    rows:
      a: 0.50 | 0.5(0.5) | 2
      b: 1 | 0.67(0.80) | 1
discrepancies: []
"""


def again(file: PaperFile) -> PaperFile:
    return read_paper_file(file.as_yaml().encode(), file.name)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.document.name)
def test_a_figure_of_the_library_is_saved_and_loaded_with_all_that_is_printed(file) -> None:
    made = copy_of(file, own_cases())
    back = again(made)
    assert back.entries == made.entries
    assert back.entries.items() >= file.document.data.items()
    for part, case in file.cases.items():
        there = [(c.quantity, c.printed) for c in published(own_cases(), case)]
        here = [(c.quantity, c.printed) for c in back.cells(part)]
        assert here == there


@given(instances(), st.data())
def test_what_is_saved_is_loaded_without_loss(instance, data) -> None:  # type: ignore[no-untyped-def]
    h, true, predicted = instance
    h = data.draw(weighted(h))
    options = Options(dmax=data.draw(st.integers(1, 9)), class_weights="given")
    given_instance = Instance(h, frozenset(true), frozenset(predicted), options)
    file = begin_paper(given_instance, title="Figure 1", year=2026, define={"mine": "hF / 2"})
    prints = st.dictionaries(
        st.sampled_from([*CATALOGUE, "mine"]), st.from_regex(r"\A[0-9]{1,3}(\.[0-9]{1,5})?\Z")
    )
    for quantity, text in data.draw(prints).items():
        file = file.with_printed("", quantity, text)
    if data.draw(st.booleans()):
        file = file.with_figure("Figure 2", "Another", given_instance)
    back = again(file)
    assert back == PaperFile(file.entries, file.name, back.text)
    assert back.cases == file.cases
    for part in file.cases:
        assert [(c.printed, c.ours_text, c.status) for c in back.cells(part)] == [
            (c.printed, c.ours_text, c.status) for c in file.cells(part)
        ]
        case = back.with_instance(part, given_instance).case(part)
        assert (case.hierarchy, case.true, case.predicted) == (h, true, predicted)
    assert again(back) == back


def test_a_file_that_was_not_changed_keeps_its_remarks() -> None:
    file = read_paper_file(TWO.encode(), "two.yaml")
    assert file.as_yaml() == TWO
    assert file.with_instance("a", _instance(file, "a")).as_yaml() == TWO


def _instance(file: PaperFile, part: str, predicted: str | None = None) -> Instance:
    case = file.case(part)
    guessed = case.predicted if predicted is None else frozenset(predicted)
    return Instance(case.hierarchy, case.true, guessed, Options.make(case.options))


def test_other_clicks_in_one_figure_leave_the_other_and_the_table_as_they_are() -> None:
    file = read_paper_file(TWO.encode())
    made = again(file.with_instance("a", _instance(file, "a", "B")))
    assert (made.case("a").predicted, made.case("b")) == ({"B"}, file.case("b"))
    assert [cell.printed for cell in made.cells("a")] == ["0.50", "0.5", "0.5", "2"]
    # B for B: 1, 1, 1 and no error
    assert [cell.ours for cell in made.cells("a")] == [1, 1, 1, 0]


def test_another_hierarchy_in_one_figure_does_not_change_the_figure_drawn_like_it() -> None:
    file = read_paper_file(TWO.encode())
    other = Instance(
        hierarchy_of("A>B A>C C>E"), frozenset("B"), frozenset("E"), Options.make(dmax=4)
    )
    made = again(file.with_instance("a", other))
    assert made.case("b").hierarchy == file.case("b").hierarchy
    assert (made.case("a").options, made.case("b").options) == ({"dmax": 4}, {"dmax": 5})


def test_a_printed_value_is_put_where_the_table_has_it_or_beside_it() -> None:
    file = read_paper_file(TWO.encode())
    made = file.with_printed("b", "GIE", "3").with_printed("b", "TIE", "1")
    assert made.entries["published"][0]["rows"]["b"] == "1 | 0.67(0.80) | 3"
    assert made.entries["published"][1]["case"] == "b"
    found = {cell.quantity: (cell.printed, cell.status) for cell in again(made).cells("b")}
    assert found["GIE"] == ("3", "unexplained")
    assert found["TIE"] == ("1", "match")
    assert made.with_printed("b", "TIE", "").entries["published"] == [made.entries["published"][0]]
    assert "GIE" not in {c.quantity for c in made.with_printed("b", "GIE", "").cells("b")}
    with pytest.raises(InputError, match="not a number"):
        file.with_printed("a", "GIE", "many")


def test_a_second_figure_leaves_the_first_with_its_printed_values() -> None:
    first = Instance(hierarchy_of("A>B A>C"), frozenset("B"), frozenset("C"), Options.make())
    file = begin_paper(first, title="Mine", year=2026).with_printed("", "hP", "0.5")
    made = again(file.with_figure("Figure 2", "The other", first))
    assert list(made.cases) == ["Mine", "Figure 2"]
    assert [cell.printed for cell in made.cells("Mine")] == ["0.5"]
    assert made.cells("Figure 2") == ()
    with pytest.raises(InputError, match="Figure 2"):
        made.with_figure("Figure 2", "", first)


def test_one_file_is_verified_with_its_own_words(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "two.yaml"
    path.write_text(TWO.replace("0.50 |", "0.60 |"))
    report = verify([path])
    assert (report.counts.cells, report.counts.unexplained) == (8, 1)
    explained = "[{source: Table 1, rows: a, cells: hP, explanation: E, variant: {predicted: B}}]"
    path.write_text(TWO.replace("| 2\n", "| 0\n").replace("[]", explained.replace("hP", "GIE")))
    report = verify([path])
    assert [claim.kind for claim in report.claims] == ["differs"]
    page = errata_page(report)
    assert page.startswith(f"# {OWN_TITLE}")
    assert "Wrong number" not in page


def test_the_title_of_a_paper_is_its_name_until_that_is_set():
    h = hierarchy_of("A>B")
    file = begin_paper(
        Instance(h, frozenset("B"), frozenset("A"), Options.make()), title="Figure 1", year=2026
    )
    titled = file.with_about(title="One paper").with_about(title="Another paper")
    assert titled.library.papers[0].name == "Another paper"
    named = titled.with_about(name="Short").with_about(title="A third")
    assert (named.library.papers[0].name, named.library.papers[0].title) == ("Short", "A third")
