"""A stage on the screen: nothing but the drawings, the question and the values, as large as the screen allows.

What is presented is the page's; it says what follows where a person turns on, leaves, or takes a step (`Moves`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.ui import gestures
from hiermeasures.ui.graph.component import graph, nothing
from hiermeasures.ui.graph.data import Large, graph_data
from hiermeasures.ui.graph.scene import Arrangement, scene
from hiermeasures.ui.outbox import Handler
from hiermeasures.ui.present.model import Presenting
from hiermeasures.ui.present.qr import code_data
from hiermeasures.ui.present.stage import Stage, arranged, height, rows
from hiermeasures.ui.scripts import component

KEY = "present"
UNITS = 16.0  # drawing units of a rem
AROUND = 150.0  # more units for links below a drawing, its caption, and two lines of legend

# One rem is the smallest text: 28.8 pixels at 1920 x 1080, 19.2 at 1280 x 720, and what the browser says on a phone.
STYLE = """<style>
:root:root:root { font-size: max(100%, min(1.5vw, 2.667vh)); }
[data-testid="stHeader"], [data-testid="stToolbar"], [data-testid="stDecoration"], footer { display: none; }
[data-testid="stMainBlockContainer"] { padding: 0 1.2rem; max-width: none; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0; }
[class*="st-key-present_page"] {
  flex: none; display: grid; height: 100vh; height: 100dvh; align-items: stretch;
  grid-template-columns: minmax(0, 1fr); column-gap: 1.5rem;
}
[class*="st-key-present_page"] > * { grid-column: 1 / -1; min-width: 0; }
[class*="st-key-present_drawings"] { height: 100%; flex-wrap: nowrap; gap: 1rem; --hm-position: absolute; }
[class*="st-key-present_drawings"] > * { flex: 1 1 0; min-width: 0; height: 100%; }
[class*="st-key-present_page"] > :has(> .st-key-present_said) { min-height: 0; overflow: hidden auto; }
.st-key-present_said { justify-content: center; }
.st-key-present_ask { --hm-note: 1rem; --hm-between: 0.2rem; --hm-line: 1.32; padding: 0.3rem 0; }
.st-key-present_ask :is(p, label, input, textarea, button) { font-size: 1rem !important; }
.st-key-present_ask [data-testid="stVerticalBlock"] { gap: 0.3rem !important; }
@media (min-width: 701px) and (min-aspect-ratio: 1) {
  .st-key-present_page_one, .st-key-present_page_two {
    grid-template-rows: auto minmax(min(NEEDrem, 68vh), 1fr) auto auto;
  }
  :is(.st-key-present_page_one, .st-key-present_page_two) > :has(> .st-key-present_said) {
    border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent);
  }
  .st-key-present_page_two > * > .st-key-present_said:has(.st-key-present_ask) {
    display: grid; grid-template-columns: 1fr 1fr; column-gap: 1.5rem; align-items: center;
  }
  [class*="st-key-present_page"][class*="_beside"] {
    grid-template: auto minmax(0, 1fr) auto / 56fr 44fr; --hm-question: 1.3rem;
  }
  [class*="_beside"] > :has(> [class*="st-key-present_drawings"]) { grid-area: 2 / 1; }
  [class*="_beside"] > :has(> .st-key-present_said) { grid-area: 2 / 2; }
  .st-key-present_drawings_2 { --hm-legend-width: calc(200% + 1rem); }
  .st-key-present_drawings_2 .st-key-present_graph_1 { --hm-legend-left: calc(-100% - 1rem); --hm-legend-seen: hidden; }
}
@media (max-width: 700px), (max-aspect-ratio: 1) {
  [data-testid="stMainBlockContainer"] { padding: 0 0.8rem; }
  [class*="st-key-present_page"] { display: flex; height: auto; min-height: 100dvh; }
  [class*="st-key-present_drawings"] {
    flex-direction: column; height: auto; --hm-position: static; --hm-height: 20rem;
  }
  [class*="st-key-present_drawings"] > * { flex: none; width: 100%; height: auto; }
  .st-key-present_ask button { min-height: 44px; }
}
</style>"""


@dataclass(frozen=True)
class Moves:
    """What the page presents now (nothing, once it was left), and what a person can do: see more or less of it, go to a
    step (None: the result), turn to the card before or after (where there are such), and leave. `link` gives the
    address of exactly this, or raises InputError.
    """

    now: Callable[[], tuple[Stage, Presenting] | None]
    change: Callable[[Presenting], object]
    step: Callable[[int | None], object]
    leave: Callable[[], object]
    link: Callable[[], str]
    turn: Callable[[int], object] | None = None


def present(moves: Moves) -> None:
    """Put what is presented on the page, which holds nothing else."""
    found = moves.now()
    if found is None:
        return
    stage, now = found
    layout, places = arranged(stage)
    st.html(STYLE.replace("NEED", f"{(max(map(height, places)) + AROUND) / UNITS:.2f}"))
    address = gestures.address(KEY, **_handlers(moves))
    part = component("present")
    with st.container(key=f"present_page_{layout}"):
        head = {"title": stage.title, "place": stage.place}
        part(key="present_head", data={"head": head, "address": address})
        _drawings(stage, places)
        with st.container(key="present_said"):
            if stage.ask is not None:
                with st.container(key="present_ask"):
                    stage.ask()
            if stage.question or stage.measures:
                part(key="present_rows", data={"rows": _rows(stage, now), "address": address})
        part(key="present_tools", data={"tools": _tools(stage, now, moves), "address": address})


def _drawings(stage: Stage, places: Sequence[Arrangement]) -> None:
    overlays = [p.overlay() for p in stage.predictions]
    scenes = [scene(place, overlay) for place, overlay in zip(places, overlays, strict=True)]
    with st.container(horizontal=True, key=f"present_drawings_{len(scenes)}"):
        for k, prediction in enumerate(stage.predictions):
            h, caption = prediction.explanation.hierarchy, prediction.caption
            clicks = prediction.clicks(places[k])
            data = graph_data(
                places[k],
                overlays[k],
                view=f"{stage.key}|{k}",
                alt=f"{caption}. {scenes[k].words}" if caption else scenes[k].words,
                focus=sorted(prediction.marked.union(*map(h.ancestors, prediction.marked)), key=h.index),
                click=clicks.click if clicks else None,
                large=Large.of(caption, scenes),
            )
            graph(data, key=f"present_graph_{k}", on_click=clicks.on_click if clicks else nothing)


def _rows(stage: Stage, now: Presenting) -> dict[str, Any]:
    """The question, or what a step is about, and the values."""
    return {
        "key": stage.key,
        "question": stage.question,
        "about": [about for k in range(len(stage.predictions)) if (about := stage.about_step(k))],
        "captions": [p.caption for p in stage.predictions],
        "rows": rows(stage, now),
        "votes": stage.votes,
    }


def _tools(stage: Stage, now: Presenting, moves: Moves) -> dict[str, Any]:
    """What can be done next."""
    step = stage.at.step
    return {
        "hidden": [item for item in stage.items if not now.shows(item)],
        "hides": bool(stage.items),
        "steps": stage.steps,
        "step": None if step is None or not stage.steps else min(step, stage.steps - 1) + 1,
        "turns": moves.turn is not None,
        "code": _code(moves) if now.code else None,
    }


def _code(moves: Moves) -> dict[str, Any]:
    try:
        return code_data(moves.link())
    except InputError as fault:
        return {"link": "", "note": str(fault)}


# --- what a person does -------------------------------------------------------------------------------------------


def _handlers(moves: Moves) -> dict[str, Handler]:
    """What gestures do. Several may come before the next run: each goes on from what the one before has made."""
    return {
        "reveal": partial(_change, moves, _revealed),
        "all": partial(_change, moves, lambda stage, now, value: now.reveal_all()),
        "hide": partial(_change, moves, lambda stage, now, value: now.hide()),
        "code": partial(_change, moves, lambda stage, now, value: replace(now, code=value.get("open") is True)),
        "go": partial(_go, moves),
        "leave": lambda value: moves.leave(),
    }


def _change(
    moves: Moves, made: Callable[[Stage, Presenting, Mapping[str, Any]], Presenting], value: Mapping[str, Any]
) -> None:
    found = moves.now()
    if found is not None:
        moves.change(made(*found, value))


def _revealed(stage: Stage, now: Presenting, value: Mapping[str, Any]) -> Presenting:
    item = value.get("item")
    return now.reveal(item, stage.items) if item in stage.items else now.reveal_next(stage.items)


def _go(moves: Moves, value: Mapping[str, Any]) -> None:
    found, by = moves.now(), -1 if value.get("by") == -1 else 1
    if found is None:
        return
    stage = found[0]
    place = _step(stage.at.step, by, stage.steps)
    if place != stage.at.step:
        moves.step(place)
    elif moves.turn is not None:
        moves.turn(by)


def _step(step: int | None, by: int, steps: int) -> int | None:
    """The step after or before one, of so many; the result (None) stands before the first. At the ends the same.

    >>> [_step(step, 1, 3) for step in (None, 0, 1, 2)], [_step(step, -1, 3) for step in (None, 0, 1)]
    ([0, 1, 2, 2], [None, None, 0])
    """
    if step is None:
        return 0 if by > 0 and steps else None
    place = min(step, steps - 1) + by
    return None if place < 0 else min(place, steps - 1)
