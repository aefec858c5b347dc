"""CoPHE: the counts by plain loops. Table 1 of Falis et al. 2021 is a case file."""

import pytest
from hypothesis import given

from hiermeasures import explain
from tests.conftest import hierarchy_of, instances

ICD_364 = hierarchy_of(
    "364>364.1 364>364.2 364>364.3 364>364.4 364>364.9 364.1>364.11 364.2>364.21 364.2>364.24 364.4>364.41"
)
TRUE, PREDICTED = {"364.11", "364.24", "364.9"}, {"364.11", "364.21", "364.3", "364.41"}


class TestTable1:
    def test_the_top_code_is_over_predicted(self):
        assert "364" in explain(ICD_364, TRUE, PREDICTED).counts.over

    def test_max_level_says_how_far_up(self):
        x = explain(ICD_364, TRUE, PREDICTED, max_level=1)
        assert [c.level for c in x.counts.levels] == [2, 1]
        assert x["CoPHE_P"] == pytest.approx(3 / 7)


@given(instances())
def test_each_label_class_counts_once_for_every_class_above_it_also_in_a_dag(instance):
    h, true, predicted = instance
    table = explain(h, true, predicted).counts
    tp = fp = fn = 0
    for c in h.nodes:
        below = {c} | h.descendants(c)
        t, p = len(below & true), len(below & predicted)
        tp, fp, fn = tp + min(t, p), fp + max(p - t, 0), fn + max(t - p, 0)
    assert (table.tp, table.fp, table.fn) == (tp, fp, fn)
