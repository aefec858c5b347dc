"""Hierarchical measures as a metric of torchmetrics. Copy this file into your project."""

import torch
from torchmetrics import Metric

from hiermeasures import Hierarchy, Meter, from_bytes, merge, to_bytes

LENGTH = 8  # bytes before each partial result, with its length


class HierarchicalMetric(Metric):
    """Measures of all batches and processes. The settings are those of `Meter`.

    The state is one tensor of bytes with exact sums. So the values do not depend on how the batches
    are distributed.
    """

    full_state_update = False

    def __init__(self, hierarchy: Hierarchy, **settings) -> None:
        super().__init__()
        self.meter = Meter(hierarchy, **settings)
        self.add_state("sums", [], dist_reduce_fx="cat")
        self.reset()

    def reset(self) -> None:
        super().reset()
        self.meter.reset()
        self._keep(self.meter.partial())  # a process without batches sends an empty result

    def update(self, preds, target) -> None:
        """Add a batch. In torchmetrics predictions come first."""
        self.meter.reset()
        self.meter.update(target, preds)
        self._keep(merge([self._sum(), self.meter.partial()]))

    def compute(self) -> dict[str, torch.Tensor]:
        values = self._sum().report().values
        return {key: torch.tensor(value, device=self.device) for key, value in values.items()}

    def _keep(self, result) -> None:
        data = to_bytes(result)
        data = bytearray(len(data).to_bytes(LENGTH, "big") + data)
        self.sums = [torch.frombuffer(data, dtype=torch.uint8).to(self.device)]

    def _sum(self):
        """Join the results of the processes. torchmetrics has put them one after the other."""
        sums = self.sums if isinstance(self.sums, list) else [self.sums]
        data, parts = torch.cat(sums).to("cpu", torch.uint8).numpy().tobytes(), []
        while data:
            end = LENGTH + int.from_bytes(data[:LENGTH], "big")
            parts.append(from_bytes(self.meter.hierarchy, data[LENGTH:end]))
            data = data[end:]
        return merge(parts)
