"""Read hierarchies from tables: cut cells, find the role of each column, and build the hierarchy.

A table contains one of these:

- edges, perhaps with weights
- classes with their parents and titles (`code,title,parent`)
- codes that begin with their parents' codes (`code,title`)
- a column for each rank (`level1,level2`)
- paths (`Feature ID, Taxon`)
- MeSH headings with their tree numbers
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress, pairwise, takewhile
from typing import Any, Literal, cast

from hiermeasures.hierarchy.class_weights import ATTRIBUTES
from hiermeasures.hierarchy.code_rules import code_tree
from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.label_notation import RANKS, Notation, notation_by_rule, notation_of
from hiermeasures.hierarchy.words import agree, write_list
from hiermeasures.read.hierarchies.building import ParsedEdges, build, check_nodes, with_last_parts
from hiermeasures.read.reading import ROLES
from hiermeasures.read.safe_csv import original_cell
from hiermeasures.read.source import Source, check_lengths, is_number

_REFERENCE = r"(_(uri|id|ids|code|name|class|label|title|term|key)|id|code|name)?"
_PARENT = re.compile(
    rf"(\w+_)?(parents?|broader|super_?(class|category|type)){_REFERENCE}|hypernym|source|from|coarse(_\w+)?|parents?_\w+"
)
_PLAIN_PARENT = re.compile(r"(\w+_)?(parents?|broader)\w*")
_CHILD = re.compile(
    rf"child(ren)?(_\w+|id|code|name)?|concept{_REFERENCE}|target|to|narrower|subclass|hyponym|subtype|fine(_\w+)?|"
    r"id|key|uri|iri|class|label|name|node|term|code|category|alias|slug|acronym"
)
_TITLE = re.compile(r"(\w+_)?(title|name|label|description|heading|term|text|desc)(_\w{2})?")
_CODE = re.compile(r"\w*code|(\w+_)?(id|ui|notation|number|nr)")
_TREE_NUMBER = re.compile(r"(mesh_)?tree_?(num(ber)?s?|nos?|nrs?)")
_PATH = re.compile(r"taxon|taxonomy|(consensus_?)?lineage|((full|category)_?)?path|classification")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NUMBERED = re.compile(r"(?:\w+_)?(?:level|lvl|l|rank|tier|depth|category|cat|layer)_?(\d{1,2})")
_TAXA = "domain superkingdom realm kingdom phylum division class order family tribe genus species subspecies strain".split()
# superfamily, family, subfamily, infrafamily
_NEAR = {"super": -1, "": 0, "sub": 1, "infra": 2, "parv": 3}
_RANKS = {
    *_TAXA,
    *"section segment group commodity sector industry branch category item type topic "
    "department brick".split(),
}
Role = Literal[
    "child",
    "parent",
    "code",
    "title",
    "weight",
    "class_weight",
    "icm_weight",
    "tree",
    "path",
    "rank",
]
TREE_NUMBER = re.compile(r"[A-Z]\d{2}(\.\d{3})*")
_FIXED = re.compile(r"(?=\S*\d)([0-9A-Z][0-9A-Z.-]{0,11})( +)(?=\S)")
_ORDERED = re.compile(r"\d{5} [0-9A-Z]{3}[0-9A-Z ]{4} [01] \S")  # icd10cm_order of CMS
FIXED: tuple[tuple[str, str], ...] = (("fixed column 1", "code"), ("fixed column 2", "title"))
_BETWEEN = re.compile(r"[|,;\s]+")  # separators of tree numbers
_SEVERAL = ("|", ";", ",")  # separators of several parents in a cell
_NO_PARENT = {"0", "-1"}  # unless a class has this name
_LIKE_CODE = re.compile(r"(?=\S*\d)[0-9A-Za-z.:/-]{1,20}")
MOST_COLUMNS = 1000
_TITLES = {
    "rank": "Table of levels",
    "path": "Table of paths",
    "tree": "Table of tree numbers",
    "parent": "Table of classes and parents",
    "code": "Table of codes",
}
_LONGEST_WAY = 300  # characters of an option in a message
_UNKNOWN_CODE = re.compile(r"(\.-)+$")  # EC 1.1.1.- is the class 1.1.1
_MARKS = {"\t": "tab", ",": "comma", ";": "semicolon", " ": "blank", "|": "bar"}


def header_direction(fields: Sequence[str]) -> int:
    """Return 1 for the header (parent, child), -1 for (child, parent), 0 for other lines.

    >>> header_direction(["CHILD", "PARENT"]), header_direction(["subcategory", "category"])
    (-1, -1)
    """
    if len(fields) in (2, 3) or (
        len(fields) in (4, 5) and set(map(column_name, fields[3:])) <= set(ATTRIBUTES)
    ):
        first, second = map(column_name, fields[:2])
        if (
            _PARENT.fullmatch(first) and _CHILD.fullmatch(second)
        ) or f"sub{first}" == second.replace("_", ""):
            return 1
        if (
            _CHILD.fullmatch(first) and _PARENT.fullmatch(second)
        ) or f"sub{second}" == first.replace("_", ""):
            return -1
    return 0


def column_name(title: str) -> str:
    """Return the name of a column in lower case, with _ between its words."""
    return re.sub("[ .-]+", "_", _CAMEL.sub("_", title.strip().lstrip("\ufeff#"))).lower()


def table_columns(fields: Sequence[str]) -> dict[int, Role]:
    """Return the roles of the columns to read, from a table's header. Return {} for an edge list's
    header and other lines.

    >>> table_columns(["code", "title", "parent"])
    {2: 'parent', 0: 'child', 1: 'title'}
    >>> table_columns(["Feature ID", "Taxon", "Confidence"]), table_columns(["level 2", "level 1"])
    ({1: 'path'}, {1: 'rank', 0: 'rank'})
    >>> table_columns(["hscode", "description"]), table_columns(["parent", "child", "weight"])
    ({0: 'code', 1: 'title'}, {})
    """
    if len(fields) > MOST_COLUMNS:
        return {}
    names = [column_name(field) for field in fields]
    if (
        len(names) < 2
        or len(set(names) - {""}) < len(names) - names.count("")
        or (header_direction(fields) and len(names) == 2)
    ):
        return {}
    parents = [k for k, name in enumerate(names) if _PARENT.fullmatch(name)]
    plain = any(
        _PLAIN_PARENT.fullmatch(names[k]) or names[k] in ("source", "from") for k in parents
    )
    if not plain and (ranks := _ranks(names)):
        return dict.fromkeys(ranks, "rank")
    trees = [k for k, name in enumerate(names) if _TREE_NUMBER.fullmatch(name)]
    paths = [k for k, name in enumerate(names) if _PATH.fullmatch(name)]
    if not parents and not trees and paths:
        return {paths[0]: "path"}
    found: dict[int, Role] = {**dict.fromkeys(parents, "parent"), **dict.fromkeys(trees, "tree")}
    rest = [k for k in range(len(names)) if k not in found]
    classes = [k for k in rest if _CHILD.fullmatch(names[k]) or _CODE.fullmatch(names[k])]
    classes.sort(key=lambda k: (not names[k].startswith("child"), not _CODE.fullmatch(names[k])))
    texts = [k for k in rest if _TITLE.fullmatch(names[k]) and k not in classes[:1]]
    if not classes and not (trees and texts):
        return {}
    has_code = bool(classes) and _CODE.fullmatch(names[classes[0]]) is not None
    found[(classes or texts)[0]] = "child" if found else "code"
    if classes and texts:
        found[texts[0]] = "title"
    weights: dict[int, Role] = {
        k: cast(Role, name) for k, name in enumerate(names) if name in ("weight", *ATTRIBUTES)
    }
    is_edge_list = header_direction(fields) != 0 and "title" not in found.values()
    is_list = not parents and not trees and not (has_code and "title" in found.values())
    return {} if is_edge_list or is_list or len(names) < 2 + bool(parents) else found | weights


def is_parent(name: str) -> bool:
    """Return True for the name of a column of parents."""
    return _PARENT.fullmatch(column_name(name)) is not None


def _ranks(names: Sequence[str]) -> list[int]:
    """Return the columns of ranks, if there are two or more. Numbered ranks are sorted."""
    numbered = sorted(
        (int(match[1]), k) for k, name in enumerate(names) if (match := _NUMBERED.fullmatch(name))
    )
    named = [k for k, name in enumerate(names) if _rank_word(name) in _RANKS]
    named = named if len(named) > 1 else []
    return [k for _, k in numbered] if len(numbered) > max(1, len(named) - 1) else named


def _rank_word(name: str) -> str:
    """Return the rank of a column's name: family for sub_family, order for order1."""
    return re.sub(r"^(sub_?|super_?|infra_?|parv_?)+|\d$", "", name)


@dataclass(frozen=True)
class Cells:
    """Cells without outer blanks, row by row in `flat`, with the width and the line of each row."""

    flat: list[str]
    widths: list[int]
    lines: Sequence[int]
    delimiter: str

    @property
    def header(self) -> list[str]:
        """Return the first row, without empty cells at its end."""
        cells = self.flat[: self.widths[0]]
        while cells and not cells[-1]:
            cells.pop()
        return cells

    def columns(self, width: int, start: int = 0) -> list[list[str]]:
        """Return the first `width` columns from row `start` on, with "" for missing cells."""
        first = self.widths[0]
        if min(self.widths) == first == max(self.widths):  # fast for large files
            missing = [""] * (len(self.widths) - start)
            return [
                self.flat[start * first + k :: first] if k < first else missing
                for k in range(width)
            ]
        rows = list(self.rows())[start:]
        return [[row[k] if k < len(row) else "" for row in rows] for k in range(width)]

    def rows(self) -> Iterator[list[str]]:
        ends = accumulate(self.widths)
        return (self.flat[end - n : end] for end, n in zip(ends, self.widths, strict=True))

    def beyond(self, width: int) -> int | None:
        """Return the index of the first row with a non-empty cell after `width` cells."""
        if max(self.widths) <= width:
            return None
        return next((k for k, row in enumerate(self.rows()) if any(row[width:])), None)


def cells_of(lines: Sequence[str], numbers: Sequence[int], delimiter: str, source: Source) -> Cells:
    """Split lines into cells. Commas and semicolons allow quotes, as in CSV."""
    if delimiter in ",;" and any('"' in line for line in lines):
        return _quoted_cells(lines, numbers, delimiter, source)
    if delimiter == " ":
        widths = list(map(len, map(str.split, lines)))
        flat = " ".join(lines).split()
    else:
        widths = [1 + line.count(delimiter) for line in lines]
        flat = list(map(str.strip, delimiter.join(lines).split(delimiter)))
    if any("'" in line for line in lines):
        flat = list(map(original_cell, flat))
    cells = Cells(flat, widths, numbers, delimiter)
    if delimiter == "\t":
        _check_tabs(cells, source)
    return cells


def fixed_columns(lines: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Return codes and titles from lines with fixed columns, as in ICD-10-CM, otherwise None.

    >>> fixed_columns(["A000    Cholera, classical", "A0100   Typhoid fever"])
    (['A000', 'A0100'], ['Cholera, classical', 'Typhoid fever'])
    """
    if all(map(_ORDERED.match, lines)):
        return [line[6:14].strip() for line in lines], [
            line[77:].strip() or line[16:].strip() for line in lines
        ]
    first = _FIXED.match(lines[0])
    if first is None:
        return None
    found = list(takewhile(lambda m: m and m.end() == first.end(), map(_FIXED.match, lines)))
    if len(found) < max(len(lines), 2) or any("\t" in line for line in lines):
        return None
    if not any(match and match[2] != " " for match in found):
        return None
    codes = [match[1] for match in found if match]
    return codes, [
        line[match.end() :].strip() for line, match in zip(lines, found, strict=True) if match
    ]


def _quoted_cells(
    lines: Sequence[str], numbers: Sequence[int], delimiter: str, source: Source
) -> Cells:
    """Split lines of CSV. A quoted cell may contain line breaks in rows as long as the header."""
    flat: list[str] = []
    widths: list[int] = []
    first: list[int] = []
    before = 0
    rows = csv.reader(
        (line + "\n" for line in lines), delimiter=delimiter, strict=True, skipinitialspace=True
    )
    try:
        for row in rows:
            if rows.line_num > before + 1 and not (widths and len(row) == widths[0] > 2):
                raise csv.Error("a quote is not closed")
            widths.append(len(row))
            first.append(numbers[before])
            flat += (original_cell(cell.strip()) for cell in row)
            before = rows.line_num
    except csv.Error as error:
        raise source.error(
            f"the csv module cannot split this into cells ({error}). Check its quotes.",
            numbers[before],
        ) from None
    return Cells(flat, widths, first, delimiter)


def _check_tabs(cells: Cells, source: Source) -> None:
    """Refuse a line with a blank but no tab, if no other line has a blank."""
    if min(cells.widths) > 1 or max(cells.widths) == 1:
        return
    alone = [k for k, row in enumerate(cells.rows()) if len(row) == 1 and " " in row[0]]
    if alone and sum(" " in cell for cell in cells.flat) == len(alone):
        name = cells.columns(1)[0][alone[0]]
        raise source.error(
            f"{shown(name)} has no tab, but other lines separate their names by tabs",
            cells.lines[alone[0]],
        )


# --- what columns are ---------------------------------------------------------------------------


@dataclass(frozen=True)
class NamedColumns:
    """A table or JSON records: names of columns, their cells, and the line of each row. `others`
    are keys of records with values that are not cells, such as lists.
    """

    names: Sequence[str]
    cells: Sequence[list[str]]
    lines: Sequence[int]
    others: tuple[str, ...] = ()

    def error(self, reason: str, source: Source) -> InputError:
        """Return an error that suggests options which name the columns."""
        return source.error(
            f"{reason}. Name the columns with {self._ways()}",
            self.lines[0] - 1 if self.lines else None,
        )

    def _ways(self) -> str:
        """Return options that fit these columns, or else all options."""
        filled = [k for k, cells in enumerate(self.cells) if any(cells)]
        order = self._refining(filled)
        codes = [k for k in filled if _CODE.fullmatch(column_name(self.names[k]))]
        if (
            len(filled) == 2
            and order
            and not all(map(is_number, filter(None, self.cells[order[0]])))
        ):
            above, below = (shown(self.names[k]) for k in order)
            return f"--child {below} --parent {above}, or --code COLUMN --title COLUMN"
        if len(filled) == 2 and all(map(_LIKE_CODE.fullmatch, filter(None, self.cells[filled[0]]))):
            return "--code {} --title {} if codes begin with their parents' codes".format(
                *(shown(self.names[k]) for k in filled)
            )
        if codes and len(order) < 3:
            code = shown(self.names[codes[0]])
            return f"--code {code} --title COLUMN if codes begin with their parents' codes, or --child and --parent"
        if len(order) > 2:
            levels = shown(",".join(self.names[k] for k in order), _LONGEST_WAY)
            return f"--levels {levels} if these are levels, or --child and --parent"
        return "--child COLUMN --parent COLUMN, --code COLUMN --title COLUMN, or --levels COLUMN,COLUMN,…"

    def _refining(self, some: Sequence[int]) -> list[int]:
        """Return columns, the coarsest first, if each determines the one before, otherwise []."""
        order = self.by_size(some)
        pairs = list(pairwise(order))
        return (
            order
            if all(self.determines(b, a) and not self.determines(a, b) for a, b in pairs)
            else []
        )

    def by_size(self, some: Sequence[int]) -> list[int]:
        """Return columns sorted by their number of different values, fewest first."""
        return sorted(some, key=lambda k: len(set(filter(None, self.cells[k]))))

    def determines(self, below: int, above: int) -> bool:
        """Return True if each value of a column occurs with only one value of another column."""
        found: dict[str, str] = {}
        pairs = zip(self.cells[below], self.cells[above], strict=True)
        return all(found.setdefault(b, a) == a for b, a in pairs if b)


def _asked_roles(table: NamedColumns, source: Source) -> dict[int, Role]:
    """Return the roles of columns from the options, or else from the columns' names."""
    asked: dict[str, Any] = {name: source.options[name] for name in ROLES if name in source.options}
    levels = asked.pop("levels", ())
    with source.named():
        for name in (*levels, *asked.values()):
            check_known("column", name, table.names)
    if levels and asked:
        raise source.error("--levels cannot be used with --child, --parent, --code or --title")
    if levels:
        return {table.names.index(name): "rank" for name in levels}
    known = table_columns(table.names)
    if not known and (direction := header_direction(table.names)):
        known = {0: "parent", 1: "child"} if direction > 0 else {1: "parent", 0: "child"}
    if not asked:
        return known
    place = {role: table.names.index(name) for role, name in asked.items()}
    if len(set(place.values())) < len(place):
        raise source.error("two options name the same column. Name different ones.")
    if not place.keys() & {"parent", "code"}:
        raise source.error("--child needs --parent, and --title needs --code or --child")
    by_name = next((k for k, role in known.items() if role == "child"), None)
    classes = place.get("child", place.get("code", by_name))
    if classes is None or place.keys() >= {"child", "code"}:
        raise source.error("name one column of classes, with --child or --code")
    found: dict[int, Role] = {classes: "child" if "parent" in place else "code"}
    found |= {place[role]: role for role in ("parent", "title") if role in place}
    weights = ("weight", *ATTRIBUTES)
    return found | {k: r for k, r in known.items() if r in weights and k not in found}


def _check_roles(table: NamedColumns, roles: dict[int, Role], source: Source) -> dict[int, Role]:
    """Return the roles of columns, top rank first. InputError if the data contradict them."""
    if not roles:
        raise table.error(f"the columns {_quoted(table.names)} are not known", source)
    code = next((k for k, role in roles.items() if role == "code"), None)
    if code is not None and not source.options.keys() & {"rule", "code"} and _has_ids(table, code):
        raise table.error(
            f"the numbers in {shown(table.names[code])} may begin with their parents' codes (then "
            "use --rule beginnings), or be only numbers",
            source,
        )
    ranks = [k for k, role in roles.items() if role == "rank"]
    if ranks and "levels" not in source.options:
        return dict.fromkeys(_ordered_ranks(table, ranks, source), "rank")
    parents = [k for k, role in roles.items() if role == "parent"]
    if parents and not source.options.keys() & {"child", "parent", "code"}:
        return _overlapping(table, roles, parents, source)
    return roles


def _has_ids(table: NamedColumns, code: int) -> bool:
    is_id = column_name(table.names[code]).rpartition("_")[2] in ("id", "ui", "number", "nr")
    return is_id and all(map(str.isdecimal, filter(None, table.cells[code])))


def _ordered_ranks(table: NamedColumns, ranks: list[int], source: Source) -> list[int]:
    """Return ranks in the order of the data: a lower rank determines the one above it."""
    names = [column_name(name) for name in table.names]
    others = [
        table.names[k]
        for k, name in enumerate(names)
        if k not in ranks and _title_of(names, k, ranks) is None and _is_like_rank(name, names)
    ]
    if others:
        look = agree(len(others), "looks", "look")
        ways = ",".join(table.names[k] for k in ranks)
        raise source.error(
            f"{_quoted(others)} {look} like a level that would be ignored. Name the levels: --levels {shown(f'{ways},…')}",
            table.lines[0] - 1,
        )
    if all(_NUMBERED.fullmatch(names[k]) for k in ranks):
        return ranks
    if taxa := _taxa_in_order(table, names, ranks):
        return taxa
    order = table.by_size(ranks)
    for above, below in pairwise(order):
        tie = table.determines(above, below) and table.determines(below, above)
        places = [place for k in (above, below) if (place := _taxon_place(names[k]))]
        doubtful = (tie and sorted(places) != places) or (
            not table.determines(below, above) and order != ranks
        )
        if doubtful:
            both = f"{shown(table.names[above])} and {shown(table.names[below])}"
            ways = shown(",".join(table.names[k] for k in order), _LONGEST_WAY)
            reason = f"the order of the levels {both} is unclear. Give it: --levels {ways}"
            raise source.error(reason, table.lines[0] - 1)
    return order


def _taxa_in_order(table: NamedColumns, names: Sequence[str], ranks: list[int]) -> list[int]:
    """Return three or more ranks of biology, the top one first. Return [] if there are other ranks,
    or if the data contradict the order.
    """
    places = {k: place for k in ranks if (place := _taxon_place(names[k]))}
    order = sorted(places, key=places.__getitem__)
    unclear = len(places) < max(len(ranks), 3) or len(set(places.values())) < len(places)
    is_against = any(
        table.determines(a, b) and not table.determines(b, a) for a, b in pairwise(order)
    )
    return [] if unclear or is_against else order


def _taxon_place(name: str) -> tuple[int, int] | None:
    """Return the place of a rank of biology, such as superfamily, otherwise None."""
    found = re.fullmatch(r"(super|sub|infra|parv)_?(\w+)", name)
    before, base = found.groups() if found and name not in _TAXA else ("", name)
    return (_TAXA.index(base), _NEAR[before]) if base in _TAXA else None


def _is_like_rank(name: str, names: Sequence[str]) -> bool:
    """Return True for columns such as species_group, and for sci_name if ranks are taxa."""
    of_taxa = len({"order", "family", "genus"}.intersection(map(_rank_word, names))) > 1
    words = set(map(_rank_word, name.split("_")))
    return bool(words & _RANKS) or (of_taxa and bool({"epithet", "sci", "scientific"} & words))


def _title_of(names: Sequence[str], column: int, ranks: Sequence[int]) -> int | None:
    """Return the rank that a column has titles for: segment for segment_title."""
    found = re.fullmatch(r"(\w+?)_(title|name|description|desc|label)", names[column])
    return next(
        (k for k in ranks if found and found[1] in (names[k], re.sub("_(code|id)$", "", names[k]))),
        None,
    )


def _overlapping(
    table: NamedColumns, roles: dict[int, Role], parents: list[int], source: Source
) -> dict[int, Role]:
    """Return the roles with the columns of parents and classes whose names agree."""
    named = [
        k
        for k in range(len(table.names))
        if roles.get(k) in ("child", "title") or _is_class(table.names[k])
    ]
    named = [k for k in named if k not in parents]
    common = {(p, c): _shared(table.cells[p], table.cells[c]) for p in parents for c in named}
    best = max(common, key=lambda pair: (common[pair], roles.get(pair[1]) == "child"))
    if len(parents) > 1 and not common[best]:
        raise table.error(
            f"which of {_quoted(table.names[p] for p in parents)} contains the parents is unclear",
            source,
        )
    parent, child = best
    if not common[best]:  # categories above classes that have no rows of their own
        above = list(filter(None, table.cells[parent]))
        numbers = [k for k in named if all(map(str.isdecimal, filter(None, table.cells[k])))]
        child = next(
            (k for k in named if k not in numbers or all(map(str.isdecimal, above))), child
        )
    kept = {k: role for k, role in roles.items() if role not in ("parent", "child", "title")}
    titles = [k for k in named if k != child and _TITLE.fullmatch(column_name(table.names[k]))]
    return {**kept, parent: "parent", child: "child", **dict.fromkeys(titles[:1], "title")}


def _is_class(name: str) -> bool:
    return any(kind.fullmatch(column_name(name)) for kind in (_CHILD, _CODE, _TITLE))


def _shared(some: Sequence[str], others: Sequence[str]) -> int:
    parts = {part.strip() for cell in set(some) for part in (cell, *re.split(r"[|;,]", cell))}
    return len(parts.intersection(others) - {""})


def _quoted(names: Iterable[str]) -> str:
    return write_list([shown(name) for name in names if name], 8)


# --- rows ---------------------------------------------------------------------------------------


def read_table(cells: Cells, source: Source) -> Hierarchy:
    """Return the hierarchy of a table other than an edge list."""
    header = cells.flat[: cells.widths[0]]
    if len(header) > MOST_COLUMNS or len(header) * len(cells.widths) > source.limits.bytes:
        raise source.error(f"has {len(header):,} columns, but the limit is {MOST_COLUMNS:,}")
    if (odd := cells.beyond(len(header))) is not None:
        raise source.error(
            f"{cells.widths[odd]} cells, but the header has {len(header)}", cells.lines[odd]
        )
    columns, lines = cells.columns(len(header), 1), cells.lines[1:]
    filled = list(map(any, zip(*columns, strict=True)))  # spreadsheets write blank rows as commas
    if not all(filled):
        columns = [list(compress(column, filled)) for column in columns]
        lines = list(compress(lines, filled))
    h = read_columns(NamedColumns(header, columns, lines), source)
    roles = {role for _, role in h.understood.columns}
    return h.with_understood(
        format=next((title for role, title in _TITLES.items() if role in roles), "")
    )


def read_columns(table: NamedColumns, source: Source) -> Hierarchy:
    """Return the hierarchy of a table. The source's options, the columns' names and the cells show
    what each column is.
    """
    if not table.lines:
        raise source.error("contains a header but no rows")
    roles = _check_roles(table, _asked_roles(table, source), source)
    lines, column = table.lines, {role: table.cells[k] for k, role in roles.items()}
    known = dict(roles)
    for k in (k for k, role in roles.items() if role != "title"):
        if (
            odd := next((row for row, cell in enumerate(table.cells[k]) if "\n" in cell), None)
        ) is not None:
            reason = (
                f"a line break in {shown(table.names[k])}, which names classes: "
                f"{shown(table.cells[k][odd], 40)}. Remove it."
            )
            raise source.error(reason, lines[odd])
    if "rank" in column:
        h = _read_ranks(table, list(roles), known, source)
    elif "path" in column:
        h = read_labels(column["path"], lines, None, source)
    elif "tree" in column:
        h = _read_trees(column, lines, source)
    elif "parent" in column:
        h = build(_edges_of_columns(column, lines, source), source)
    elif "code" in column:
        h = read_codes(column["code"], column.get("title", []), lines, source)
    else:
        raise table.error("no column contains the classes", source)
    unread = tuple(name for k, name in enumerate(table.names) if k not in known and name)
    columns = tuple((table.names[k], role) for k, role in known.items())
    return h.with_understood(columns=columns, unread=(*unread, *table.others))


def title_above(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if the second row is a header and the first one a title above it."""
    return (
        len(rows) > 2
        and not all(rows[0])
        and not table_columns(rows[0])
        and bool(table_columns(rows[1]))
    )


def _read_ranks(
    table: NamedColumns, ranks: list[int], known: dict[int, Role], source: Source
) -> Hierarchy:
    rows = zip(*(table.cells[k] for k in ranks), strict=True)
    paths = [_ranked(list(row), source, line) for row, line in zip(rows, table.lines, strict=True)]
    h = read_labels(paths, table.lines, RANKS, source)
    names = [column_name(name) for name in table.names]
    titles = dict(h.titles)
    for k in range(len(names)):
        rank = None if k in ranks else _title_of(names, k, ranks)
        if rank is not None:
            depth, known[k] = ranks.index(rank) + 1, "title"
            ends = (RANKS.separator.join(path.split(RANKS.separator)[:depth]) for path in paths)
            titles |= {
                label: text for label, text in zip(ends, table.cells[k], strict=True) if text
            }
    return with_last_parts(h.with_titles(titles))


def _read_trees(column: dict[Role, list[str]], lines: Sequence[int], source: Source) -> Hierarchy:
    trees = map(_BETWEEN.split, column["tree"])
    rows = zip(column["child"], trees, lines, strict=True)
    entries = [(label, number, line) for label, numbers, line in rows for number in numbers]
    titles = list(zip(column["child"], column["title"], strict=True)) if "title" in column else []
    return read_tree_numbers(entries, titles, source)


def _edges_of_columns(
    column: dict[Role, list[str]], lines: Sequence[int], source: Source
) -> ParsedEdges:
    """Return the edges of a table, whose rows may name several parents, or 0 for none."""
    classes = set(column["child"])
    none = {name for name in _NO_PARENT if name not in classes}
    above = ["" if cell in none else cell for cell in column["parent"]]
    own = {
        k
        for k, pair in enumerate(zip(above, column["child"], strict=True))
        if pair[0] and pair[0] == pair[1]
    }
    others = [cell for k, cell in enumerate(above) if k not in own]
    # the root of HS is written this way
    is_root = len(own) == 1 and all(above) and classes.issuperset(others)
    # person in COCO's category person
    is_category = bool(others) and all(others) and classes.isdisjoint(others)
    if is_root or is_category:
        above = ["" if k in own else cell for k, cell in enumerate(above)]
    odd = [cell for cell in above if cell and cell not in classes]
    mark = next((m for m in _SEVERAL if any(_is_several(cell, m, classes) for cell in odd)), None)
    if mark is None:
        parsed = edges_of({**column, "parent": above}, lines, source)
        parsed.complete &= not is_category
        return parsed
    rows = [
        (k, part.strip())
        for k, cell in enumerate(above)
        for part in (cell.split(mark) if cell not in classes else [cell])
        if part.strip() or not cell
    ]
    several = {role: [cells[k] for k, _ in rows] for role, cells in column.items()}
    return edges_of(
        {**several, "parent": [part for _, part in rows]}, [lines[k] for k, _ in rows], source
    )


def _is_several(cell: str, mark: str, classes: set[str]) -> bool:
    parts = [part.strip() for part in cell.split(mark)]
    return len(parts) > 1 and (mark == "|" or not classes.isdisjoint(parts))


def read_edges(cells: Cells, source: Source) -> Hierarchy:
    """Return the hierarchy of an edge list, with or without a header."""
    header = cells.header
    direction = header_direction(header)
    if not direction:
        _check_no_table(cells, source)
    names = [column_name(title) for title in header] if direction else []
    place: dict[Role, int] = {name: k for k, name in enumerate(names) if name in ATTRIBUTES}  # type: ignore[misc]
    rest = [k for k in range(len(place) + 3) if k not in place.values()]
    place["weight"] = rest[2]
    place["parent"], place["child"] = rest[:2] if direction >= 0 else rest[1::-1]
    if (odd := cells.beyond(len(place))) is not None:
        blank = ". If names contain blanks, put a tab or a comma between parent and child."
        raise source.error(
            f"expected parent and child with a {_MARKS[cells.delimiter]} between them, but found "
            f"{cells.widths[odd]} fields{blank if cells.delimiter == ' ' else ''}",
            cells.lines[odd],
        )
    if not direction:
        _check_no_header(cells, source)
    columns, lines = cells.columns(len(place), abs(direction)), cells.lines[abs(direction) :]
    if not lines:
        raise source.error("contains a header but no rows")
    column = {role: columns[k] for role, k in place.items()}
    if direction and _CODE.fullmatch(column_name(header[place["child"]])):
        filled = {role: cells for role, cells in column.items() if any(cells)}
        parsed = _edges_of_columns(filled, lines, source)
    else:
        parsed = edges_of(column, lines, source, is_table=False)
        parsed.complete = source.drop and direction < 0 and bool(parsed.isolated)
    h = build(parsed, source)
    read = ((header[k], role) for role, k in place.items() if k < len(header))
    return h.with_understood(columns=tuple(read)) if direction else h


def is_doubtful_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if the first row may be a header: its names are in no other row."""
    first = [cell for cell in rows[0][:2] if cell]
    if len(first) < 2 or any(map(str.isdecimal, "".join(first))):
        return False
    if not any(len(row) > 1 and row[0] and row[1] for row in rows[1:]):
        return False
    return all(set(first).isdisjoint(row[:2]) for row in rows[1:])


def is_list_of_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if no row continues another one, as in a list of codes and titles."""
    some = [row for row in rows if row[0] and len(row) > 1 and row[1]]
    first, second = {row[0] for row in some}, {row[1] for row in some}
    return len(some) > 2 and len(first) == len(some) == len(second) and first.isdisjoint(second)


def _check_no_table(cells: Cells, source: Source) -> None:
    """Refuse a table whose columns are not known."""
    widest = max(cells.widths)
    if cells.delimiter == " " or len(cells.widths) < 2 or widest < 3:
        return
    third = cells.columns(3)[2]
    is_weight = widest == 3 and any(map(is_number, third[1:]))
    if is_weight or 2 * sum(map(bool, third)) <= len(third):
        return
    header = cells.header[:MOST_COLUMNS]
    table = NamedColumns(header, cells.columns(min(len(header), 10), 1), cells.lines[1:])
    raise table.error(f"the columns {_quoted(header)} are not known", source)


def _check_no_header(cells: Cells, source: Source) -> None:
    """Refuse a first row that may be a header, and codes with their titles."""
    if cells.delimiter == " " or max(cells.widths) < 2:
        return
    columns = cells.columns(2)
    rows = list(zip(*columns, strict=True))
    if is_doubtful_header(rows):
        raise NamedColumns(rows[0], [c[1:] for c in columns], cells.lines[1:]).error(
            f"{_quoted(rows[0])} are in no other row, so they may be names of columns. If they are "
            "an edge, write the header parent,child above them",
            source,
        )
    if is_list_of_pairs(rows):
        raise source.error(
            "no two lines share a name. If these are codes and titles, write the header code,title "
            "above them. If they are edges, write parent,child.",
            cells.lines[0],
        )


def edges_of(
    column: dict[Role, list[str]], lines: Sequence[int], source: Source, *, is_table: bool = True
) -> ParsedEdges:
    """Return the edges in the rows. A class alone in its row is isolated. In a table it must be in
    the column of classes.
    """
    parents, children = column["parent"], column["child"]
    weights = column.get("weight") or [""] * len(lines)
    labels: list[str] = children
    if all(parents) and all(children):
        parsed = ParsedEdges(parents, children, lines=lines)
        parsed.weights = [weight or 1.0 for weight in weights] if any(weights) else []
    else:
        parsed = ParsedEdges()
        if not is_table:
            labels = [child or parent for parent, child in zip(parents, children, strict=True)]
        rows = zip(parents, children, labels, weights, lines, strict=True)
        for parent, child, label, weight, line in rows:
            if parent and child:
                parsed.weights.append(weight or 1.0)
                parsed.add(parent, child, line)
            elif weight and not is_table:
                raise source.error("a name between two delimiters is missing", line)
            elif label:
                parsed.isolated.append(label)
            elif is_table:
                parsed.faulty("no class in this row", line, source)
    for name in ATTRIBUTES:
        for label, weight, line in zip(labels, column.get(name, []), lines, strict=False):  # type: ignore[call-overload]
            if not (label and weight):
                continue
            known = parsed.attributes.setdefault(label, {}).setdefault(name, weight)
            if known != weight:
                two = " and ".join(shown(str(text), 20)[1:-1] for text in (known, weight))
                raise source.error(f"class {shown(label)} has two weights, {two}", line)
    titles = zip(labels, column.get("title", []), strict=False)
    parsed.titles = [(label, title) for label, title in titles if label and title]
    parsed.complete = is_table and bool(parsed.isolated)
    return parsed


# --- paths, codes and tree numbers ----------------------------------------------------------------


def read_labels(
    labels: Sequence[str], lines: Sequence[int], notation: Notation | None, source: Source
) -> Hierarchy:
    """Return the hierarchy of paths or codes. If the notation is None, detect it."""
    check_lengths(labels, source, lines)
    with source.named():
        found = notation or notation_of(labels)
    if found is None:
        raise source.error(
            "these lines are neither paths nor codes, because no separator of parts was found"
        )
    faults = {
        label: fault
        for label in dict.fromkeys(labels)
        if label.strip() and (fault := found.fault(label))
    }
    said = [
        (line, faults[label]) for label, line in zip(labels, lines, strict=True) if label in faults
    ]
    if said and not source.drop:
        raise source.error(said[0][1], said[0][0])
    with source.named():
        h = Hierarchy.from_labels(
            (label for label in labels if label not in faults),
            found,
            most_names=source.limits.names,
        )
    dropped = tuple(str(Source("").error(why, line)) for line, why in said)
    return check_nodes(h, source).with_understood(dropped=dropped)


def _ranked(cells: list[str], source: Source, line: int) -> str:
    """Join a row's ranks to a path. A skipped rank becomes an empty part."""
    while cells and not cells[-1]:
        cells.pop()
    if odd := next((cell for cell in cells if RANKS.separator in cell), None):
        raise source.error(
            f"{shown(odd)} contains {shown(RANKS.separator)}, the separator of ranks", line
        )
    return RANKS.separator.join(cells)


def read_codes(
    codes: Sequence[str], titles: Sequence[str], lines: Sequence[int], source: Source
) -> Hierarchy:
    """Return the hierarchy of listed codes. A rule finds their parents."""
    bare = [_UNKNOWN_CODE.sub("", code) for code in codes]
    titled = [(code, title) for code, title in zip(bare, titles, strict=False) if code and title]
    rule = source.options.get("rule", "")
    if rule and not rule[0].isalpha():
        with source.named():
            h = Hierarchy.from_labels(filter(None, bare), notation_by_rule(rule))
        return check_nodes(h, source).with_titles(titled)
    with source.named():
        tree = code_tree(filter(None, bare), rule)
    parsed = ParsedEdges(isolated=list(filter(None, bare)))
    for code, line in zip(bare, lines, strict=True):
        if not code:
            parsed.faulty("no class in this row", line, source)
        elif (above := tree.parents.get(code)) is not None:
            parsed.add(above, code, line)
    parsed.titles = titled
    parsed.other_names = [
        (code, name) for code, name in zip(codes, bare, strict=True) if code != name
    ]
    return build(parsed, source).with_understood(rule=tree.words)


def read_tree_numbers(
    entries: Sequence[tuple[str, str, int]], titles: Sequence[tuple[str, str]], source: Source
) -> Hierarchy:
    """Return the hierarchy of (heading, tree number, line) entries: the parent of number C04.588 is
    C04. A heading with several numbers has several parents.
    """
    parsed = ParsedEdges(titles=list(titles))
    heading: dict[str, str] = {}
    for label, number, line in entries:
        if not label:
            parsed.faulty("no heading in this row", line, source)
        elif not TREE_NUMBER.fullmatch(number):
            parsed.faulty(f"{shown(number)} is not a tree number such as C04.588", line, source)
        elif heading.setdefault(number, label) != label:
            two = f"{shown(heading[number])} and {shown(label)}"
            parsed.faulty(f"tree number {number} has two headings, {two}", line, source)
    edges: dict[tuple[str, str], int] = {}
    for label, number, line in entries:
        if heading.get(number) != label:
            continue
        above = number.rpartition(".")[0]
        if above in heading:
            edges.setdefault((heading[above], label), line)
            continue
        parsed.isolated.append(label)
        if above:
            missing = (
                f"no heading has the tree number {above}, the parent of {number} ({shown(label)})"
            )
            parsed.faulty(missing, line, source)
    for (above, label), line in edges.items():
        parsed.add(above, label, line)
    return build(parsed, source)
