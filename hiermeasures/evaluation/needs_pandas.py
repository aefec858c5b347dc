"""pandas, for tables of results. If it is missing, the import error names the extra to install."""

from hiermeasures.hierarchy.extras import require

require("compare", "a table of pandas", "pandas")

import pandas as pd  # noqa: E402

__all__ = ["pd"]
