"""OWL in RDF/XML and OBO Graphs (JSON), read by pronto: terms are classes, named by their ids (IRIs
of the OBO Foundry in their short form, CL:0000540), `subClassOf` and `is_a` lead from child to
parent; obsolete terms are skipped, names are titles, and alternative and replaced ids other names.

Imports are not followed. Other files of OWL are read as RDF.
"""

import io
import warnings
from typing import Any

from hiermeasures.core.errors import shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies.building import ParsedEdges, build
from hiermeasures.formats.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.formats.hierarchies.rdf import is_owl, last_part
from hiermeasures.formats.json_text import parse
from hiermeasures.formats.source import Limits, Source
from hiermeasures.formats.xml_text import check_xml


def read_owl(text: str, source: Source, limits: Limits) -> Hierarchy:
    check_xml(text, source, limits, "OWL")
    return _read(text, "OWL", "about=", source, limits)


def read_graphs(text: str, source: Source, limits: Limits) -> Hierarchy:
    content = parse(text, source, limits)  # bounds its nesting and size
    if not isinstance(content, dict) or not content.get("graphs"):  # fastobo prints a panic
        raise source.error("holds no graph of OBO Graphs")
    return _read(text, "OBO Graphs", '"id"', source, limits)


def _read(text: str, kind: str, mark: str, source: Source, limits: Limits) -> Hierarchy:
    """Read text in which each term has such a mark."""
    if text.count(mark) > limits.lines // 4:  # a term takes five kilobytes
        raise source.error(f"has more than {limits.lines // 4:,} terms, which is the most that is read here")
    from pronto.ontology import Ontology

    with source.damaged(f"no {kind} that can be read"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            parsed = _parsed(Ontology(io.BytesIO(text.encode("utf-8", "replace")), import_depth=0, threads=1))
        except KeyError as unknown:
            advice = "imports are not followed, so merge them first, such as with ROBOT"
            raise source.error(f"the class {shown(str(unknown.args[0]))} is declared nowhere in it; {advice}") from None
        except BaseException as panic:  # of fastobo's, which is no Exception
            if type(panic).__name__ != "PanicException":
                raise
            raise source.error(f"no {kind} that can be read") from None
    if not parsed.isolated:
        raise source.error("holds no classes, or obsolete ones only")
    return build(parsed, source, limits)


def _parsed(ontology: Any) -> ParsedEdges:
    terms = sorted(ontology.terms(), key=lambda term: term.id)
    gone = {term.id for term in terms if term.obsolete}
    parsed = ParsedEdges(isolated=[term.id for term in terms if term.id not in gone])
    for term in terms:
        if term.id in gone:
            new = {other.id for other in term.replaced_by}
            parsed.other_names += [(term.id, label) for label in new]
            continue
        above = {other.id for other in term.superclasses(distance=1, with_self=False)}
        for parent in sorted(above - gone):
            parsed.parents.append(parent)
            parsed.children.append(term.id)
        parsed.titles.append((term.id, term.name or ""))
        parsed.other_names += [(other, term.id) for other in sorted(term.alternate_ids)]
        parsed.other_names.append((last_part(term.id), term.id))
    if gone:
        parsed.notes.append(f"{len(gone):,} obsolete term{'s' * (len(gone) > 1)} skipped")
    return parsed


def _is_graphs(opening: Opening) -> bool:
    if not opening.is_json or not isinstance(opening.json, dict):
        return False
    graphs = opening.json.get("graphs")
    return isinstance(graphs, list) and all(isinstance(g, dict) and ("nodes" in g or "edges" in g) for g in graphs)


OWL = HierarchyFormat(
    key="owl",
    title="OWL",
    extensions=(".owl",),
    description="RDF/XML: named classes and their superclasses, obsolete ones left out; labels are titles",
    read=read_owl,
    package="pronto",
    begins=is_owl,
)

GRAPHS = HierarchyFormat(
    key="obo-graphs",
    title="OBO Graphs",
    extensions=(".json",),
    description="the JSON of OBO ontologies: terms by their ids and `is_a`, obsolete ones left out; names are titles",
    read=read_graphs,
    package="pronto",
    begins=_is_graphs,
)
