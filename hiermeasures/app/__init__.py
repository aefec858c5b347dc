"""The interface: Streamlit pages. Nothing is computed about measures here."""

import warnings

from hiermeasures.hierarchy.errors import HierarchyWarning

warnings.simplefilter("ignore", HierarchyWarning)  # the pages show the notes
