"""Tables and columns of pandas, polars and Arrow, by the name of the library."""

from importlib import import_module
from typing import Any

import pytest

POLARS = pytest.param("polars", marks=pytest.mark.slow)  # the everyday tests do not install it
LIBRARIES = ["pandas", POLARS, "pyarrow"]


def make_table(library: str, columns: dict[str, Any]) -> Any:
    module = import_module(library)
    return (module.table if library == "pyarrow" else module.DataFrame)(columns)


def make_column(library: str, values: list[Any]) -> Any:
    module = import_module(library)
    return (module.array if library == "pyarrow" else module.Series)(values)
