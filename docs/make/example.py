"""Evaluate the example of the page Compare and keep the columns of its instances.

Run `python -m docs.make.example` to write the file again if the test of its values fails.
"""

import numpy as np

from hiermeasures import evaluate
from hiermeasures.app.systems.data import (
    ALWAYS,
    DEFAULT_MEASURES,
    MUSEUM_COLUMNS,
    example,
    in_order,
)


def computed() -> dict[str, np.ndarray]:
    """Compute the columns, instances × columns, by system and table."""
    hierarchy, _, true, systems = example()
    rows = {}
    for name, predicted in systems.items():
        report = evaluate(
            hierarchy, true, predicted, measures=in_order({*DEFAULT_MEASURES, *ALWAYS})
        )
        for table, columns in report.kept.tables.items():
            rows[f"{name}|{table}"] = np.column_stack(columns)
    return rows


if __name__ == "__main__":
    np.savez_compressed(MUSEUM_COLUMNS, **computed())  # type: ignore[arg-type]
