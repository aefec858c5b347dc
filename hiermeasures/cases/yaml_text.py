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
    found = _value(next(events), events)
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            raise Misplaced(("line", event.start_mark.line), "not YAML: a second document starts here")
    return found


def _value(event: yaml.Event, events: Iterator[yaml.Event]) -> tuple[Any, Place]:
    """The text, list or mapping that an event begins, made of the events behind it."""
    place = Place(event.start_mark.line)
    if isinstance(event, yaml.ScalarEvent):
        return event.value, place
    until_end = takewhile(lambda event: not isinstance(event, yaml.CollectionEndEvent), events)
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Any] = []
        for item in until_end:
            value, place.inside[len(items)] = _value(item, events)
            items.append(value)
        return items, place
    entries: dict[str, Any] = {}
    for name in until_end:
        where = ("line", name.start_mark.line)
        if not isinstance(name, yaml.ScalarEvent):
            raise Misplaced(where, "an entry's name must be plain text")
        if name.value in entries:
            raise Misplaced(where, f"the entry {shown(name.value)} is there twice")
        entries[name.value], below = _value(next(events), events)
        place.inside[name.value] = Place(name.start_mark.line, below.inside)
    return entries, place


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
