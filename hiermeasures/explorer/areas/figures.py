"""The figures of the papers: their menu, the row that says what of a figure is shown and in which
way it was changed, with the way back, and the welcome that lies on the opening figure.
"""

from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

from hiermeasures.cases import Case
from hiermeasures.core.options import Options
from hiermeasures.explorer import controls
from hiermeasures.explorer.areas.host import Host
from hiermeasures.explorer.controls import Control, Controls, button, component, menu, row, switch, words
from hiermeasures.explorer.library import (
    OPENING,
    case_file,
    figure,
    figures,
    library,
    marked,
    name_of,
    papers,
    published,
)
from hiermeasures.explorer.model import State
from hiermeasures.explorer.printed_words import counted
from hiermeasures.explorer.state import Shown

S = TypeVar("S", bound=State)


# --- the menu -----------------------------------------------------------------------------------


def figure_menu(state: State) -> Control:
    """The button, which says what is shown, and the menu behind it; figure_menu.js lists and finds."""
    content = lambda: (component("figure_list", "figures", lambda: listed(state.shown), choose=_chosen),)  # noqa: E731
    return menu(state, "figures", shown_name(state.shown), content, wide=True)


def listed(shown: Shown | None = None) -> dict[str, Any]:
    """Data of figure_menu.js, which marks the figure that is shown."""
    found = [
        {"name": paper.name, "figures": [_entry(case) for case in paper.cases]} for paper in papers() if paper.cases
    ]
    return {"papers": found, "topics": topics(), "chosen": None if shown is None or shown.changed else shown.case}


def shown_name(shown: Shown) -> str:
    """The instance's name on the button: `Figure 11(a): Two predicted classes for one true class`,
    or `Figure 11(a), changed`, or `Own hierarchy, 7 classes`.
    """
    case = library().cases.get(shown.case or "")
    if case is None:
        return name_of(shown)
    return marked(shown, case.label) if shown.changed else _title(case)


def topics() -> list[str]:
    """The topics that a figure of the library has, each once, in the order of the figures."""
    return list(dict.fromkeys(topic for paper in papers() for case in paper.cases for topic in case.topics))


def _title(case: Case) -> str:
    return f"{case.label}: {case.title}"


def _entry(case: Case) -> dict[str, Any]:
    return {"key": case.key, "title": _title(case), "topics": case.topics}


def _chosen(state: S, value: Mapping[str, Any]) -> S:
    return controls.closed(_opened(state, value.get("key")))


def _opened(state: S, key: Any) -> S:
    return state.showing(figure(key)) if isinstance(key, str) and key in figures() else state


# --- the rows -----------------------------------------------------------------------------------


def rows(state: State, host: Host) -> Controls:
    """The reason why a link could not be used, the rows of the host, and that of a figure."""
    fault, others = state.link_fault, host.rows(state)
    told = (words(fault[1], "error", key="link_fault"),) if fault and fault[0] is state.shown else ()
    return (*told, *others, *_figure_row(state, host, named=bool(others)))


def _figure_row(state: State, host: Host, *, named: bool) -> Controls:
    """The parts of a figure, what to see in this one, and the way to all that is printed about it;
    of one that was changed, in which way, and the way back. That of anything else that has a name,
    where no other row says so (`named`).
    """
    shown = state.shown
    case = library().cases.get(shown.case or "")
    if case is None and shown.origin is None:
        return () if named else _kept_options(state)
    if case is None and named:
        return ()
    if shown.changed:
        return (row(_parts(case, shown) if case else None, *changes(state)),)
    if case is None:
        return (row(words(shown.title, "note", key="lesson_text")),)
    return (row(_parts(case, shown), words(case.teaches, "note", key="lesson_text"), _to_case(case, host)),)


def _kept_options(state: State) -> Controls:
    """The options that a hierarchy of one's own has from what was shown before, until something is
    done with it.
    """
    options, before = state.shown.instance.options, state.before
    if before is None or before.hierarchy is state.shown.hierarchy or before.title == state.shown.title:
        return ()
    was, fields = before.instance.options, Options.model_fields
    kept = [fields[name].title or name for name in options.changed if getattr(options, name) == getattr(was, name)]
    if not kept:
        return ()
    told = words(f"Options that were set before are kept: {', '.join(kept)}.", "note", key="kept_options")
    defaults = lambda s: s.showing(s.shown.with_options(Options.make()))  # noqa: E731
    return (row(told, button("default_options", "Default options", defaults)),)


def _to_case(case: Case, host: Host) -> Control | None:
    if (to_page := host.to_page) is None:
        return None
    act = lambda state: to_page(state, "cases", {"figure": case_file(case)})  # noqa: E731
    return button("to_case", counted(published(case.key)), act, help=f"{case.label} on the page of cases")


def _parts(case: Case, shown: Shown) -> Control | None:
    """The parts of the figure; none is chosen once the person changed something."""
    parts = [other for other in library().cases.values() if case_file(other) == case_file(case)]
    if len(parts) == 1:
        return None
    names = {part.key: f"({part.part})" for part in parts}
    return switch("part", "Part of the figure", None if shown.changed else case.key, names, _opened)


def changes(state: State) -> Controls:
    """In a row: that something is no longer what it is called, in which way, and the way back."""
    shown = state.shown
    case = library().cases.get(shown.case or "")
    name = case.label if case is not None else "what its title says"
    back = "Back to the figure" if case is not None else "Back to the original"
    return (
        words(f"No longer {name}: {', '.join(shown.changes)}.", "note", key="changed_text"),
        button("back_to_original", back, lambda s: s.showing(s.shown.original)),
    )


# --- the welcome of a first visit ---------------------------------------------------------------


def welcome(state: State, host: Host) -> dict[str, Any] | None:
    """The data of hint.js, while the opening figure's hierarchy is shown in a window and the hint
    was not closed in this session; the browser remembers that it was.
    """
    if not host.window or state.introduced or state.shown.hierarchy != figure(OPENING).hierarchy:
        return None
    return {"course": f"learn?{urlencode(host.course)}" if host.course else None}
