r"""OBO ontologies: terms are classes, named by their `id`; `is_a` leads from child to parent;
obsolete terms are skipped. Names are titles; alternative and replaced ids are other names of a
class.

Synonyms and definitions are not read. What else a stanza says of a term (`part_of`, namespace) is
for hiermeasures.formats.ontology, which also reads the stanzas here (`terms_of`): as an array of
bytes, for ontologies are large. The header, [Typedef] and [Instance] are passed over.
"""

import re
from dataclasses import dataclass

import numpy as np

from hiermeasures.core.errors import shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.byte_tokens import NEWLINE, PADDING, Names, TooLong, trimmed, which_begins
from hiermeasures.formats.hierarchies.building import build_numbered, named, with_notes
from hiermeasures.formats.source import Limits, Source, too_long

TAGS = ("id", "is_a", "part_of", "namespace", "alt_id", "is_obsolete", "name", "replaced_by")
ID, IS_A, PART_OF, NAMESPACE, ALT_ID, IS_OBSOLETE, NAME, REPLACED_BY = range(len(TAGS))
_BEGIN = tuple(f"{tag}:".encode() for tag in TAGS)
_BEGIN = (*_BEGIN[:PART_OF], b"relationship:", *_BEGIN[PART_OF + 1 :])  # part_of is one of these
_WHOLE = b"part_of "  # of a relationship
_LEADING_BLANKS = re.compile(r"^[ \t]+", re.MULTILINE)
_ESCAPE = re.compile(r"\\(.)")
_MEANS = {"n": "\n", "t": "\t", "W": " ", "r": "\r"}
_END = b"\n" + bytes(PADDING)
_LONGEST_RUN = 5000  # of backslashes


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    terms = terms_of(text, source, limits)
    ids, obsolete = terms.ids, terms.obsolete
    if not len(ids):
        raise source.error("holds no [Term]")
    if obsolete.all():
        raise source.error("holds obsolete terms only")
    child, parent, line = terms.said(IS_A)
    kept = ~obsolete[child] & ~np.isin(parent, ids[obsolete])
    parent, child, line = parent[kept], ids[child[kept]], line[kept]
    if len(own := np.flatnonzero(parent == child)):
        k = own[0]
        raise source.error(f"class {shown(terms.names[parent[k]])} is its own parent", int(line[k]))
    h = build_numbered(*_of_classes(terms.names, parent, child, ids[~obsolete]), source=source, limits=limits)
    others = [*((other, term) for term, other in terms.named(ALT_ID)), *terms.named(REPLACED_BY)]
    h = named(h, terms.named(NAME), others, limits)
    count = len(np.unique(ids[obsolete]))
    return with_notes(h, [f"{count} obsolete term{'s' * (count > 1)} skipped"] if count else [])


def _of_classes(
    names: list[str], parent: np.ndarray, child: np.ndarray, alone: np.ndarray
) -> tuple[list[str], list[int], list[int]]:
    """Number the edges by their classes alone, in the order in which these are first mentioned."""
    used = np.concatenate([np.column_stack([parent, child]).ravel(), alone])
    first = np.full(len(names), len(used))
    first[used[::-1]] = np.arange(len(used))[::-1]  # what is written last stays
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(used))]
    number = np.empty(len(names), np.int64)
    number[order] = np.arange(len(order))
    return [names[k] for k in order.tolist()], number[parent].tolist(), number[child].tolist()


# --- stanzas ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Terms:
    """Statements in the order of the file: `tag` is a place in TAGS, `term` counts the stanzas,
    `value` is a place in `names`, where each stands once, and `line` is the number of the line.
    """

    names: list[str]
    tag: np.ndarray
    term: np.ndarray
    value: np.ndarray
    line: np.ndarray

    def said(self, *tags: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Statements of some tags: the term, the value (as in `value`), and the line of each."""
        chosen = np.isin(self.tag, tags)
        return self.term[chosen], self.value[chosen], self.line[chosen]

    def named(self, tag: int) -> list[tuple[str, str]]:
        """The id of the term and the value of each statement of a tag."""
        term, value, _ = self.said(tag)
        return [(self.names[k], self.names[v]) for k, v in zip(self.ids[term].tolist(), value.tolist(), strict=True)]

    @property
    def ids(self) -> np.ndarray:
        return self.said(ID)[1]

    @property
    def namespaces(self) -> list[str]:
        """The namespace of each term, empty where it has none."""
        found = [""] * len(self.ids)
        for term, value in zip(*(column.tolist() for column in self.said(NAMESPACE)[:2]), strict=True):
            found[term] = self.names[value]
        return found

    @property
    def obsolete(self) -> np.ndarray:
        term, value, _ = self.said(IS_OBSOLETE)
        found = np.zeros(len(self.ids), bool)
        found[term] = [self.names[k].lower() == "true" for k in value.tolist()]  # what is said last stays
        return found


def terms_of(text: str, source: Source, limits: Limits) -> Terms:
    """Return the [Term] stanzas of a text.

    Raises
    ------
    InputError
        For a stanza without an id or with two, a line without a colon, an `is_a` without a parent,
        and a name that is too long.
    """
    try:
        data = np.frombuffer(_without_leading_blanks(text).encode() + _END, np.uint8)
    except UnicodeEncodeError:
        raise source.error("holds half a surrogate pair, which is no character") from None
    return _terms_of(data, source, limits)


def _without_leading_blanks(text: str) -> str:
    has_some = text[:1] in (" ", "\t") or "\n " in text or "\n\t" in text
    return _LEADING_BLANKS.sub("", text) if has_some else text


def _terms_of(data: np.ndarray, source: Source, limits: Limits) -> Terms:
    ends = np.flatnonzero(data == NEWLINE)
    starts = np.concatenate([[0], ends[:-1] + 1])
    first = data[starts]
    opens = first == ord("[")
    is_term = np.zeros(len(opens), bool)
    is_term[opens] = which_begins(data, starts[opens], [b"[Term]"]) == 0
    of_term = np.append(False, is_term[opens])[np.cumsum(opens)]  # the first lines are in no stanza
    inside = np.flatnonzero(of_term & ~opens & (first != NEWLINE) & (first != ord("!")))
    tag = which_begins(data, starts[inside], _BEGIN)
    _check_colons(data, starts, ends, inside[tag < 0], source)
    inside, tag = inside[tag >= 0], tag[tag >= 0]
    term = np.cumsum(is_term)[inside] - 1
    begins, stops = _values(data, starts[inside] + np.array([len(word) for word in _BEGIN])[tag], ends[inside])
    filled = begins < stops
    if len(empty := inside[(tag == IS_A) & ~filled]):
        raise source.error("is_a without a parent", int(empty[0]) + 1)
    _check_ids(term[(tag == ID) & filled], inside[(tag == ID) & filled], np.flatnonzero(is_term), source)
    relation = np.flatnonzero(tag == PART_OF)
    whole = which_begins(data, begins[relation], [_WHOLE]) == 0
    begins[relation] += len(_WHOLE)
    said = filled | (tag == NAMESPACE) | (tag == IS_OBSOLETE)
    said[relation] = whole & (begins < stops)[relation]
    said &= (tag != NAME) | (stops - begins <= limits.label)  # in bytes; of a longer one there is no title
    begins, stops = trimmed(data, begins[said], stops[said])
    try:
        names, value = _numbered(data, begins, stops, limits)
    except TooLong as error:
        raise too_long(error.name, source, limits, int(inside[said][error.place]) + 1) from None
    return Terms(names=names, tag=tag[said], term=term[said], value=value, line=inside[said] + 1)


def _check_colons(data: np.ndarray, starts: np.ndarray, ends: np.ndarray, lines: np.ndarray, source: Source) -> None:
    colons = np.append(np.flatnonzero(data == ord(":")), len(data))
    if len(wrong := lines[colons[np.searchsorted(colons, starts[lines])] >= ends[lines]]):
        k = int(wrong[0])
        line = data[starts[k] : ends[k]].tobytes().decode()
        raise source.error(f"a line of a term is `tag: value`, not {shown(line, 40)}", k + 1)


def _check_ids(term: np.ndarray, line: np.ndarray, begins: np.ndarray, source: Source) -> None:
    count = np.bincount(term, minlength=len(begins))
    if len(none := begins[count == 0]):
        raise source.error("the term that starts here has no id", int(none[0]) + 1)
    if len(second := np.flatnonzero(term[1:] == term[:-1])):
        raise source.error("this term has a second id", int(line[second[0] + 1]) + 1)


def _values(data: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cut off comments and trailing modifiers, which begin with `!` and `{`."""
    marks = np.flatnonzero((data == ord("!")) | (data == ord("{")))
    escaped = np.flatnonzero(data[marks - 1] == ord("\\"))
    marks = np.append(np.delete(marks, [k for k in escaped.tolist() if _is_escaped(data, marks[k])]), len(data))
    return trimmed(data, begins, np.minimum(marks[np.searchsorted(marks, begins)], ends))


def _is_escaped(data: np.ndarray, place: int) -> bool:
    before = data[max(place - _LONGEST_RUN, 0) : place].tobytes()
    return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1


def _numbered(data: np.ndarray, begins: np.ndarray, ends: np.ndarray, limits: Limits) -> tuple[list[str], np.ndarray]:
    """Return the different values, and the number of each; one may be escaped in two ways."""
    written = Names(limits.label)
    number = written.of(data, begins, ends).astype(np.int64)
    if "\\" not in "".join(written):
        return list(written), number
    names: dict[str, int] = {}
    same = [names.setdefault(_ESCAPE.sub(lambda m: _MEANS.get(m[1], m[1]), name), len(names)) for name in written]
    return list(names), np.array(same, np.int64)[number]
