"""The kernel behind hiermeasures.batch.exact: an array's exact sum as a few floats that do not overlap."""

import numpy as np

from hiermeasures.batch.compiled import kernel


@kernel
def expansion(values):
    """Floats that together are the exact sum, the smallest first."""
    parts = np.zeros(64)
    size = 0
    for i in range(len(values)):
        x = values[i]
        kept = 0
        for j in range(size):
            y = parts[j]
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                parts[kept] = low
                kept += 1
            x = high
        if x != 0.0:
            parts[kept] = x
            kept += 1
        size = kept
    return parts[:size].copy()
