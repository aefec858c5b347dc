"""Verdicts under each setting, and what changes from one to another."""

import pytest

from hiermeasures.behaviour import study
from hiermeasures.behaviour.settings import FIRST, SETTINGS, Setting, changes, survey
from hiermeasures.core.options import Options

T, R, W = Setting(trees=True), Setting(uncounted=True), Setting(weighted=True)


def test_there_are_eight_and_the_first_has_no_letter():
    assert [s.letters for s in SETTINGS] == ["", "w", "r", "t", "rw", "tw", "tr", "trw"]
    assert SETTINGS[0] == FIRST


def test_a_setting_keeps_other_options():
    options = Setting(uncounted=True, weighted=True).options(Options.make(dmax=3))
    assert (options.dmax, options.count_root, options.class_weights) == (3, False, "leaves")
    assert FIRST.options(options) == Options.make(dmax=3)
    assert W.options(Options.make(class_weights="depth")).class_weights == "depth"
    assert Setting.of(options, trees=False) == Setting(uncounted=True, weighted=True)


@pytest.fixture(scope="module")
def found():
    keys = ["deeper_mistake_is_milder", "too_deep_costs", "nothing_shared_is_the_same", "second_way_changes_nothing"]
    return survey(["hF", "wF", "TIE"], keys, trees=5, dags=5)


def test_each_is_what_a_search_of_its_own_finds(found):
    alone = study(["hF"], ["deeper_mistake_is_milder"], trees=5, dags=0, count_root=False).verdicts
    at = found[Setting(trees=True, uncounted=True)].verdicts["deeper_mistake_is_milder"]["hF"]
    assert at == alone["deeper_mistake_is_milder"]["hF"]


def test_hf_is_milder_for_a_deeper_mistake_in_trees(found):
    """Without the root the smallest DAG that breaks it has more classes."""
    assert changes(found, "deeper_mistake_is_milder", "hF") == [R, T]
    assert changes(found, "deeper_mistake_is_milder", "hF", base=T) == [T]


def test_weights_change_what_hf_and_wf_share_with_weights_of_one(found):
    """A class that is its parent's only child weighs nothing: too deep is free."""
    assert changes(found, "too_deep_costs", "wF") == [W]
    assert changes(found, "too_deep_costs", "hF") == []


def test_the_root_alone_is_worth_less_beside_more_classes(found):
    """R→a, b→c, T = {a}: {R, a} shares R with {R, b} and with {R, b, c}, 2·1/4 and 2·1/5; without R
    both are 0.
    """
    assert changes(found, "nothing_shared_is_the_same", "hF") == [R]


def test_not_tested_is_another_sign(found):
    assert [s.letters for s in changes(found, "second_way_changes_nothing", "TIE")] == ["t"]
