"""The part of the Probabilities page about a whole file of probabilities: areas, the micro curve, and the way back to an instance."""

from collections.abc import Callable

import streamlit as st

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference import NodeProbabilities
from hiermeasures.options import Options

Opener = Callable[[str, NodeProbabilities, frozenset[str]], None]


def show(hierarchies: dict[str, Hierarchy], options: Options, interpolation: str, incoherent: str, open_instance: Opener) -> None:
    """Draw the part."""
    st.info("Choose a file.")
