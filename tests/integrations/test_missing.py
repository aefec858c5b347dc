"""A module for another package says in one line what to install."""

import importlib
import sys

import pytest


@pytest.mark.parametrize(("module", "package"), [("torchmetrics", "torchmetrics"), ("huggingface", "evaluate")])
def test_a_package_that_is_missing_is_named(module, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"hiermeasures.integrations.{module}", raising=False)
    with pytest.raises(ImportError, match=f"^hiermeasures.integrations.{module} needs .*pip install {package}$"):
        importlib.import_module(f"hiermeasures.integrations.{module}")
