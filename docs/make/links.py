"""Links between pages."""

import re


def anchor(title: str) -> str:
    """Return the anchor of a heading, on GitHub and on the site."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
