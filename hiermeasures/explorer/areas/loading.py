"""The menu "Draw or load": what a drawing starts from, random hierarchies, and one's own files,
pasted or from the disk. What was shown before stays where something cannot be read.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from hiermeasures.behaviour.random_hierarchies import LARGEST_RANDOM, random_hierarchy
from hiermeasures.cases.case import Case
from hiermeasures.cases.writing import read_cases
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.options import Options
from hiermeasures.explorer.areas.host import Host
from hiermeasures.explorer.controls import (
    LONGEST_FILE,
    Control,
    Controls,
    Range,
    attempted,
    button,
    choice,
    closed,
    file,
    menu,
    number,
    row,
    switch,
    text,
    words,
)
from hiermeasures.explorer.gestures import start_editing
from hiermeasures.explorer.library import OWN, instance_of
from hiermeasures.explorer.model import RECOGNISED, State
from hiermeasures.explorer.opening import STARTS, Start
from hiermeasures.explorer.state import Shown
from hiermeasures.formats import HIERARCHY_FORMATS, read_hierarchy, read_hierarchy_text
from hiermeasures.formats.source import extension

PASTED = "Pasted hierarchy"
EXAMPLE = "animal bird\nanimal fish\nbird penguin"
LARGEST_SEED = 10**9
CASE_FILES = (".yaml", ".yml")
PARTS = {"start": "Start from", "random": "Random", "load": "Load"}
ABOUT_FILES = "A case file holds a hierarchy with its classes and options, as “Share” saves it."


def draw_or_load(state: State, host: Host) -> Control:
    """The menu of the toolbar."""

    def content() -> Iterator[Control]:
        part = state.loading.part
        yield switch("loading_part", "Draw or load", part, PARTS, lambda s, chosen: _with(s, part=chosen))
        yield from _load(state, host) if part == "load" else _random(state) if part == "random" else _starts()

    return menu(state, "loading", "Draw or load", content)


def _with(state: State, **parts: Any) -> State:
    return replace(state, loading=replace(state.loading, **parts))


def _own(state: State, hierarchy: Hierarchy, title: str) -> State:
    """Open a hierarchy to mark classes in. Options stay, except that of class weights if one of
    the hierarchies gives weights.
    """
    made = Shown.make(hierarchy, title=title).shallow()
    kept, weights = state.shown.instance.options, made.instance.options.class_weights
    if weights == "given" or kept.class_weights == "given":
        kept = Options.make(kept, class_weights=weights)
    return state.showing(made.with_options(kept))


# --- starting points ----------------------------------------------------------------------------


def _starts() -> Iterator[Control]:
    for key, start in STARTS.items():
        yield row(
            button(f"start_{key}", start.title, partial(_started, start)), words(start.about, "note"), style="start"
        )


def _started(start: Start, state: State) -> State:
    if start.key == "blank":
        return start_editing(closed(_own(state, start.make(), OWN)))
    return closed(_own(state, start.make(), start.title))


def _random(state: State) -> Controls:
    deepest = "The deepest level, reached by one branch at least."
    extra = "How many of the classes below level 1 get a second parent."
    return (
        row(
            _number(state, "size", "Classes", (2, LARGEST_RANDOM)),
            _number(state, "depth", "Depth", (1, 50), help=deepest),
            _number(state, "branching", "Children at most", (1, LARGEST_RANDOM)),
            _number(state, "extra", "Extra parents, per cent", (0, 100), step=10, help=extra),
            _number(state, "seed", "Seed", (0, LARGEST_SEED), help="The same seed gives the same hierarchy."),
            style="pairs",
        ),
        row(
            button("draw_random", "Draw", _drawn, primary=True),
            button("another_random", "Another", _another, help="With the next seed."),
        ),
    )


def _number(state: State, name: str, label: str, limits: tuple[int, int], *, step: int = 1, help: str = "") -> Control:
    value = getattr(state.loading, name)
    act = lambda s, entry: _with(s, **{name: entry})  # noqa: E731
    return number(f"random_{name}", label, value, act, Range(limits, step), help=help)


def _drawn(state: State) -> State:
    at = state.loading
    made = random_hierarchy(at.size, at.depth, at.branching, at.extra / 100, seed=at.seed)
    return _own(state, made, f"Random {'tree' if made.is_tree else 'DAG'} {at.seed}")


def _another(state: State) -> State:
    return attempted(_with(state, seed=(state.loading.seed + 1) % (LARGEST_SEED + 1)), "another_random", _drawn)


# --- files --------------------------------------------------------------------------------------


def _load(state: State, host: Host) -> Iterator[Control]:
    at = state.loading
    formats = {RECOGNISED: "recognised by content and name"} | {key: f.title for key, f in HIERARCHY_FORMATS.items()}
    yield text(
        "pasted",
        "Paste a hierarchy",
        at.pasted,
        lambda s, entry: _with(s, pasted=entry),
        lines=6,
        placeholder=EXAMPLE,
        help="\n".join(f"{f.title}: {f.description}" for f in HIERARCHY_FORMATS.values()),
        longest=LONGEST_FILE,
    )
    yield choice("load_format", "Format", at.format, formats, lambda s, chosen: _with(s, format=chosen))
    yield row(button("show_pasted", "Show the pasted hierarchy", partial(_pasted, host), primary=True))
    yield file("uploaded", "Or open a hierarchy, or a case file (YAML)", partial(_opened, host), help=ABOUT_FILES)
    if at.cases:
        labels = {number: case.label for number, case in enumerate(at.cases)}
        show = lambda s, number: _case(_with(s, case=number), s.loading.cases[number])  # noqa: E731
        yield choice("case_of_file", "Case in the file", at.case, labels, show)


def _pasted(host: Host, state: State) -> State:
    def reading(at: State) -> State:
        return closed(_own(at, host.read(read_hierarchy_text, at.loading.pasted, format=_format(at)), PASTED))

    return attempted(state, "pasted", reading)


def _format(state: State) -> str | None:
    return state.loading.format if state.loading.format in HIERARCHY_FORMATS else None


def _opened(host: Host, state: State, given: tuple[str, str]) -> State:
    """The content of a file; one with several cases leaves the menu open, to choose another."""
    name, content = given
    data = content.encode("utf-8", "surrogatepass")
    return attempted(_with(state, cases=(), case=0), "uploaded", _contents(host, name, data))


def _contents(host: Host, name: str, data: bytes) -> Callable[[State], State]:
    if extension(name) in CASE_FILES:
        return lambda s: _first_case(s, host.read(read_cases, data, name))
    return lambda s: closed(_own(s, host.read(read_hierarchy, data, _format(s), name=name), name))


def _first_case(state: State, cases: Sequence[Case]) -> State:
    shown = _case(state, cases[0])
    return _with(shown, cases=tuple(cases)) if len(cases) > 1 else closed(shown)


def _case(state: State, case: Case) -> State:
    """A case with its own measures."""
    return replace(state.showing(instance_of(case).shallow()), own=state.own.with_more(case.definitions))
