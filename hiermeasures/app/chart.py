"""A plotly figure on a page, written in the page's own ink: Streamlit's template writes axes in a
grey that is too faint on a light page. What the figures show is the pages' business.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from hiermeasures.picture.palette import DARK, LIGHT


def dark() -> bool:
    """Return whether the page is dark now."""
    return st.context.theme.type == "dark"


def chart(figure: go.Figure, *, key: str, **settings: Any) -> Any:
    """`st.plotly_chart` with axes, legend and notes in the ink of the page."""
    return st.plotly_chart(inked(figure, (DARK if dark() else LIGHT).ink), key=key, **settings)


def inked(figure: go.Figure, ink: str) -> go.Figure:
    """The figure with everything that is written outside of its marks in one colour."""
    figure.update_layout(font_color=ink, legend_font_color=ink)
    figure.update_xaxes(tickfont_color=ink, title_font_color=ink)
    figure.update_yaxes(tickfont_color=ink, title_font_color=ink)
    figure.update_annotations(font_color=ink)
    return figure


def selected_data(event: Any) -> list[list[float]]:
    """Return the `customdata` of the points that a person selected in a chart.

    >>> selected_data({"selection": {"points": [{"customdata": 3}, {"customdata": [1, 0.5]}, {}]}})
    [[3], [1.0, 0.5]]
    """
    points = (event or {}).get("selection", {}).get("points", [])
    return [np.ravel(point["customdata"]).tolist() for point in points if point.get("customdata") is not None]
