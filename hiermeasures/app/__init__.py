"""The app: Streamlit pages. Other packages compute the measures."""

import warnings

from hiermeasures.hierarchy.errors import HierarchyWarning

warnings.simplefilter("ignore", HierarchyWarning)  # the pages show the notes
