"""The options of the measures on the screen: one panel, made from the declarations in hiermeasures.options, and a
preset per paper.

Whose options they are is a page's business: it hands in what gives them and what takes them. What cannot be used is
said beside its field, and the options before it stay.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, get_args

import streamlit as st
from pydantic.fields import FieldInfo

from hiermeasures.errors import InputError
from hiermeasures.options import Options
from hiermeasures.ui import text
from hiermeasures.ui.library import papers
from hiermeasures.ui.plain import plain

GROUPS: dict[str, tuple[str, ...]] = {
    "Pairs": ("dmax", "max_pair_distance", "normaliser"),
    "Own pairing": ("alpha_p", "beta_p", "alpha_t", "beta_t", "default_classes"),
    "Sets and counts": ("count_root", "max_level"),
    "LCA graphs": ("graphs", "solver"),
    "Confusion matrix": ("negatives", "path_derivation"),
    "Distances": ("path", "edge_weights", "weight_base", "max_ancestor_distance"),
    "Empty sets": ("zero_division",),
}
COLUMNS = (("Pairs", "Own pairing", "Sets and counts", "Empty sets"), ("LCA graphs", "Confusion matrix", "Distances"))
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
DEFAULT = "default"  # the choice that stands for no value
WORDS = {None: DEFAULT, True: "yes", False: "no"}
ROOM = 22  # how many letters the choices of a switch may have beside its label


@dataclass(frozen=True)
class Target:
    """Whose options the panel shows. `change` may raise InputError; `of` is what is on the screen, with which a fault's
    words go.
    """

    current: Callable[[], Options]
    change: Callable[[Options], None]
    of: Any
    paper: str | None = None  # the paper that the figure on the screen comes from


def options_popover(target: Target) -> None:
    """The button in the toolbar, which says how many options are changed, and the panel behind it."""
    st.html(STYLE)
    options = target.current()
    popover = st.popover(toolbar_label(options), icon=":material/tune:", key="options")
    with popover, st.container(key="options_panel", width=660):
        _presets(target, options)
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
        st.session_state.preset = _preset_of(target, options)
        st.segmented_control(
            "As in the paper",
            list(presets()),
            key="preset",
            on_change=_take_preset,
            args=(target,),
            format_func=lambda key: names[key],
            label_visibility="collapsed",
            help="The options a paper computes with.",
        )
        st.button(
            "Reset",
            key="options_reset",
            on_click=_set_all,
            args=(target, {}),
            disabled=not options.changed,
            type="tertiary",
            help="Every option at its default.",
        )


def _preset_of(target: Target, options: Options) -> str | None:
    """The paper that computes with these options: that of the figure or the one chosen last, where several do."""
    fitting = [key for key, preset in presets().items() if Options.make(preset) == options]
    wanted = (st.session_state.get("preset_chosen"), target.paper)
    return next((key for key in (*wanted, *fitting) if key in fitting), None)


def _take_preset(target: Target) -> None:
    key = st.session_state.preset
    if key is not None:
        st.session_state.preset_chosen = key
        _set_all(target, presets()[key])


def _set_all(target: Target, settings: Mapping[str, Any]) -> None:
    _forget_fault()
    try:
        target.change(Options.make(settings))
    except InputError as fault:
        st.session_state.option_fault = (next(iter(settings)), str(fault), target.of)


# --- fields -------------------------------------------------------------------------------------------------------


def _group(title: str, target: Target, options: Options) -> None:
    names = GROUPS[title]
    if title == OWN_PAIRING and not set(names) & set(options.changed):
        return
    st.caption(f"**{title}**")
    for name in names:
        if name != "weight_base" or options.edge_weights == "exponential":
            _field(name, target, options)


def _field(name: str, target: Target, options: Options) -> None:
    info, key = Options.model_fields[name], f"option_{name}"
    label, about = info.title or name, text.plain(f"{info.description} {range_words(info)}".strip())
    value = getattr(options, name)
    if choices := _choices(info):
        st.session_state[key] = DEFAULT if value is None else value
        more: dict[str, Any] = {
            "key": key,
            "help": about,
            "format_func": _word,
            "on_change": _set,
            "args": (target, name),
        }
        if sum(len(_word(choice)) for choice in choices) > ROOM:
            st.selectbox(label, choices, **more)
        else:
            st.segmented_control(label, choices, required=True, **more)
    else:
        st.session_state[key] = value
        _number(label, info, key=key, help=about, on_change=_set, args=(target, name))
    at, message, then = st.session_state.get("option_fault", ("", "", None))
    if at == name and then is target.of:
        plain(message, "error", key=f"{key}_fault")


def _number(label: str, info: FieldInfo, **more: Any) -> None:
    """A field for a number. Its range is not given to the widget, so that Options says what is wrong with a value."""
    step: float = 1 if int in _kinds(info) else _step(info)
    if NoneType in _kinds(info):
        more |= {"value": None, "placeholder": "none"}
    st.number_input(label, step=step, format="%d" if isinstance(step, int) else "%g", **more)


def _set(target: Target, name: str) -> None:
    _forget_fault()
    before = target.current()
    try:
        target.change(Options.make(before.model_dump() | {name: _given(st.session_state[f"option_{name}"])}))
    except InputError as fault:
        kept = getattr(before, name)
        said = str(fault).removeprefix(f"option {name}: ")
        st.session_state.option_fault = (
            name,
            f"{said}; it stays {'empty' if kept is None else _word(kept)}",
            target.of,
        )


def _forget_fault() -> None:
    st.session_state.pop("option_fault", None)


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
