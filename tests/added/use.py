"""Use the made-up formats, property, measures and page wherever a person meets their kind.

test_added.py runs this in a copy of the project that holds them. It prints what failed, by use, as
JSON.
"""

import json
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures import Hierarchy, evaluate, explain, metrics
from hiermeasures.cli import main
from hiermeasures.debug import study
from hiermeasures.debug.what_if import why
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE
from hiermeasures.read import read_hierarchy, read_hierarchy_text, read_labels, write_hierarchy_text
from hiermeasures.read.sandbox import sandboxed

TEXT, LABELS = "A => B\nA => C\nB => T1\n", "| one | T1\n| two | C B\n"
KEY, NAME = "everything_is_worse", "Everything is worse"
H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
BEFORE, AFTER = explain(H, {"T1"}, {"B"}), explain(H, {"T1"}, {"P1"})
TOYS = {"level_gap": "1", "label_count": "2"}  # and the values of BEFORE


# --- formats ------------------------------------------------------------------------------------


def files_are_recognised_and_read() -> None:
    h = read_hierarchy_text(TEXT)
    assert h.edges == (("A", "B"), ("A", "C"), ("B", "T1"))
    assert sandboxed(read_hierarchy, TEXT.encode(), name="h.arrows").edges == h.edges
    assert write_hierarchy_text(h, "arrows") == TEXT
    found = read_labels(LABELS.encode())
    assert (found.ids, found.labels[1], found.format) == (("one", "two"), {"B", "C"}, "bars")
    with pytest.raises(InputError, match="did you mean 'arrows'"):
        read_hierarchy_text("A B", format="arows")


def the_command_line_converts_and_evaluates() -> None:
    with TemporaryDirectory() as made:
        at = {
            name: str(Path(made, name))
            for name in ("h.arrows", "h.json", "h2.arrows", "t.bars", "t.csv", "t2.bars")
        }
        Path(at["h.arrows"]).write_text(TEXT)
        Path(at["t.bars"]).write_text(LABELS)
        pairs = (
            ("h.arrows", "h.json"),
            ("h.json", "h2.arrows"),
            ("t.bars", "t.csv"),
            ("t.csv", "t2.bars"),
        )
        for source, target in pairs:
            assert main(["convert", at[source], at[target]]) == 0
        assert Path(at["h2.arrows"]).read_text() == TEXT
        assert Path(at["t2.bars"]).read_text() == "| one | T1\n| two | B C\n"
        files = ["--hierarchy", at["h.arrows"], "--true", at["t.bars"], "--predicted", at["t.csv"]]
        assert main(["evaluate", *files, "--measures", "hF"]) == 0


def the_explorer_and_the_systems_page_offer_them() -> None:
    from hiermeasures.explore import screen
    from tests.app.screen import bound, systems_page
    from tests.explore.hand import Hand

    at = Hand()
    areas = screen.screen(at.state, at.host)
    for key in [None, *(c.key for area in areas for c in area.all() if c.kind == "menu")]:
        state = screen.after(at.state, at.host, key, True) if key else at.state
        text = json.dumps([c.as_data({}) for c in screen.screen(state, at.host)])
        assert text.count('"Outline"') == text.count('"Arrows"'), key
    app = systems_page().run()
    for field, title in (("hierarchy", "Arrows"), ("true", "Bars"), ("systems", "Bars")):
        assert f"Format: {title}" in bound(app, f"systems_{field}_format").options


def formats_are_documented() -> None:
    from docs.make.generated import make_part

    page = make_part("hierarchy-formats") + make_part("label-formats")
    assert "| `arrows` | Arrows | `.arrows` | `parent => child` per line |" in page
    assert "| `bars` | Bars | `.bars` |" in page


# --- a property, a page -------------------------------------------------------------------------


def the_property_is_searched_listed_and_documented() -> None:
    from docs.make.behaviour_page import matrix, proofs
    from tests.app.screen import bound
    from tests.app.test_behaviour_page import asking, frame, run

    found = study(["f1", "recall"], [KEY], trees=3, dags=0)
    assert (found.verdicts[KEY]["f1"].holds, found.verdicts[KEY]["recall"].holds) == (True, False)
    assert (
        main(["behaviour", "--measures", "hF", "--properties", KEY, "--trees", "3", "--dags", "0"])
        == 0
    )
    assert any(line.startswith(f"| `{KEY}` |") for line in matrix(found))
    assert f"### {NAME}" in list(proofs(found))
    app = run(asking())
    for name in ("behaviour_properties", "behaviour_property"):
        assert NAME in bound(app, name).options
    assert NAME in frame(app).index


APP = """
import streamlit as st
from hiermeasures.app.pages import pages, switch_to

menu = pages()
st.navigation(menu).run()
titles = [entry.title for entry in menu]
st.text(titles[-1])
if "went" not in st.session_state:
    st.session_state.went = True
    switch_to("toy")
"""


def the_page_is_in_the_menu_and_opens() -> None:
    app = AppTest.from_string(APP, default_timeout=60).run()
    assert not app.exception
    assert [text.value for text in app.text] == ["A page more.", "Toy"]


# --- measures -----------------------------------------------------------------------------------


def measures_are_explained_evaluated_and_studied() -> None:
    assert [f"{BEFORE[key]:g}" for key in TOYS] == list(TOYS.values())
    assert BEFORE.derivation("level_gap").sentence == "Levels 2 and 1."
    assert explain(H, {"T1"}, {"B"}, define={"mine": "level_gap + labels.labels"})["mine"] == 3
    report = evaluate(H, [{"T1"}, {"T1"}], [{"B"}, {"P1"}], measures=list(TOYS))
    assert report.averaged("samples") == {"level_gap": 0.5, "label_count": 2.0}
    assert metrics.level_gap_error([{"T1"}], [{"B"}], hierarchy=H) == 1.0
    assert (
        study(list(TOYS), ["perfect_is_best"], trees=3, dags=0)
        .verdicts["perfect_is_best"]["level_gap"]
        .holds
    )


def changes_are_reasoned() -> None:
    assert (
        why(CATALOGUE["level_gap"], BEFORE, AFTER).sentence
        == "The deepest prediction is on level 2 instead of 1."
    )
    more = explain(H, {"T1"}, {"P1", "P2"})
    assert why(CATALOGUE["label_count"], AFTER, more).sentence == "Labels 2 → 3."


def structures_are_viewed() -> None:
    from hiermeasures.draw.views import OPENING, VIEWS, overlay_for, with_measure

    for key, meaning in (
        ("level_gap", "level of the deepest true class"),
        ("label_count", "labels"),
    ):
        at = with_measure(OPENING, key)
        overlay = overlay_for(BEFORE, at)
        assert (at.view, overlay.marks.keys()) == ("classes", {"T1", "B"})
        row = VIEWS[at.view].panel(BEFORE, at, overlay).as_data()["rows"][0]
        assert row["cells"] == [{"text": meaning}, {"text": "2"}]


def measures_are_shown_in_the_explorer_and_in_a_notebook() -> None:
    from tests.explore.hand import Hand

    at = Hand()
    assert at.rows.keys() >= TOYS.keys()
    for key in TOYS:
        assert at.do("values", "choose", key=key).measure == key
    assert "labels" in str(at.data("panel")).lower()
    assert "svg" in BEFORE.drawing(measure="level_gap")._repr_mimebundle_()["text/html"]


def measures_are_asked_in_exercises_and_documented() -> None:
    from docs.make.generated import make_part
    from hiermeasures.teach.exercises import ExerciseRequest, exercise
    from hiermeasures.teach.random_instances import with_families

    assert with_families(["levels"]) == ("level_gap",)
    assert exercise(
        ExerciseRequest(kinds=("value",), measures=("level_gap",)), 1
    ).card.measures == ("level_gap",)
    assert "### level_gap: Level gap" in make_part("measures")
    assert "deepest true" in make_part("names-of-expressions")


USES: tuple[Callable[[], None], ...] = (
    files_are_recognised_and_read,
    the_command_line_converts_and_evaluates,
    the_explorer_and_the_systems_page_offer_them,
    formats_are_documented,
    the_property_is_searched_listed_and_documented,
    the_page_is_in_the_menu_and_opens,
    measures_are_explained_evaluated_and_studied,
    changes_are_reasoned,
    structures_are_viewed,
    measures_are_shown_in_the_explorer_and_in_a_notebook,
    measures_are_asked_in_exercises_and_documented,
)


if __name__ == "__main__":
    found = {}
    for use in USES:
        try:
            use()
            found[use.__name__] = ""
        except Exception:
            found[use.__name__] = traceback.format_exc()
    print(json.dumps(found))
