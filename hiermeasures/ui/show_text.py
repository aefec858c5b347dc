"""Text that may hold labels, shown as exactly these characters: never as markup, a formula or a link."""

from typing import Literal

from hiermeasures.ui.scripts import component

Kind = Literal["text", "note", "line", "error"]


def show_text(text: str, kind: Kind = "text", *, key: str) -> None:
    """Show a text; a "line" stays on one line and is cut where it is too long. An error is announced to those who
    listen to the page.
    """
    component("text")(key=key, data={"text": text, "kind": kind})
