"""Loading: the menu "Draw or load" with starting points, random hierarchies and one's own
files, the menu of the papers' figures, and the row that says what of a figure is shown and in which
way it was changed. What was shown before stays where something cannot be read.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlencode

from hiermeasures.behaviour.random_hierarchies import LARGEST_RANDOM, random_hierarchy
from hiermeasures.cases.case import Case
from hiermeasures.cases.writing import read_cases
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.options import Options
from hiermeasures.explorer import controls, library
from hiermeasures.explorer.gestures import start_editing
from hiermeasures.explorer.model import RECOGNISED, Host, State
from hiermeasures.explorer.state import Shown
from hiermeasures.formats import HIERARCHY_FORMATS, read_hierarchy, read_hierarchy_text
from hiermeasures.formats.source import extension

PASTED = "Pasted hierarchy"
EXAMPLE = "animal bird\nanimal fish\nbird penguin"
LARGEST_SEED = 10**9
CASE_FILES = (".yaml", ".yml")
PARTS = {"start": "Start from", "random": "Random", "load": "Load"}
ABOUT_FILES = "A case file holds a hierarchy with its classes and options, as “Share” saves it."


def draw_or_load(state: State, host: Host) -> controls.Control:
    def content() -> Iterator[controls.Control]:
        part = state.loading.part
        yield controls.switch("loading_part", "Draw or load", part, PARTS, lambda s, chosen: _with(s, part=chosen))
        yield from _load(state, host) if part == "load" else _random(state) if part == "random" else _starts()

    return controls.menu(state, "loading", "Draw or load", content)


def _with(state: State, **parts: Any) -> State:
    return replace(state, loading=replace(state.loading, **parts))


def _own(state: State, hierarchy: Hierarchy, title: str) -> State:
    """Open a hierarchy with the options so far, but that of class weights where one gives any."""
    made = Shown.make(hierarchy, title=title).shallow()
    kept, weights = state.shown.instance.options, made.instance.options.class_weights
    if weights == "given" or kept.class_weights == "given":
        kept = Options.make(kept, class_weights=weights)
    return state.showing(made.with_options(kept))


@dataclass(frozen=True)
class Start:
    """A hierarchy to start from, with a sentence about it."""

    key: str
    title: str
    about: str
    make: Callable[[], Hierarchy]


def blank() -> Hierarchy:
    return Hierarchy.from_edges([], ["A"])


def binary_tree(depth: int = 3) -> Hierarchy:
    """A tree of two children each, in which the name of a class tells the turns that lead to it."""
    edges: list[tuple[str, str]] = []
    layer = [""]
    for _ in range(depth):
        edges += [(turns or "root", turns + turn) for turns in layer for turn in "01"]
        layer = [turns + turn for turns in layer for turn in "01"]
    return Hierarchy.from_edges(edges)


def icd9_364() -> Hierarchy:
    """The family 364 of ICD-9-CM, disorders of iris and ciliary body."""
    codes = {
        "364.0": "0 1 2 3 4 5",
        "364.1": "0 1",
        "364.2": "1 2 3 4",
        "364.3": "",
        "364.4": "1 2",
        "364.5": "1 2 3 4 5 6 7 9",
        "364.6": "0 1 2 3 4",
        "364.7": "0 1 2 3 4 5 6 7",
        "364.8": "1 9",
        "364.9": "",
    }
    return Hierarchy.from_edges(
        [*(("364", code) for code in codes), *((c, c + d) for c, digits in codes.items() for d in digits.split())]
    )


def animals() -> Hierarchy:
    return Hierarchy.from_nested(
        {
            "animal": {
                "mammal": {"dog": ["poodle", "terrier"], "cat": None, "bat": None, "whale": ["orca", "blue whale"]},
                "bird": {"owl": None, "eagle": None, "penguin": None},
                "fish": {"shark": None, "salmon": None},
                "swimmer": {"whale": None, "penguin": None, "fish": None},
                "flyer": {"bat": None, "owl": None, "eagle": None},
            }
        }
    )


STARTS: dict[str, Start] = {
    start.key: start
    for start in (
        Start("blank", "Blank root", "One class to add to.", blank),
        Start("binary", "Binary tree", "Fifteen classes on four levels.", binary_tree),
        Start("icd9", "ICD-9 364", "Disorders of the iris, three levels.", icd9_364),
        Start("animals", "Animals", "A DAG: a bat is a mammal and a flyer.", animals),
    )
}


def _starts() -> Iterator[controls.Control]:
    for key, start in STARTS.items():
        yield controls.row(
            controls.button(f"start_{key}", start.title, partial(_started, start)),
            controls.words(start.about, "note"),
            style="start",
        )


def _started(start: Start, state: State) -> State:
    if start.key == "blank":
        return start_editing(controls.closed(_own(state, start.make(), library.OWN)))
    return controls.closed(_own(state, start.make(), start.title))


def _random(state: State) -> controls.Controls:
    deepest = "The deepest level, reached by one branch at least."
    extra = "How many of the classes below level 1 get a second parent."
    return (
        controls.row(
            _number(state, "size", "Classes", (2, LARGEST_RANDOM)),
            _number(state, "depth", "Depth", (1, 50), help=deepest),
            _number(state, "branching", "Children at most", (1, LARGEST_RANDOM)),
            _number(state, "extra", "Extra parents, per cent", (0, 100), step=10, help=extra),
            _number(state, "seed", "Seed", (0, LARGEST_SEED), help="The same seed gives the same hierarchy."),
            style="pairs",
        ),
        controls.row(
            controls.button("draw_random", "Draw", _drawn, primary=True),
            controls.button("another_random", "Another", _another, help="With the next seed."),
        ),
    )


def _number(
    state: State, name: str, label: str, limits: tuple[int, int], *, step: int = 1, help: str = ""
) -> controls.Control:
    value = getattr(state.loading, name)
    act = lambda s, entry: _with(s, **{name: entry})  # noqa: E731
    return controls.number(f"random_{name}", label, value, act, controls.Range(limits, step), help=help)


def _drawn(state: State) -> State:
    at = state.loading
    made = random_hierarchy(at.size, at.depth, at.branching, at.extra / 100, seed=at.seed)
    return _own(state, made, f"Random {'tree' if made.is_tree else 'DAG'} {at.seed}")


def _another(state: State) -> State:
    return controls.attempted(
        _with(state, seed=(state.loading.seed + 1) % (LARGEST_SEED + 1)), "another_random", _drawn
    )


def _load(state: State, host: Host) -> Iterator[controls.Control]:
    at = state.loading
    formats = {RECOGNISED: "recognised by content and name"} | {key: f.title for key, f in HIERARCHY_FORMATS.items()}
    yield controls.text(
        "pasted",
        "Paste a hierarchy",
        at.pasted,
        lambda s, entry: _with(s, pasted=entry),
        lines=6,
        placeholder=EXAMPLE,
        help="\n".join(f"{f.title}: {f.description}" for f in HIERARCHY_FORMATS.values()),
        longest=controls.LONGEST_FILE,
    )
    yield controls.choice("load_format", "Format", at.format, formats, lambda s, chosen: _with(s, format=chosen))
    yield controls.row(
        controls.button("show_pasted", "Show the pasted hierarchy", partial(_pasted, host), primary=True)
    )
    yield controls.file(
        "uploaded", "Or open a hierarchy, or a case file (YAML)", partial(_opened, host), help=ABOUT_FILES
    )
    if at.cases:
        labels = {k: case.label for k, case in enumerate(at.cases)}
        show = lambda s, k: _case(_with(s, case=k), s.loading.cases[k])  # noqa: E731
        yield controls.choice("case_of_file", "Case in the file", at.case, labels, show)


def _pasted(host: Host, state: State) -> State:
    def reading(at: State) -> State:
        return controls.closed(_own(at, host.read(read_hierarchy_text, at.loading.pasted, format=_format(at)), PASTED))

    return controls.attempted(state, "pasted", reading)


def _format(state: State) -> str | None:
    return state.loading.format if state.loading.format in HIERARCHY_FORMATS else None


def _opened(host: Host, state: State, given: tuple[str, str]) -> State:
    """The content of a file; one with several cases leaves the menu open, to choose another."""
    name, content = given
    data = content.encode("utf-8", "surrogatepass")
    return controls.attempted(_with(state, cases=(), case=0), "uploaded", _contents(host, name, data))


def _contents(host: Host, name: str, data: bytes) -> Callable[[State], State]:
    if extension(name) in CASE_FILES:
        return lambda s: _first_case(s, host.read(read_cases, data, name))
    return lambda s: controls.closed(_own(s, host.read(read_hierarchy, data, _format(s), name=name), name))


def _first_case(state: State, cases: Sequence[Case]) -> State:
    shown = _case(state, cases[0])
    return _with(shown, cases=tuple(cases)) if len(cases) > 1 else controls.closed(shown)


def _case(state: State, case: Case) -> State:
    return replace(state.showing(library.instance_of(case).shallow()), own=state.own.with_more(case.definitions))


S = TypeVar("S", bound=State)


def figure_menu(state: State) -> controls.Control:
    content = lambda: (controls.component("figure_list", "figures", lambda: listed(state.shown), choose=_chosen),)  # noqa: E731
    return controls.menu(state, "figures", shown_name(state.shown), content, wide=True)


def listed(shown: Shown | None = None) -> dict[str, Any]:
    found = [
        {"name": paper.name, "figures": [_entry(case) for case in paper.cases]}
        for paper in library.papers()
        if paper.cases
    ]
    return {"papers": found, "topics": topics(), "chosen": None if shown is None or shown.changed else shown.case}


def shown_name(shown: Shown) -> str:
    case = library.library().cases.get(shown.case or "")
    if case is None:
        return library.name_of(shown)
    return library.marked(shown, case.label) if shown.changed else _title(case)


def topics() -> list[str]:
    return list(dict.fromkeys(topic for paper in library.papers() for case in paper.cases for topic in case.topics))


def _title(case: Case) -> str:
    return f"{case.label}: {case.title}"


def _entry(case: Case) -> dict[str, Any]:
    return {"key": case.key, "title": _title(case), "topics": case.topics}


def _chosen(state: S, value: Mapping[str, Any]) -> S:
    return controls.closed(_opened_figure(state, value.get("key")))


def _opened_figure(state: S, key: Any) -> S:
    return state.showing(library.figure(key)) if isinstance(key, str) and key in library.figures() else state


def figure_rows(state: State, host: Host) -> controls.Controls:
    fault, others = state.link_fault, host.rows(state)
    told = (controls.words(fault[1], "error", key="link_fault"),) if fault and fault[0] is state.shown else ()
    return (*told, *others, *_figure_row(state, host, named=bool(others)))


def _figure_row(state: State, host: Host, *, named: bool) -> controls.Controls:
    """The parts of a figure, what to see in it, and the way to what is printed about it; of one
    that was changed, in which way, and the way back. Of anything else, unless another row has
    `named` it, its title.
    """
    shown = state.shown
    case = library.library().cases.get(shown.case or "")
    if case is None and shown.origin is None:
        return () if named else _kept_options(state)
    if case is None and named:
        return ()
    if shown.changed:
        return (controls.row(_parts(case, shown) if case else None, *changes(state)),)
    if case is None:
        return (controls.row(controls.words(shown.title, "note", key="lesson_text")),)
    return (
        controls.row(
            _parts(case, shown), controls.words(case.teaches, "note", key="lesson_text"), _to_case(case, host)
        ),
    )


def _kept_options(state: State) -> controls.Controls:
    """The options that an own hierarchy has from what was shown before, until it is changed."""
    options, before = state.shown.instance.options, state.before
    if before is None or before.hierarchy is state.shown.hierarchy or before.title == state.shown.title:
        return ()
    was, fields = before.instance.options, Options.model_fields
    kept = [fields[name].title or name for name in options.changed if getattr(options, name) == getattr(was, name)]
    if not kept:
        return ()
    told = controls.words(f"Options that were set before are kept: {', '.join(kept)}.", "note", key="kept_options")
    defaults = lambda s: s.showing(s.shown.with_options(Options.make()))  # noqa: E731
    return (controls.row(told, controls.button("default_options", "Default options", defaults)),)


def _to_case(case: Case, host: Host) -> controls.Control | None:
    if (to_page := host.to_page) is None:
        return None
    act = lambda state: to_page(state, "cases", {"figure": library.case_file(case)})  # noqa: E731
    return controls.button(
        "to_case", library.cells_counted(library.published(case.key)), act, help=f"{case.label} on the page of cases"
    )


def _parts(case: Case, shown: Shown) -> controls.Control | None:
    parts = [other for other in library.library().cases.values() if library.case_file(other) == library.case_file(case)]
    if len(parts) == 1:
        return None
    names = {part.key: f"({part.part})" for part in parts}
    return controls.switch("part", "Part of the figure", None if shown.changed else case.key, names, _opened_figure)


def changes(state: State) -> controls.Controls:
    shown = state.shown
    case = library.library().cases.get(shown.case or "")
    name = case.label if case is not None else "what its title says"
    back = "Back to the figure" if case is not None else "Back to the original"
    return (
        controls.words(f"No longer {name}: {', '.join(shown.changes)}.", "note", key="changed_text"),
        controls.button("back_to_original", back, lambda s: s.showing(s.shown.original)),
    )


def welcome(state: State, host: Host) -> dict[str, Any] | None:
    """Data of hint.js, on the opening figure's hierarchy in a window, until it is closed."""
    if not host.window or state.introduced or state.shown.hierarchy != library.figure(library.OPENING).hierarchy:
        return None
    return {"course": f"learn?{urlencode(host.course)}" if host.course else None}
