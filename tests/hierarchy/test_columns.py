"""Hierarchies that are built from arrays equal those that are built from lists."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError
from hiermeasures.hierarchy import columns
from hiermeasures.hierarchy.columns import Arrays, Lists
from hiermeasures.hierarchy.edge_rows import levels


def built(monkeypatch, long, *given):
    """The parts of a hierarchy, or the error, if columns of `long` edges are arrays."""
    monkeypatch.setattr(columns, "LONG", long)
    try:
        h = Hierarchy.from_numbered(*given)
    except InputError as error:
        return str(error)
    return h.nodes, h.rows, h.notes, h.virtual_root


@given(st.data())
def test_arrays_and_lists_build_the_same_hierarchy_and_find_the_same_faults(data):
    n = data.draw(st.integers(1, 9))
    ends = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    edges = data.draw(st.lists(ends, max_size=14))
    if data.draw(st.booleans()):  # no cycles
        edges = [(min(edge), max(edge)) for edge in edges if edge[0] != edge[1]]
    parent, child = [above for above, _ in edges], [below for _, below in edges]
    weight = data.draw(st.none() | st.lists(st.sampled_from([1, 0.5, 2.0]), min_size=len(edges)))
    given = [f"c{k}" for k in range(n)], parent, child, weight and weight[: len(edges)]
    with pytest.MonkeyPatch.context() as patch:
        assert built(patch, 0, *given) == built(patch, 10**9, *given)


@given(st.lists(st.integers(0, 5), max_size=9), st.data())
def test_each_operation_on_arrays_gives_the_numbers_of_the_one_on_lists(keys, data):
    arrays = Arrays()
    as_array, n = arrays.column(keys), 6
    for name in ("order", "ends", "zeros"):
        one, other = (getattr(of, name)(each) for of, each in ((Lists, keys), (arrays, as_array)))
        assert one == other.tolist()
    assert Lists.sizes(n, keys) == arrays.sizes(n, as_array).tolist()
    assert Lists.distinct_pairs(n, keys, keys[::-1]) == arrays.distinct_pairs(
        n, as_array, as_array[::-1]
    )
    order = data.draw(st.permutations(range(len(keys))))
    assert Lists.places(order) == arrays.places(arrays.column(order)).tolist()
    ptr, some = Lists.ends(keys), data.draw(st.lists(st.integers(0, len(keys) - 1))) if keys else []
    values = list(range(sum(keys)))
    assert (
        Lists.rows(ptr, values, some)
        == arrays.rows(*map(arrays.column, (ptr, values, some))).tolist()
    )


@pytest.mark.parametrize("many", [998, 1000, 1001, 3000])
def test_a_deep_hierarchy_is_counted_on_with_lists(many):
    """A chain, with a class beside each of its classes."""
    chain = np.arange(many)
    parent, child = np.append(chain, chain), np.append(chain + 1, chain + many + 1)
    level = levels(list(map(str, range(2 * many + 1))), parent, child)
    assert list(level) == [*range(many + 1), *range(1, many + 1)]


def test_a_cycle_far_down_is_named():
    parent = np.append(np.arange(1500), 1500)
    child = np.append(np.arange(1, 1501), 1498)
    with pytest.raises(
        InputError,
        match=r"'1498' > '1499' > '1500'|'1500' > '1498' > '1499'|'1499' > '1500' > '1498'",
    ):
        levels(list(map(str, range(1501))), parent, child)


def test_a_large_hierarchy_is_built_without_numpy():
    code = """
import sys
sys.modules["numpy"] = None
from hiermeasures import Hierarchy
n = 30_000
h = Hierarchy.from_numbered(list(map(str, range(n))), [0] * (n - 1), list(range(1, n)))
print(len(h), h.depth)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["30000", "1"], done.stderr
