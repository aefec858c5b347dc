"""Before and after: the values of a pinned state, and how every value has changed since; and which measures the table
shows.

The pure part comes first; the last functions keep both in Streamlit's session and draw the row above the table. The
table itself is values.py's.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import streamlit as st

from hiermeasures.measures import CATALOGUE, FAMILIES, Explanation, Measure
from hiermeasures.measures.catalogue import named
from hiermeasures.ui.library import figures
from hiermeasures.ui.plain import plain
from hiermeasures.ui.state import Shown, SideName

SAME = 1e-12  # two values nearer than this differ by rounding only
STYLE = """<style>
.st-key-values_head { gap: 0.5rem; flex-wrap: nowrap; }
.st-key-values_head .st-key-pinned_words { flex: 1 1 0; min-width: 0; }
.st-key-values_head button { padding: 0 0.55rem; min-height: 1.9rem; }
.st-key-values_head button p { font-size: 0.8125rem; white-space: nowrap; }
</style>"""


@dataclass(frozen=True)
class Change:
    """How a value moved: by how much (nan where one of the two is undefined), and what that means."""

    amount: float
    word: Literal["better", "worse", "same", "undefined"]


@dataclass(frozen=True)
class Pinned:
    """The values of a state that others are compared with, and which state it was."""

    values: Mapping[str, float]
    words: str


@dataclass(frozen=True)
class Wanted:
    """Which measures the table shows: of these families (none named: of all), and fitting all words of the text.

    >>> Wanted(text="lca f1").keys()
    ('F_LCA', 'F_LCA_ext')
    >>> len(Wanted().keys()) == len(CATALOGUE)
    True
    """

    families: tuple[str, ...] = ()
    text: str = ""

    def keys(self) -> tuple[str, ...]:
        """The measures' keys in the catalogue's order."""
        words = self.text.casefold().split()
        return tuple(
            key
            for key, m in CATALOGUE.items()
            if (not self.families or m.family in self.families) and all(_names(m, word) for word in words)
        )


def change(measure: Measure, before: float, now: float) -> Change:
    """From the pinned value to this one.

    >>> change(CATALOGUE["hF"], 0.5, 0.75), change(CATALOGUE["GIE"], 5.0, 7.0).word, change(CATALOGUE["hF"], 0.5, 0.5).word
    (Change(amount=0.25, word='better'), 'worse', 'same')
    """
    if math.isnan(before) or math.isnan(now):
        return Change(math.nan, "same" if math.isnan(before) and math.isnan(now) else "undefined")
    amount = now - before
    if abs(amount) <= SAME * max(1.0, abs(now), abs(before)):
        return Change(0.0, "same")
    return Change(amount, "better" if (amount > 0) == (measure.better == "higher") else "worse")


def signed(amount: float) -> str:
    """A change as the table shows it: two decimals, or as many as a small one needs to be seen.

    >>> signed(0.25), signed(-1200.0), signed(0.0004), signed(float("nan"))
    ('+0.25', '-1,200.00', '+0.0004', '–')
    """
    if math.isnan(amount):
        return "–"
    return f"{amount:+,.2f}" if abs(amount) >= 0.005 or amount == 0 else f"{amount:+.1g}"


def in_words(shown: Shown) -> str:
    """Which state this is, on one line."""
    true, predicted = (named(shown.classes(side), limit=3) for side in get_args(SideName))
    return f"true {true}; predicted {predicted} ({figures().get(shown.case or '', shown.title)})"


def _names(measure: Measure, word: str) -> bool:
    """Whether a word occurs in what a measure is called."""
    called = (measure.key, measure.name, measure.symbol, FAMILIES[measure.family].title)
    return any(word in name.casefold() for name in called)


# --- in the session -----------------------------------------------------------------------------------------------


def pinned() -> Pinned | None:
    """What is pinned in this session."""
    return st.session_state.get("pinned")


def wanted() -> Wanted:
    """Which measures this session shows."""
    return st.session_state.get("wanted", Wanted())


def values_head(shown: Shown, explanation: Explanation) -> None:
    """The row above the table: which measures, and the pin."""
    st.html(STYLE)
    at = pinned()
    with st.container(horizontal=True, vertical_alignment="center", key="values_head"):
        _filter()
        if at is None:
            st.space("stretch")
        else:
            plain(f"Change since: {at.words}", "line", key="pinned_words")
        st.button(
            "Pin" if at is None else "Unpin",
            icon=":material/keep:" if at is None else ":material/keep_off:",
            key="pin",
            on_click=_pin if at is None else _unpin,
            args=(shown, explanation) if at is None else (),
            help="Keep these values, and show how every value changes from now on."
            if at is None
            else "Show no changes any more.",
        )


def _pin(shown: Shown, explanation: Explanation) -> None:
    st.session_state.pinned = Pinned(dict(explanation), in_words(shown))


def _unpin() -> None:
    st.session_state.pinned = None


def _filter() -> None:
    at = wanted()
    shown, all_of_them = len(at.keys()), len(CATALOGUE)
    label = "All measures" if shown == all_of_them else f"{shown} of {all_of_them} measures"
    with st.popover(label, icon=":material/filter_list:", key="measures_filter"), st.container(width=420):
        st.session_state.wanted_text, st.session_state.wanted_families = at.text, list(at.families)
        st.text_input("Find by name", key="wanted_text", placeholder="such as F1, pairs, recall", on_change=_want)
        st.pills(
            "Families",
            list(FAMILIES),
            key="wanted_families",
            selection_mode="multi",
            on_change=_want,
            format_func=lambda key: FAMILIES[key].title,
            help="None chosen shows all of them.",
        )
        st.button("Show all", key="wanted_all", on_click=_want_all, disabled=at == Wanted(), type="tertiary")


def _want() -> None:
    families = st.session_state.wanted_families
    st.session_state.wanted = Wanted(tuple(key for key in FAMILIES if key in families), st.session_state.wanted_text)


def _want_all() -> None:
    st.session_state.wanted = Wanted()
