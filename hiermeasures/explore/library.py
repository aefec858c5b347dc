"""The figures of the case library for the Explorer, and their printed values in words.

The words contain the printed string, the result of the check, and the reason for a difference.
hiermeasures.verify reads and checks case files.
"""

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import count
from typing import get_args

from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import CATALOGUE, Explanation, SideName
from hiermeasures.measures.catalogue import named
from hiermeasures.verify import Case, CheckedCell, Paper
from hiermeasures.verify.checks import published as check_published
from hiermeasures.verify.library import own_cases
from hiermeasures.verify.paper_file import PaperFile, copy_of
from hiermeasures.verify.printed import CountedNodes, agrees, counted_nodes, number
from hiermeasures.verify.values import Subject
from hiermeasures.verify.verification import MATCHES, STATUS_NAMES, Status

OPENING = "kosmopoulos2015/figure-11a"
OWN = "Own hierarchy"


library = own_cases


def papers() -> list[Paper]:
    return sorted(library().papers, key=lambda paper: not OPENING.startswith(paper.key))


def figures() -> dict[str, str]:
    return {case.key: f"{paper.name} · {case.label}" for paper in papers() for case in paper.cases}


@cache
def published(key: str) -> tuple[CheckedCell, ...]:
    return check_published(library(), library().case(key))


def case_file(case: Case) -> str:
    """Return the name of a case's file on the page of cases."""
    file = next(file for file in library().files if file.cases.get(case.part) is case)
    return f"{file.paper}/{file.stem}"


def copy_of_figure(key: str) -> tuple[PaperFile, str]:
    """Return the file of a library's figure as a self-contained file, and the figure's part."""
    case = library().case(key)
    file = next(file for file in library().files if file.cases.get(case.part) is case)
    return copy_of(file, library()), case.part


def free_name(name: str, taken: Container[str]) -> str:
    """Return a free name for a new figure of a paper, with a number if needed."""
    names = (f"{name} {k}" if k > 1 else name for k in count(1))
    return next(each for each in names if each not in taken)


def title_in(paper: PaperFile, part: str) -> str:
    """Return the title of a paper's figure: its label and its own title."""
    case = paper.case(part)
    return " · ".join(dict.fromkeys(part for part in (case.label, case.title) if part))


def name_of(shown: Shown) -> str:
    """Return the name of the instance on the screen, with a mark after changes, and with the size
    of your own hierarchy.
    """
    if shown.case is None and shown.origin is None:
        return f"{shown.title or OWN}, {write_count(len(shown.hierarchy), 'class')}"
    return marked(shown, figures().get(shown.case or "", shown.title))


def in_words(shown: Shown) -> str:
    true, predicted = (named(shown.classes(side), limit=3) for side in get_args(SideName))
    return f"true {true}; predicted {predicted} ({name_of(shown)})"


def title_of(shown: Shown) -> str:
    return name_of(shown) if shown.changed else shown.title


def marked(shown: Shown, name: str) -> str:
    """Return a name, with a mark if you changed the instance since."""
    return f"{name or OWN}{', changed' * shown.changed}"


def figure(key: str) -> Shown:
    case = library().case(key)
    return _shown(case, case.title, key)


def figure_of(paper: PaperFile, part: str) -> Shown:
    """Return a figure of a person's own paper for the Explorer."""
    shown = _shown(paper.case(part), title_in(paper, part))
    shown.explained()
    return replace(shown, figure=(paper.token, part))


def to_compare(subject: Subject, title: str) -> tuple[Shown, Shown | None]:
    found = [
        figure(case.key).with_options(instance.options)
        if case.key in figures()
        else Shown(instance, title).named()
        for instance, case in zip(subject.instances, subject.cases, strict=True)
    ]
    before = found[-2] if len(found) > 1 and found[-2].hierarchy == found[-1].hierarchy else None
    return found[-1], before


def _shown(case: Case, title: str, key: str | None = None) -> Shown:
    return Shown.make(
        case.hierarchy,
        case.true,
        case.predicted,
        title=title,
        case=key,
        options=Options.make(case.options),
        true_paths=case.true_paths,
        predicted_paths=case.predicted_paths,
    ).named()


# Quantities of the case files that are measures under another name.
NAMES = {
    **{f"{name}(flat)": key for name, key in (("P", "precision"), ("R", "recall"), ("F1", "f1"))},
    **{f"{name}(augmented)": key for name, key in (("P", "hP"), ("R", "hR"), ("F1", "hF"))},
    **{f"{name}(counts)": f"CoPHE_{name}" for name in ("P", "R", "F1")},
    **{f"cell({cell})": f"HCM_{cell}" for cell in ("TP", "TN", "FP", "FN")},
}
SAME = 1e-9

STATUS_WORDS: Mapping[Status, str] = {
    "match": "which matches",
    "by_criterion": "which matches by our criterion",
    "explained": "which differs and is explained",
    "conjectured": "which differs, with a guess that gives it",
    "unexplained": "which differs and is unexplained",
}


def printed_values(shown: Shown) -> dict[str, tuple[CheckedCell, ...]]:
    """Return the figure's printed values by measure, even after changes to the figure."""
    if shown.case not in figures():
        return {}
    return by_measure(published(shown.case), library().case(shown.case).explained, {})


def by_measure(
    cells: Iterable[CheckedCell], explained: Explanation, own: Mapping[str, str]
) -> dict[str, tuple[CheckedCell, ...]]:
    """Return printed values by measure. `own` are the definitions of own measures by name."""
    found: dict[str, tuple[CheckedCell, ...]] = {}
    for cell in cells:
        key = NAMES.get(cell.quantity, own.get(cell.quantity, cell.quantity))
        # and not one under other options
        known = key in CATALOGUE or key in own.values()
        if known and not abs(_value(cell) - explained[key]) >= SAME:
            found[key] = (*found.get(key, ()), cell)
    return found


def _value(cell: CheckedCell) -> float:
    ours = cell.ours.count if isinstance(cell.ours, CountedNodes) else cell.ours
    return ours / 100 if per_cent(cell) else ours


def prints(cell: CheckedCell, value: float) -> bool:
    """Return True if a value matches a cell's printed value by the rules of the check."""
    if isinstance(cell.ours, CountedNodes):
        return value == counted_nodes(cell.printed).count
    percent = per_cent(cell)
    ours = 100 * value if percent else value
    return agrees(ours, number(cell.printed), rounded_whole=percent)


def printed_text(cell: CheckedCell) -> str:
    """Return the printed string. If a cell lists a count with its classes, return the count."""
    text = cell.printed.split()[0] if isinstance(cell.ours, CountedNodes) else cell.printed
    return f"{text} %" if per_cent(cell) else text


def differs(cells: tuple[CheckedCell, ...]) -> str:
    return printed_words(tuple(cell for cell in cells if cell.status not in MATCHES))


def printed_words(cells: tuple[CheckedCell, ...]) -> str:
    """Return the printed values with a verdict: `Table 1 prints 0.66, which matches.`"""
    prints = (
        f"{cell.source} prints {printed_text(cell)}, {STATUS_WORDS[cell.status]}." for cell in cells
    )
    return " ".join(
        dict.fromkeys((*prints, *(cell.explanation for cell in cells if cell.explanation)))
    )


def printed_of(cells: tuple[CheckedCell, ...]) -> str:
    """Return the printed values with their places, such as "Table 1 prints 0.66"."""
    return "; ".join(dict.fromkeys(f"{cell.source} prints {printed_text(cell)}" for cell in cells))


def cells_counted(cells: tuple[CheckedCell, ...]) -> str:
    """Return the number of printed values, and the result of the check."""
    found = Counter(cell.status for cell in cells)
    words = ", ".join(
        f"{found[status]} {name}" for status, name in STATUS_NAMES.items() if found[status]
    )
    return f"{len(cells)} printed values: {words}" if cells else "The figure in Papers"


def per_cent(cell: CheckedCell) -> bool:
    return cell.column.endswith("%")
