"""The differences between hosts of the Explorer's screen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hiermeasures.behaviour.what_if import Engine
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.drawn import Printed
from hiermeasures.explorer.model import State
from hiermeasures.explorer.printed_words import printed_values


def nothing(state: State) -> Controls:
    return ()


def printed_of_figure(state: State) -> Printed:
    """Return the values that the paper of the figure prints."""
    return printed_values(state.shown)


def read_here(read: Callable[..., Any], *arguments: Any, **settings: Any) -> Any:
    """Return what a reader of files returns, in this process."""
    try:
        return read(*arguments, **settings)
    except MemoryError:
        raise InputError("this takes too much memory to be read here") from None
    except RecursionError:
        raise InputError("this is nested too deeply to be read here") from None


@dataclass(frozen=True)
class Host:
    """A host of the Explorer. `rows` stand above the drawing; `tools` and `why` are more controls
    in the toolbar and about the reason of a change. `to_page` leads to another page of the host,
    given its name and the parameters of its address, where there are such; `course` are those of
    the page "learn" where the course begins. `printed` gives what a paper prints of a state's
    measures. `read` calls a reader of files with its arguments, as sandbox.py does. `address` is
    what links begin with; without one there are none. `engine` may compute what edits do. `window`:
    it fills a window, and the drawing with it. `address_bar`: what the address bar shows is the
    screen's (location.py).
    """

    rows: Callable[[State], Controls] = nothing
    tools: Callable[[State], Controls] = nothing
    why: Callable[[State], Controls] = nothing
    to_page: Callable[[Any, str, Mapping[str, str]], Any] | None = None
    printed: Callable[[State], Printed] = printed_of_figure
    course: Mapping[str, str] = field(default_factory=dict)
    read: Callable[..., Any] = read_here
    address: str = ""
    engine: Engine | None = None
    window: bool = False
    address_bar: bool = False
