"""YAML as the case files use it: every scalar is text, and every value knows its line.

A published "0.50" must stay "0.50" and a class "3.10" must not become a number, so nothing is guessed from a scalar's
look. What the entries mean is declared in format.py; what is wrong with one is reported here by file, line and reason.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from hiermeasures.errors import InputError, nearest, shown

MAX_BYTES = 1_000_000
MAX_DEPTH = 30

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


@dataclass(frozen=True)
class Document:
    """One YAML file: its data (mappings, lists and text) and, by the same keys, its lines."""

    path: Path
    name: str
    data: Any
    node: yaml.Node

    def line(self, loc: Loc) -> int:
        """The line of the entry that a way of keys leads to, or of the nearest entry around it."""
        node = self.node
        line: int = node.start_mark.line
        for step in loc:
            found = _below(node, step)
            if found is None:
                break
            key, node = found
            line = key.start_mark.line
        return line + 1

    def fault(self, error: InputError) -> Fault:
        """An error as a fault of this file."""
        return Fault(self.name, self.line(getattr(error, "loc", ())), str(error))


def read_document(path: Path, name: str) -> Document:
    """Read one YAML file.

    Raises
    ------
    Misplaced
        For a file that cannot be read or is no YAML; `loc` is then the line, as in ``("line", 3)``.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise Misplaced((), f"the file is larger than {MAX_BYTES // 1000} kB")
        text = path.read_bytes().decode("utf-8-sig")
        node = yaml.compose(text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Misplaced(("line", mark.line if mark else 0), f"not YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, UnicodeDecodeError):
        raise Misplaced((), "not YAML: the file holds characters that are no text") from None
    except RecursionError:
        raise Misplaced((), "entries are nested too deeply") from None
    except OSError as error:
        raise Misplaced((), f"cannot be read: {error.strerror}") from None
    if node is None:
        raise Misplaced((), "the file is empty")
    return Document(path, name, _data(node, (), set()), node)


def checked(document: Document, model: type[Checked]) -> tuple[Checked | None, list[Fault]]:
    """The document as a model, or everything that is wrong with it."""
    if not isinstance(document.data, dict):
        return None, [Fault(document.name, 1, "a case file is a mapping of entries such as 'figure: Figure 1'")]
    try:
        return model.model_validate(document.data), []
    except ValidationError as error:
        return None, [Fault(document.name, document.line(tuple(e["loc"])), worded(e, model)) for e in error.errors()]


def worded(error: Any, model: type[BaseModel]) -> str:
    """A validation error in one plain line, with the nearest known entry for a misspelt one."""
    names = [step for step in error["loc"] if isinstance(step, str)]
    name = names[-1] if names else ""
    if error["type"] == "extra_forbidden":
        known = nearest(name, _entries(model))
        return f"unknown entry {shown(name)}" + (f"; nearest known: {shown(known)}" if known else "")
    if error["type"] == "missing":
        return f"the entry {shown(name)} is missing"
    message = str(error["msg"]).removeprefix("Value error, ").removeprefix("Input ").replace("Input", "it")
    return f"{shown(name)}: {message}" if name else message


def _entries(model: type[BaseModel]) -> set[str]:
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


def _below(node: yaml.Node, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((k, v) for k, v in node.value if k.value == str(step)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None


def _data(node: yaml.Node, loc: Loc, seen: set[int]) -> Any:
    """Mappings, lists and text; refuses what would be read twice or not at all."""
    if id(node) in seen:
        raise Misplaced(("line", node.start_mark.line), "anchors and aliases are not used in case files")
    if len(loc) > MAX_DEPTH:
        raise Misplaced(("line", node.start_mark.line), "entries are nested too deeply")
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        return [_data(item, (*loc, k), seen) for k, item in enumerate(node.value)]
    if not isinstance(node, yaml.MappingNode):
        return node.value
    data: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise Misplaced(("line", key.start_mark.line), "an entry's name must be plain text")
        if key.value in data:
            raise Misplaced(("line", key.start_mark.line), f"the entry {shown(key.value)} is there twice")
        data[key.value] = _data(value, (*loc, key.value), seen)
    return data
