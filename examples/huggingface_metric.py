"""Hierarchical measures as a module of Hugging Face's `evaluate`. Copy this file into your project."""

import datasets
import evaluate

from hiermeasures import Hierarchy, Meter


class HierarchicalMetric(evaluate.Metric):
    """Measures of all batches. The settings are those of `Meter`.

    It keeps sums instead of a file of predictions. With several processes, each has its own metric.
    Merge their meters with `Meter.merge`.
    """

    def __init__(self, hierarchy: Hierarchy, **settings) -> None:
        self.meter = Meter(hierarchy, **settings)
        super().__init__()

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description="Hierarchical evaluation measures.",
            citation="",
            inputs_description="Predictions and references in any form that `Meter` takes.",
            features=datasets.Features({"predictions": text, "references": text}),
        )

    def add(self, *, prediction, reference) -> None:
        """Add one instance."""
        self.meter.update([reference], [prediction])

    def add_batch(self, *, predictions, references) -> None:
        """Add instances in any form that `Meter` takes."""
        self.meter.update(references, predictions)

    def compute(self, *, predictions=None, references=None) -> dict[str, float]:
        """Return the measures of all instances so far, and start again."""
        if predictions is not None:
            self.add_batch(predictions=predictions, references=references)
        values = self.meter.compute()
        self.meter.reset()
        return values
