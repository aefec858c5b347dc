"""Options for reading hierarchies that their files leave open, declared once for Python and the
command line.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypedDict

from hiermeasures.hierarchy.edge_rows import checked_errors
from hiermeasures.hierarchy.errors import InputError, check_known


class ReadOptions(TypedDict, total=False):
    """How a hierarchy is read where its file leaves it open; `OPTIONS` describes each."""

    child: str
    parent: str
    code: str
    title: str
    levels: str | Sequence[str]
    rule: str
    relations: str | Sequence[str]


OPTIONS: Mapping[str, str] = {
    "child": "the column, or the key of JSON, that names the classes",
    "parent": "the column or key that names their parents",
    "code": "the column or key of codes that tell their parents themselves",
    "title": "the column or key of titles, which are shown beside the classes",
    "levels": "columns that are levels, the top one first, separated by commas",
    "rule": "how codes tell their parents: beginnings (the longest beginning that is listed), "
    "zeros (trailing zeros dropped; zeros:2,4,6,8 are the lengths of the levels), a separator "
    "such as '.', or the lengths of the levels, such as 1,3,4",
    "relations": "relations of an ontology that lead to a parent, separated by commas (is_a)",
}
ROLES = ("levels", "child", "parent", "code", "title")
"""Options that name columns."""
_LISTS = {"levels", "relations"}


_NAMED = re.compile(rf"--({'|'.join(OPTIONS)})\b")


@dataclass(frozen=True)
class ReadingFields:
    """Options for reading a hierarchy as a form has them: texts, empty where nothing is set."""

    child: str = ""
    parent: str = ""
    code: str = ""
    title: str = ""
    levels: str = ""
    rule: str = ""
    relations: str = ""

    def options(self) -> dict[str, str]:
        """Return the options that are set, for `read_hierarchy`."""
        return {name: text.strip() for name, text in vars(self).items() if text.strip()}

    def shown(self, fault: str) -> list[str]:
        """Return the fields to show: those that are set, and those that a refusal names."""
        named = {name for name in OPTIONS if f"“{name.capitalize()}”" in fault}
        return [name for name in OPTIONS if name in named or name in self.options()]


NOTHING_SET = ReadingFields()


@contextmanager
def explained_options() -> Iterator[None]:
    """Name the options in a refusal as the fields of a form, which the message then asks for."""
    try:
        yield
    except InputError as error:
        if type(error) is not InputError or not _NAMED.search(str(error)):
            raise
        message = _NAMED.sub(lambda found: f"“{found[1].capitalize()}”", str(error))
        message = message if message.endswith(("…", ".")) else f"{message}."
        raise InputError(f"{message} Fill in these fields below the file") from None


def checked_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options for reading a hierarchy, lists as tuples; InputError for other names."""
    found: dict[str, Any] = {}
    for name, value in options.items():
        check_known("option", name, ("errors", *OPTIONS))
        if value is None:
            continue
        if name in _LISTS:
            parts = value.split(",") if isinstance(value, str) else value
            value = tuple(part.strip() for part in parts)
        if not value or (name in _LISTS and not all(value)):
            raise InputError(f"{name} names nothing")
        found[name] = value
    checked_errors(found.get("errors", "raise"))
    return found
