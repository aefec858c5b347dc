"""Loading a hierarchy or a figure.

The module draws the menu "Draw or load" (starting points, random hierarchies, your files), the menu
of the papers' figures, and the row about the current figure and its changes. If a file cannot be
read, the screen stays unchanged.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import Any, TypeVar
from urllib.parse import urlencode

from hiermeasures.debug.random_hierarchies import LARGEST_RANDOM, random_hierarchy
from hiermeasures.explore import controls, library
from hiermeasures.explore.controls import Control, Controls, put
from hiermeasures.explore.gestures import start_editing
from hiermeasures.explore.model import RECOGNISED, Host, State
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import DECLARED, Options
from hiermeasures.read import HIERARCHY_FORMATS, read_hierarchy, read_hierarchy_text
from hiermeasures.read.description import describe_hierarchy, summarise
from hiermeasures.read.reading import OPTIONS, explained_options, fields_to_show, filled_options
from hiermeasures.read.source import extension
from hiermeasures.verify.case import Case
from hiermeasures.verify.paper_file import read_paper_file

S = TypeVar("S", bound=State)
PASTED = "Pasted hierarchy"
EXAMPLE = "animal bird\nanimal fish\nbird penguin"
LARGEST_SEED = 10**9
CASE_FILES = (".yaml", ".yml")
PARTS = {"start": "Start from", "random": "Random", "load": "Load"}
ABOUT_FILES = "A case file contains a hierarchy with classes and options. “Share” saves one."


def draw_or_load(state: State, host: Host) -> Control:
    def content() -> Iterator[Control]:
        part = state.loading.part
        yield controls.switch("loading_part", "Draw or load", part, PARTS, put("loading", "part"))
        yield from (
            _load(state, host)
            if part == "load"
            else _random(state)
            if part == "random"
            else _starts()
        )

    return controls.menu(state, "loading", "Draw or load", content)


def _with(state: State, **parts: Any) -> State:
    return replace(state, loading=replace(state.loading, **parts))


def _own(state: State, hierarchy: Hierarchy, title: str) -> State:
    """Open a hierarchy and keep the options. `class_weights` changes if the old or new hierarchy
    has given weights.
    """
    made = Shown.make(hierarchy, title=title).shallow()
    kept, weights = state.shown.instance.options, made.instance.options.class_weights
    if weights == "given" or kept.class_weights == "given":
        kept = Options.make(kept, class_weights=weights)
    return state.showing(made.with_options(kept))


# Hierarchies to start from, by key: title, what it is about, and its classes as nested mappings.
STARTS = json.loads(files("hiermeasures.explore").joinpath("starts.json").read_text("utf-8"))


STORY = (
    "A photo shows a penguin, and the model answers eagle. Click Dog to add a second answer, and "
    "watch the values."
)


def start(key: str) -> Hierarchy:
    return Hierarchy.from_nested(STARTS[key]["nested"])


@cache
def story() -> Shown:
    """Return the instance of the first screen."""
    title = STARTS["story"]["title"]
    return Shown.make(start("story"), {"Penguin"}, {"Eagle"}, title=title).named()


def is_story(shown: Shown) -> bool:
    """Return True if an instance is the story, even with other classes marked."""
    return shown.origin is not None and shown.origin == story().instance


def _starts() -> Iterator[Control]:
    def opened(key: str, state: State) -> State:
        if key == "story":
            return controls.closed(state.showing(story()))
        made = controls.closed(
            _own(state, start(key), library.OWN if key == "blank" else STARTS[key]["title"])
        )
        return start_editing(made) if key == "blank" else made

    for key, entry in STARTS.items():
        button = controls.button(f"start_{key}", entry["title"], partial(opened, key))
        yield controls.row(button, controls.words(entry["about"], "note"), style="start")


def _random(state: State) -> Controls:
    deepest = "The deepest level. At least one branch reaches it."
    extra = "The share of classes below level 1 with a second parent."

    def field(
        name: str, label: str, limits: tuple[int, int], *, step: int = 1, help: str = ""
    ) -> Control:
        value, numbers = getattr(state.loading, name), controls.Range(limits, step)
        return controls.number(
            f"random_{name}", label, value, put("loading", name), numbers, help=help
        )

    def draw(state: State) -> State:
        at = state.loading
        made = random_hierarchy(at.size, at.depth, at.branching, at.extra / 100, seed=at.seed)
        return _own(state, made, f"Random {'tree' if made.is_tree else 'DAG'} {at.seed}")

    def another(state: State) -> State:
        next_seed = _with(state, seed=(state.loading.seed + 1) % (LARGEST_SEED + 1))
        return controls.attempted(next_seed, "another_random", draw)

    return (
        controls.row(
            field("size", "Classes", (2, LARGEST_RANDOM)),
            field("depth", "Depth", (1, 50), help=deepest),
            field("branching", "Children at most", (1, LARGEST_RANDOM)),
            field("extra", "Extra parents, per cent", (0, 100), step=10, help=extra),
            field(
                "seed", "Seed", (0, LARGEST_SEED), help="A seed always gives the same hierarchy."
            ),
            style="pairs",
        ),
        controls.row(
            controls.button("draw_random", "Draw", draw, primary=True),
            controls.button(
                "another_random", "Another", another, help="Draw again with the next seed."
            ),
        ),
    )


def _load(state: State, host: Host) -> Iterator[Control]:
    at = state.loading
    formats = {RECOGNISED: "recognised by content and name"} | {
        key: f.title for key, f in HIERARCHY_FORMATS.items()
    }

    def read(s: State, reader: Callable[..., Any], *given: Any, **more: Any) -> Any:
        format = s.loading.format if s.loading.format in HIERARCHY_FORMATS else None
        options = filled_options(s.loading.reading)
        with explained_options():
            return host.read(reader, *given, format=format, **more, **options)

    def paste(s: State) -> State:
        def opened(at: State) -> State:
            return _read(at, read(at, read_hierarchy_text, at.loading.pasted), PASTED)

        return _asking(controls.attempted(s, "pasted", opened), None)

    def open_another(s: State, given: tuple[str, str]) -> State:
        return open_file(_with(s, **_FORGOTTEN), given)

    def open_file(s: State, given: tuple[str, str]) -> State:
        """Open a file. If it has several cases, the menu stays open, so that you can choose
        another.
        """
        name, data = given[0], given[1].encode("utf-8", "surrogatepass")

        def opened(at: State) -> State:
            if extension(name) not in CASE_FILES:
                return _read(at, read(at, read_hierarchy, data, name=name), name)
            paper = host.read(read_paper_file, data, name)
            shown = at.with_paper(paper, next(iter(paper.cases)))
            return shown if len(paper.cases) > 1 else controls.closed(shown)

        return _asking(controls.attempted(s, "uploaded", opened), given)

    yield controls.text(
        "pasted",
        "Paste a hierarchy",
        at.pasted,
        put("loading", "pasted"),
        lines=6,
        placeholder=EXAMPLE,
        help="\n".join(f"{f.title}: {f.description}" for f in HIERARCHY_FORMATS.values()),
        longest=controls.LONGEST_FILE,
    )
    yield controls.choice("load_format", "Format", at.format, formats, put("loading", "format"))
    yield controls.row(
        controls.button("show_pasted", "Show the pasted hierarchy", paste, primary=True)
    )
    yield controls.file(
        "uploaded", "Or open a hierarchy, or a case file (YAML)", open_another, help=ABOUT_FILES
    )
    yield from _reading_fields(state, open_file)
    if state.paper is not None and len(state.paper.cases) > 1:
        labels = {part: case.label for part, case in state.paper.cases.items()}
        yield controls.choice("case_of_file", "Case in the file", state.part, labels, show_part)


def _read(state: State, hierarchy: Hierarchy, title: str) -> State:
    """Open a hierarchy from a file or text, and reset the reading options for the next file."""
    return controls.closed(_with(_own(state, hierarchy, title), **_FORGOTTEN))


_FORGOTTEN: Mapping[str, Any] = {"reading": {}, "asked": (), "refused": None}


def _asking(state: S, given: tuple[str, str] | None) -> S:
    """Remember the file and the fields that an error message asks for, to read the file again."""
    asked = fields_to_show(state.loading.reading, " ".join(state.faults.values()))
    if not (state.faults and asked):
        return state
    return replace(state, loading=replace(state.loading, asked=tuple(asked), refused=given))


def _set_option(option: str, state: State, text: str) -> State:
    return _with(state, reading={**state.loading.reading, option: text})


def _reading_fields(
    state: State, open_file: Callable[[State, tuple[str, str]], State]
) -> Iterator[Control]:
    """Yield the fields that an error message asks for, and a button that reads the file again."""
    at = state.loading
    for option in at.asked:
        yield controls.text(
            f"reading_{option}",
            option.capitalize(),
            at.reading.get(option, ""),
            partial(_set_option, option),
            help=OPTIONS[option],
        )
    if (refused := at.refused) is not None:
        again = partial(lambda given, s: open_file(s, given), refused)
        yield controls.button("read_again", f"Read {refused[0]} again", again, primary=True)


def show_part(state: S, part: str | None) -> S:
    """Show another figure of the person's own paper. The paper keeps its version of this one."""
    paper = state.written_paper
    return state if paper is None or part is None else state.with_paper(paper, part)


def figure_menu(state: State) -> Control:
    def chosen(state: S, value: Mapping[str, Any]) -> S:
        return controls.closed(_opened_figure(state, value.get("key")))

    def content() -> Controls:
        return (
            controls.component(
                "figure_list", "figures", lambda: listed(state.shown), choose=chosen
            ),
        )

    return controls.menu(state, "figures", shown_name(state.shown), content, wide=True)


def listed(shown: Shown | None = None) -> dict[str, Any]:
    """Return the data of figure_menu.js: the figures of each paper, all topics, and the current
    figure.
    """
    papers = [
        {
            "name": paper.name,
            "figures": [
                {"key": c.key, "title": f"{c.label}: {c.title}", "topics": c.topics}
                for c in paper.cases
            ],
        }
        for paper in library.papers()
        if paper.cases
    ]
    topics = dict.fromkeys(
        topic for paper in library.papers() for case in paper.cases for topic in case.topics
    )
    chosen = None if shown is None or shown.changed else shown.case
    return {"papers": papers, "topics": list(topics), "chosen": chosen}


def shown_name(shown: Shown) -> str:
    """Return the name on the button, such as `Figure 11(a), changed`."""
    case = library.library().cases.get(shown.case or "")
    if case is None:
        return library.name_of(shown)
    return library.marked(shown, case.label) if shown.changed else f"{case.label}: {case.title}"


def _opened_figure(state: S, key: Any) -> S:
    return (
        state.showing(library.figure(key))
        if isinstance(key, str) and key in library.figures()
        else state
    )


def figure_rows(state: State, host: Host) -> Controls:
    """Return the rows above the drawing: a link's fault, the host's rows, and the figure's row."""
    fault, others = state.visiting.link_fault, host.rows(state)
    told = (
        (controls.words(fault[1], "error", key="link_fault"),)
        if fault and fault[0] is state.shown
        else ()
    )
    return (*told, *others, *_reading_row(state), *_figure_row(state, host, named=bool(others)))


def _reading_row(state: State) -> Controls:
    """Return a row on how the hierarchy's file was read, if it came from a file."""
    hierarchy = state.shown.hierarchy
    if not hierarchy.understood.format:
        return ()
    found = describe_hierarchy(hierarchy)

    def content() -> Iterator[Control]:
        for name, text in found.lines():
            yield controls.row(controls.words(name, "note"), controls.words(text), style="facts")

    return (controls.row(controls.menu(state, "reading", summarise(found), content)),)


def _figure_row(state: State, host: Host, *, named: bool) -> Controls:
    """Return the row about the current figure.

    For an unchanged figure it shows the parts, a hint, and a link to the printed values. For a
    changed figure it lists the changes, with a button that undoes them. For anything else it shows
    the title, unless another row has `named` it.
    """
    shown = state.shown
    case = library.library().cases.get(shown.case or "")
    if case is None and named:
        return ()
    if case is None and shown.origin is None:
        return _kept_options(state)
    if is_story(shown):
        return (_story_row(shown),)
    if shown.changed:
        return (controls.row(_parts(case, shown) if case else None, *changes(state)),)
    if case is None:
        return (controls.row(controls.words(shown.title, "note", key="lesson_text")),)
    to_case = None
    if (to_page := host.to_page) is not None and not state.quiet:
        counted = library.cells_counted(library.published(case.key))
        act = lambda state: to_page(state, "cases", {"figure": library.case_file(case)})
        to_case = controls.button(
            "to_case", counted, act, help=f"{case.label} on the page of cases"
        )
    return (
        controls.row(
            _parts(case, shown), controls.words(case.teaches, "note", key="lesson_text"), to_case
        ),
    )


def _story_row(shown: Shown) -> Control:
    figure = controls.button(
        "paper_figure",
        "From a paper: Figure 11(a)",
        lambda s: s.showing(library.figure(library.OPENING)),
        help="The example of Kosmopoulos et al., with the values that they print.",
    )
    back = controls.button("back_to_original", "Start again", lambda s: s.showing(story()))
    return controls.row(
        controls.words(STORY, key="lesson_text"), back if shown.changed else None, figure
    )


def _kept_options(state: State) -> Controls:
    """Return a row that lists the kept options, until you change the new hierarchy."""
    options, before = state.shown.instance.options, state.before
    if (
        before is None
        or before.hierarchy is state.shown.hierarchy
        or before.title == state.shown.title
    ):
        return ()
    was = before.instance.options
    kept = [
        DECLARED[name].title
        for name in options.changed
        if getattr(options, name) == getattr(was, name)
    ]
    if not kept:
        return ()
    told = f"Your earlier options are kept: {', '.join(kept)}."
    defaults = lambda s: s.showing(s.shown.with_options(Options.make()))
    button = controls.button("default_options", "Default options", defaults)
    return (controls.row(controls.words(told, "note", key="kept_options"), button),)


def _parts(case: Case, shown: Shown) -> Control | None:
    """Return a switch between the parts of a figure. A change deselects all parts."""
    file = library.case_file(case)
    parts = [
        other for other in library.library().cases.values() if library.case_file(other) == file
    ]
    if len(parts) == 1:
        return None
    names = {part.key: f"({part.part})" for part in parts}
    return controls.switch(
        "part", "Part of the figure", None if shown.changed else case.key, names, _opened_figure
    )


def changes(state: State) -> Controls:
    """Return a note on the changes to a figure, and buttons that undo or keep them."""
    case = library.library().cases.get(state.shown.case or "")
    name, end = (case.label, "figure") if case is not None else ("what its title says", "original")
    told = f"No longer {name}: {', '.join(state.shown.changes)}."
    back = controls.button(
        "back_to_original", f"Back to the {end}", lambda s: s.showing(s.shown.original)
    )
    update = controls.button(
        "update_figure",
        "Update the figure",
        lambda s: s.updated(),
        help="Your paper contains the old figure. This writes your changes into it.",
    )
    kept = (update,) if state.part is not None else ()
    return (controls.words(told, "note", key="changed_text"), back, *kept)


CLICKS = 3  # after which a first visit meets What if


def hint(state: State, host: Host) -> dict[str, Any] | None:
    """Return the data of hint.js: the welcome to the story, or a hint at the next click.

    Each is shown until you close it.
    """
    if not host.window or not is_story(state.shown) or state.view_state.what_if:
        return None
    if len(state.history.past) >= CLICKS and not state.visiting.met:
        return {"name": "what-if"}
    if state.visiting.introduced:
        return None
    course = f"{host.lessons}?{urlencode(host.course)}" if host.course else None
    return {"name": "welcome", "course": course}
