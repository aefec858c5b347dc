"""The frame around the pages: styles, navigation and scripts, drawn after every event."""

from importlib.resources import files

import streamlit as st

from hiermeasures.app import columns, garbage, gestures, local_files, scripts
from hiermeasures.app.pages import pages
from hiermeasures.engine.warm import make_kernels_ready_ahead
from hiermeasures.explorer import component_data, location
from hiermeasures.explorer.parts import ONE_PAGE

# On a large screen everything grows, for all sizes are in rem. Formulas break at their relations.
# What is selected is read before all else; Streamlit greys it.
STYLE = f"""<style>
:root:root {{ font-size: clamp(100%, min(1vw, 1.78vh), 150%); }}
:root.hm-presents :is([data-testid="stHeader"], [data-testid="stDecoration"]) {{ display: none; }}
{gestures.STYLE}
{scripts.STYLE}
{columns.STYLE}
[data-testid="stCaptionContainer"] {{ color: inherit !important; opacity: 0.8; }}
[data-testid="stSliderThumbValue"], [data-testid="stSliderThumbValue"] p {{ color: inherit !important; }}
[data-testid="stMultiSelectTagsContainer"] {{ flex-wrap: wrap; overflow: visible; height: auto; }}
[data-testid="stMultiSelect"] :has(> [data-testid="stMultiSelectTagsContainer"]) {{ height: auto; max-height: none; }}
:root [data-testid="stHeading"] h1 {{ padding: 0; }}
[data-testid="stHeading"] h2 {{ font-size: 1.4rem; }}
.katex-display.katex-display {{ width: 100%; text-align: left; overflow: visible; }}
.katex-display > .katex {{ text-align: left; white-space: normal; }}
.katex-display .base {{ margin: 0.2em 0; }}
[role="radiogroup"][data-orientation="horizontal"] {{ flex-wrap: wrap; }}
:root button:is([data-variant="segmented_control"], [data-variant="pills"])[data-selected] {{
  color: inherit !important; font-weight: 600;
}}
</style>"""
CONSTANTS = ONE_PAGE + component_data.constants() + location.constants()
ICON = files("hiermeasures.app") / "icon.svg"


def main() -> None:
    """The app."""
    st.html(STYLE)
    local_files.take_token(st.query_params, st.session_state)
    page = st.navigation(pages(), position="top")
    st.set_page_config(page_title=f"{page.title} – hiermeasures", page_icon=str(ICON), layout="wide")
    page.run()
    scripts.load(CONSTANTS)
    garbage.collect_now_and_then()
    make_kernels_ready_ahead()
