"""OBO ontologies with their namespaces: a hierarchy for each, made of `is_a` and `part_of`, and
what terms were called before.

One hierarchy of all terms, made of `is_a` alone, is what hiermeasures.formats.hierarchies reads of
the same file.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hiermeasures.core.errors import listed, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies.building import ParsedEdges, build
from hiermeasures.formats.hierarchies.obo import DEFAULT_NAMESPACE, terms_of
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
    if not terms.ids:
        raise source.error("holds no [Term]")
    header = (line.partition(":") for line in text.partition("\n[")[0].split("\n"))
    default = next((value.strip() for tag, _, value in header if tag.strip() == DEFAULT_NAMESPACE), "")
    named, obsolete = dict(terms.of("namespace")), terms.obsolete
    namespace = {term: named.get(term) or default for term in terms.ids if term not in obsolete}
    namespace = {term: name for term, name in namespace.items() if name not in ("", EXTERNAL)}
    if not namespace:
        raise source.error("holds no term with a namespace, or obsolete ones only")
    parsed = {name: ParsedEdges() for name in sorted(set(namespace.values()))}
    for term, name in sorted(namespace.items()):
        parsed[name].isolated.append(term)
    outside: list[str] = []  # parents elsewhere
    for term, parent in sorted((*terms.of("is_a"), *terms.related("part_of"))):  # sums of floats depend on the order
        if term not in namespace:
            continue
        found = parsed[namespace[term]]
        if namespace.get(parent) == namespace[term]:
            found.parents.append(parent)
            found.children.append(term)
        else:
            outside.append(parent)
    alternative = [(other, term, namespace[term]) for term, other in terms.of("alt_id") if term in namespace]
    return Ontology(
        {key: build(edges, source, limits) for key, edges in parsed.items()},
        _alternative(alternative, namespace.keys(), source),
        obsolete,
        tuple(_notes(outside, namespace.keys())),
    )


def _alternative(
    said: list[tuple[str, str, str]], terms: Collection[str], source: Source
) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    places: dict[str, set[str]] = {}
    for other, term, namespace in said:
        found.setdefault(other, []).append(term)
        places.setdefault(other, set()).add(namespace)
    for other, ids in found.items():
        if len(places[other]) > 1:
            raise source.error(f"{shown(other)} is an alternative id of terms of several namespaces: {listed(ids)}")
    return {other: tuple(sorted(set(ids))) for other, ids in found.items() if other not in terms}


def _notes(outside: list[str], used: Collection[str]) -> Iterator[str]:
    elsewhere = [parent for parent in outside if parent in used]
    if elsewhere:
        count = len(elsewhere)
        yield f"{count:,} parent{'s' * (count != 1)} in another namespace left out ({listed(set(elsewhere), 3)})"
    unknown = set(outside).difference(used)
    if unknown:
        yield f"parents that are not terms, or obsolete ones, left out ({listed(unknown, 3)})"


__all__ = ["Ontology", "read_ontology"]
