r"""OBO ontologies: terms are classes, named by their `id`; `is_a` leads from child to parent; obsolete terms are
skipped.

Names, synonyms and definitions are not read: measures need the hierarchy alone, and ids are what label files hold. What
else a stanza says of a term (`part_of`, namespace, alternative ids) is for hiermeasures.io.ontology.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import ParsedEdges, build, check_unweighted, encodable
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.io.source import Limits, Source

_OBO = re.compile(r"(format-version:|^\[Term\]\s*$)", re.MULTILINE)
_UNTIL_COMMENT = re.compile(r"(?:[^\\!{]++|\\.?)*+", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)")
_MEANS = {"n": "\n", "t": "\t", "W": " ", "r": "\r"}
_WRITES = {"\n": "\\n", "\t": "\\t", " ": "\\W", "\r": "\\r"}


@dataclass
class Term:
    """A [Term] stanza. Parents stand with their lines: those of `is_a`, and in `wholes` those of `part_of`."""

    line: int
    id: str = ""
    namespace: str = ""
    obsolete: bool = False
    parents: list[tuple[str, int]] = field(default_factory=list)
    wholes: list[tuple[str, int]] = field(default_factory=list)
    alternative: list[str] = field(default_factory=list)


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of an OBO ontology."""
    terms = list(terms_of(text, source))
    if not terms:
        raise source.error("holds no [Term]")
    obsolete = {term.id for term in terms if term.obsolete}
    parsed = ParsedEdges(isolated=[term.id for term in terms if not term.obsolete])
    if not parsed.isolated:
        raise source.error("holds obsolete terms only")
    edges = [(p, t.id, line) for t in terms if not t.obsolete for p, line in t.parents if p not in obsolete]
    parsed.parents = [p for p, _, _ in edges]
    parsed.children = [c for _, c, _ in edges]
    parsed.lines = [line for _, _, line in edges]
    if obsolete:
        parsed.notes.append(f"{len(obsolete)} obsolete term{'s' * (len(obsolete) > 1)} skipped")
    return build(parsed, source, limits)


def terms_of(text: str, source: Source) -> Iterator[Term]:
    """The [Term] stanzas, one after another; what else there is (the header, [Typedef], [Instance]) is passed over."""
    term: Term | None = None
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip(" \t")
        if line.startswith("["):
            if term is not None:
                yield _complete(term, source)
            term = Term(number) if line.startswith("[Term]") else None
        elif term is not None and line and not line.startswith("!"):
            _take(term, line, number, source)
    if term is not None:
        yield _complete(term, source)


def _take(term: Term, line: str, number: int, source: Source) -> None:
    tag, colon, rest = line.partition(":")
    if not colon:
        raise source.error(f"a line of a term is `tag: value`, not {shown(line, 40)}", number)
    if tag == "id":
        if term.id:
            raise source.error(f"term {shown(term.id)} has a second id", number)
        term.id = _value(rest)
    elif tag == "is_a":
        parent = _value(rest)
        if not parent:
            raise source.error("is_a without a parent", number)
        term.parents.append((parent, number))
    elif tag == "relationship":
        kind, _, whole = _value(rest).partition(" ")
        if kind == "part_of" and whole:
            term.wholes.append((whole.strip(), number))
    elif tag == "namespace":
        term.namespace = _value(rest)
    elif tag == "alt_id":
        term.alternative.append(_value(rest))
    elif tag == "is_obsolete":
        term.obsolete = _value(rest).lower() == "true"


def _complete(term: Term, source: Source) -> Term:
    if not term.id:
        raise source.error("the term that starts here has no id", term.line)
    return term


def _value(rest: str) -> str:
    """A value without its comment and trailing modifiers, escapes resolved.

    >>> _value(r" a\\Wb {source=x} ! a name")
    'a b'
    """
    begin = _UNTIL_COMMENT.match(rest)
    assert begin is not None
    value = begin[0].strip(" \t")
    return _ESCAPE.sub(lambda m: _MEANS.get(m[1], m[1]), value) if "\\" in value else value


def write(h: Hierarchy) -> str:
    """The hierarchy as an OBO ontology of bare terms."""
    check_unweighted(h, "an OBO file")
    for label in h.nodes:
        if not encodable(label) or "\x00" in label:
            raise InputError(f"an OBO file cannot hold class {shown(label)}: it contains no proper text")
    lines = ["format-version: 1.4"]
    for label in h.nodes[h.virtual_root :]:
        lines += ["", "[Term]", f"id: {_escaped(label)}", f"name: {_escaped(label)}"]
        lines += [f"is_a: {_escaped(p)}" for p in h.parents(label) if not (h.virtual_root and p == h.root)]
    return "\n".join(lines) + "\n"


def _escaped(label: str) -> str:
    return "".join(_WRITES.get(c, "\\" + c if c in '\\!{}"' else c) for c in label)


def _begins(opening: Opening) -> bool:
    return opening.extension == ".obo" or _OBO.match(opening.text.lstrip()) is not None


FORMAT = HierarchyFormat(
    "obo",
    "OBO ontology",
    (".obo",),
    "terms by their ids and their is_a relations, obsolete terms left out",
    read,
    write,
    begins=_begins,
)
