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

from hiermeasures.behaviour import study
from hiermeasures.cli import main
from hiermeasures.core.errors import InputError
from hiermeasures.formats import read_hierarchy, read_hierarchy_text, read_labels, write_hierarchy_text
from hiermeasures.formats.sandbox import sandboxed
from tests.added import use_measures

TEXT, LABELS = "A => B\nA => C\nB => T1\n", "| one | T1\n| two | C B\n"
KEY, NAME = "everything_is_worse", "Everything is worse"


def a_hierarchy_is_recognised_and_read() -> None:
    h = read_hierarchy_text(TEXT)
    assert h.edges == (("A", "B"), ("A", "C"), ("B", "T1"))
    assert sandboxed(read_hierarchy, TEXT.encode(), name="h.arrows").edges == h.edges
    assert write_hierarchy_text(h, "arrows") == TEXT


def labels_are_recognised_and_read() -> None:
    found = read_labels(LABELS.encode())
    assert (found.ids, found.labels[1], found.format) == (("one", "two"), {"B", "C"}, "bars")


def a_misspelt_format_names_it() -> None:
    with pytest.raises(InputError, match="nearest known: 'arrows'"):
        read_hierarchy_text("A B", format="arows")


def the_command_line_converts_and_evaluates() -> None:
    with TemporaryDirectory() as made:
        at = {name: str(Path(made, name)) for name in ("h.arrows", "h.json", "h2.arrows", "t.bars", "t.csv", "t2.bars")}
        Path(at["h.arrows"]).write_text(TEXT)
        Path(at["t.bars"]).write_text(LABELS)
        pairs = (("h.arrows", "h.json"), ("h.json", "h2.arrows"), ("t.bars", "t.csv"), ("t.csv", "t2.bars"))
        for source, target in pairs:
            assert main(["convert", at[source], at[target]]) == 0
        assert Path(at["h2.arrows"]).read_text() == TEXT
        assert Path(at["t2.bars"]).read_text() == "| one | T1\n| two | B C\n"
        files = ["--hierarchy", at["h.arrows"], "--true", at["t.bars"], "--predicted", at["t.csv"]]
        assert main(["evaluate", *files, "--measures", "hF"]) == 0
        assert main(["score", at["h.arrows"], "--true", "B", "--predicted", "C"]) == 0


def the_explorer_offers_it_wherever_it_offers_formats() -> None:
    from hiermeasures.explorer import screen
    from hiermeasures.explorer.library import OPENING, figure
    from hiermeasures.explorer.model import State
    from hiermeasures.explorer.state import History
    from hiermeasures.page.session import HOST

    state = State(History(figure(OPENING))).arranged()
    menus = [c.key for area in screen.screen(state, HOST) for c in area.all() if c.kind == "menu"]
    offered = 0
    for key in (None, *menus):
        at = screen.after(state, HOST, "control", "menu", {"key": key, "open": True}) if key else state
        text = json.dumps([c.as_data({}) for c in screen.screen(at, HOST)])
        assert text.count('"Outline"') == text.count('"Arrows"'), key
        offered += text.count('"Arrows"')
    assert offered


def the_systems_page_takes_it() -> None:
    from tests.app.screen import bound, systems_page

    app = systems_page().run()
    for field, title in (("hierarchy", "Arrows"), ("true", "Bars"), ("systems", "Bars")):
        assert f"Format: {title}" in bound(app, f"systems_{field}_format").options


def the_formats_are_documented() -> None:
    from docs.make.generated import formats_page

    page = formats_page()
    assert "| `arrows` | Arrows | `.arrows` | `parent => child` per line |" in page
    assert "| `bars` | Bars | `.bars` |" in page


def the_search_finds_where_the_property_holds() -> None:
    found = study(["f1", "recall"], [KEY], trees=3, dags=0).verdicts[KEY]
    assert (found["f1"].holds, found["recall"].holds) == (True, False)
    assert main(["behaviour", "--measures", "hF", "--properties", KEY, "--trees", "3", "--dags", "0"]) == 0


def the_behaviour_page_lists_the_property() -> None:
    from tests.app.screen import bound
    from tests.app.test_behaviour_page import asking, frame, run

    app = run(asking())
    for name in ("behaviour_properties", "behaviour_property"):
        assert NAME in bound(app, name).options
    assert NAME in frame(app).index


def the_property_is_documented() -> None:
    from docs.make.behaviour_page import matrix, proofs

    found = study(["f1", "recall"], [KEY], trees=3, dags=0)
    assert any(line.startswith(f"| `{KEY}` |") for line in matrix(found))
    assert f"### {NAME}" in list(proofs(found))


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


USES: tuple[Callable[[], None], ...] = (
    a_hierarchy_is_recognised_and_read,
    labels_are_recognised_and_read,
    a_misspelt_format_names_it,
    the_command_line_converts_and_evaluates,
    the_explorer_offers_it_wherever_it_offers_formats,
    the_systems_page_takes_it,
    the_formats_are_documented,
    the_search_finds_where_the_property_holds,
    the_behaviour_page_lists_the_property,
    the_property_is_documented,
    the_page_is_in_the_menu_and_opens,
    *use_measures.USES,
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
