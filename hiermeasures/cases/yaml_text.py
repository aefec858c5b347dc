"""YAML as the case files use it: every scalar is text, and every value knows its line.

A published "0.50" must stay "0.50" and a class "3.10" must not become a number, so nothing is
guessed from a scalar's look.

A case file may come from a stranger. It is read as a stream of parse events, bounded in depth and
number while it is read: yaml.compose recurses in C, where nesting that is too deep ends the
process.
"""

from collections.abc import Iterator
from contextlib import closing
from itertools import islice, takewhile
from typing import Any, ClassVar

import yaml

from hiermeasures.cases.reading import NO_TEXT, Misplaced, Place
from hiermeasures.core.errors import shown

MAX_DEPTH = 30
MAX_EVENTS = 300_000

ADVICE = {  # by words of PyYAML's
    "tab": "indent with spaces",
    "cannot start any token": "indent with spaces, and put what begins with @, % or ` in quotation marks",
    "mapping values": "a text with ': ' in it needs quotation marks, and entries side by side begin in one column",
}

Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def entries_of(text: str) -> tuple[Any, Place]:
    """The data of a YAML text and its places; Misplaced where it is none."""
    try:
        with closing(yaml.parse(text, Loader=Loader)) as stream:
            return _built(_bounded(stream))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Misplaced(("line", mark.line if mark else 0), f"not YAML: {_advised(error)}") from None
    except yaml.YAMLError:
        raise Misplaced((), NO_TEXT) from None


def _advised(error: yaml.MarkedYAMLError) -> str:
    """Return the message of the YAML reader, with advice for common mistakes."""
    said = error.problem or error.context or "it cannot be read"
    for word, advice in ADVICE.items():
        if word in said or word in (error.context or ""):
            return f"{said}; {advice}"
    return said


def _built(events: Iterator[yaml.Event]) -> tuple[Any, Place]:
    """The data of one document, and its places."""
    if not any(isinstance(event, yaml.DocumentStartEvent) for event in events):
        raise Misplaced((), "the file is empty")
    made = _Building()
    for event in takewhile(lambda event: not isinstance(event, yaml.DocumentEndEvent), events):
        made.take(event)
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            raise Misplaced(("line", event.start_mark.line), "not YAML: a second document starts here")
    return made.data, made.place


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
        """Add one event between the start and the end of the document."""
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
        """Put a value where it belongs: under the name before it, into the list, or alone."""
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


# --- writing ------------------------------------------------------------------------------------


class _Dumper(yaml.SafeDumper):  # type: ignore[misc]
    """YAML in which every scalar is text, so that none is quoted for looking like a number."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


def _written(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    """Text in double quotes where only escapes keep it, as line breaks of other scripts."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


_Dumper.add_representer(str, _written)


def dumped(entries: Any) -> str:
    """Entries of mappings, lists and text as YAML."""
    text: str = yaml.dump(entries, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)
    return text
