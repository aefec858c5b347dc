"""What a drawing can start from."""

from pathlib import Path

import pytest

from hiermeasures import Hierarchy
from hiermeasures.io import read_hierarchy
from hiermeasures.ui.explore.starting import STARTS, blank, icd9_364


def test_a_blank_root_is_one_class() -> None:
    assert blank().nodes == ("A",)


@pytest.mark.parametrize("key", STARTS)
def test_every_start_is_a_hierarchy_with_a_real_root(key: str) -> None:
    h = STARTS[key].make()
    assert not h.virtual_root
    assert not h.notes


def test_the_family_364_is_that_of_icd_9(data: Path) -> None:
    whole = read_hierarchy(data / "icd9/icd9_hierarchy.csv")
    family = {"364", *whole.descendants("364")}
    assert icd9_364() == Hierarchy.from_edges([e for e in whole.edges if set(e) <= family])
