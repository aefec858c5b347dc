"""A metric of torchmetrics; its state is the bytes of a partial result (engine.partials)."""

from typing import Any

try:
    import torch
    from torchmetrics import Metric
except ImportError:
    raise ImportError(
        "hiermeasures.integrations.torchmetrics needs it: pip install torchmetrics"
    ) from None

from hiermeasures.evaluation.partials import PartialReport, from_bytes, merge, to_bytes
from hiermeasures.evaluation.results import Report
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.meter import Meter

_THEIRS = ("compute_on_cpu", "compute_with_cache", "dist_sync_fn", "dist_sync_on_step", "distributed_available_fn",
           "process_group", "sync_on_compute")  # fmt: skip
_LENGTH = 8  # bytes before each partial result


class HierarchicalMetric(Metric):  # type: ignore[misc]
    """Hierarchical measures over batches, synchronised between processes.

    Parameters are those of `Meter`, and torchmetrics' own. `compute` gives a dictionary of tensors.
    The sums are exact: however the batches are shared out to processes, `report` is the same.

    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
    >>> metric = HierarchicalMetric(h, measures=["hF", "accuracy"], classes=["A", "B"], argmax=True)
    >>> metric.update(torch.tensor([[0.9, 0.1], [0.8, 0.2]]), torch.tensor([0, 1]))
    >>> metric.compute()
    {'hF': tensor(0.7500), 'accuracy': tensor(0.5000)}
    """

    full_state_update = False
    is_differentiable = False
    sums: Any  # a list of tensors of bytes; one tensor where it is synchronised

    def __init__(self, hierarchy: Hierarchy, **settings: Any) -> None:
        super().__init__(**{name: settings.pop(name) for name in _THEIRS if name in settings})
        self._batch = Meter(hierarchy, **settings)
        self.add_state("sums", [], dist_reduce_fx="cat")
        self.reset()

    def reset(self) -> None:
        """Forget all instances."""
        super().reset()
        self._batch.reset()
        self._keep(self._batch.partial())  # a process without batches has something to send, too

    def update(self, preds: Any, target: Any) -> None:
        """Add a batch in any form that `Meter` takes, in the order of torchmetrics."""
        self._batch.reset()
        self._batch.update(target, preds)
        self._keep(self._so_far() + self._batch.partial())

    def compute(self) -> dict[str, torch.Tensor]:
        """Return every measure, averaged over the instances of all processes."""
        return {
            key: torch.tensor(value, device=self.device)
            for key, value in self.report().values.items()
        }

    def report(self) -> Report:
        """Return the report of the instances; only those of this process unless synchronised."""
        return self._so_far().report()

    def _keep(self, result: PartialReport) -> None:
        data = to_bytes(result)
        whole = bytearray(len(data).to_bytes(_LENGTH, "big") + data)
        self.sums = [torch.frombuffer(whole, dtype=torch.uint8).to(self.device)]

    def _so_far(self) -> PartialReport:
        sums = self.sums if isinstance(self.sums, list) else [self.sums]
        data, parts = torch.cat(sums).to("cpu", torch.uint8).numpy().tobytes(), []
        while data:
            end = _LENGTH + int.from_bytes(data[:_LENGTH], "big")
            parts.append(from_bytes(self._batch.hierarchy, data[_LENGTH:end]))
            data = data[end:]
        return merge(parts)
