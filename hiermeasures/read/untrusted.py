"""Parse JSON and XML from strangers within limits.

JSON has a nesting limit and no repeated keys. XML is read tag by tag. Document types, entities and
long namespace names are refused, because they can read other files or fill the memory.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.read.source import Source

# An XML parser repeats the name of a namespace for each attribute with its prefix. A hundred
# characters of any part of a declaration end the search at once. So the search takes no longer
# than reading the text.
_LONG_NAMESPACE = re.compile(
    r"""xmlns(?::[^\s"'=<>]{100}|(?::[^\s"'=<>]*+)?+(?:\s{100}|\s*+=(?:\s{100}|\s*+(?:"[^"]{101}|'[^']{101}))))"""
)
ALWAYS_READ = 200_000  # values

# Possessive, so that a string without an end cannot make the search go back and forth over the
# text.
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_STEPS = dict(zip(b"[{]}", (1, 1, -1, -1), strict=True))
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _STEPS)


def nesting(text: str) -> int:
    """Return the depth of nesting of brackets and braces outside of strings.

    >>> nesting('{"a [[[": [1, {}]}')
    3
    """
    outside = _STRING.sub("", text) if '\\"' in text else "".join(text.split('"')[::2])
    brackets = outside.encode("utf-8", "replace").translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)


def parse(text: str, source: Source) -> Any:
    """Parse JSON without repeated keys."""
    opened = text.count("[") + text.count("{")
    if opened > source.limits.nesting and nesting(text) > source.limits.nesting:
        raise source.error(f"nested deeper than {source.limits.nesting} levels")
    most = max(source.limits.lines, ALWAYS_READ)
    if (
        opened + text.count(",") > most
        and sum(_STRING.sub("", text).count(mark) for mark in ",[{") > most
    ):
        raise source.error(f"contains more than {most:,} values, the limit")
    return _decoded(text, _STRICT, source)


def parse_line(text: str, source: Source, line: int) -> Any:
    """Parse a line of JSON. The last of repeated keys counts, and NaN is a value."""
    return _decoded(text, _TOLERANT, source, line)


def _decoded(text: str, decoder: json.JSONDecoder, source: Source, line: int | None = None) -> Any:
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        column = f" (character {error.colno} of the line)"
        raise source.error(
            f"not JSON: {error.msg[0].lower()}{error.msg[1:]}{column}", line or error.lineno
        ) from None
    except InputError as error:
        raise source.error(str(error), line) from None
    except (RecursionError, ValueError):  # ValueError: a number of more digits than Python converts
        raise source.error(
            "not JSON that can be read here: it is nested too deeply or contains an enormous "
            "number",
            line,
        ) from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise InputError(f"{shown(twice)} occurs twice at the same place. Remove one.")
    return found


def _no_constant(word: str) -> None:
    raise InputError(f"{word} is not a JSON value")


_TOLERANT = json.JSONDecoder()
# created once for all texts
_STRICT = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_constant=_no_constant)


def walk_xml(
    text: str,
    source: Source,
    kind: str,
    start: Callable[[str, dict[str, str], int], None],
    end: Callable[[], None],
    characters: Callable[[str], None],
) -> None:
    """Parse XML and call a function for each event: `start` with the name, attributes and line of
    each opening tag, `end` for each closing tag, and `characters` with the text between tags. A
    name in a namespace is its IRI, a blank and the name.

    Raises
    ------
    InputError
        For invalid or harmful XML. `kind` names the expected format in the message.
    """
    if found := _LONG_NAMESPACE.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise source.error("declares a namespace (xmlns) of more than 100 characters", line)
    if text.count("<") > source.limits.lines:
        raise source.error(f"has more than {source.limits.lines:,} tags, the limit")
    from xml.parsers import expat

    parser = expat.ParserCreate("utf-8", " ")
    depth = 0

    def opened(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > source.limits.nesting:
            raise source.error(
                f"nested deeper than {source.limits.nesting} levels", parser.CurrentLineNumber
            )
        start(name, attributes, parser.CurrentLineNumber)

    def closed(_name: str) -> None:
        nonlocal depth
        depth -= 1
        end()

    def refused(*_declaration: object) -> None:
        raise source.error(
            f"<!DOCTYPE or <!ENTITY is not accepted in {kind}, because it could read other files. "
            "Remove it."
        )

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = (
        opened,
        closed,
        characters,
    )
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refused
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise source.error(f"not XML ({reason}, character {error.offset})", error.lineno) from None
    except UnicodeEncodeError as error:
        raise source.error(f"not XML ({shown(str(error), 100)})") from None
