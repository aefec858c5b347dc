"""Table 9 of Kosmopoulos et al. 2015 beside the search: where a property speaks of the same
situation, the printed signs are what is found, and of the others it is said why none can.
"""

import pytest

from hiermeasures.debug import PROPERTIES, study
from hiermeasures.verify.library import judgement, table_9

MEASURES = ("GIE", "MGIA", "hF", "SDL", "F_LCA")
SPOKEN = [s for s in table_9().situations if s.property]


@pytest.fixture(scope="module")
def found():
    """A second way takes a DAG of five classes, too deep and too high show in trees of four."""
    return study(MEASURES, [s.property for s in SPOKEN], trees=5, dags=5)


def test_every_situation_of_the_table_is_spoken_of_or_it_is_said_why_not():
    assert all(s.property in PROPERTIES or s.note for s in table_9().situations)
    assert set(table_9().columns) == set(MEASURES)


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("situation", SPOKEN, ids=lambda s: s.situation)
def test_the_search_agrees_with_the_paper(found, situation, measure):
    said = judgement(situation.property, measure)
    verdict = found.verdicts[situation.property][measure]
    assert said.agrees(verdict), f"{said.sign}, but {verdict}"
