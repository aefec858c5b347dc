"""The Streamlit entry: which pages there are. What they show lives in hiermeasures.ui."""

from importlib.resources import files

import streamlit as st

from hiermeasures.ui import glossary as glossary_page
from hiermeasures.ui.cases import page as cases_page
from hiermeasures.ui.explore import page as explorer
from hiermeasures.ui.probabilities import page as probabilities_page
from hiermeasures.ui.systems import page as systems_page

# What is selected is read before all else; Streamlit greys it.
STYLE = """<style>
:root button[data-variant="segmented_control"][data-selected] { color: inherit !important; font-weight: 600; }
</style>"""
ICON = files("hiermeasures.ui") / "icon.svg"

st.set_page_config(page_title="Hierarchical evaluation measures", page_icon=str(ICON), layout="wide")
st.html(STYLE)
st.navigation(
    [
        st.Page(explorer.page, title="Explore", url_path="explore", default=True),
        st.Page(cases_page.page, title="Cases", url_path="cases"),
        st.Page(systems_page.page, title="Systems", url_path="systems"),
        st.Page(probabilities_page.page, title="Probabilities", url_path="probabilities"),
        st.Page(glossary_page.page, title="Glossary", url_path="glossary"),
    ],
    position="top",
).run()
