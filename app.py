"""The Streamlit entry: which pages there are. What they show lives in hiermeasures.ui."""

from importlib.resources import files

import streamlit as st

from hiermeasures.ui import explorer

ICON = files("hiermeasures.ui") / "icon.svg"

st.set_page_config(page_title="Hierarchical evaluation measures", page_icon=str(ICON), layout="wide")
st.navigation([st.Page(explorer.page, title="Explore", url_path="explore", default=True)], position="top").run()
