"""The form of the measures' options, with a preset for every paper.

The declarations of the options define it (hierarchy/options.py). The caller owns the options.
"""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cache
from types import NoneType
from typing import Any, Protocol, get_args

from hiermeasures.explore import controls
from hiermeasures.explore.controls import Control, Controls
from hiermeasures.explore.library import papers
from hiermeasures.explore.model import State
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.options import DECLARED, DeclaredOption, Options
from hiermeasures.hierarchy.words import write_list
from hiermeasures.measures import CATALOGUE, find_measure

GROUPS: dict[str, tuple[str, ...]] = {
    "Pairs": ("dmax", "max_pair_distance", "normaliser"),
    "Own pairing": ("alpha_p", "beta_p", "alpha_t", "beta_t", "default_classes"),
    "Sets and counts": ("count_root", "too_specific", "too_general", "max_level", "rank"),
    "Weighted classes": ("class_weights", "information_smoothing"),
    "LCA graphs": ("graphs", "solver"),
    "Confusion matrix": ("negatives", "path_derivation", "path_ties"),
    "Distances": ("path", "hops", "depth", "edge_weights", "weight_base", "max_ancestor_distance"),
    "Ratios": ("zero_division",),
}
COLUMNS = (
    ("Pairs", "Own pairing", "Sets and counts", "Weighted classes", "Ratios"),
    ("LCA graphs", "Confusion matrix", "Distances"),
)
# Options that change nothing but with this value of another one.
DEPENDENT = {
    "weight_base": ("edge_weights", "exponential"),
    "information_smoothing": ("class_weights", "information"),
}
# belongs to the flow network's own view; here only once something of it is set
OWN_PAIRING = "Own pairing"
WORDS = {None: "default", True: "yes", False: "no"}
MORE = "Settings that the measures in the table below ignore."
NAMED = 6  # measures, in the sentence about an option
ROOM = 22  # how many letters the choices of a switch may have beside its label


class Holder(controls.Screen, Protocol):
    """A state with a form of options on its screen. `preset` is the last chosen paper."""

    @property
    def preset(self) -> str | None: ...


@dataclass(frozen=True)
class Target:
    """The owner of the options: functions that read and change them, and the figure's paper."""

    options: Callable[[Any], Options]
    change: Callable[[Any, Options], Any]
    paper: str | None = None


def options_menu(state: Holder, target: Target) -> Control:
    return controls.menu(
        state, "options", label(target.options(state)), lambda: _form(state, target), wide=True
    )


def options_button(state: State, target: Target) -> Control:
    at = state.options_form
    turned = lambda s: replace(s, options_form=replace(at, open=not at.open))
    return controls.button("options", label(target.options(state)), turned, pressed=at.open)


def options_panel(state: State, target: Target) -> Controls:
    """Return the open form next to the values.

    It contains the options of the measures in the table, and the others on request.
    """
    at, options = state.options_form, target.options(state)
    if not at.open:
        return ()
    read = {name for key in state.listed for name in find_measure(key).options}
    others = [
        name
        for names in GROUPS.values()
        for name in names
        if name not in read and _matters(name, options)
    ]
    turned = lambda s: replace(s, options_form=replace(at, everything=not at.everything))
    words = "Only those of the measures below" if at.everything else f"{len(others)} more"
    more = (
        controls.button("options_more", words, turned, help=MORE, pressed=at.everything)
        if others
        else None
    )
    form = _form(state, target, None if at.everything else read, more)
    return (controls.box(*form, key="options_panel", style="frame options"),)


def label(options: Options) -> str:
    count = len(options.changed)
    return f"Options · {count} changed" if count else "Options"


def _form(
    state: Holder, target: Target, few: Collection[str] | None = None, more: Control | None = None
) -> Controls:
    """Return the presets and the options: all, or a few with the changed ones."""
    options = target.options(state)
    names = set(DECLARED) if few is None else {*few, *options.changed}
    fitting = [key for key, preset in presets().items() if preset == options]
    preset = next((key for key in (state.preset, target.paper, *fitting) if key in fitting), None)
    titles = {paper.key: paper.name for paper in papers() if paper.key in presets()}
    take = lambda s, paper: target.change(replace(s, preset=paper), presets()[paper])
    reset = lambda s: target.change(s, Options.make())
    about, every = "Use the options of a paper.", "Set all options to their defaults."
    return (
        controls.row(
            controls.switch(
                "preset", "Conventions of", preset, titles, take, title=True, help=about
            ),
            controls.button(
                "options_reset", "Reset", reset, disabled=not options.changed, help=every
            ),
            more,
            style="presets",
        ),
        controls.row(
            *(
                controls.box(*(_group(title, target, options, names) for title in column))
                for column in COLUMNS
            ),
            style="two form",
        ),
    )


@cache
def presets() -> dict[str, Options]:
    return {
        paper.key: Options.make(paper.options) for paper in papers() if paper.options is not None
    }


def _group(title: str, target: Target, options: Options, few: Collection[str]) -> Control | None:
    names = GROUPS[title]
    shown = [
        _field(name, target, options) for name in names if name in few and _matters(name, options)
    ]
    if not shown or (title == OWN_PAIRING and not set(names) & set(options.changed)):
        return None
    return controls.box(controls.words(title, "title"), *shown, key=f"group_{names[0]}")


def _matters(name: str, options: Options) -> bool:
    other, value = DEPENDENT.get(name, (name, getattr(options, name)))
    return bool(getattr(options, other) == value)


def _field(name: str, target: Target, options: Options) -> Control:
    info, key = DECLARED[name], f"option_{name}"
    about = " ".join(filter(None, (info.description, range_words(info), changed_by(name))))
    title, value, kinds = (
        info.title,
        getattr(options, name),
        get_args(info.annotation) or (info.annotation,),
    )
    choices: tuple[Any, ...] = tuple(kind for kind in kinds if isinstance(kind, str))
    if bool in kinds:
        choices = (None, True, False) if NoneType in kinds else (True, False)

    def put(state: Any, entry: Any) -> Any:
        before = target.options(state)
        # as a person would write it
        given = int(entry) if isinstance(entry, float) and entry.is_integer() else entry
        try:
            return target.change(state, Options.make(before.as_dict() | {name: given}))
        except InputError as fault:
            stays, message = getattr(before, name), str(fault).removeprefix(f"option {name}: ")
            raise InputError(
                f"{message}; it stays {'empty' if stays is None else _word(stays)}"
            ) from fault

    if not choices:
        # The range is not given to the field, so that Options says what is wrong with a value.
        step = (
            1
            if int in kinds
            else 0.1
            if isinstance(info.default, float) and info.default < 1
            else 1.0
        )
        numbers = controls.Range(step=step, empty=NoneType in kinds)
        return controls.number(key, title, value, put, numbers, placeholder="none", help=about)
    offered = {each: _word(each) for each in choices}
    if sum(map(len, offered.values())) > ROOM:
        return controls.choice(key, title, value, offered, put, help=about)
    return controls.switch(key, title, value, offered, put, help=about, title=True)


@cache
def changed_by(name: str) -> str:
    """Return the sentence that names the measures that read an option."""
    keys = [key for key, measure in CATALOGUE.items() if name in measure.options]
    return f"Changes {write_list(keys, NAMED)}." if keys else ""


def _word(value: Any) -> str:
    """Return the name of a value in the form."""
    if isinstance(value, str):
        return value.replace("_", " ")
    if value is None or isinstance(value, bool):
        return WORDS[value]
    return f"{value:g}" if math.isfinite(value) else str(value)


def range_words(option: DeclaredOption) -> str:
    """Return the range of a number in words, or ""."""
    bounds = option.bounds
    if "ge" in bounds and "le" in bounds:
        return f"From {bounds['ge']:,g} to {bounds['le']:,g}."
    if "ge" in bounds:
        return f"{bounds['ge']:,g} or more."
    return f"Above {bounds['gt']:,g}." if "gt" in bounds else ""
