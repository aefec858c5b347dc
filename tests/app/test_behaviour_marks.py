"""The Behaviour page and docs/behaviour.md call the same properties kept and broken."""

from pathlib import Path

import pytest

from hiermeasures.app.behaviour.model import MatrixRequest
from hiermeasures.debug import PROPERTIES
from hiermeasures.measures import CATALOGUE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "behaviour.md"


def documented() -> dict[tuple[str, str], str]:
    """Return the first sign of every cell of the page, by property and measure."""
    signs: dict[tuple[str, str], str] = {}
    measures: list[str] = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| property |"):
            measures = [cell.strip("`") for cell in cells[1:]]
        elif (
            line.startswith("| `")
            and cells[0].strip("`") in PROPERTIES
            and len(cells) == len(measures) + 1
        ):
            for measure, cell in zip(measures, cells[1:], strict=True):
                if measure in CATALOGUE:  # not a table of the literature
                    signs.setdefault((cells[0].strip("`"), measure), cell[:1])
        elif not line.startswith("|"):
            measures = []
    return signs


def test_a_larger_instance_that_is_known_breaks_what_every_small_one_keeps() -> None:
    # docs/expressions.md and `find`: a wrong class raises hP from .333 to .400 with six classes.
    asked = MatrixRequest(
        measures=("hP",), properties=("unrelated_error_never_pays_to_a_prediction",)
    )
    verdict = asked.search().verdicts["unrelated_error_never_pays_to_a_prediction"]["hP"]
    assert verdict.mark == "✗ 6, kept to 5"
    assert verdict.example is not None
    assert verdict.example.values == pytest.approx((1 / 3, 2 / 5))


@pytest.mark.slow
def test_the_page_has_the_marks_of_the_docs_for_every_measure_and_property() -> None:
    found = MatrixRequest(measures=()).search().verdicts
    marks = {(p, m): verdict.mark[:1] for p, row in found.items() for m, verdict in row.items()}
    expected = documented()
    assert len(expected) > 1000
    assert {
        cell: (marks[cell], sign) for cell, sign in expected.items() if marks[cell] != sign
    } == {}
