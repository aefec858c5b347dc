"""Read RDF/XML as statements, each as soon as its tag closes. rdf.py decides which statements make
a hierarchy.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urldefrag, urljoin

from hiermeasures.read.source import Source
from hiermeasures.read.untrusted import walk_xml

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
TYPE = RDF + "type"
_XML = "http://www.w3.org/XML/1998/namespace "
_RESERVED = {
    f"{RDF} {name}": name
    for name in ("about", "ID", "nodeID", "resource", "parseType", "datatype", "type")
}
# old files name them without a prefix
_RESERVED |= {name: name for name in ("about", "ID", "resource", "parseType", "type")}
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")

State = Callable[[str, str, str, str | None], None]
"""Takes subject, predicate, value, and the language of a text, "" without one. The language is None
if the value is an IRI. Nodes without an IRI are named _:1, _:2 …
"""


@dataclass
class _Frame:
    """An open tag. A node contains its properties, and a property contains its value."""

    kind: str  # "nodes", "node", "property", "list" or "xml"
    base: str
    language: str
    subject: str = ""
    predicate: str = ""
    value: str | None = None
    text: list[str] | None = None
    is_plain: bool = True  # the text is in the language


class _Reader:
    def __init__(self, state: State, kept: Collection[str], source: Source, base: str) -> None:
        self._state, self._kept, self._source = state, kept, source
        self._frames = [_Frame("nodes", base, "")]
        self._blanks = 0

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        above = self._frames[-1]
        base, language = above.base, above.language
        if attributes:
            if f"{_XML}base" in attributes:
                base = urldefrag(urljoin(base, attributes[f"{_XML}base"])).url
            language = attributes.get(f"{_XML}lang", language)
        if above.kind == "xml":
            self._frames.append(_Frame("xml", base, language, value="", text=above.text))
        elif above.kind == "node":
            self._frames.append(self._property(above, name, attributes, base, language))
        elif name == f"{RDF} RDF" and len(self._frames) == 1:
            self._frames.append(_Frame("nodes", base, language))
        else:
            if above.value is not None and above.kind == "property":
                raise self._source.error(
                    "not RDF/XML that can be read, because a property has two values", line
                )
            node = self._node(name, attributes, base, language)
            above.value = node.subject
            if above.kind == "property":
                self._say(above.subject, above.predicate, node.subject)
            self._frames.append(node)

    def characters(self, data: str) -> None:
        if (text := self._frames[-1].text) is not None:
            text.append(data)

    def end(self) -> None:
        frame = self._frames.pop()
        if frame.kind == "list":
            self._say(frame.subject, frame.predicate, self._blank() if frame.value else f"{RDF}nil")
        elif frame.text is not None and frame.value is None:
            language = frame.language if frame.is_plain else ""
            self._state(frame.subject, frame.predicate, "".join(frame.text), language)

    def _say(self, subject: str, predicate: str, value: str, language: str | None = None) -> None:
        if predicate in self._kept:
            self._state(subject, predicate, value, language)

    def _blank(self) -> str:
        self._blanks += 1
        return f"_:{self._blanks}"

    def _taken_apart(
        self, attributes: dict[str, str]
    ) -> tuple[dict[str, str], list[tuple[str, str]]]:
        """Split attributes into those that RDF/XML itself defines and the properties among them."""
        own: dict[str, str] = {}
        properties = []
        for name, value in attributes.items():
            if name in _RESERVED:
                own[_RESERVED[name]] = value
            elif " " in name and not name.startswith(_XML):
                properties.append((_iri(name), value))
        return own, properties

    def _subject(self, own: dict[str, str], reference: str, base: str) -> str | None:
        if reference in own:
            return _resolved(base, own[reference])
        return f"_:n{own['nodeID']}" if "nodeID" in own else None

    def _describe(
        self, subject: str, own: dict[str, str], properties: list[tuple[str, str]], frame: _Frame
    ) -> None:
        if "type" in own:
            self._say(subject, TYPE, _resolved(frame.base, own["type"]))
        for predicate, value in properties:
            self._say(subject, predicate, value, frame.language)

    def _node(self, name: str, attributes: dict[str, str], base: str, language: str) -> _Frame:
        own, properties = self._taken_apart(attributes)
        subject = (
            _resolved(base, f"#{own['ID']}") if "ID" in own else self._subject(own, "about", base)
        )
        frame = _Frame("node", base, language, subject if subject is not None else self._blank())
        if name != f"{RDF} Description":
            self._say(frame.subject, TYPE, _iri(name))
        self._describe(frame.subject, own, properties, frame)
        return frame

    def _property(
        self, above: _Frame, name: str, attributes: dict[str, str], base: str, language: str
    ) -> _Frame:
        frame = _Frame("property", base, language, above.subject, _iri(name))
        frame.text = [] if frame.predicate in self._kept else None
        if not attributes:
            return frame
        own, properties = self._taken_apart(attributes)
        kind = own.get("parseType")
        if kind == "Resource":
            node = _Frame("node", base, language, self._blank())
            self._say(frame.subject, frame.predicate, node.subject)
            return node
        if kind == "Collection":
            frame.kind, frame.text = "list", None
        elif kind is not None:
            frame.kind, frame.is_plain = "xml", False
        elif (
            (value := self._subject(own, "resource", base)) is not None
            or properties
            or "type" in own
        ):
            frame.value = value if value is not None else self._blank()
            self._say(frame.subject, frame.predicate, frame.value)
            self._describe(frame.value, own, properties, frame)
        frame.is_plain &= "datatype" not in own
        return frame


@lru_cache(maxsize=1000)
def _iri(name: str) -> str:
    """Return the IRI of a name from expat, "namespace name"."""
    space, _, local = name.rpartition(" ")
    return space + local


def _resolved(base: str, reference: str) -> str:
    if _ABSOLUTE.match(reference):
        return reference
    found = urljoin(base, reference)
    return f"{found}#" if reference.endswith("#") and not found.endswith("#") else found


def read_statements(
    text: str, state: State, kept: Collection[str], base: str, source: Source
) -> None:
    """Call `state` with each statement whose predicate is in `kept`."""
    reader = _Reader(state, kept, source, base)
    walk_xml(
        text,
        source,
        kind="RDF/XML",
        start=reader.start,
        end=reader.end,
        characters=reader.characters,
    )
