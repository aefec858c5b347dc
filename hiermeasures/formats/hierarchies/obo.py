r"""OBO ontologies: terms are classes, named by their `id`; `is_a` leads from child to parent;
obsolete terms are skipped. Names are titles; alternative and replaced ids are other names of a
class.

Synonyms and definitions are not read. What else a stanza says of a term (`part_of`, namespace) is
for hiermeasures.formats.ontology, which also reads the stanzas here (`terms_of`). The header,
[Typedef] and [Instance] are passed over.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress

from hiermeasures.core.errors import shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies.building import ParsedEdges, build, check_unweighted, check_writable
from hiermeasures.formats.hierarchies.format import HierarchyFormat
from hiermeasures.formats.source import Limits, Source, too_long

TAGS = ("id", "is_a", "relationship", "namespace", "alt_id", "is_obsolete", "name", "replaced_by")
_PART_OF = "part_of "
_OBO = re.compile(r"(format-version:|^\[Term\]\s*$)", re.MULTILINE)
_LEADING_BLANKS = re.compile(r"^[ \t]+", re.MULTILINE)
_ESCAPE = re.compile(r"\\(.)")
_COMMENT = re.compile(r"^((?:[^\\!{]++|\\.)*+)[!{].*")
_MEANS = {"n": "\n", "t": "\t", "W": " ", "r": "\r"}
_WRITES = {"\n": "\\n", "\t": "\\t", " ": "\\W", "\r": "\\r"}


@dataclass
class Statements:
    """Values of a tag: columns of the numbers of terms, of values and of lines."""

    term: list[int] = field(default_factory=list)
    value: list[str] = field(default_factory=list)
    line: list[int] = field(default_factory=list)

    def __iter__(self) -> Iterator[tuple[int, str, int]]:
        return zip(self.term, self.value, self.line, strict=True)

    def where(self, kept: Sequence[bool]) -> "Statements":
        term, value, line = compress(self.term, kept), compress(self.value, kept), compress(self.line, kept)
        return Statements(list(term), list(value), list(line))


@dataclass(frozen=True)
class Terms:
    """The [Term] stanzas of a text, by tag; of relationships only what terms are part of."""

    said: Mapping[str, Statements]

    @property
    def ids(self) -> list[str]:
        return self.said["id"].value

    @cached_property
    def obsolete(self) -> list[bool]:
        return [text.lower() == "true" for text in self.last("is_obsolete")]

    def last(self, tag: str) -> list[str]:
        """The value of a tag for each term, the last of several; empty where there is none."""
        found = [""] * len(self.ids)
        for term, value, _ in self.said[tag]:
            found[term] = value
        return found

    def of_ids(self, tag: str) -> Iterator[tuple[str, str]]:
        """The id of the term and the value of each statement of a tag."""
        return zip(map(self.ids.__getitem__, self.said[tag].term), self.said[tag].value, strict=True)


def terms_of(text: str, source: Source, limits: Limits) -> Terms:
    """Return the [Term] stanzas of a text.

    Raises
    ------
    InputError
        For a stanza without an id or with two, a line without a colon, an `is_a` without a parent,
        and a name that is too long.
    """
    if text[:1] in (" ", "\t") or "\n " in text or "\n\t" in text:
        text = _LEADING_BLANKS.sub("", text)
    said = {tag: Statements() for tag in TAGS}
    begins: list[int] = []
    add = {tag: (found.term.append, found.value.append, found.line.append) for tag, found in said.items()}
    is_term, term = False, -1
    for number, line in enumerate(text.split("\n"), 1):
        end = line.find(":")
        if (adds := add.get(line[: max(end, 0)])) is not None:
            if is_term:
                adds[0](term)
                adds[1](line[end + 1 :])
                adds[2](number)
        elif line[:1] == "[":
            is_term = line.startswith("[Term]")
            if is_term:
                begins.append(number)
                term += 1
        elif is_term and end < 0 and line and line[0] != "!":
            raise source.error(f"a line of a term is `tag: value`, not {shown(line, 40)}", number)
    said = {tag: _checked(tag, found, source, limits) for tag, found in said.items()}
    if said["id"].term != list(range(len(begins))):
        for k, (place, _, at) in enumerate(said["id"]):
            if place < k:
                raise source.error("this term has a second id", at)
        lacking = set(range(len(begins))).difference(said["id"].term)
        raise source.error("the term that starts here has no id", begins[min(lacking)])
    return Terms(said)


def _checked(tag: str, found: Statements, source: Source, limits: Limits) -> Statements:
    """The statements of a tag without comments and modifiers, with their escapes resolved."""
    values = [_COMMENT.sub(r"\1", v) if "!" in v or "{" in v else v for v in found.value]
    values = [value.strip(" \t") for value in values]
    if tag == "relationship":
        values = [v[len(_PART_OF) :].strip(" \t") if v.startswith(_PART_OF) else "" for v in values]
    if tag == "is_a" and "" in values:
        raise source.error("is_a without a parent", found.line[values.index("")])
    if max(map(len, values), default=0) > limits.label:
        if tag != "name":
            k = next(k for k, value in enumerate(values) if len(value) > limits.label)
            raise too_long(values[k], source, limits, found.line[k])
        values = [value if len(value) <= limits.label else "" for value in values]
    found.value = [_ESCAPE.sub(lambda m: _MEANS.get(m[1], m[1]), v) if "\\" in v else v for v in values]
    return found if all(values) or tag in ("namespace", "is_obsolete") else found.where(list(map(bool, values)))


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    terms = terms_of(text, source, limits)
    ids, obsolete, edges = terms.ids, terms.obsolete, terms.said["is_a"]
    if not ids:
        raise source.error("holds no [Term]")
    if all(obsolete):
        raise source.error("holds obsolete terms only")
    gone = set(compress(ids, obsolete))
    if gone:
        edges = edges.where([not obsolete[k] and parent not in gone for k, parent, _ in edges])
    parsed = ParsedEdges(edges.value, [ids[k] for k in edges.term], lines=edges.line)
    parsed.isolated = [term for term, old in zip(ids, obsolete, strict=True) if not old] if gone else ids
    parsed.titles = list(terms.of_ids("name"))
    parsed.other_names = [*((other, term) for term, other in terms.of_ids("alt_id")), *terms.of_ids("replaced_by")]
    parsed.notes = [f"{len(gone)} obsolete term{'s' * (len(gone) > 1)} skipped"] if gone else []
    return build(parsed, source, limits)


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
