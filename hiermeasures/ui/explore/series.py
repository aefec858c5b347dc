"""Where the instance on the screen stands among those that another page brought, with the ways to the next, to the one
before and back to that page.

What a series is, the model says; the pages make them.
"""

from functools import partial

import streamlit as st

from hiermeasures.ui.binding import icon_button
from hiermeasures.ui.explore.model import change, explorer, history, show
from hiermeasures.ui.pages import switch_to
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.text import escaped

STYLE = """<style>
.st-key-series > :nth-child(2) { flex: none; width: auto; }
.st-key-series > :nth-child(2) > * { width: auto; }
[data-testid="stMainBlockContainer"]:has(.st-key-series) { --hm-series: 2.9rem; }
</style>"""


def series_row() -> None:
    """ "‹ disagreement 2 of 4,157 ›", while one of them is shown; or the way back."""
    if explorer().back is not None:
        _way_back()
        return
    at = explorer().series
    place = at.place(history().present) if at else None
    if at is None or place is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="series"):
        for icon, by, word in (("chevron_left", -1, "previous"), ("chevron_right", 1, "next")):
            icon_button(
                f"{word.capitalize()} {at.name}",
                icon,
                key=f"series_{word}",
                action=partial(_go, by),
                disabled=not 0 <= place + by < at.size,
            )
            if by < 0:
                show_text(f"{at.name} {place + 1:,} of {at.size:,}", key="series_place")
        show_text(at.about, "note", key="series_about")


def _way_back() -> None:
    """To the page that brought what is shown, however it was changed since."""
    if (back := explorer().back) is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="series"):
        if st.button(escaped(back.words), key="way_back", icon=":material/arrow_back:"):
            change(back=None)
            switch_to(back.page, back.parameters)
        icon_button("Stay here", "close", key="way_back_close", action=partial(change, back=None))


def _go(by: int) -> None:
    at = explorer().series
    place = at.place(history().present) if at else None
    if at is not None and place is not None and 0 <= place + by < at.size:
        show(at.make(place + by))
        change(arrangement=None, unfolded=None)  # another instance, drawn anew
