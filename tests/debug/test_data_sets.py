"""Properties of averages: known answers, proofs that nothing refutes, and examples that are what
evaluate says.
"""

import pytest

from docs.make.behaviour_page import PAPERS
from docs.make.data_sets import DATA_PROPERTIES, WITHOUT_VALUES, study_data
from hiermeasures import evaluate
from hiermeasures.debug import PROPERTIES, study
from hiermeasures.debug.search import JUDGED

MEASURES = ["hF", "hP", "accuracy", "wF"]


@pytest.fixture(scope="module")
def found():
    return study_data(MEASURES, tries=12)


def test_nothing_refutes_a_proof(found):
    verdicts = [
        (p, m, a, v) for p, row in found.items() for m, by in row.items() for a, v in by.items()
    ]
    assert [(p, m, a, v.pictures) for p, m, a, v in verdicts if v.proof and v.example] == []
    assert {(p, a) for p, _, a, v in verdicts if v.mark == "✓ theorem"} == {
        (p.key, "samples") for p in DATA_PROPERTIES.values() if p.proof
    }


def test_no_measure_has_a_constant_baseline_and_frequency_always_counts(found):
    for p in ("constant_answers_are_equal", "class_frequency_changes_nothing"):
        assert all(by["samples"].mark == "✗" for by in found[p].values())


def test_what_is_proved_of_a_mean_is_of_measures_that_always_have_a_value():
    rows = study(
        [m for m in JUDGED if m not in WITHOUT_VALUES], ["names_do_not_matter"], trees=3, dags=3
    ).verdicts
    assert {m: v.undefined for m, v in rows["names_do_not_matter"].items() if v.undefined} == {}


def test_an_example_is_what_evaluate_says(found):
    for row in found.values():
        for key, verdicts in row.items():
            for average, verdict in verdicts.items():
                if verdict.example is None:
                    continue
                world, data = verdict.example
                values = [
                    evaluate(
                        world.hierarchy,
                        [world.named(t) for t, _ in rows],
                        [world.named(p) for _, p in rows],
                        measures=[key],
                    ).averages.loc[key, average]
                    for rows in data
                ]
                assert list(verdict.values) == pytest.approx(values)


def test_sums_over_classes_can_lower_the_value_for_a_better_answer(found):
    """R>s>t>u and R>v>w. T = {u}: w shares R of 3 with 4, hP 1/3; u among six wrong classes 4 of
    10. Beside 10 of 10 the sums go from 11/13 to 14/20. hF of 12 wrong: 2·1/7 and 2·4/20, and the
    sums from 22/27 to 28/40.
    """
    verdict = found["improving_an_instance_helps"]["hP"]["micro"]
    assert verdict.mark == "✗"
    assert verdict.values == pytest.approx((11 / 13, 14 / 20, 1 / 3, 4 / 10))
    assert found["improving_an_instance_helps"]["hF"]["micro"].mark == "✗"
    assert found["improving_an_instance_helps"]["hP"]["samples"].mark == "✓ theorem"


def test_what_papers_ask_for_names_properties_that_there_are():
    demands = [demand for paper in PAPERS for demand in paper["demands"]]
    assert {
        p for demand in demands for p in demand.get("properties", ())
    } <= PROPERTIES.keys() | DATA_PROPERTIES.keys()
    assert all(paper["read"] for paper in PAPERS)
    assert all("properties" in demand or demand["note"] for demand in demands)
