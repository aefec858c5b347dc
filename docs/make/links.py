"""Links between pages."""

import re


def anchor(title: str) -> str:
    """Return the name by which a heading is linked, on GitHub and on the site."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
