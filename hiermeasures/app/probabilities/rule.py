"""The fields of a decision rule, for one instance or for files of scores."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import streamlit as st

from hiermeasures.app.binding import bind, changing, setting
from hiermeasures.app.inbox import Slot
from hiermeasures.app.probabilities.model import most_of
from hiermeasures.draw.text import markdown_text
from hiermeasures.evaluation.scores import RULES
from hiermeasures.evaluation.scores.systems import Decision
from hiermeasures.hierarchy.hierarchy import Hierarchy

RULE_NAMES = {key: rule.name for key, rule in RULES.items()}
PATHS = {"best": "best child", "all": "all children"}
RULE_HELP = "How probabilities become predicted classes.\n\n" + "\n".join(
    f"- **{markdown_text(r.name)}**: {markdown_text(r.description)} ({markdown_text(r.source)})"
    for r in RULES.values()
)


def choose_rule(
    slot: Slot[Any], path: str, key: str, h: Hierarchy, more: Mapping[str, str] | None = None
) -> None:
    """Draw the fields of the decision at `path` of a slot's model.

    The fields' keys begin with `key`. `more` are the page's own choices, listed before the rules.
    """
    names = {**(more or {}), **RULE_NAMES}
    rule, how = st.columns(2, gap="small", vertical_alignment="bottom")
    setting(rule.selectbox, f"{key}rule", slot, f"{path}.rule")(
        "Prediction rule", list(names), format_func=names.__getitem__, help=RULE_HELP
    )
    with how:
        _settings_of_rule(slot, path, key, h)


def _settings_of_rule(slot: Slot[Any], path: str, key: str, h: Hierarchy) -> None:
    at: Decision = attrgetter(path)(slot.value)
    takes = RULES[at.rule].parameters if at.rule in RULES else ()
    place: Any = st
    if "k" in takes:
        count, among = st.columns(2, vertical_alignment="bottom")
        most = most_of(h, at)
        bind(count.number_input, f"{key}k", min(at.k, most), changing(slot, f"{path}.k"))(
            "k", 0, most, help="The number of likeliest classes that are predicted."
        )
        setting(among.selectbox, f"{key}among", slot, f"{path}.among")(
            "of the", ["leaves", "classes"]
        )
        return
    if "paths" in takes:
        place, paths = st.columns(2, vertical_alignment="bottom")
        setting(paths.selectbox, f"{key}paths", slot, f"{path}.paths")(
            "to",
            list(PATHS),
            format_func=PATHS.__getitem__,
            help="Take only the likeliest child above the threshold, or all children above it.",
        )
    words = (
        markdown_text(RULES[at.rule].description)
        if "at" in takes
        else "This rule has no threshold."
    )
    setting(place.slider, f"{key}tau", slot, f"{path}.at")(
        "Threshold τ", 0.0, 1.0, step=0.01, disabled="at" not in takes, help=words
    )
