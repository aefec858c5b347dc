"""Documents of case files: their entries, where each stands, and what is wrong with them, by file,
line and reason.

Files become documents in library.py, the text of one in yaml_text.py. What the entries mean is
declared in format.py.
"""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from hiermeasures.core.errors import InputError, nearest, shown

MAX_BYTES = 1_000_000
CASE_SHAPE = "a case file is a mapping of entries such as 'figure: Figure 1'"
MAX_FAULTS = 50
NO_TEXT = "not YAML: the file holds characters that are no text; a text has to be saved as UTF-8"

MESSAGES = {  # by pydantic's types, for those who do not know Python
    "int_parsing": "should be a whole number",
    "float_parsing": "should be a number",
    "too_long": "may hold {max_length} at most, not {actual_length}",
    "too_short": "has to hold {min_length} at least",
    "string_too_long": "may have {max_length} characters at most",
    "string_too_short": "is empty",
}

Loc = tuple[str | int, ...]
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
    """An InputError at an entry of the file: `loc` leads to it, key by key."""

    def __init__(self, loc: Loc, reason: str) -> None:
        super().__init__(reason)
        self.loc = loc


class Consequence(InputError):
    """The consequence of a fault that has been told already; it is passed over in silence."""


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
        """Return the line of the entry at `loc`, or of the nearest entry around it."""
        place = self.place
        for step in loc:
            below = place.inside.get(step, place.inside.get(str(step)))
            if below is None:
                break
            place = below
        return place.line + 1

    def fault(self, error: InputError) -> Fault:
        return Fault(self.name, self.line(getattr(error, "loc", ())), str(error))


def unreadable(name: str, error: Misplaced) -> Fault:
    """Return an error of `read_document` as a fault."""
    return Fault(name, int(error.loc[1]) + 1 if error.loc else 1, str(error))


def checked(document: Document, model: type[Checked], shape: str = CASE_SHAPE) -> tuple[Checked | None, list[Fault]]:
    """Return the document as a model, or all its faults; `shape` says what is no mapping at all."""
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
    """Drop lists that are too short only because entries in them were refused."""
    around = {e["loc"][:k] for e in errors[:MAX_FAULTS] for k in range(len(e["loc"]))}
    return [e for e in errors if e["type"] != "too_short" or e["loc"] not in around]


def worded(error: Any, model: type[BaseModel]) -> str:
    """Return a validation error in one plain line, with the nearest known entry."""
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
