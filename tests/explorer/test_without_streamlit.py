"""Drawing works without what mounts it: in an installation without the app the pictures are made,
too.
"""

import subprocess
import sys

import pytest

BLOCKED = "import sys; sys.modules |= dict.fromkeys({names!r})\n"  # what is None here cannot be imported
PICTURE = """
from hiermeasures import Hierarchy, explain
from hiermeasures.picture.scene import figure_scene
from hiermeasures.picture.svg import svg
from hiermeasures.picture.views import OPENING, VIEWS, overlay_for, with_view
x = explain(Hierarchy.from_nested({"A": {"B": ["T", "P"]}}), {"T"}, {"P"})
for view in VIEWS:
    at = with_view(OPENING, view)
    drawn = overlay_for(x, at)
    assert "</svg>" in svg(figure_scene(x.hierarchy, drawn), legend=True).svg
    assert VIEWS[view].panel(x, at, drawn).as_data()
"""
PARTS = (
    PICTURE
    + """
from hiermeasures.explorer.edits import EditChoice, edits_data, edits_to_show, effects
from hiermeasures.explorer.model import State
from hiermeasures.explorer.state import History, Shown
from hiermeasures.explorer.table import values_data
from hiermeasures.explorer.component_data import graph_data
from hiermeasures.picture.scene import on_screen
from hiermeasures.picture.layout import neighbourhood
from hiermeasures.explorer.parts import all_scripts, vis_network
state = State(History(Shown.make(x.hierarchy, {"T"}, {"P"}, title="t")))
assert values_data(state)[0]["rows"]["hF"]["value"] == "0.67"
edits = edits_to_show(x.instance, x, chosen="hF", listed=["hF"], drawn=["T"], sides=())
assert edits_data(edits, EditChoice(), "hF")["rows"]
placed = on_screen(neighbourhood(x.hierarchy, ()))
assert effects(edits, "hF")["true"] and graph_data(placed, drawn, view="", alt="")["scene"]["shapes"]
assert vis_network() and all_scripts("")
"""
)


@pytest.mark.parametrize(
    ("script", "blocked"),
    [
        (PICTURE, ("streamlit", "plotly", "segno", "pyvis", "anywidget", "ipywidgets")),
        (PARTS, ("streamlit", "plotly", "segno")),
    ],
    ids=["pictures", "the parts of a page"],
)
def test_what_draws_needs_neither_streamlit_nor_what_only_pages_use(script: str, blocked: tuple[str, ...]) -> None:
    called = [sys.executable, "-c", BLOCKED.format(names=blocked) + script]
    done = subprocess.run(called, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
