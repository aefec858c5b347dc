"""OBO ontologies as a format of hierarchies; obo_terms.py reads them, as arrays."""

import re

from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies.building import check_unweighted, check_writable
from hiermeasures.formats.hierarchies.format import HierarchyFormat
from hiermeasures.formats.source import Limits, Source

_OBO = re.compile(r"(format-version:|^\[Term\]\s*$)", re.MULTILINE)
_WRITES = {"\n": "\\n", "\t": "\\t", " ": "\\W", "\r": "\\r"}


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    from hiermeasures.formats.hierarchies import obo_terms  # arrays

    return obo_terms.read(text, source, limits)


def write(h: Hierarchy) -> str:
    check_unweighted(h, "an OBO file")
    check_writable(h, "an OBO file", {}, keeps_blanks=True)
    lines = ["format-version: 1.4"]
    others: dict[str, list[str]] = {}
    for name, label in h.other_names.items():
        if name != h.titles.get(label):
            others.setdefault(label, []).append(name)
    for label in h.nodes[h.virtual_root :]:
        lines += ["", "[Term]", f"id: {_escaped(label)}", f"name: {_escaped(h.title(label))}"]
        lines += [f"alt_id: {_escaped(name)}" for name in others.get(label, ())]
        lines += [f"is_a: {_escaped(p)}" for p in h.parents(label) if not (h.virtual_root and p == h.root)]
    return "\n".join(lines) + "\n"


def _escaped(label: str) -> str:
    return "".join(_WRITES.get(c, "\\" + c if c in '\\!{}"' else c) for c in label)


FORMAT = HierarchyFormat(
    key="obo",
    title="OBO ontology",
    extensions=(".obo",),
    description="terms by their ids and their is_a relations, obsolete terms left out; names are titles",
    read=read,
    write=write,
    begins=lambda opening: opening.extension == ".obo" or _OBO.match(opening.text.lstrip()) is not None,
)
