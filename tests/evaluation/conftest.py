"""The kernels are tested on small batches, which would otherwise be left to `explain`."""

import pytest

from hiermeasures.evaluation import batch, tasks


@pytest.fixture(autouse=True)
def kernels_for_few_instances(monkeypatch):
    monkeypatch.setattr(tasks, "WORK_OF_LOADING", 0)
    monkeypatch.setattr(tasks, "WORK_OF_COMPILING", 0)
    monkeypatch.setattr(batch, "FEW_COUNTED", 0)
