"""Columns that stand below each other where the page is narrow: Streamlit's own stay side by side
down to 640 pixels, where charts, tables and formulas no longer fit.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

NARROW = "56rem"
STYLE = f"""@media (max-width: {NARROW}) {{
  [class*="st-key-stacking_"] > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"] > div {{
    min-width: 100%;
  }}
}}"""


def stacking_columns(name: str, spec: int | Sequence[float], **settings: Any) -> list[Any]:
    """`st.columns` that stack below NARROW. `name` is unique on the page."""
    with st.container(key=f"stacking_{name}"):
        columns: list[Any] = st.columns(spec, **settings)
    return columns
