"""Random hierarchies have the wished size and shape."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures.behaviour.random_hierarchies import random_hierarchy
from hiermeasures.core.errors import InputError


@given(st.data())
def test_a_random_hierarchy_has_the_wished_shape(data: st.DataObject) -> None:
    depth, branching = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    size = data.draw(st.integers(depth + 1, sum(branching**k for k in range(depth + 1))))
    extra, seed = data.draw(st.sampled_from([0.0, 0.3, 1.0])), data.draw(st.integers(0, 99))
    h = random_hierarchy(size, depth, branching, extra, seed)
    assert (len(h), h.depth, h.virtual_root) == (size, depth, False)
    assert h == random_hierarchy(size, depth, branching, extra, seed)
    if not extra:
        assert h.is_tree
        assert max(len(h.children(c)) for c in h.nodes) <= branching


def test_extra_parents_are_the_wished_share() -> None:
    # 40 classes; all below level 1 get one more parent, since level 1 has several to choose from.
    h = random_hierarchy(40, depth=3, branching=5, extra=1.0, seed=3)
    below = [c for c in h.nodes if h.level(c) > 1]
    assert len(h.edges) == len(h) - 1 + sum(len(h.parents(c)) - 1 for c in below)
    assert all(len(h.parents(c)) == 2 for c in below)


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ((16, 3, 2), "at most 15 classes fit"),
        ((3, 3, 2), "4 classes at least"),
        ((1, 1, 1), "2 to 2,000"),
        ((5000, 5, 9), "2 to 2,000"),
        ((9, 0, 3), "1 at least"),
        ((9, 2, 3, 1.5), "between 0 and 1"),
        ((2000, 10**9, 1), "take 1,000,000,001 classes"),
    ],
)
def test_wishes_that_do_not_fit_are_refused_with_numbers(wishes: tuple, words: str) -> None:
    with pytest.raises(InputError, match=words):
        random_hierarchy(*wishes)
