"""The data of the clickable graph and of the table of values, for every host.

What the graph draws is the scene's (scene.py). vis-network, in the build that pyvis ships, gets a
network to zoom, move and find what the mouse is on: a node per class and per bend of an edge. Only
what changed is given to it, so positions and zoom stay. Labels travel as data and are drawn as
text.

The table has the measures by family, with two decimals in view and all digits on hover, and how
they changed. The catalogue is a constant of the script (values.js); only values, read from an
Explanation, and own measures are sent.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from typing import Any

from hiermeasures.behaviour.what_if import change
from hiermeasures.cases import CheckedCell
from hiermeasures.cases.verification import STATUSES
from hiermeasures.explorer.library import printed_of, printed_text, printed_words
from hiermeasures.measures import CATALOGUE, FAMILIES, Explanation, Measure, find_measure
from hiermeasures.measures.catalogue import DIRECTIONS
from hiermeasures.measures.own import OWN
from hiermeasures.picture import scene
from hiermeasures.picture.palette import drawing_styles

OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False, "randomSeed": 1},
    "interaction": {"hover": True, "selectable": False, "dragNodes": False, "tooltipDelay": 250, "zoomSpeed": 0.6},
    "nodes": {"shape": "custom", "fixed": True, "chosen": False},
    "edges": {"smooth": False, "chosen": False, "arrows": {"to": {"enabled": False}}},
}
MARKS: Mapping[str, str] = {"true": "◯ true", "predicted": "▢ predicted"}  # what a click marks, as a switch says it


@dataclass(frozen=True)
class Effect:
    """The change that a click on a class would make: an arrow, its kind, and in words."""

    text: str
    word: str
    words: str


@dataclass(frozen=True)
class Large:
    """A drawing that is shown large: its caption, the room down to `lowest` (links hang below
    classes) and the legend, both shared by drawings side by side.
    """

    caption: str
    lowest: float
    legend: list[dict[str, Any]]

    @classmethod
    def of(cls, caption: str, scenes: Sequence[scene.Scene]) -> "Large":
        lowest = max([link.y for drawn in scenes for link in drawn.links], default=0.0)
        lines = [line for drawn in scenes for line in drawn.as_data()["legend"]]
        lines.sort(key=lambda line: line["what"] != "class")
        legend = {(line["what"], line["words"]): line for line in lines}
        return cls(caption, lowest, list(legend.values()))


def graph_data(
    arrangement: scene.Arrangement,
    overlay: scene.Overlay,
    *,
    view: str,
    alt: str,
    focus: Iterable[str] = (),
    click: Mapping[str, Any] | None = None,
    large: Large | None = None,
    zoom: bool = True,
) -> dict[str, Any]:
    """The data of the graph, whose place and zoom stay while `view` does. `alt` is for a person who
    does not see it, `focus` the classes in sight at first where the whole is too small to read.

    `click` says what a click does, if anything: its `mode`, a part of the gesture, and the `modes`
    of the switch that chooses it, in the order of its words. The mode "answer" marks a class as
    focused and "nothing" not at all; `sides`: the keys T and P mark classes. `large` is for a
    screen seen from afar. With `zoom` the wheel of the mouse zooms; else it scrolls the page.
    """
    ids, drawn = arrangement.ids, scene.scene(arrangement, overlay)
    return {
        "view": view,
        "alt": alt,
        "zoom": zoom,
        "scene": drawn.as_data(),
        "focus": [ids[label] for label in focus if label in ids],
        "meanings": meanings(overlay),
        "click": click,
        **({"large": asdict(large)} if large else {}),
    }


def clicked(arrangement: scene.Arrangement, value: Any) -> str | None:
    if not isinstance(value, Mapping):
        return None
    key, name = value.get("id"), value.get("name")
    return next((c for c, known in arrangement.ids.items() if known == key and scene.shown_title(c) == name), None)


def meanings(overlay: scene.Overlay) -> dict[str, str]:
    """The overlay's words on a class by its roles on both sides, such as "class none": one that was
    clicked is described before Python answers.
    """
    return {f"{t.role} {p.role}": overlay.meaning(scene.Mark(t, p)) for t in scene.Side for p in scene.Side}


SYMBOL_PIECE = re.compile(r"([_^]?)(\\[a-zA-Z]+\{[^{}]*\}|\\[a-zA-Z]+|\{(?:[^{}]|\{[^{}]*\})*\}|[^\\_^{}])")
UPRIGHT = re.compile(r"\\(?:mathrm|mathit)\{([^{}]*)\}")
GREEK = {"Delta": "Δ", "ell": "ℓ"}
GREEK_NAME = re.compile(rf"\\({'|'.join(GREEK)})")
MOVED = {"": "", "_": " sub", "^": " sup"}
BUDGET = 2.0  # seconds of processor time that structures may take in one run, but for the chosen measure
LEFT_OUT = {"value": "…", "exact": "left out, as it takes long; choose it to have it worked out", "share": None}
NOTHING_MARKED = "Nothing is marked yet, so there are no values. Choose “◯ true” and click a true class."
SPENT = (
    "{} values are left out: what one click may cost here is spent on the others. Choose a measure to have it worked "
    "out; “hiermeasures score” on the command line knows no such limit."
)


def values_data(
    explanation: Explanation,
    chosen: str,
    *,
    keys: Iterable[str] = tuple(CATALOGUE),
    short: bool = False,
    starred: Iterable[str] = (),
    before: Explanation | None = None,
    printed: Mapping[str, tuple[CheckedCell, ...]] | None = None,
    changed: bool = False,
) -> tuple[dict[str, Any], int]:
    """The data of the table of the measures `keys`, own ones among them, each with its change since
    `before`; and how many were left out when the budget was spent (never the chosen one). Where no
    class is marked, no value is shown: what empty sets score is a convention. `printed` is what a
    paper prints of them, of another instance where this was `changed` since. A `short` table has
    names and no families.
    """
    keys = tuple(keys)
    measures = {key: find_measure(key) for key in keys}
    own = [m for m in measures.values() if m.group == OWN]
    worked_out = _within_budget([e for e in (explanation, before) if e is not None], keys, chosen)
    data = {
        "rows": {
            k: (_row(explanation, measures[k], before) if k in worked_out else LEFT_OUT)
            | _printed((printed or {}).get(k, ()), changed)
            for k in keys
        },
        "own": {"title": OWN.title, "about": OWN.description, "rows": [_about(m) for m in own]} if own else None,
        "printed": bool(printed),
        "chosen": chosen,
        "pinned": before is not None,
        "short": short,
        "starred": sorted(starred),
    }
    return data, len(keys) - len(worked_out)


def _within_budget(explanations: list[Explanation], keys: Iterable[str], chosen: str) -> frozenset[str]:
    start = sum(e.spent for e in explanations)
    found = set()
    for key in sorted(keys, key=lambda key: key != chosen):
        structures = find_measure(key).structures
        if key == chosen or sum(e.spent for e in explanations) - start < BUDGET:
            for e, structure in product(explanations, structures):
                e.built(structure)
        if all(e.has_built(structure) for e, structure in product(explanations, structures)):
            found.add(key)
    return frozenset(found)


def two_decimals(value: float) -> str:
    """A value as the table shows it; an undefined one is a dash."""
    return "–" if math.isnan(value) else f"{round(value, 2) + 0.0:,.2f}"


def signed(amount: float) -> str:
    """A change as the table shows it: two decimals, or as many as a small one needs to be seen."""
    if math.isnan(amount):
        return "–"
    return f"{amount:+,.2f}" if abs(amount) >= 0.005 or amount == 0 else f"{amount:+.1g}"


def symbol_parts(latex: str) -> list[tuple[str, str]]:
    r"""A symbol of the catalogue as pieces of text, each with how it is set: "it" or "rm", and
    "sub" or "sup" where it is moved.
    """
    parts = []
    for moved, piece in SYMBOL_PIECE.findall(latex):
        body = piece[1:-1] if piece.startswith("{") else piece
        upright = UPRIGHT.fullmatch(body)
        text = GREEK_NAME.sub(lambda m: GREEK[m.group(1)], upright.group(1) if upright else body)
        parts.append((text, ("rm" if upright else "it") + MOVED[moved]))
    return parts


@cache
def constants() -> str:
    families = [
        {"title": f.title, "about": f.description, "rows": [_about(m) for m in CATALOGUE.values() if m.family == key]}
        for key, f in FAMILIES.items()
    ]
    known = {
        "STYLES": drawing_styles(),
        "RING": scene.RING,
        "HEIGHT": scene.HEIGHT,
        "SUBTITLE": {"size": scene.SMALL, "lift": scene.SUBTITLE_HEIGHT / 2},
        "DEFAULTS": scene.PART_DEFAULTS,
        "OPTIONS": OPTIONS,
        "FAMILIES": families,
    }
    return f"const {', '.join(f'{name} = {json.dumps(value)}' for name, value in known.items())};\n"


def _about(measure: Measure) -> dict[str, Any]:
    return {
        "key": measure.key,
        "symbol": symbol_parts(measure.symbol),
        "name": measure.name,
        "better": measure.better,
        "about": f"{measure.description} {_range(measure)}",
    }


def _row(explanation: Explanation, measure: Measure, before: Explanation | None) -> dict[str, Any]:
    marked = explanation.true | explanation.predicted
    value = explanation[measure.key] if marked else math.nan
    exact = _exact(value) if marked else "no class is marked"
    return {"value": two_decimals(value), "exact": exact, "share": _share(measure, value)} | (
        _changed(measure, before[measure.key], value) if before else {}
    )


def _printed(cells: tuple[CheckedCell, ...], changed: bool) -> dict[str, Any]:
    """The printed value, in the table and in words: of several the one that agrees least. Of an
    instance that was `changed` since, nothing is said to agree or not.
    """
    if not cells:
        return {}
    if changed:
        words = f"{printed_of(cells)} for the figure."
        return {"printed": printed_text(cells[0]), "status": "changed", "paper": words}
    worst = max(cells, key=lambda cell: STATUSES.index(cell.status))
    return {"printed": printed_text(worst), "status": worst.status, "paper": printed_words(cells)}


def _changed(measure: Measure, before: float, now: float) -> dict[str, Any]:
    moved = change(measure, before, now)
    words = {"same": "no change", "undefined": "not defined before or now"}
    return {
        "change": "" if moved.word == "same" else signed(moved.amount),
        "word": moved.word if moved.word in ("better", "worse") else "",
        "moved": words.get(moved.word) or f"{signed(moved.amount)}, {moved.word}",
        "before": _exact(before),
        "before_share": _share(measure, before),
    }


def _exact(value: float) -> str:
    return "not defined here" if math.isnan(value) else repr(value)


def _share(measure: Measure, value: float) -> float | None:
    """The place of a value between the bounds of its measure, 0 to 1; None where there are none."""
    if measure.low is None or measure.high is None or math.isnan(value):
        return None
    return round((value - measure.low) / (measure.high - measure.low), 4)


def _range(measure: Measure) -> str:
    low = "no bound" if measure.low is None else f"{measure.low:g}"
    high = "no bound" if measure.high is None else f"{measure.high:g}"
    return f"From {low} to {high}; {DIRECTIONS[measure.better]}."
