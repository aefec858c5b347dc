"""The figures of the case library as things to show. Reading and checking case files is hiermeasures.cases' work."""

from functools import cache

from hiermeasures.cases import Case, CheckedCell, Paper
from hiermeasures.cases.library import own_cases
from hiermeasures.cases.verify import published as check_published
from hiermeasures.options import Options
from hiermeasures.ui.state import Shown

OPENING = "kosmopoulos2015/figure-11a"


library = own_cases


def papers() -> list[Paper]:
    """All papers, that of the opening figure first."""
    return sorted(library().papers, key=lambda paper: not OPENING.startswith(paper.key))


def figures() -> dict[str, str]:
    """Every case by its key as `paper · figure`, in the order of the papers."""
    return {case.key: f"{paper.name} · {case.label}" for paper in papers() for case in paper.cases}


@cache
def published(key: str) -> tuple[CheckedCell, ...]:
    """What a figure's file publishes about it, checked once."""
    return check_published(library(), library().case(key))


def case_file(case: Case) -> str:
    """The file of a case as the page of cases names it: `kosmopoulos2015/figure-11`.

    >>> case_file(library().case("kosmopoulos2015/figure-11a"))
    'kosmopoulos2015/figure-11'
    """
    file = next(file for file in library().files if file.cases.get(case.part) is case)
    return f"{file.paper}/{file.stem}"


def figure(key: str) -> Shown:
    """A figure as its paper shows it, with the paper's options."""
    case = library().case(key)
    return _shown(case, case.title, key)


def instance_of(case: Case) -> Shown:
    """A case of a file as something to show; it belongs to no library."""
    shown = _shown(case, " · ".join(part for part in (case.label, case.title) if part))
    shown.explained()
    return shown


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
    )
