"""The figures of the case library as things to show. Reading and checking case files is hiermeasures.cases' work."""

from functools import cache

from hiermeasures.cases import Case, CaseLibrary, load_cases
from hiermeasures.options import Options
from hiermeasures.ui.state import Shown

OPENING = "kosmopoulos2015/figure-11a"


@cache
def library() -> CaseLibrary:
    """All cases that come with the project, read once."""
    return load_cases()


def figures() -> dict[str, str]:
    """Every case by its key as `paper · figure`, the paper of the opening figure first."""
    papers = sorted(library().papers, key=lambda paper: not OPENING.startswith(paper.key))
    return {case.key: f"{paper.name} · {case.label}" for paper in papers for case in paper.cases}


def figure(key: str) -> Shown:
    """A figure as its paper shows it, with the paper's options."""
    case: Case = library().case(key)
    return Shown.make(
        case.hierarchy,
        case.true,
        case.predicted,
        title=case.title,
        case=key,
        options=Options.make(case.options),
        true_paths=case.true_paths,
        predicted_paths=case.predicted_paths,
    )
