"""The options of the measures on the screen: one panel, made from the declarations in hiermeasures.options, and a
preset per paper.

Whose options they are is a page's business: it hands in what gives them and what takes them. What cannot be used is
said beside its field, and the options before it stay.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import NoneType
from typing import Any, get_args

import streamlit as st
from pydantic.fields import FieldInfo

from hiermeasures.errors import InputError
from hiermeasures.options import Options
from hiermeasures.ui import text
from hiermeasures.ui.binding import Slot, after_entries, attempt, bind, show_fault
from hiermeasures.ui.library import papers
from hiermeasures.ui.popover import popover

GROUPS: dict[str, tuple[str, ...]] = {
    "Pairs": ("dmax", "max_pair_distance", "normaliser"),
    "Own pairing": ("alpha_p", "beta_p", "alpha_t", "beta_t", "default_classes"),
    "Sets and counts": ("count_root", "max_level", "rank"),
    "Weighted classes": ("class_weights", "information_smoothing"),
    "LCA graphs": ("graphs", "solver"),
    "Confusion matrix": ("negatives", "path_derivation", "path_ties"),
    "Distances": ("path", "edge_weights", "weight_base", "max_ancestor_distance"),
    "Ratios": ("zero_division",),
}
COLUMNS = (
    ("Pairs", "Own pairing", "Sets and counts", "Weighted classes", "Ratios"),
    ("LCA graphs", "Confusion matrix", "Distances"),
)
# Options that change nothing but with this value of another one.
DEPENDENT = {"weight_base": ("edge_weights", "exponential"), "information_smoothing": ("class_weights", "information")}
OWN_PAIRING = "Own pairing"  # belongs to the flow network's own view; here only once something of it is set

STYLE = """<style>
.st-key-options_panel { gap: 0.75rem; }
.st-key-options_panel [data-testid="stVerticalBlock"] { gap: 0.35rem; }
.st-key-options_panel [data-testid="stCaptionContainer"] { margin: 0.5rem 0 0; }
.st-key-options_panel [data-testid="stCaptionContainer"] p { margin: 0; }
.st-key-options_panel [class*="st-key-option_"] { width: 100%; }
.st-key-options_panel [class*="st-key-option_"] > div:has(> label) {
    display: flex; align-items: center; justify-content: space-between; gap: 0.5rem; width: 100%;
}
.st-key-options_panel [class*="st-key-option_"] label { margin: 0; min-height: 2rem; width: auto; gap: 0.25rem; }
.st-key-options_panel [class*="st-key-option_"] button { min-height: 1.8rem; padding-top: 0; padding-bottom: 0; }
.st-key-options_panel [class*="st-key-option_"] button[data-variant="segmented_control"] { padding: 0 0.6rem; }
.st-key-options_panel [class*="st-key-option_"] [data-testid="stNumberInputContainer"] { width: 8rem; height: 2rem; }
.st-key-options_panel [class*="st-key-option_"] > [data-testid="stSelectbox"] > div { width: 12rem; }
</style>"""
PRESET: Slot[str | None] = Slot("options_preset", lambda: None)  # the paper chosen last, for where several fit
LARGEST_COUNT = 2**53 - 1
DEFAULT = "default"  # the choice that stands for no value
WORDS = {None: DEFAULT, True: "yes", False: "no"}
ROOM = 22  # how many letters the choices of a switch may have beside its label


@dataclass(frozen=True)
class Target:
    """Whose options the panel shows. `change` may raise InputError; `of` is what is on the screen, with which the words
    about a refused entry go.
    """

    current: Callable[[], Options]
    change: Callable[[Options], None]
    of: Any
    paper: str | None = None  # the paper that the figure on the screen comes from


def options_popover(target: Target) -> None:
    """The button in the toolbar, which says how many options are changed, and the panel behind it."""
    options = target.current()
    panel = popover(toolbar_label(options), icon=":material/tune:", key="options")
    if not panel.open:
        return
    st.html(STYLE)
    with panel, st.container(key="options_panel", width=660):
        _presets(target, options)
        show_fault("preset")
        for column, groups in zip(st.columns(len(COLUMNS), gap="medium"), COLUMNS, strict=True):
            with column:
                for group in groups:
                    _group(group, target, options)


def toolbar_label(options: Options) -> str:
    """What the button says.

    >>> toolbar_label(Options.make()), toolbar_label(Options.make(dmax=3, count_root=False))
    ('Options', 'Options · 2 changed')
    """
    count = len(options.changed)
    return f"Options · {count} changed" if count else "Options"


def range_words(info: FieldInfo) -> str:
    """The range of a number, in words; nothing where there is none.

    >>> range_words(Options.model_fields["dmax"]), range_words(Options.model_fields["zero_division"])
    ('Above 0.', 'From 0 to 1.')
    """
    bounds = {name: getattr(m, name) for m in info.metadata for name in ("gt", "ge", "le") if hasattr(m, name)}
    if "ge" in bounds and "le" in bounds:
        return f"From {bounds['ge']:,g} to {bounds['le']:,g}."
    if "ge" in bounds:
        return f"{bounds['ge']:,g} or more."
    return f"Above {bounds['gt']:,g}." if "gt" in bounds else ""


# --- presets ------------------------------------------------------------------------------------------------------


def presets() -> dict[str, Mapping[str, Any]]:
    """What each paper computes with, by the paper's key, as its paper.yaml says."""
    return {paper.key: paper.options for paper in papers() if paper.options is not None}


def _presets(target: Target, options: Options) -> None:
    names = {paper.key: paper.name for paper in papers()}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("As in", width="content")
        bind(
            st.segmented_control, "preset", _preset_of(target, options), partial(_take_preset, target), about=target.of
        )(
            "As in the paper",
            list(presets()),
            format_func=lambda key: names[key],
            label_visibility="collapsed",
            help="The options a paper computes with.",
        )
        st.button(
            "Reset",
            key="options_reset",
            on_click=after_entries(_reset),
            args=(target,),
            disabled=not options.changed,
            type="tertiary",
            help="Every option at its default.",
        )


def _preset_of(target: Target, options: Options) -> str | None:
    """The paper that computes with these options: that of the figure or the one chosen last, where several do."""
    fitting = [key for key, preset in presets().items() if Options.make(preset) == options]
    first = (PRESET.value, target.paper)
    return next((key for key in (*first, *fitting) if key in fitting), None)


def _take_preset(target: Target, paper: str) -> None:
    PRESET.set(paper)
    target.change(Options.make(presets()[paper]))


def _reset(target: Target) -> None:
    attempt("preset", lambda: target.change(Options.make()))


# --- fields -------------------------------------------------------------------------------------------------------


def _group(title: str, target: Target, options: Options) -> None:
    names = GROUPS[title]
    if title == OWN_PAIRING and not set(names) & set(options.changed):
        return
    st.caption(f"**{title}**")
    for name in names:
        other, value = DEPENDENT.get(name, (name, getattr(options, name)))
        if getattr(options, other) == value:
            _field(name, target, options)


def _field(name: str, target: Target, options: Options) -> None:
    info, key = Options.model_fields[name], f"option_{name}"
    label, about = info.title or name, text.markdown_text(f"{info.description} {range_words(info)}".strip())
    value, choices, take = getattr(options, name), _choices(info), partial(_set, target, name)
    if not choices:
        number = _shown_number(value, info)
        draw = bind(st.number_input, key, number, take, empty=NoneType in _kinds(info), about=target.of)
        step: float = 1 if int in _kinds(info) else _step(info)
        # The range is not given to the field, so that Options says what is wrong with a value.
        draw(label, step=step, format="%d" if isinstance(step, int) else "%g", placeholder="none", help=about)
    elif sum(len(_word(choice)) for choice in choices) > ROOM:
        chosen = DEFAULT if value is None else value
        draw = bind(st.selectbox, key, chosen, take, about=target.of)
        draw(label, choices, help=about, format_func=_word)
    else:
        chosen = DEFAULT if value is None else value
        draw = bind(st.segmented_control, key, chosen, take, about=target.of)
        draw(label, choices, required=True, help=about, format_func=_word)
    show_fault(key)


def _shown_number(value: float | None, info: FieldInfo) -> float | None:
    """A number as its field takes it: of one type with the field's step, and no larger than the browser can count."""
    if value is None or int not in _kinds(info):
        return None if value is None else float(value)
    return max(-LARGEST_COUNT, min(int(value), LARGEST_COUNT))


def _set(target: Target, name: str, entry: Any) -> None:
    before = target.current()
    try:
        target.change(Options.make(before.model_dump() | {name: _given(entry)}))
    except InputError as fault:
        stays = getattr(before, name)
        message = str(fault).removeprefix(f"option {name}: ")
        raise InputError(f"{message}; it stays {'empty' if stays is None else _word(stays)}") from fault


def _kinds(info: FieldInfo) -> tuple[Any, ...]:
    return get_args(info.annotation) or (info.annotation,)


def _choices(info: FieldInfo) -> tuple[Any, ...]:
    """The values to choose from; nothing for a number."""
    kinds = _kinds(info)
    if bool in kinds:
        return (DEFAULT, True, False) if NoneType in kinds else (True, False)
    return tuple(kind for kind in kinds if isinstance(kind, str))


def _given(value: Any) -> Any:
    """What a field's content stands for; a whole number loses its decimals, as a person would write it."""
    if value == DEFAULT:
        return None
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _step(info: FieldInfo) -> float:
    return 0.1 if isinstance(info.default, float) and info.default < 1 else 1.0


def _word(value: Any) -> str:
    """A value as the panel names it.

    >>> _word("symmetric_difference"), _word(None), _word(False), _word(5.0)
    ('symmetric difference', 'default', 'no', '5')
    """
    if isinstance(value, str):
        return value.replace("_", " ")
    if value is None or isinstance(value, bool):
        return WORDS[value]
    return f"{value:g}" if math.isfinite(value) else str(value)
