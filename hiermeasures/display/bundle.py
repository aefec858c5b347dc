"""What is handed to a notebook: the same thing in several formats, each made only where it is asked for."""

from collections.abc import Callable, Collection

FORMATS = {"text": "text/plain", "html": "text/html", "latex": "text/latex", "svg": "image/svg+xml"}
Bundle = dict[str, str]


def bundle(
    include: Collection[str] | None = None, exclude: Collection[str] | None = None, **formats: Callable[[], str]
) -> Bundle:
    """The formats (names of FORMATS) by their MIME types: those in `include`, where it says any, and not in `exclude`.

    >>> bundle(None, {"text/html"}, text=lambda: "A", html=lambda: "<b>A</b>")
    {'text/plain': 'A'}
    """
    asked = {FORMATS[name]: made for name, made in formats.items()}
    return {
        mime: made()
        for mime, made in asked.items()
        if (not include or mime in include) and not (exclude and mime in exclude)
    }
