"""OBO ontologies with their namespaces: a hierarchy for each, made of `is_a` and `part_of`, and what terms were called
before.

One hierarchy of all terms, made of `is_a` alone, is what hiermeasures.io.hierarchies reads of the same file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from hiermeasures.errors import listed, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import ParsedEdges, build
from hiermeasures.io.hierarchies.obo import Term, terms_of
from hiermeasures.io.source import Limits, Source, checked_text, decode, load

EXTERNAL = "external"  # the namespace of terms that other ontologies define


@dataclass(frozen=True)
class Ontology:
    """Namespaces by their names: a hierarchy of each, under a virtual root where it has several tops.

    `alternative` holds the terms that an alternative id stands for, `obsolete` the ids that are not used any more, and
    `notes` what was left out, a sentence each. Files that differ in the order of terms and parents alone give equal
    ontologies: `read_ontology` numbers terms by their names.
    """

    namespaces: Mapping[str, Hierarchy]
    alternative: Mapping[str, tuple[str, ...]]
    obsolete: frozenset[str]
    notes: tuple[str, ...] = ()

    @cached_property
    def namespace_of(self) -> dict[str, str]:
        """The namespace of every term."""
        return {t: name for name, h in self.namespaces.items() for t in h.nodes[h.virtual_root :]}

    @cached_property
    def fingerprint(self) -> str:
        """64 hexadecimal digits of its namespaces, their terms in their order, and the alternative ids (SHA-256)."""
        digest = sha256(repr(sorted(self.alternative.items())).encode())
        for name, h in sorted(self.namespaces.items()):
            digest.update(repr((name, h.fingerprint, h.nodes)).encode())
        return digest.hexdigest()


def read_ontology(path_or_bytes: Any, *, name: str = "", limits: Limits | None = None) -> Ontology:
    """The namespaces of an OBO file.

    Parameters
    ----------
    path_or_bytes : str, path, bytes or binary stream
    name : str
        What messages call the file; the name of a path is its own.
    limits : Limits, optional
        As for `read_hierarchy`.

    Raises
    ------
    InputError
        Naming the file, the line and the reason; for a cycle, its terms.

    Examples
    --------
    >>> terms = b"[Term]\\nid: A\\nnamespace: N\\n[Term]\\nid: B\\nalt_id: C\\nnamespace: N\\nrelationship: part_of A"
    >>> read = read_ontology(terms)
    >>> read.namespaces["N"].edges, read.alternative
    ((('A', 'B'),), {'C': ('B',)})
    """
    data, source, limits = load(path_or_bytes, name, limits)
    text = checked_text(decode(data, source), source, limits)
    terms = list(terms_of(text, source))
    if not terms:
        raise source.error("holds no [Term]")
    default = _default_namespace(text)
    used = [t for t in terms if not t.obsolete and (t.namespace or default) not in ("", EXTERNAL)]
    if not used:
        raise source.error("holds no term with a namespace, or obsolete ones only")
    by_namespace: dict[str, list[Term]] = {}
    for term in used:
        by_namespace.setdefault(term.namespace or default, []).append(term)
    outside: list[tuple[Term, str]] = []
    namespaces = {key: build(_edges(members, outside), source, limits) for key, members in sorted(by_namespace.items())}
    return Ontology(
        namespaces,
        _alternative(used, source),
        frozenset(term.id for term in terms if term.obsolete),
        tuple(_notes(outside, {t.id for t in used})),
    )


def _default_namespace(text: str) -> str:
    header = text.partition("\n[")[0]
    lines = (line.partition(":") for line in header.split("\n"))
    return next((value.strip() for tag, _, value in lines if tag.strip() == "default-namespace"), "")


def _edges(terms: list[Term], outside: list[tuple[Term, str]]) -> ParsedEdges:
    """The edges inside a namespace, in the order of names: floats that are added term by term depend on the order of
    terms, and must not depend on that of the file. Edges that lead out of the namespace are put into `outside`.
    """
    terms = sorted(terms, key=lambda term: term.id)
    own = {term.id for term in terms}
    parsed = ParsedEdges(isolated=[term.id for term in terms])
    lines = []
    for term in terms:
        for parent, line in sorted([*term.parents, *term.wholes]):
            if parent not in own:
                outside.append((term, parent))
                continue
            parsed.parents.append(parent)
            parsed.children.append(term.id)
            lines.append(line)
    parsed.lines = lines
    return parsed


def _alternative(terms: list[Term], source: Source) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for term in terms:
        for other in term.alternative:
            found.setdefault(other, []).append(term.id)
    places = {term.id: term.namespace for term in terms}
    for other, ids in found.items():
        if len({places[term] for term in ids}) > 1:
            raise source.error(f"{shown(other)} is an alternative id of terms of several namespaces: {listed(ids)}")
    return {other: tuple(sorted(set(ids))) for other, ids in found.items() if other not in places}


def _notes(outside: list[tuple[Term, str]], used: set[str]) -> Iterator[str]:
    elsewhere = {parent for _, parent in outside if parent in used}
    if elsewhere:
        count = sum(parent in used for _, parent in outside)
        yield f"{count:,} parent{'s' * (count != 1)} in another namespace left out ({listed(elsewhere, 3)})"
    unknown = {parent for _, parent in outside if parent not in used}
    if unknown:
        yield f"parents that are no terms, or obsolete ones, left out ({listed(unknown, 3)})"


__all__ = ["Ontology", "read_ontology"]
