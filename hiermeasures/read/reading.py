"""Options for reading ambiguous hierarchy files, declared once for Python, the command line and
forms.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, TypedDict, get_type_hints

from hiermeasures.hierarchy.edge_rows import checked_errors
from hiermeasures.hierarchy.errors import InputError, check_known


class ReadOptions(TypedDict, total=False):
    """Options for reading a hierarchy from an ambiguous file. Functions, command line and forms all
    use this list.
    """

    child: Annotated[str, "the column, or the key of JSON, that names the classes"]
    parent: Annotated[str, "the column or key that names their parents"]
    code: Annotated[str, "the column or key of codes, which contain their parents"]
    title: Annotated[str, "the column or key of titles, which are shown next to the classes"]
    levels: Annotated[
        str | Sequence[str], "the columns of the levels, top level first, separated by commas"
    ]
    rule: Annotated[
        str,
        "the rule that finds the parent of a code: beginnings (the longest beginning that is "
        "listed), zeros (without trailing zeros, or zeros:2,4,6,8 with the lengths of the "
        "levels), a separator such as '.', or the lengths of the levels, such as 1,3,4",
    ]
    relations: Annotated[
        str | Sequence[str],
        "the relations of an ontology that lead to a parent, separated by commas (is_a)",
    ]


OPTIONS: Mapping[str, str] = {
    name: kind.__metadata__[0]
    for name, kind in get_type_hints(ReadOptions, include_extras=True).items()
}
"""The options with their descriptions."""
ROLES = tuple(name for name in OPTIONS if name not in ("rule", "relations"))
"""Options that name columns."""
_LISTS = {"levels", "relations"}
_NAMED = re.compile(rf"--({'|'.join(OPTIONS)})\b")


def filled_options(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the options for `read_hierarchy` that are filled in a form."""
    return {name: text.strip() for name, text in texts.items() if text.strip()}


def fields_to_show(texts: Mapping[str, str], fault: str) -> list[str]:
    """Return the options that are filled in a form, and those that a refusal names."""
    filled = filled_options(texts)
    return [name for name in OPTIONS if name in filled or f"“{name.capitalize()}”" in fault]


@contextmanager
def explained_options() -> Iterator[None]:
    """Rename the options in an error message to the fields of a form."""
    try:
        yield
    except InputError as error:
        if type(error) is not InputError or not _NAMED.search(str(error)):
            raise
        message = _NAMED.sub(lambda found: f"“{found[1].capitalize()}”", str(error))
        message = message if message.endswith(("…", ".")) else f"{message}."
        raise InputError(f"{message} Fill in these fields below the file") from None


def checked_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options for reading a hierarchy, with lists as tuples. Raise InputError for unknown
    names.
    """
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
