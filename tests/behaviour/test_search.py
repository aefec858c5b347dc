"""The search finds the smallest counterexample, the same each time, and says how far it looked."""

import threading

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.behaviour import PROPERTIES, study
from hiermeasures.behaviour.sampling import search_beyond, with_sampled
from hiermeasures.behaviour.worlds import trees
from hiermeasures.errors import InputError
from tests.behaviour.invented import invented


def example(key, measure, **sizes):
    return study([measure], [key], n_jobs=1, **sizes).verdicts[key][measure].example


class TestKnownAnswers:
    def test_gie_punishes_a_right_class(self):
        """R→a, b with T = {a}: P = {b} pairs b with a over R, 2 edges. P = {a, b} pairs a with a, 0, and leaves b to a
        default class, D_max = 5.
        """
        found = example("more_truth_never_hurts", "GIE", trees=3, dags=3)
        assert found.before.world.hierarchy.edges == (("R", "a"), ("R", "b"))
        assert (found.before.true, found.before.predicted) == (("a",), ("b",))
        assert (found.after.true, found.after.predicted) == (("a",), ("a", "b"))
        assert found.values == (2, 5)

    def test_a_cheaper_default_class_changes_the_answer(self):
        """With D_max = 1 the wrong class goes to a default class both times, and a too the first time: 2 → 1."""
        found = study(["GIE"], ["more_truth_never_hurts"], trees=3, dags=3, dmax=1)
        assert found.verdicts["more_truth_never_hurts"]["GIE"].holds

    def test_a_perfect_prediction_of_two_classes_is_not_best_under_sp(self):
        """All four pairs of T = P = {a, b} are summed, and two are 2 edges apart: 4. An empty prediction stands for the
        root, one edge from each: 2.
        """
        found = example("perfect_is_best", "SP", trees=3, dags=3)
        assert found.before.true == found.before.predicted == ("a", "b")
        assert found.after.predicted == ()
        assert found.values == (4, 2)

    def test_the_mistake_of_f_lca_in_figure_11a_when_an_error_moves_away(self):
        """P2 below B: both graphs are {B} with their classes, 3 predicted and 2 true, B shared: 2·1/5. P2 below C: A
        joins both, 5 and 3, A and B shared: 2·2/8.
        """
        near = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
        far = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("C", "P2")])
        values = [explain(h, {"T1"}, {"P1", "P2"})["F_LCA"] for h in (near, far)]
        assert values == pytest.approx([0.4, 0.5])


class TestTheSearch:
    def test_a_broken_range_is_one_instance(self):
        found = study([invented(lambda h, t, p: len(p), high=1)], ["stays_in_range"], trees=3, dags=0)
        broken = found.verdicts["stays_in_range"]["invented"].example
        assert broken.alone
        assert str(broken) == "R>a R>b; T = {a}, P = {a, b}: 2"

    def test_fewest_classes_come_before_fewest_labels(self):
        """Adding a true class hurts where the prediction then has 2 classes, which takes 3 with the root."""
        found = study([invented(lambda h, t, p: -(len(p) == 2))], ["more_truth_never_hurts"], trees=5, dags=4)
        broken = found.verdicts["more_truth_never_hurts"]["invented"].example
        assert broken.size == 3
        assert sum(map(len, (broken.before.true, broken.before.predicted, broken.after.true))) == 3

    def test_it_is_the_same_with_any_number_of_threads(self):
        measures = ["hF", "GIE", "F_LCA", "SP"]
        one, two = (study(measures, trees=3, dags=3, n_jobs=jobs).as_json() for jobs in (1, 2))
        assert one == two

    def test_what_is_kept_says_how_many_pairs_were_compared(self):
        """Trees of 2 and 3 classes. R→a: P = {a} or {} with T = {a}. R→a→b and R→a, b: 3 sets of true classes, 4 of
        predicted. A perfect prediction is compared with every other: 1 + 2·3·3.
        """
        found = study([invented(lambda h, t, p: 0)], ["perfect_is_best"], trees=3, dags=0)
        verdict = found.verdicts["perfect_is_best"]["invented"]
        assert (verdict.holds, verdict.size, verdict.instances) == (True, 3, 1 + 2 * 3 * 3)
        assert (found.hierarchies, found.instances) == (3, 1 * 2 + 2 * 3 * 4)

    def test_progress_reaches_its_end(self):
        seen = []
        study(["hF"], ["symmetric"], trees=3, dags=0, progress=lambda done, total: seen.append((done, total)))
        assert seen[-1][0] == seen[-1][1]
        assert seen == sorted(seen)

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
            ({"properties": ["symetric"]}, "unknown property 'symetric'; nearest known: 'symmetric'"),
            ({"trees": 20}, "trees of up to 20 classes: the search goes up to 8"),
            ({"dags": 7}, "DAGs of up to 7 classes: the search goes up to 6"),
            ({"d_max": 3}, "unknown option 'd_max'"),
        ],
    )
    def test_what_cannot_be_searched_is_said(self, arguments, message):
        with pytest.raises(InputError, match=message.replace("(", r"\(")):
            study(**arguments)


class TestBeyond:
    """A measure that a true class hurts once four classes are predicted: no hierarchy of 4 classes shows it."""

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
        assert not with_sampled(kept, sampled).verdicts["more_truth_never_hurts"]["invented"].holds

    def test_what_is_not_found_says_in_how_many_instances(self):
        measure = invented(lambda h, t, p: len(t & p))
        kept = study([measure], ["symmetric"], trees=3, dags=3)
        sampled = search_beyond(kept, size=8, hierarchies=12, measures=[measure])["symmetric"]["invented"]
        assert sampled.example is None
        assert str(sampled) == f"none found in {sampled.instances:,} instances up to {sampled.size} classes"
        assert sampled.instances > 100


@pytest.mark.slow
class TestTable9:
    """Table 9 of Kosmopoulos et al. where it speaks of the same: alternative paths, judged by Figure 13."""

    def test_a_second_way(self):
        row = study(["GIE", "MGIA", "hF", "SDL", "F_LCA"], ["second_way_changes_nothing"], trees=0, dags=5).verdicts[
            "second_way_changes_nothing"
        ]
        assert {key: verdict.holds for key, verdict in row.items()} == {
            "GIE": True, "MGIA": True, "hF": False, "SDL": False, "F_LCA": True,
        }  # fmt: skip


@pytest.mark.slow
def test_every_example_is_what_explain_says():
    found = study(trees=4, dags=4)
    for prop, row in found.verdicts.items():
        for key, verdict in row.items():
            if verdict.example is not None:
                pictures = (verdict.example.before, verdict.example.after)
                values = [explain(x.world.hierarchy, x.true, x.predicted)[key] for x in pictures]
                assert list(verdict.example.values) == pytest.approx(values), (prop, key)


def test_properties_are_keyed_by_themselves():
    assert all(key == p.key for key, p in PROPERTIES.items())
    assert len(trees(3)) == 2
