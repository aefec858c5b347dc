"""The search finds the smallest counterexample, the same each time, and says how far it looked;
verdicts under each setting, and what changes from one to another.
"""

import threading
from dataclasses import replace

import pytest

from hiermeasures import explain
from hiermeasures.debug import study
from hiermeasures.debug.search import (
    PropertyVerdict,
    SearchRun,
    Setting,
    changes,
    search_beyond,
    survey,
    try_known,
)
from hiermeasures.debug.worlds import trees
from hiermeasures.hierarchy.errors import InputError
from tests.debug.invented import invented


def example(key, measure, **sizes):
    return study([measure], [key], n_jobs=1, **sizes).verdicts[key][measure].example


class TestKnownAnswers:
    def test_a_perfect_prediction_of_two_classes_is_not_best_under_sp(self):
        """All four pairs of T = P = {a, b} are summed, and two are 2 edges apart: 4. An empty
        prediction stands for the root, one edge from each: 2.
        """
        found = example("perfect_is_best", "SP", trees=3, dags=3)
        assert found.before.true == found.before.predicted == ("a", "b")
        assert found.after.predicted == ()
        assert found.values == (4, 2)


class TestTheSearch:
    def test_fewest_classes_come_before_fewest_labels(self):
        """Adding a true class hurts where the prediction then has 2 classes: 3 with the root."""
        found = study(
            [invented(lambda h, t, p: -(len(p) == 2))], ["more_truth_never_hurts"], trees=5, dags=4
        )
        broken = found.verdicts["more_truth_never_hurts"]["invented"].example
        assert broken.size == 3
        assert sum(map(len, (broken.before.true, broken.before.predicted, broken.after.true))) == 3

    def test_it_is_the_same_with_any_number_of_threads(self):
        measures = ["hF", "GIE", "F_LCA", "SP"]
        one, two = (study(measures, trees=3, dags=3, n_jobs=jobs).as_json() for jobs in (1, 2))
        assert one == two

    def test_what_is_kept_says_how_many_pairs_were_compared(self):
        """Trees of 2 and 3 classes. R→a: P = {a} or {} with T = {a}. R→a→b and R→a, b: 3 sets of
        true classes, 4 of predicted. A perfect prediction is compared with every other: 1 + 2·3·3.
        """
        found = study([invented(lambda h, t, p: 0)], ["perfect_is_best"], trees=3, dags=0)
        verdict = found.verdicts["perfect_is_best"]["invented"]
        assert (verdict.holds, verdict.size, verdict.instances) == (True, 3, 1 + 2 * 3 * 3)
        assert (found.hierarchies, found.instances) == (3, 1 * 2 + 2 * 3 * 4)

    def test_it_can_be_stopped(self):
        stop = threading.Event()
        stop.set()
        found = study(["hF"], trees=3, dags=0, stop=stop)
        assert found.stopped
        assert all(row["hF"].size == 0 for row in found.verdicts.values())

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"measures": ["hFF"]}, "unknown measure 'hFF'"),
            ({"properties": ["symetric"]}, "'symmetric'"),
            ({"trees": 20}, "20 classes"),
            ({"dags": 7}, "7 classes"),
            ({"d_max": 3}, "unknown option 'd_max'"),
        ],
    )
    def test_what_cannot_be_searched_is_said(self, arguments, message):
        with pytest.raises(InputError, match=message.replace("(", r"\(")):
            study(**arguments)


class TestBeyond:
    """A measure that a true class hurts once four are predicted: no hierarchy of 4 shows it."""

    def late(self):
        return invented(lambda h, t, p: -(len(p) >= 4))

    def test_what_is_found_is_shrunken(self):
        measure = self.late()
        kept = study([measure], ["more_truth_never_hurts"], trees=4, dags=4)
        assert kept.verdicts["more_truth_never_hurts"]["invented"].holds
        sampled = search_beyond(kept, size=9, measures=[measure])
        found = sampled["more_truth_never_hurts"]["invented"].example
        assert found.size == 5  # the root and the four classes
        assert len(found.before.true) == 1
        assert len(found.before.predicted) == 3
        broken = kept.with_sampled(sampled)
        verdict = broken.verdicts["more_truth_never_hurts"]["invented"]
        assert (verdict.holds, verdict.size, verdict.kept_to) == (False, 5, 4)
        assert "4 classes" in broken.as_text(sampled)

    def test_what_is_not_found_says_in_how_many_instances(self):
        measure = invented(lambda h, t, p: len(t & p))
        kept = study([measure], ["symmetric"], trees=3, dags=3)
        every = search_beyond(kept, size=8, hierarchies=12, measures=[measure])
        sampled = every["symmetric"]["invented"]
        assert sampled.example is None
        assert (
            f"; beyond: no counterexample in {sampled.instances:,} instances up to {sampled.size} classes"
            in kept.as_text(every)
        )
        assert sampled.instances > 100


class TestProofs:
    """By a theorem, SDL gets better with more truth. F_LCA has no such theorem."""

    def found(self):
        return study(["SDL", "F_LCA"], ["more_truth_pays"], trees=2, dags=2)

    def test_the_table_names_a_theorem_without_its_proof(self):
        text = self.found().as_text()
        assert "SDL           theorem" in text
        assert "k ≥ 1 classes move from" not in text
        assert text.splitlines()[-1].count("--proofs") == 1

    def test_on_request_each_proof_follows_the_meaning_of_its_letters(self):
        text = self.found().as_text(proofs=True)
        letters, _, proofs = text.partition("shortest path through a common ancestor.")
        assert "T is the set of true classes" in letters
        assert "*" not in letters
        assert proofs.index("SDL more_truth_pays:") < proofs.index("k ≥ 1")
        assert "F_LCA more_truth_pays:" not in proofs

    def test_without_a_theorem_no_proof_is_offered(self):
        assert "proofs" not in study(["F_LCA"], ["symmetric"], trees=2, dags=2).as_text()


class TestWhatIsNotTested:
    """TIE has no value where the numbers of classes differ: adding one leaves none."""

    def test_without_a_pair_of_values_a_property_is_not_kept(self):
        found = study(["TIE"], ["more_truth_never_hurts"], trees=3, dags=3)
        verdict = found.verdicts["more_truth_never_hurts"]["TIE"]
        assert (verdict.tested, verdict.instances) == (False, 0)
        assert found.as_json()["more_truth_never_hurts"]["TIE"]["holds"] is None
        assert "3 classes" in found.as_text()
        assert "kept" not in found.as_text().partition("never makes it worse.")[2]


class TestKnownInstances:
    @pytest.mark.parametrize(
        ("prop", "measures"),
        {
            "unrelated_error_never_pays": "H_loss",
            "unrelated_error_never_pays_to_a_prediction": "hP wP SDL H_loss",
            "backing_off_never_hurts": "hP wP",
            "deeper_mistake_is_milder": "ICM F_LCA_ext P_LCA_ext R_LCA_ext",
            "second_way_changes_nothing": "F_LCA P_LCA SDL_LCA hR CoPHE_R wR ru",
            "too_deep_costs": "ICM_norm",
        }.items(),
    )
    def test_they_break_what_small_hierarchies_keep(self, prop, measures):
        kept = study(measures.split(), [prop], trees=3, dags=3)
        kept = replace(kept, verdicts={prop: {m: PropertyVerdict() for m in measures.split()}})
        shown = try_known(kept)[prop]
        assert [m for m in measures.split() if shown[m].example is None] == []
        for m in measures.split():
            broken = shown[m].example
            values = [
                explain(x.world.hierarchy, x.true, x.predicted)[m]
                for x in (broken.before, broken.after)
            ]
            assert list(broken.values) == pytest.approx(values)


@pytest.mark.slow
def test_every_example_is_what_explain_says():
    found = study(trees=4, dags=4)
    for prop, row in found.verdicts.items():
        for key, verdict in row.items():
            if verdict.example is not None:
                pictures = (verdict.example.before, verdict.example.after)
                values = [explain(x.world.hierarchy, x.true, x.predicted)[key] for x in pictures]
                # of a triangle the third side follows
                assert list(verdict.example.values)[:2] == pytest.approx(values), (prop, key)


T, R = Setting(trees=True), Setting(uncounted=True)


@pytest.fixture(scope="module")
def found():
    keys = ["deeper_mistake_is_milder", "nothing_shared_is_the_same", "second_way_changes_nothing"]
    return survey(["hF", "TIE"], keys, trees=5, dags=5)


def test_each_is_what_a_search_of_its_own_finds(found):
    alone = study(["hF"], ["deeper_mistake_is_milder"], trees=5, dags=0, count_root=False).verdicts
    at = found[Setting(trees=True, uncounted=True)].verdicts["deeper_mistake_is_milder"]["hF"]
    assert at == alone["deeper_mistake_is_milder"]["hF"]


def test_hf_is_milder_for_a_deeper_mistake_in_trees(found):
    """Without the root the smallest DAG that breaks it has more classes."""
    assert changes(found, "deeper_mistake_is_milder", "hF") == [R, T]
    assert changes(found, "deeper_mistake_is_milder", "hF", base=T) == [T]


def test_an_exception_cancels_what_was_submitted_and_waits_for_nothing():
    worlds, begun, released = trees(5), [], threading.Event()

    def work(world):
        begun.append(world)
        if len(begun) > 1:
            released.wait(60)

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SearchRun(n_jobs=1).over(worlds, work, interrupt)
    assert not released.is_set()  # the second is still computed
    released.set()
    assert len(begun) <= 2 < len(worlds)
