"""The registry of renderers for hierarchies and explanations: `hiermeasures.draw` fills it, and
the package's root loads that at the first drawing, so that nothing here depends on pictures.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol


class StillPicture(Protocol):
    """A still picture: a notebook shows it, and `svg`, `tikz` and `text` are its forms."""

    @property
    def text(self) -> str: ...
    @property
    def svg(self) -> str: ...
    @property
    def tikz(self) -> str: ...


class Renderer(NamedTuple):
    """`draw` makes a still picture of an object, `show` its output in a notebook, by MIME type."""

    draw: Callable[..., StillPicture]
    show: Callable[..., dict[str, str]]


_known: dict[type, Renderer] = {}
_loaders: list[Callable[[], Any]] = []


def load_with(loader: Callable[[], Any]) -> None:
    """Have `loader` register renderers at the first request."""
    _loaders.append(loader)


def register(kind: type, renderer: Renderer) -> None:
    """Render objects of a class in this way."""
    _known[kind] = renderer


def renderer_of(kind: type) -> Renderer:
    """Return the renderer of a class."""
    if kind not in _known:
        for loader in _loaders:
            loader()
    return _known[kind]
