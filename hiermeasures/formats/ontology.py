"""OBO ontologies with their namespaces: a hierarchy for each, made of `is_a` and `part_of`, and
what terms were called before.

One hierarchy of all terms, made of `is_a` alone, is what hiermeasures.formats.hierarchies reads of
the same file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import compress
from typing import Any

from hiermeasures.core.errors import listed, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies.building import ParsedEdges, build
from hiermeasures.formats.hierarchies.obo_terms import ALT_ID, IS_A, PART_OF, Terms, terms_of
from hiermeasures.formats.source import Limits, Source, checked_text, decode, load

EXTERNAL = "external"  # the namespace of terms that other ontologies define


@dataclass(frozen=True)
class Ontology:
    """Namespaces by their names: a hierarchy of each, under a virtual root where it has several
    tops.

    `alternative` holds the terms that an alternative id stands for, `obsolete` the ids that are not
    used any more, and `notes` what was left out, a sentence each. Files that differ in the order of
    terms and parents alone give equal ontologies: `read_ontology` numbers terms by their names.
    """

    namespaces: Mapping[str, Hierarchy]
    alternative: Mapping[str, tuple[str, ...]]
    obsolete: frozenset[str]
    notes: tuple[str, ...] = ()

    @cached_property
    def namespace_of(self) -> dict[str, str]:
        return {t: name for name, h in self.namespaces.items() for t in h.nodes[h.virtual_root :]}

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256, as hexadecimal, of namespaces, their terms in order, and alternative ids."""
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
    terms = terms_of(text, source, limits)
    ids, obsolete = [terms.names[k] for k in terms.ids.tolist()], terms.obsolete.tolist()
    if not ids:
        raise source.error("holds no [Term]")
    default = _default_namespace(text)
    namespace = [name or default for name in terms.namespaces]
    used = [not old and name not in ("", EXTERNAL) for old, name in zip(obsolete, namespace, strict=True)]
    if not any(used):
        raise source.error("holds no term with a namespace, or obsolete ones only")
    members: dict[str, list[str]] = {}
    for term, key in compress(zip(ids, namespace, strict=True), used):
        members.setdefault(key, []).append(term)
    edges: dict[str, list[_Edge]] = {key: [] for key in members}
    for term, parent, line in _said(terms, IS_A, PART_OF):
        if used[term]:
            edges[namespace[term]].append((ids[term], term, parent, line))
    outside: list[str] = []
    namespaces = {key: build(_edges(members[key], edges[key], outside), source, limits) for key in sorted(members)}
    known = set(compress(ids, used))
    alternative = [(other, ids[term], namespace[term]) for term, other, _ in _said(terms, ALT_ID) if used[term]]
    return Ontology(
        namespaces,
        _alternative(alternative, known, source),
        frozenset(compress(ids, obsolete)),
        tuple(_notes(outside, known)),
    )


_Edge = tuple[str, int, str, int]  # the term, its place in the file, the parent and the line


def _said(terms: Terms, *tags: int) -> Iterator[tuple[int, str, int]]:
    term, value, line = (column.tolist() for column in terms.said(*tags))
    return zip(term, [terms.names[k] for k in value], line, strict=True)


def _default_namespace(text: str) -> str:
    header = text.partition("\n[")[0]
    lines = (line.partition(":") for line in header.split("\n"))
    return next((value.strip() for tag, _, value in lines if tag.strip() == "default-namespace"), "")


def _edges(terms: list[str], edges: list[_Edge], outside: list[str]) -> ParsedEdges:
    """Return the edges in a namespace, sorted, for sums of floats depend on the order of terms.
    Parents elsewhere are added to `outside`.
    """
    parsed, own = ParsedEdges(isolated=sorted(terms)), set(terms)
    for term, _, parent, line in sorted(edges):
        if parent not in own:
            outside.append(parent)
        else:
            parsed.add(parent, term, line)
    return parsed


def _alternative(said: list[tuple[str, str, str]], terms: set[str], source: Source) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    places: dict[str, set[str]] = {}
    for other, term, namespace in said:
        found.setdefault(other, []).append(term)
        places.setdefault(other, set()).add(namespace)
    for other, ids in found.items():
        if len(places[other]) > 1:
            raise source.error(f"{shown(other)} is an alternative id of terms of several namespaces: {listed(ids)}")
    return {other: tuple(sorted(set(ids))) for other, ids in found.items() if other not in terms}


def _notes(outside: list[str], used: set[str]) -> Iterator[str]:
    elsewhere = [parent for parent in outside if parent in used]
    if elsewhere:
        count = len(elsewhere)
        yield f"{count:,} parent{'s' * (count != 1)} in another namespace left out ({listed(set(elsewhere), 3)})"
    unknown = set(outside).difference(used)
    if unknown:
        yield f"parents that are no terms, or obsolete ones, left out ({listed(unknown, 3)})"


__all__ = ["Ontology", "read_ontology"]
