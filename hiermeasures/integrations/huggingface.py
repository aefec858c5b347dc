"""A module of Hugging Face's `evaluate` over a `Meter`; its package must be installed."""

import inspect
from typing import Any

try:
    import datasets
    import evaluate
except ImportError:
    raise ImportError(
        "hiermeasures.integrations.huggingface needs evaluate: pip install evaluate"
    ) from None

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.meter import Meter


class HierarchicalMetric(evaluate.Metric):  # type: ignore[misc]
    """Hierarchical measures as a module of `evaluate`, also by `evaluate.load` of this file.

    Parameters are those of `Meter`, and those of `evaluate.Metric`. Predictions and references come
    in any form that `Meter` takes, and only sums of them are kept.

    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
    >>> metric = HierarchicalMetric(hierarchy=h, measures=["hF", "accuracy"], classes=["A", "B"])
    >>> metric.compute(predictions=[0, 0], references=[0, 1])
    {'hF': 0.75, 'accuracy': 0.5}
    """

    def __init__(
        self, config_name: str | None = None, *, hierarchy: Hierarchy, **settings: Any
    ) -> None:
        theirs = inspect.signature(evaluate.Metric.__init__).parameters.keys() & settings.keys()
        own = {name: settings.pop(name) for name in theirs}
        if own.get("num_process", 1) != 1:
            raise InputError(
                "processes have a metric each: merge their meters (Meter.merge) in place of "
                "num_process="
            )
        self.meter = Meter(hierarchy, **settings)
        super().__init__(config_name, **own)

    def _info(self) -> Any:
        text = datasets.Value("string")
        about = "Hierarchical evaluation measures, each with the structure that its number was read from."
        features = datasets.Features({"predictions": text, "references": text})
        return evaluate.MetricInfo(
            description=about, citation="", inputs_description=about, features=features
        )

    def __len__(self) -> int:
        return len(self.meter)

    def add(self, *, prediction: Any = None, reference: Any = None) -> None:
        """Add one instance."""
        self.meter.update([reference], [prediction])

    def add_batch(self, *, predictions: Any = None, references: Any = None) -> None:
        """Add instances in any form that `Meter` takes."""
        self.meter.update(references, predictions)

    def compute(self, *, predictions: Any = None, references: Any = None) -> dict[str, float]:
        """Return every measure over all instances so far and these, and forget them."""
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        if not len(self.meter):
            raise InputError("there are no predictions: add some before compute()")
        values = self.meter.compute()
        self.meter.reset()
        return values
