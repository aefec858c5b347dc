"""YAML as the case files use it: every scalar is text, and every value knows its line.

A published "0.50" must stay "0.50" and a class "3.10" must not become a number, so nothing is guessed from a scalar's
look. What the entries mean is declared in format.py; what is wrong with one is reported here by file, line and reason.

A case file may come from a stranger. It is read as a stream of parse events, bounded in depth and number while it is
read: yaml.compose recurses in C, where nesting that is too deep ends the process.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from hiermeasures.errors import InputError, nearest, shown

MAX_BYTES = 1_000_000
TOO_LARGE = f"the file is larger than {MAX_BYTES // 1000} kB"
CASE_SHAPE = "a case file is a mapping of entries such as 'figure: Figure 1'"
MAX_DEPTH = 30
MAX_EVENTS = 300_000
MAX_FAULTS = 50

ADVICE = {  # by words of PyYAML's
    "tab": "indent with spaces",
    "cannot start any token": "indent with spaces, and put what begins with @, % or ` in quotation marks",
    "mapping values": "a text with ': ' in it needs quotation marks, and entries side by side begin in one column",
}
MESSAGES = {  # by pydantic's types, for those who do not know Python
    "int_parsing": "should be a whole number",
    "float_parsing": "should be a number",
    "too_long": "may hold {max_length} at most, not {actual_length}",
    "too_short": "has to hold {min_length} at least",
    "string_too_long": "may have {max_length} characters at most",
    "string_too_short": "is empty",
}

Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
Loc = tuple[str | int, ...]
Checked = TypeVar("Checked", bound=BaseModel)


@dataclass(frozen=True)
class Fault:
    """What is wrong with a case file, and where. `line` counts from 1."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}"


class Misplaced(InputError):
    """An InputError at an entry of the file: `loc` leads to it, key by key."""

    def __init__(self, loc: Loc, reason: str) -> None:
        super().__init__(reason)
        self.loc = loc


class Consequence(InputError):
    """Something that cannot be used because of a fault that has been told already; it is passed over in silence."""


@dataclass
class Place:
    """The line of an entry, counted from 0, and the places of what is in it, by key or number."""

    line: int
    inside: dict[str | int, "Place"] = field(default_factory=dict)


@dataclass(frozen=True)
class Document:
    """One YAML file: its data (mappings, lists and text) and, by the same keys, its places."""

    path: Path
    name: str
    data: Any
    place: Place

    def line(self, loc: Loc) -> int:
        """The line of the entry that a way of keys leads to, or of the nearest entry around it."""
        place = self.place
        for step in loc:
            below = place.inside.get(step, place.inside.get(str(step)))
            if below is None:
                break
            place = below
        return place.line + 1

    def fault(self, error: InputError) -> Fault:
        """An error as a fault of this file."""
        return Fault(self.name, self.line(getattr(error, "loc", ())), str(error))


def read_document(path: Path, name: str) -> Document:
    """Read one YAML file.

    Raises
    ------
    Misplaced
        For a file that cannot be read, is no YAML or is larger or deeper than is read; `loc` is then the line, as in
        ``("line", 3)``.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise Misplaced((), TOO_LARGE)
        return document_of(path.read_bytes(), path, name)
    except OSError as error:
        raise Misplaced((), f"cannot be read: {error.strerror}") from None


def document_of(content: bytes, path: Path, name: str) -> Document:
    """The same of a file's content; only the stem of `path` is used."""
    if len(content) > MAX_BYTES:
        raise Misplaced((), TOO_LARGE)
    try:
        data, place = _entries_of(content.decode("utf-8-sig"))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Misplaced(("line", mark.line if mark else 0), f"not YAML: {_advised(error)}") from None
    except (yaml.YAMLError, UnicodeDecodeError):
        reason = "not YAML: the file holds characters that are no text; a text has to be saved as UTF-8"
        raise Misplaced((), reason) from None
    return Document(path, name, data, place)


def _advised(error: yaml.MarkedYAMLError) -> str:
    """What the reader of YAML says, and for what is often meant what to write."""
    said = error.problem or error.context or "it cannot be read"
    for word, advice in ADVICE.items():
        if word in said or word in (error.context or ""):
            return f"{said}; {advice}"
    return said


def unreadable(name: str, error: Misplaced) -> Fault:
    """What `read_document` says of a file as a fault."""
    return Fault(name, int(error.loc[1]) + 1 if error.loc else 1, str(error))


def checked(document: Document, model: type[Checked], shape: str = CASE_SHAPE) -> tuple[Checked | None, list[Fault]]:
    """The document as a model, or everything that is wrong with it; `shape` says what is no mapping at all."""
    if not isinstance(document.data, dict):
        return None, [Fault(document.name, 1, shape)]
    try:
        return model.model_validate(document.data), []
    except ValidationError as error:
        errors = _causes(error.errors(include_url=False, include_input=False))
        errors.sort(key=lambda e: (document.line(tuple(e["loc"])), e["type"] == "missing"))  # a misspelt one before
        faults = [Fault(document.name, document.line(tuple(e["loc"])), worded(e, model)) for e in errors[:MAX_FAULTS]]
        if len(errors) > MAX_FAULTS:
            line = document.line(tuple(errors[MAX_FAULTS]["loc"]))
            faults.append(Fault(document.name, line, f"and {len(errors) - MAX_FAULTS:,} more entries that do not fit"))
        return None, faults


def _causes(errors: list[Any]) -> list[Any]:
    """Without the lists that are too short only because what is in them was refused: pydantic counts what is left."""
    around = {e["loc"][:k] for e in errors[:MAX_FAULTS] for k in range(len(e["loc"]))}
    return [e for e in errors if e["type"] != "too_short" or e["loc"] not in around]


def worded(error: Any, model: type[BaseModel]) -> str:
    """A validation error in one plain line, with the nearest known entry for a misspelt one."""
    names = [step for step in error["loc"] if isinstance(step, str)]
    name = names[-1] if names else ""
    if error["type"] == "extra_forbidden":
        known = nearest(name, _entry_names(model))
        return f"unknown entry {shown(name)}" + (f"; nearest known: {shown(known)}" if known else "")
    if error["type"] == "missing":
        return f"the entry {shown(name)} is missing"
    if error["type"] in MESSAGES:
        return f"{shown(name)} {MESSAGES[error['type']].format(**error.get('ctx', {}))}"
    message = str(error["msg"]).removeprefix("Value error, ").removeprefix("Input ").replace("Input", "it")
    return f"{shown(name)}: {message}" if name else message


@cache
def _entry_names(model: type[BaseModel]) -> set[str]:
    """All entry names of a model and of the models inside it."""
    found: set[str] = set()
    pending: list[Any] = [model]
    while pending:
        item = pending.pop()
        if isinstance(item, type) and issubclass(item, BaseModel):
            fresh = set(item.model_fields) - found
            found |= fresh
            pending.extend(field.annotation for field in item.model_fields.values() if fresh)
        else:
            pending.extend(getattr(item, "__args__", ()))
    return found


def _entries_of(text: str) -> tuple[Any, Place]:
    """The data of a YAML text, which is one document, and its places; too much of it is refused before it is built."""
    stream = yaml.parse(text, Loader=Loader)
    try:
        events = _bounded(stream)
        start = next((e for e in events if isinstance(e, yaml.DocumentStartEvent)), None)
        if start is None:
            raise Misplaced((), "the file is empty")
        made = _Building()
        for event in events:
            if isinstance(event, yaml.DocumentEndEvent):
                break
            made.take(event)
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise Misplaced(("line", event.start_mark.line), "not YAML: a second document starts here")
        return made.data, made.place
    finally:
        stream.close()


def _bounded(stream: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    """The events, as long as they are few enough and not nested too deeply."""
    depth = 0
    for event in islice(stream, MAX_EVENTS):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        where = ("line", event.start_mark.line)
        if depth > MAX_DEPTH:
            raise Misplaced(where, "entries are nested too deeply")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise Misplaced(
                where, "anchors and aliases are not used here; what begins with & or * needs quotation marks"
            )
        yield event
    if next(stream, None) is not None:
        raise Misplaced((), f"the file holds more than {MAX_EVENTS:,} names, values and brackets")


class _Building:
    """Data and places, made of events one by one."""

    def __init__(self) -> None:
        self.data: Any = None
        self.place = Place(0)
        self._open: list[tuple[Any, Place]] = []
        self._key: list[tuple[str, int] | None] = []

    def take(self, event: yaml.Event) -> None:
        """One event between the start and the end of the document."""
        if isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
            self._key.pop()
        elif self._open and isinstance(self._open[-1][0], dict) and self._key[-1] is None:
            self._name(event)
        elif isinstance(event, yaml.ScalarEvent):
            self._add(event.value, Place(event.start_mark.line))
        else:
            content: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
            place = Place(event.start_mark.line)
            self._add(content, place)
            self._open.append((content, place))
            self._key.append(None)

    def _name(self, event: yaml.Event) -> None:
        where = ("line", event.start_mark.line)
        if not isinstance(event, yaml.ScalarEvent):
            raise Misplaced(where, "an entry's name must be plain text")
        if event.value in self._open[-1][0]:
            raise Misplaced(where, f"the entry {shown(event.value)} is there twice")
        self._key[-1] = (event.value, event.start_mark.line)

    def _add(self, content: Any, place: Place) -> None:
        """A value where it belongs: under the name before it, at the end of the list, or as the whole document."""
        if not self._open:
            self.data, self.place = content, place
            return
        around, places = self._open[-1]
        if isinstance(around, list):
            places.inside[len(around)] = place
            around.append(content)
            return
        name, line = self._key[-1] or ("", 0)
        self._key[-1] = None
        around[name] = content
        places.inside[name] = Place(line, place.inside)
