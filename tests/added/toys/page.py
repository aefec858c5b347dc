"""A made-up page."""

import streamlit as st

from hiermeasures.app.pages import Page


def page() -> None:
    st.text("A page more.")


PAGE = Page("Toy", page)
