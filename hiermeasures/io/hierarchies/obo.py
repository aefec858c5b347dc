r"""OBO ontologies: terms are classes, named by their `id`; `is_a` leads from child to parent; obsolete terms are
skipped.

Names, synonyms and definitions are not read: measures need the hierarchy alone, and ids are what label files hold. What
else a stanza says of a term (`part_of`, namespace, alternative ids) is for hiermeasures.io.ontology.
"""

import re

import numpy as np

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import NumberedEdges, build_numbered, check_unweighted, encodable
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.io.hierarchies.obo_terms import IS_A, terms_of
from hiermeasures.io.source import Limits, Source

_OBO = re.compile(r"(format-version:|^\[Term\]\s*$)", re.MULTILINE)
_WRITES = {"\n": "\\n", "\t": "\\t", " ": "\\W", "\r": "\\r"}


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    """The hierarchy of an OBO ontology."""
    terms = terms_of(text, source, limits)
    if not len(terms.ids):
        raise source.error("holds no [Term]")
    ids, is_obsolete = terms.ids, terms.obsolete
    if is_obsolete.all():
        raise source.error("holds obsolete terms only")
    child, parent, line = terms.said(IS_A)
    kept = ~is_obsolete[child] & ~np.isin(parent, ids[is_obsolete])
    edges = NumberedEdges(terms.names, parent[kept], ids[child[kept]], line[kept], ids[~is_obsolete])
    if is_obsolete.any():
        count = len(np.unique(ids[is_obsolete]))
        edges.notes.append(f"{count} obsolete term{'s' * (count > 1)} skipped")
    return build_numbered(edges, source, limits)


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
