"""The kernels are tested on small batches, which would otherwise be left to `explain`."""

import pytest

from hiermeasures.engine import batch, tasks


@pytest.fixture(autouse=True)
def kernels_for_few_instances(monkeypatch):
    monkeypatch.setattr(tasks, "FEW_INSTANCES", 0)
    monkeypatch.setattr(tasks, "FIRST_ANCESTORS", 0)
    monkeypatch.setattr(batch, "FEW_COUNTED", 0)
