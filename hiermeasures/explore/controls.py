"""Controls: the widgets of a screen, for every host. A control contains the data that controls.js
draws and the action for its input. `after` applies an input.

Input is untrusted. If its control is not on the screen, or does not offer its value, the state
stays unchanged. It also stays unchanged if the action raises InputError. Then the message is shown
below the control until you use another one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, Protocol, TypedDict, TypeVar, Unpack

from hiermeasures.draw.text import sentence
from hiermeasures.explore.formulas import find_terms, mathml
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures.catalogue import Term, remove_marks

LONGEST_FILE = 8_000_000  # characters of an uploaded file
LARGEST_NUMBER = 1e300  # in a number field; JSON integers have no limit


class Screen(Protocol):
    """State of a screen of controls: the key of the open menu, and error messages by key."""

    @property
    def menu(self) -> str: ...

    @property
    def faults(self) -> Mapping[str, str]: ...


NO_TERMS: Mapping[str, Term] = MappingProxyType({})
S = TypeVar("S", bound=Screen)
Act = Callable[[Any, Any], Any]  # (state, entry) -> new state
Handler = Callable[[Any, Mapping[str, Any]], Any]  # (state, value of a gesture) -> new state


class _Unfit(Exception):
    """Raised for an entry that a control does not offer."""


@dataclass(frozen=True)
class Control:
    """A widget with its `key` on the screen and its `data` to draw. `make` returns a component's
    data. `read` checks the browser's value and returns the entry for `act`, if it has one.
    """

    kind: str
    key: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple["Control", ...] = ()
    act: Act | None = None
    read: Callable[[Any], Any] = lambda value: value
    make: Callable[[], Mapping[str, Any]] | None = None

    def as_data(self, faults: Mapping[str, str]) -> dict[str, Any]:
        sent = {"kind": self.kind, **({"key": self.key} if self.key else {}), **self.data}
        if self.make is not None:
            sent["data"] = self.make()
        if self.parts:
            sent["parts"] = [part.as_data(faults) for part in self.parts]
        if self.key in faults:
            sent["fault"] = faults[self.key]
        return sent

    def all(self) -> Iterator["Control"]:
        yield self
        for part in self.parts:
            yield from part.all()


Controls = tuple[Control, ...]


def after(state: S, screen: Iterable[Control], key: str, value: Any) -> S:
    """Return the state after a person used the control with this key."""
    every = (control for top in screen for control in top.all())
    found = next((c for c in every if c.key == key and c.act is not None), None)
    if found is None or found.data.get("disabled"):
        return state
    try:
        entry = found.read(value)
    except _Unfit:
        return state
    return attempted(state, key, lambda at: found.act and found.act(at, entry))


def attempted(state: S, key: str, action: Callable[[S], Any]) -> S:
    """Return the state after an action. After InputError, add a message for `key` instead."""
    calm = replace(state, faults={}) if state.faults else state  # type: ignore[type-var]
    try:
        made: S = action(calm)
    except InputError as fault:
        return replace(calm, faults={key: sentence(fault)})  # type: ignore[type-var]
    return made


def _unless(fits: bool) -> None:
    if not fits:
        raise _Unfit


def put(first: str, *rest: str) -> Act:
    """Return the action that sets a field of the state, or a nested one, to the entry."""

    def act(state: Any, entry: Any) -> Any:
        return replace(
            state, **{first: put(*rest)(getattr(state, first), entry) if rest else entry}
        )

    return act


def closed(state: S) -> S:
    return replace(state, menu="") if state.menu else state  # type: ignore[type-var]


class Look(TypedDict, total=False):
    """The appearance of a control. `title` shows the label of a switch. Without it, only screen
    readers read the label. They also read the words of a button with an `icon`. `keys` is a
    button's keyboard shortcut.
    """

    help: str
    placeholder: str
    disabled: bool
    title: bool
    icon: str
    keys: str
    primary: bool
    pressed: bool | None


def _given(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value not in ("", False, None)}


def switch(
    key: str, label: str, value: Any, words: Mapping[Any, str], act: Act, **look: Unpack[Look]
) -> Control:
    """Return a choice of one option. All options are visible."""
    return _choice("switch", key, {"label": label, **_given(look)}, value, words=words, act=act)


def choice(
    key: str,
    label: str,
    value: Any,
    words: Mapping[Any, str],
    act: Act,
    *,
    empty: str = "",
    **look: Unpack[Look],
) -> Control:
    """Return a drop-down list. It shows `empty` while nothing is chosen."""
    more = {**look, "title": None, "unseen": not look.get("title", True), "empty": empty}
    return _choice("choice", key, {"label": label, **_given(more)}, value, words=words, act=act)


def _choice(
    kind: str, key: str, data: dict[str, Any], value: Any, *, words: Mapping[Any, str], act: Act
) -> Control:
    offered = list(words)
    data |= {
        "value": offered.index(value) if value in offered else None,
        "words": list(words.values()),
    }
    return Control(kind, key, data, act=act, read=lambda sent: offered[_place(sent, data["words"])])


def _place(sent: Any, words: list[str]) -> int:
    """Return the place of a chosen option. Find a moved option by its word."""
    _unless(isinstance(sent, Mapping) and sent.get("word") in words)
    place = sent.get("place")
    fits = type(place) is int and words[place : place + 1] == [sent["word"]]
    return int(place) if fits else words.index(sent["word"])


def _index(sent: Any, offered: Sequence[Any]) -> int:
    _unless(type(sent) is int and 0 <= sent < len(offered))
    return int(sent)


def pills(
    key: str, label: str, values: Iterable[Any], words: Mapping[Any, str], act: Act
) -> Control:
    """Return a choice of any number of options. The entry is a tuple."""
    offered, chosen = list(words), list(values)
    data = {
        "label": label,
        "values": [offered.index(v) for v in chosen],
        "words": list(words.values()),
    }

    def read(sent: Any) -> tuple[Any, ...]:
        _unless(isinstance(sent, list))
        return tuple(offered[k] for k in sorted({_index(entry, offered) for entry in sent}))

    return Control("pills", key, data, act=act, read=read)


def check(key: str, label: str, value: bool, act: Act, **look: Unpack[Look]) -> Control:
    data = {"label": label, "value": value, **_given(look)}
    return Control("check", key, data, act=act, read=_bool)


def _bool(sent: Any) -> bool:
    _unless(isinstance(sent, bool))
    return bool(sent)


def text(
    key: str,
    label: str,
    value: str,
    act: Act,
    *,
    lines: int = 1,
    longest: int = 300,
    **look: Unpack[Look],
) -> Control:
    """Return a text field, submitted on blur or by Enter (Ctrl+Enter with several lines)."""
    data = {"label": label, "value": value, "lines": lines, **_given(look)}
    return Control("text", key, data, act=act, read=lambda sent: _string(sent, longest))


def _string(sent: Any, longest: int) -> str:
    _unless(isinstance(sent, str) and len(sent) <= longest)
    return str(sent)


@dataclass(frozen=True)
class Range:
    """Numbers within `limits`. They are integers if limits and step are integers. `empty` allows
    None.
    """

    limits: tuple[float, float] | None = None
    step: float = 1
    empty: bool = False

    def read(self, sent: Any) -> float | None:
        """Return the entry that a browser sent."""
        if sent is None and self.empty:
            return None
        _unless(
            isinstance(sent, int | float)
            and not isinstance(sent, bool)
            and abs(sent) <= LARGEST_NUMBER
        )
        value: float = (
            sent if self.limits is None else min(max(sent, self.limits[0]), self.limits[1])
        )
        whole = (
            self.limits is not None
            and isinstance(self.step, int)
            and isinstance(self.limits[0], int)
        )
        return int(value) if whole else value


ANY = Range()


def number(
    key: str, label: str, value: float | None, act: Act, numbers: Range = ANY, **look: Unpack[Look]
) -> Control:
    least, most = numbers.limits or (None, None)
    data = {
        "label": label,
        "value": value,
        "step": numbers.step,
        "least": least,
        "most": most,
        **_given(look),
    }
    return Control("number", key, data, act=act, read=numbers.read)


def classes(key: str, label: str, values: Iterable[str], act: Act, *, help: str = "") -> Control:
    """Return a field for class names. It suggests the drawn classes and accepts any."""

    def read(sent: Any) -> Any:
        _unless(isinstance(sent, list) and all(isinstance(name, str) for name in sent))
        return sent

    return Control(
        "classes",
        key,
        {"label": label, "values": list(values), **_given({"help": help})},
        act=act,
        read=read,
    )


def file(key: str, label: str, act: Act, *, help: str = "", accept: str = "") -> Control:
    """Return an upload field for a text file. The entry is its name and text."""

    def read(sent: Any) -> tuple[str, str]:
        _unless(isinstance(sent, Mapping))
        return _string(sent.get("name"), 300), _string(sent.get("text"), LONGEST_FILE)

    data = {"label": label, "most": LONGEST_FILE, **_given({"help": help, "accept": accept})}
    return Control("file", key, data, act=act, read=read)


def button(key: str, words: str, act: Callable[[Any], Any], **look: Unpack[Look]) -> Control:
    pressed = look.get("pressed")
    data = {"words": words, **_given(look), **({} if pressed is None else {"pressed": pressed})}
    return Control("button", key, data, act=lambda state, _: act(state), read=_nothing)


def _nothing(sent: Any) -> None:
    _unless(sent is None)


def menu(
    state: Screen,
    key: str,
    words: str,
    content: Callable[[], Iterable[Control]],
    *,
    help: str = "",
    wide: bool = False,
) -> Control:
    """Return a button that opens a panel below it. `content` is called only while it is open."""
    opened = state.menu == key
    data = {"words": words, **_given({"open": opened, "help": help, "wide": wide})}
    turn = partial(_turn, key)
    return Control("menu", key, data, tuple(content()) if opened else (), act=turn, read=_bool)


def _turn(key: str, state: Any, on: bool) -> Any:
    """Return the state with a menu opened or closed. Another menu stays open."""
    return replace(state, menu=key) if on else closed(state) if state.menu == key else state


def sheet(key: str, words: str, *parts: Control, always: bool = False) -> Control:
    """Return controls side by side. If they do not fit, or with `always`, a button opens them."""
    return Control("sheet", key, {"words": words, **_given({"always": always})}, parts)


def save(key: str, words: str, name: str, kind: str, content: str, *, help: str = "") -> Control:
    """Return a button that downloads a file."""
    data = {
        "words": words,
        "name": name,
        "type": kind,
        "content": content,
        **_given({"help": help}),
    }
    return Control("save", key, data)


def picture(
    key: str, words: str, name: str, svg: str, size: tuple[float, float], *, help: str = ""
) -> Control:
    """Return a button that downloads an SVG as a PNG, rendered in the browser."""
    data = {
        "words": words,
        "name": name,
        "svg": svg,
        "width": size[0],
        "height": size[1],
        **_given({"help": help}),
    }
    return Control("picture", key, data)


def image(key: str, label: str, address: str) -> Control:
    return Control("image", key, {"label": label, "address": address})


def copy(key: str, label: str, content: str, *, lines: int = 2) -> Control:
    """Return a text with a button that copies it."""
    return Control("copy", key, {"label": label, "content": content, "lines": lines})


def link(words: str, address: str, *, help: str = "") -> Control:
    return Control("link", "", {"words": words, "address": address, **_given({"help": help})})


def words(content: str, style: str = "", *, key: str = "", help: str = "") -> Control:
    """Return text of style "", "title", "note", "line" (truncated to one) or "error"."""
    return Control("words", key, {"text": content, **_given({"style": style, "help": help})})


def formula(marked: str, terms: Mapping[str, Term] = NO_TERMS) -> Control:
    """Return a formula. Point at a term to see its classes in the drawing."""
    made = mathml(marked if terms else remove_marks(marked))
    shown = {key: [terms[key].words, sorted(terms[key].classes)] for key in find_terms(made)}
    return Control("formula", "", {"formula": made, **_given({"terms": shown or None})})


def row(*parts: Control | None, key: str = "", style: str = "") -> Control:
    """Return controls side by side."""
    return Control(
        "row", key, _given({"style": style}), tuple(part for part in parts if part is not None)
    )


def box(*parts: Control | None, key: str = "", style: str = "") -> Control:
    """Return controls one below the other. The style "frame" draws a frame around them."""
    return replace(row(*parts, key=key, style=style), kind="box")


def component(
    key: str, name: str, make: Callable[[], Mapping[str, Any]], **handlers: Handler
) -> Control:
    """Return a component of parts.py. `handlers` apply its gestures, by their kinds."""

    kinds = list(handlers)

    def read(sent: Any) -> Any:
        _unless(isinstance(sent, Mapping) and sent.get("kind") in kinds)
        return sent

    def act(state: Any, value: Any) -> Any:
        return handlers[value["kind"]](state, value)

    data = {"component": name}
    return Control("component", key, data, act=act if handlers else None, read=read, make=make)
