"""OBO ontologies. Terms are classes, named by their `id`, and `is_a` leads from child to parent.

Obsolete terms are skipped. Names are titles. Alternative and replaced ids are other names of a
class. Synonyms, definitions and namespaces are not read. The header, [Typedef] and [Instance] are
skipped, but their lines must also be `tag: value`.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, repeat
from operator import itemgetter

from hiermeasures.hierarchy.errors import check_known, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.hierarchies.building import (
    ParsedEdges,
    build,
    check_unweighted,
    check_writable,
)
from hiermeasures.read.hierarchies.format import HierarchyFormat
from hiermeasures.read.source import Source, check_lengths

TAGS = ("id", "is_a", "relationship", "namespace", "alt_id", "is_obsolete", "name", "replaced_by")
_NOT_READ = (  # the other tags of terms in OBO 1.0 to 1.4
    *(
        "is_anonymous",
        "def",
        "comment",
        "subset",
        "synonym",
        "exact_synonym",
        "narrow_synonym",
        "broad_synonym",
    ),
    *(
        "related_synonym",
        "xref",
        "xref_analog",
        "xref_unk",
        "builtin",
        "property_value",
        "intersection_of",
        "union_of",
    ),
    *("equivalent_to", "disjoint_from", "created_by", "creation_date", "consider", "use_term"),
)
DEFAULT_NAMESPACE = "default-namespace"
_VALUE = r"[^\\!{\n]*+(?:\\.?[^\\!{\n]*+)*+"  # up to a comment or modifiers
_ODD = rf"(?!(?:{'|'.join(_NOT_READ)}):)[^!\n][^:\n]*+:?"  # no tag that terms are known to have
_SAID = re.compile(rf"\n[ \t]*+(\[(?:Term\])?|(?:{'|'.join(TAGS)})(?=:)|{_ODD}):?[ \t]*+({_VALUE})")
_STANZA = re.compile(r"(\w+)\]")
_OBO = re.compile(r"(format-version:|^\[Term\]\s*$)", re.MULTILINE)
_ESCAPE = re.compile(r"\\(.)")
_MEANS = {"n": "\n", "t": "\t", "W": " ", "r": "\r"}
_WRITES = {"\n": "\\n", "\t": "\\t", " ": "\\W", "\r": "\\r"}


@dataclass(frozen=True)
class Terms:
    """The [Term] stanzas of a text: their ids, and for each tag the places of terms and the values.
    Relationships have a name and a term as value.
    """

    ids: list[str]
    said: dict[str, tuple[list[int], list[str]]]

    def of(self, tag: str) -> Iterator[tuple[str, str]]:
        """Return the id of the term and the value of each statement of a tag. Empty statements are
        left out.
        """
        places, values = self.said[tag]
        return filter(itemgetter(1), zip(map(self.ids.__getitem__, places), values, strict=True))

    def related(self, relation: str) -> Iterator[tuple[str, str]]:
        """Return each term with the term to which a relation leads."""
        if relation == "is_a":
            return self.of(relation)
        start = f"{relation} "
        said = ((term, value.replace("\t", " ", 1)) for term, value in self.of("relationship"))
        return (
            (term, value[len(start) :].strip(" "))
            for term, value in said
            if value.startswith(start)
        )

    @cached_property
    def relations(self) -> Counter[str]:
        """The names of relations, with their numbers of edges."""
        names = Counter(value.split(None, 1)[0] for _, value in self.of("relationship"))
        return Counter({"is_a": len(self.said["is_a"][0]), **names})

    @property
    def obsolete(self) -> frozenset[str]:
        return frozenset(term for term, value in self.of("is_obsolete") if value.lower() == "true")


def terms_of(text: str, source: Source) -> Terms:
    """Return the [Term] stanzas of a text.

    Raises
    ------
    InputError
        For a stanza without an id or with two, an `is_a` without a parent, a name that is too long,
        or a line that is not `tag: value`. Also for a line that differs by one letter from a known
        tag or from [Term].
    """
    said: dict[str, tuple[list[int], list[str]]] = {tag: ([], []) for tag in TAGS}
    term, stanza = -1, ""
    parts = _SAID.split("\n" + text)
    for k, (tag, value) in enumerate(zip(parts[1::3], parts[2::3], strict=True)):
        if tag in said:
            if stanza == "[Term]":
                places, values = said[tag]
                places.append(term)
                values.append(value)
            continue
        if tag == "[Term]":
            term += 1
        elif fault := _fault(tag, value, stanza):
            place = next(islice(_SAID.finditer("\n" + text), k, None)).start()
            raise source.error(fault, text.count("\n", 0, place) + 1)
        if tag[0] == "[":
            stanza = tag
    said = {tag: (places, _values(tag, values, source)) for tag, (places, values) in said.items()}
    places, ids = said["id"]
    if places != list(range(term + 1)) or not all(ids):
        k = next(k for k, place in enumerate((*places, -1)) if place != k or not ids[k])
        fault = (
            f"a second id, {shown(ids[k])}. A term has one id."
            if k < len(ids) and 0 <= places[k] < k
            else "no id"
        )
        raise source.error(
            f"the term after {shown(ids[k - 1])} has {fault}" if k else "the first term has no id"
        )
    return Terms(ids, said)


def _fault(tag: str, value: str, stanza: str) -> str:
    """Return the fault of a line that is neither [Term] nor a known tag. Return "" if the line can
    be ignored.
    """
    if tag == "[":
        found = _STANZA.match(value)
        meant = "Term" if not found or _like(found[1], ("Term",)) else ""
        return f"a term must begin with [Term], not {shown(f'[{value}', 40)}" if meant else ""
    if not tag.endswith(":"):
        return (
            f"a line must be `tag: value`, not {shown(tag, 40)}. Is the file incomplete or damaged?"
        )
    name = tag[:-1].strip(" \t")
    known = TAGS if stanza == "[Term]" else () if stanza else (DEFAULT_NAMESPACE,)
    meant = "" if name in known and tag[-2] not in " \t" else _like(name, known)
    return f"unknown tag {shown(tag)}. Did you mean `{meant}:`?" if meant else ""


def _like(name: str, known: tuple[str, ...]) -> str:
    """Return the known name from which a name differs by a letter or two, or by case. Return ""
    without one.
    """
    if len(name) > 2 * len(DEFAULT_NAMESPACE):
        return ""
    ours = _without_a_letter(name)
    return next((each for each in known if not ours.isdisjoint(_without_a_letter(each))), "")


@lru_cache(maxsize=100)
def _without_a_letter(name: str) -> frozenset[str]:
    """Return the name in lower case, and every form of it with one letter less."""
    name = name.lower()
    return frozenset((name, *(name[:k] + name[k + 1 :] for k in range(len(name)))))


def _values(tag: str, values: list[str], source: Source) -> list[str]:
    """Return the values of a tag without trailing blanks and with escapes resolved."""
    values = list(map(str.rstrip, values, repeat(" \t")))
    if tag == "is_a" and not all(values):
        raise source.error("is_a without a parent")
    if tag == "is_obsolete" and (
        odd := {value.lower() for value in values}.difference(("true", "false", ""))
    ):
        raise source.error(f"is_obsolete must be true or false, not {shown(min(odd))}")
    if tag == "name":
        values = [value if len(value) <= source.limits.label else "" for value in values]
    elif tag != "relationship":
        check_lengths(values, source)
    return [_ESCAPE.sub(lambda m: _MEANS.get(m[1], m[1]), v) if "\\" in v else v for v in values]


def read(text: str, source: Source) -> Hierarchy:
    terms = terms_of(text, source)
    if not terms.ids:
        raise source.error("holds no [Term]")
    gone = terms.obsolete
    if gone.issuperset(terms.ids):
        raise source.error("contains only obsolete terms")
    asked: tuple[str, ...] = source.options.get("relations", ("is_a",))
    with source.named():
        for name in asked:
            check_known("relation", name, terms.relations)
    pairs = [pair for name in asked for pair in terms.related(name) if pair[1]]
    children, parents = [child for child, _ in pairs], [parent for _, parent in pairs]
    parsed = ParsedEdges.of_terms(terms.ids, parents, children, gone, "obsolete term")
    parsed.titles = terms.of("name")
    parsed.other_names = [
        *((other, term) for term, other in terms.of("alt_id")),
        *terms.of("replaced_by"),
    ]
    relations = tuple((name, count, name in asked) for name, count in terms.relations.most_common())
    return build(parsed, source).with_understood(relations=relations)


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
        lines += [
            f"is_a: {_escaped(p)}" for p in h.parents(label) if not (h.virtual_root and p == h.root)
        ]
    return "\n".join(lines) + "\n"


def _escaped(label: str) -> str:
    return "".join(_WRITES.get(c, "\\" + c if c in '\\!{}"' else c) for c in label)


FORMAT = HierarchyFormat(
    key="obo",
    title="OBO ontology",
    extensions=(".obo",),
    description=(
        "terms by their ids, with the relations is_a or those in `--relations`. Obsolete "
        "terms are left out, and names are titles"
    ),
    read=read,
    write=write,
    takes=("relations",),
    begins=lambda opening: (
        opening.extension == ".obo" or _OBO.match(opening.text.lstrip()) is not None
    ),
)
