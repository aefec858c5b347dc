"""The menu "Draw or load": starting points, random hierarchies, and one's own files. What cannot be
read is said, and what was shown stays.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hiermeasures.explore.controls import LONGEST_FILE
from hiermeasures.explore.library import figure
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import explain
from hiermeasures.read import read_hierarchy, read_hierarchy_text
from hiermeasures.read.sandbox import sandboxed
from hiermeasures.verify.library import write_case
from hiermeasures.verify.paper_file import read_paper_file
from tests.conftest import hierarchy_of

from .hand import HOST, Hand
from .test_sharing import files

FIGURE = "kosmopoulos2015/figure-11a"


def opened(part: str = "Load", **host: Any) -> Hand:
    return Hand(host=replace(HOST, **host)).open("loading").set("loading_part", part)


def paste(text: str, **host: Any) -> Hand:
    return opened(**host).set("pasted", text).press("show_pasted")


def upload(name: str, text: str) -> Hand:
    return opened().set("uploaded", {"name": name, "text": text})


def drawn(at: Hand) -> list[str]:
    return list(at.shapes)


# --- starting points ----------------------------------------------------------------------------


def test_a_random_hierarchy_is_drawn_and_a_wish_that_does_not_fit_is_said() -> None:
    at = opened("Random").set("random_extra", 50).press("draw_random")
    first = at.state.shown.hierarchy
    assert len(first) == 15
    assert at.press("another_random").state.shown.hierarchy != first
    assert (at.chosen("random_seed"), at.state.menu) == (2, "loading")
    before = at.state.shown
    at.set("random_size", 2000).press("draw_random")
    assert "40 classes" in at.fault("draw_random")
    assert at.state.shown is before
    at.set("random_size", 20)
    assert at.fault("draw_random") == ""


# --- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bring",
    [
        lambda at: at.set("loading_part", "Load").set("pasted", "A B\nA C").press("show_pasted"),
        lambda at: at.set("loading_part", "Load").set(
            "uploaded", {"name": "a.txt", "text": "A B\nA C"}
        ),
        lambda at: at.press("start_binary"),
        lambda at: at.set("loading_part", "Random").press("draw_random"),
    ],
    ids=["pasted", "uploaded", "start", "random"],
)
def test_a_hierarchy_of_ones_own_keeps_the_options_and_says_which(
    bring: Callable[[Hand], Hand],
) -> None:
    at = Hand(figure(FIGURE).with_options(Options.make(dmax=3, count_root=False, zero_division=1)))
    bring(at.open("loading"))
    assert at.control("options")["words"] == "Options · 3 changed"
    assert any("D_max" in words for words in at.words)
    assert at.state.shown.instance.options.dmax == 3
    at.press("default_options")
    assert at.control("options")["words"] == "Options"
    assert not at.has("default_options")
    assert at.press("undo").control("options")["words"] == "Options · 3 changed"


def test_weights_that_a_hierarchy_gives_count_and_those_of_another_one_do_not() -> None:
    weighted = Hierarchy.from_edges([("A", "B")]).with_class_weights({"B": 2.0})
    at = Hand(Shown.make(weighted, title="weighted"))
    assert at.state.shown.instance.options.class_weights == "given"
    at.open("loading").press("start_binary")
    assert at.state.shown.instance.options.class_weights == "one"


# --- pasted text --------------------------------------------------------------------------------


@pytest.mark.parametrize("read", [HOST.read, sandboxed], ids=["here", "in a process of its own"])
def test_a_pasted_hierarchy_replaces_the_figure(read: Callable[..., Any]) -> None:
    at = paste('{"animal": ["bird", "fish"]}', read=read)
    assert drawn(at) == ["animal", "bird", "fish"]
    assert (at.chosen("true_classes"), at.chosen("predicted_classes"), at.state.menu) == (
        [],
        [],
        "",
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A B\nB C\nC A\n", ["cycle", "'A'", "'B'", "'C'"]),
        ("[" * 100_000, ["Nested deeper"]),
        ("", ["empty"]),
        ("".join(f"{k} {k + 1}\n" for k in range(1_001)), ["1,001 levels", "1,000"]),
    ],
)
def test_what_cannot_be_read_is_said_below_the_field_and_the_figure_stays(
    text: str, words: list[str]
) -> None:
    at = paste(text)
    message = at.fault("pasted")
    assert all(word in message for word in words), message
    assert (at.state.shown.case, at.chosen("pasted"), at.state.menu) == (FIGURE, text, "loading")


def test_the_host_reads_what_is_pasted_and_what_is_opened() -> None:
    readers = []

    def read(reader: Callable[..., Any], *arguments: Any, **settings: Any) -> Any:
        readers.append(reader)
        return HOST.read(reader, *arguments, **settings)

    opened(read=read).set("pasted", "A B").press("show_pasted")
    opened(read=read).set("uploaded", {"name": "a.txt", "text": "A B"})
    opened(read=read).set("uploaded", {"name": "a.yaml", "text": case("A>B", "one")})
    assert readers == [read_hierarchy_text, read_hierarchy, read_paper_file]


# --- files --------------------------------------------------------------------------------------


def case(edges: str, title: str, define: dict[str, str] | None = None, **options: Any) -> str:
    instance = explain(hierarchy_of(edges), ["B"], [], **options).instance
    return write_case(instance, title=title, year=2026, define=define)


def test_a_file_that_cannot_be_read_is_named_below_its_field() -> None:
    at = upload("mine.csv", "parent,child\nA,B\nA,D,x,y\n")
    assert at.fault("uploaded").startswith("mine.csv, line 3")
    assert at.state.shown.case == FIGURE


def test_a_case_file_brings_its_classes_options_and_own_measures() -> None:
    at = upload("mine.YAML", case("A>B A>C", "mine", dmax=3, define={"mine": "2*hF"}))
    assert at.chosen("true_classes") == ["B"]
    assert at.state.shown.instance.options.dmax == 3
    assert at.state.own.definitions == ("mine=2*hF",)
    assert at.state.menu == ""


def test_of_a_file_with_several_cases_each_can_be_chosen() -> None:
    cases = "".join(
        f"- {{part: {part}, hierarchy: A>B A>{part}, true: B, predicted: {part}}}\n"
        for part in "cd"
    )
    at = upload("two.yaml", f"figure: Two\ncases:\n{cases}")
    assert drawn(at) == ["A", "B", "c"]
    at.set("case_of_file", at.control("case_of_file")["words"][1])
    assert drawn(at) == ["A", "B", "d"]
    assert at.state.menu == "loading"
    # the file stays at hand
    at.set("uploaded", {"name": "a.txt", "text": "A B"}).open("loading")
    assert at.control("case_of_file")["value"] is None
    at.set("case_of_file", at.control("case_of_file")["words"][0])
    assert drawn(at) == ["A", "B", "c"]


TWO = """figure: Two
cases:
- {part: c, hierarchy: A>B A>C, true: B, predicted: C}
- {part: d, hierarchy: A>B, true: B, predicted: B}
published:
- {source: Table 1, columns: hP | hF, rows: {c: 0.50 | 0.6, d: 1 | 1}}
"""


def test_printed_values_of_a_case_file_are_shown_and_exported_with_the_clicks() -> None:
    at = upload("two.yaml", TWO)
    printed = {key: cells[0].status for key, cells in at.state.printed.items()}
    assert printed == {"hP": "match", "hF": "unexplained"}  # hF is 0.5
    at.click("B")
    assert at.state.printed["hP"][0].status == "unexplained"  # A, B of A, B, C: 0.67
    text = files(at.open("exporting"))["Save as YAML"][1]
    back = upload("two.yaml", text)
    assert back.state.shown.instance == at.state.shown.instance
    assert [cell.printed for cells in back.state.printed.values() for cell in cells] == [
        "0.50",
        "0.6",
    ]
    at.open("loading").set("case_of_file", at.control("case_of_file")["words"][1])
    at.set("case_of_file", at.control("case_of_file")["words"][0])
    assert at.state.shown.instance.predicted == {"C"}  # as in the file: the click was not kept


@pytest.mark.parametrize(
    "given", [None, "A B", {"name": "a"}, {"name": 1, "text": "A B"}, {"name": "a", "text": 1}]
)
def test_what_is_no_file_changes_nothing(given: object) -> None:
    at = opened()
    before = at.state
    assert at.set("uploaded", given).state == before
    too_long = {"name": "a", "text": "x" * (LONGEST_FILE + 1)}
    assert at.use("uploaded", too_long).state == before


def test_a_class_typed_while_a_hierarchy_loads_is_marked_without_those_of_the_one_before() -> None:
    at = paste("top a\na b\na c")
    # sent while Figure 11(a) with T1 was on the screen
    at.use("true_classes", ["T1", "b"])
    assert at.fault("true_classes") == ""
    assert at.chosen("true_classes") == ["b"]
    at.use("true_classes", ["b", "bb"])
    assert "'bb'" in at.fault("true_classes")
    assert at.chosen("true_classes") == ["b"]


# --- columns that are not clear -----------------------------------------------------------------

UNCLEAR = "Big,Mid,Small\nA,B,C\nA,B,D\nA,E,F\nG,H,I\n"


def test_a_file_whose_columns_are_unclear_is_read_once_its_fields_are_filled_in() -> None:
    at = upload("t.csv", UNCLEAR)
    assert "“Levels”" in at.fault("uploaded")
    at.set("reading_levels", "Big,Mid,Small")
    at.press("read_again")
    assert {("A", "A > B"), ("A > B", "A > B > C")} <= set(at.state.shown.hierarchy.edges)
    assert not at.state.loading.reading
    assert at.state.loading.refused is None


def test_a_pasted_table_and_the_next_file_do_not_share_their_fields() -> None:
    at = paste(UNCLEAR).set("reading_levels", "Big,Mid").press("show_pasted")
    assert ("A", "A > B") in at.state.shown.hierarchy.edges
    at.open("loading").set("uploaded", {"name": "t.csv", "text": UNCLEAR})
    assert at.fault("uploaded")
    at.set("uploaded", {"name": "edges.txt", "text": "A B\nA C"})
    assert at.state.shown.hierarchy.edges == (("A", "B"), ("A", "C"))
