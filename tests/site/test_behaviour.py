"""The matrix of docs/behaviour.md, searched once for the tests that read it."""

from collections.abc import Mapping

import pytest

from docs.make.behaviour_page import search_properties
from hiermeasures import explain
from hiermeasures.app.behaviour.model import MatrixRequest
from hiermeasures.debug import PROPERTIES
from hiermeasures.debug.properties import proved
from hiermeasures.debug.search import FIRST, JUDGED, Behaviour, Setting
from hiermeasures.measures import CATALOGUE

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found() -> Mapping[Setting, Behaviour]:
    return search_properties()


def test_every_property_is_searched_for_every_measure_and_theorems_are_those_that_are_proved(
    found: Mapping[Setting, Behaviour],
) -> None:
    theorems = 0
    for setting, behaviour in found.items():
        assert behaviour.verdicts.keys() == PROPERTIES.keys()
        for prop, row in behaviour.verdicts.items():
            assert row.keys() == set(JUDGED)
            for key, verdict in row.items():
                proof = proved(prop, CATALOGUE[key], trees=setting.trees, options=behaviour.options)
                assert verdict.theorem == proof
                assert verdict.holds or proof is None
                theorems += setting == FIRST and verdict.kind == "theorem"
    assert theorems > 400


def test_every_example_is_what_explain_says(found: Mapping[Setting, Behaviour]) -> None:
    for behaviour in found.values():
        for prop, row in behaviour.verdicts.items():
            for key, verdict in row.items():
                if example := verdict.example:
                    values = [
                        explain(x.world.hierarchy, x.true, x.predicted, options=behaviour.options)[
                            key
                        ]
                        for x in (example.before, example.after)
                    ]
                    # of a triangle the third side follows
                    assert list(example.values)[:2] == pytest.approx(values), (prop, key)


def test_the_page_of_the_app_calls_the_same_kept_and_broken(
    found: Mapping[Setting, Behaviour],
) -> None:
    """The app searches less, and knows the larger instances of debug/known.yaml."""
    shown = MatrixRequest(measures=()).search().verdicts
    differing = {
        (prop, key): (shown[prop][key].mark, verdict.mark)
        for prop, row in found[FIRST].verdicts.items()
        for key, verdict in row.items()
        if shown[prop][key].mark[0] != verdict.mark[0]
    }
    assert differing == {}
