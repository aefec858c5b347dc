"""Read documents of case files with the line of each entry, and write YAML.

Every scalar is read as text. So a published "0.50" stays "0.50", and a class "3.10" does not become
a number. A file can come from a stranger. So it is read as a stream of parse events with limits on
their number and depth. yaml.compose would recurse in C, and deep nesting would end the process.
format.py declares the entries.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from hiermeasures.hierarchy.errors import InputError, nearest, shown

try:
    import yaml
except ModuleNotFoundError:  # as in a browser
    yaml = None

HAS_YAML = yaml is not None
MAX_BYTES = 1_000_000
MAX_DEPTH = 30
MAX_EVENTS = 300_000
MAX_FAULTS = 50
CASE_SHAPE = "this is not a case file. Write entries such as 'figure: Figure 1'"
NO_TEXT = "not YAML: the file contains characters that are not text. Save it as UTF-8"

MESSAGES = {  # by the types of pydantic, in words for readers who do not know Python
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float"), "should be a whole number"),
    **dict.fromkeys(("float_parsing", "float_type"), "should be a number"),
    **dict.fromkeys(("bool_parsing", "bool_type"), "should be true or false"),
    "string_type": "should be a text",
    **dict.fromkeys(("tuple_type", "list_type"), "should be a list"),
    **dict.fromkeys(
        ("dict_type", "mapping_type", "model_type", "model_attributes_type"), "should have entries"
    ),
    "too_long": "may contain {max_length} at most, not {actual_length}",
    "too_short": "must contain at least {min_length}",
    "string_too_long": "may have {max_length} characters at most",
    "string_too_short": "is empty",
}
ADVICE = {  # by words in messages of PyYAML
    "tab": "Indent with spaces",
    "cannot start any token": "Indent with spaces, and put a text that begins with @, % or ` in "
    "quotation marks",
    "mapping values": "Put a text that contains ': ' in quotation marks, and begin entries of one "
    "mapping in one column",
}

Loc = tuple[str | int, ...]
Lines = dict[Loc, int]
Checked = TypeVar("Checked", bound=BaseModel)


@dataclass(frozen=True)
class Fault:
    """A fault of a case file. `line` counts from 1."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}"


class Misplaced(InputError):
    """An InputError at an entry of the file.

    `loc` has the keys that lead to the entry. If the file could not be read, it has the line, as in
    ``("line", 3)``.
    """

    def __init__(self, loc: Loc, reason: str) -> None:
        super().__init__(reason)
        self.loc = loc


class Consequence(InputError):
    """An error caused by a fault that was already reported. It is ignored."""


@dataclass(frozen=True)
class Document:
    """A file with its data (mappings, lists and text) and the lines of its entries, from 1.

    A JSON copy has no lines.
    """

    path: Path
    name: str
    data: Any
    lines: Mapping[Loc, int] = field(default_factory=dict)

    def line(self, loc: Loc) -> int:
        """Return the line of the entry at `loc`, or of the nearest entry around it."""
        while loc and loc not in self.lines:
            loc = loc[:-1]
        return self.lines.get(loc, 1)

    def fault(self, error: InputError) -> Fault:
        return Fault(self.name, self.line(getattr(error, "loc", ())), str(error))


def unreadable(name: str, error: Misplaced) -> Fault:
    return Fault(name, int(error.loc[1]) if error.loc else 1, str(error))


def checked(
    document: Document, model: type[Checked], shape: str = CASE_SHAPE
) -> tuple[Checked | None, list[Fault]]:
    """Return the document as a model, or all its faults.

    `shape` is the message for a document that is not a mapping.
    """
    if not isinstance(document.data, dict):
        return None, [Fault(document.name, 1, shape)]
    try:
        return model.model_validate(document.data), []
    except ValidationError as error:
        errors: list[Any] = error.errors(include_url=False, include_input=False)
    # A list can be too short only because its entries were refused.
    around = {e["loc"][:k] for e in errors[:MAX_FAULTS] for k in range(len(e["loc"]))}
    errors = [e for e in errors if e["type"] != "too_short" or e["loc"] not in around]
    # one of each place
    errors = list({tuple(_steps(e["loc"])): e for e in reversed(errors)}.values())
    # a misspelt one before
    errors.sort(key=lambda e: (document.line(e["loc"]), e["type"] == "missing"))
    faults = [
        Fault(document.name, document.line(e["loc"]), worded(e, model)) for e in errors[:MAX_FAULTS]
    ]
    if len(errors) > MAX_FAULTS:
        line = document.line(errors[MAX_FAULTS]["loc"])
        faults.append(
            Fault(
                document.name,
                line,
                f"and {len(errors) - MAX_FAULTS:,} more entries that do not fit",
            )
        )
    return None, faults


def worded(error: Any, model: type[BaseModel]) -> str:
    name = next((step for step in reversed(_steps(error["loc"])) if isinstance(step, str)), "")
    if error["type"] == "extra_forbidden":
        holders = _entry_names(model)
        if name in holders:
            where = (
                f"below {shown(holders[name])}" if holders[name] else "to the top level of the file"
            )
            return f"the entry {shown(name)} is misplaced. Move it {where}"
        known = nearest(name, holders)
        return f"unknown entry {shown(name)}" + (
            f" (did you mean {shown(known)}?)" if known else ""
        )
    if error["type"] == "missing":
        return f"the entry {shown(name)} is missing. Add it"
    if error["type"] in MESSAGES:
        return f"{shown(name)} {MESSAGES[error['type']].format(**error.get('ctx', {}))}"
    message = (
        str(error["msg"])
        .removeprefix("Value error, ")
        .removeprefix("Input ")
        .replace("Input", "it")
    )
    return f"{shown(name)}: {message}" if name else message


def _steps(loc: Loc) -> list[str | int]:
    """Return the place of a fault, without the types that pydantic adds."""
    return [step for step in loc if step != "str" and not str(step).endswith("]")]


@cache
def _entry_names(model: type[BaseModel]) -> dict[str, str]:
    """Return the names of all entries, each with the name of its enclosing entry or ""."""
    found: dict[str, str] = {}
    pending: list[tuple[Any, str]] = [(model, "")]
    while pending:
        item, holder = pending.pop()
        if isinstance(item, type) and issubclass(item, BaseModel):
            for name, field in item.model_fields.items():
                if found.setdefault(field.alias or name, holder) == holder:
                    pending.append((field.annotation, name))
        else:
            pending.extend((part, holder) for part in getattr(item, "__args__", ()))
    return found


def entries_of(text: str) -> tuple[Any, Lines]:
    """Return the data of a YAML text and the lines of its entries. Misplaced if it is not YAML."""
    lines: Lines = {}
    try:
        with closing(
            yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        ) as stream:
            events = _bounded(stream)
            if not any(isinstance(event, yaml.DocumentStartEvent) for event in events):
                raise Misplaced((), "the file is empty. Write entries such as 'figure: Figure 1'")
            data = _value(next(events), events, (), lines)
            for event in events:
                if isinstance(event, yaml.DocumentStartEvent):
                    raise _at(event, "not YAML: a second document starts here. Remove it")
    except yaml.MarkedYAMLError as error:
        mark, said = (
            error.problem_mark or error.context_mark,
            error.problem or error.context or "it cannot be read",
        )
        advice = [
            f". {more}" for word, more in ADVICE.items() if word in f"{said} {error.context}"
        ][:1]
        raise Misplaced(
            ("line", mark.line + 1 if mark else 1), "".join([f"not YAML: {said}", *advice])
        ) from None
    except yaml.YAMLError:
        raise Misplaced((), NO_TEXT) from None
    return data, lines


def _at(event: Any, reason: str) -> Misplaced:
    return Misplaced(("line", event.start_mark.line + 1), reason)


def _value(event: Any, events: Iterator[Any], loc: Loc, lines: Lines) -> Any:
    """Return the text, list or mapping that begins with an event."""
    lines.setdefault(loc, event.start_mark.line + 1)
    if isinstance(event, yaml.ScalarEvent):
        return event.value
    until_end = takewhile(lambda event: not isinstance(event, yaml.CollectionEndEvent), events)
    if isinstance(event, yaml.SequenceStartEvent):
        return [_value(item, events, (*loc, k), lines) for k, item in enumerate(until_end)]
    entries: dict[str, Any] = {}
    for name in until_end:
        if not isinstance(name, yaml.ScalarEvent):
            raise _at(name, "the name of this entry is not plain text. Write a text")
        if name.value in entries:
            raise _at(name, f"the entry {shown(name.value)} is there twice. Remove one")
        lines[(*loc, name.value)] = name.start_mark.line + 1
        entries[name.value] = _value(next(events), events, (*loc, name.value), lines)
    return entries


def _bounded(stream: Iterator[Any]) -> Iterator[Any]:
    """Yield events while they are few enough and not nested too deeply."""
    depth = 0
    for event in islice(stream, MAX_EVENTS):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(
            event, yaml.CollectionEndEvent
        )
        if depth > MAX_DEPTH:
            raise _at(event, f"entries are nested too deeply. Use {MAX_DEPTH} levels at most")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise _at(
                event,
                "anchors and aliases are not allowed. Put a text that begins with & or * in "
                "quotation marks",
            )
        yield event
    if next(stream, None) is not None:
        raise Misplaced(
            (), f"the file contains more than {MAX_EVENTS:,} names, values and brackets. Split it"
        )


def dumped(entries: Any) -> str:
    """Return mappings, lists and text as YAML.

    A text that looks like a number has no quotes. A text that needs escapes is quoted. Without
    PyYAML the result is JSON, because JSON is also YAML.
    """
    if not HAS_YAML:
        return json.dumps(entries, ensure_ascii=False, indent=2) + "\n"

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012

    def written(dumper: Any, text: str) -> Any:
        return dumper.represent_scalar(
            "tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"'
        )

    Dumper.add_representer(str, written)
    return str(yaml.dump(entries, Dumper=Dumper, allow_unicode=True, sort_keys=False, width=100))
