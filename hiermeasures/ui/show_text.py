"""Text that may hold labels, shown as exactly these characters: never as markup, a formula or a link."""

from functools import cache
from typing import Literal

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

Kind = Literal["text", "note", "line", "error"]

CSS = """
:host { display: block; }
p { margin: 0; font-family: var(--st-font); color: var(--st-text-color); font-size: 0.9375rem; line-height: 1.45;
    overflow-wrap: anywhere; white-space: pre-line; max-height: 12rem; overflow: auto; }
p.note { font-size: 0.8125rem; opacity: 0.8; }
p.line { font-size: 0.8125rem; opacity: 0.8; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
p.error { padding: 0.5rem 0.75rem; border-radius: var(--st-base-radius); color: var(--st-red-text-color);
    background: var(--st-red-background-color); }
p:empty { display: none; }
"""

JS = """
export default function ({ data, parentElement }) {
  const line = parentElement.querySelector("p");
  line.textContent = data.text;
  line.className = data.kind;
  line.title = data.kind === "line" ? data.text : "";
  if (data.kind === "error") line.setAttribute("role", "alert"); else line.removeAttribute("role");
}
"""


def show_text(text: str, kind: Kind = "text", *, key: str) -> None:
    """Show a text; a "line" stays on one line and is cut where it is too long. An error is announced to those who
    listen to the page.
    """
    _component()(key=key, data={"text": text, "kind": kind})


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component("hiermeasures_text", html="<p></p>", css=CSS, js=JS)
