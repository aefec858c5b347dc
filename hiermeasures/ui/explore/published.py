"""What the paper of a figure says about it, beside the instance: the lesson, the figure's other parts, and the printed
values of the measures with what the check found.

Cases and their check are hiermeasures.cases'; the table of values shows the strings, the page of cases everything.
"""

import streamlit as st

from hiermeasures.cases import Case, CheckedCell
from hiermeasures.cases.printed import CountedNodes
from hiermeasures.measures import CATALOGUE
from hiermeasures.ui.binding import bind
from hiermeasures.ui.explore.model import show
from hiermeasures.ui.explore.printed_words import counted, per_cent
from hiermeasures.ui.library import case_file, figure, figures, library, published
from hiermeasures.ui.pages import switch_to
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import Shown

# Quantities of the case files that are measures under another name.
NAMES = {
    **{f"{name}(flat)": key for name, key in (("P", "precision"), ("R", "recall"), ("F1", "f1"))},
    **{f"{name}(augmented)": key for name, key in (("P", "hP"), ("R", "hR"), ("F1", "hF"))},
    **{f"{name}(counts)": f"CoPHE_{name}" for name in ("P", "R", "F1")},
    **{f"cell({cell})": f"HCM_{cell}" for cell in ("TP", "TN", "FP", "FN")},
}
SAME = 1e-9
STYLE = """<style>
[data-testid="stMainBlockContainer"]:has(.st-key-lesson) { --hm-lesson: 3.2rem; }
.st-key-lesson { flex-wrap: nowrap; gap: 0.9rem; }
.st-key-lesson > :nth-last-child(2) { flex: 1 1 0; min-width: 0; }
.st-key-lesson button { padding: 0 0.55rem; min-height: 1.9rem; }
.st-key-lesson button p { font-size: 0.8125rem; white-space: nowrap; }
@media (max-width: 900px) {
  .st-key-lesson { flex-wrap: wrap; }
  .st-key-lesson > :nth-last-child(2) { flex-basis: 100%; }
}
</style>"""


def as_printed(shown: Shown) -> bool:
    """Whether a figure of the library is shown, and as it is there."""
    return shown.case in figures() and figure(shown.case).instance == shown.instance


def lesson(shown: Shown) -> None:
    """The row of a figure: its parts, what to see in this one, and the way to all that is printed about it."""
    case = library().cases.get(shown.case or "")
    if case is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="lesson"):
        _parts(case, shown)
        show_text(case.teaches, "note", key="lesson_text")
        if st.button(counted(published(case.key)), key="to_case", help=f"{case.label} on the page of cases"):
            switch_to("cases", {"figure": case_file(case)})


def printed_values(shown: Shown) -> dict[str, tuple[CheckedCell, ...]]:
    """What is printed of the measures' values, by measure, while the figure is shown as it is printed."""
    if shown.case is None or not as_printed(shown):
        return {}
    found: dict[str, tuple[CheckedCell, ...]] = {}
    explained = library().case(shown.case).explained
    for cell in published(shown.case):
        key = NAMES.get(cell.quantity, cell.quantity)
        if key in CATALOGUE and abs(_value(cell) - explained[key]) < SAME:  # and not one under other options
            found[key] = (*found.get(key, ()), cell)
    return found


def _parts(case: Case, shown: Shown) -> None:
    """The parts of the figure, its other predictions among them; none is chosen once the person changed something."""
    parts = [other for other in library().cases.values() if case_file(other) == case_file(case)]
    unchanged = as_printed(shown)
    if len(parts) == 1 and unchanged:
        return
    names = {part.key: f"({part.part})" if part.part else "as printed" for part in parts}
    bind(st.segmented_control, "part", case.key if unchanged else None, _open)(
        "Part of the figure", list(names), format_func=lambda key: names[key], label_visibility="collapsed"
    )


def _open(key: str) -> None:
    if key in figures():
        show(figure(key))


def _value(cell: CheckedCell) -> float:
    ours = cell.ours.count if isinstance(cell.ours, CountedNodes) else cell.ours
    return ours / 100 if per_cent(cell) else ours
