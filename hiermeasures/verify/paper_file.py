"""Your own case file: load it, change it and save it without loss.

A paper file keeps the written form of its entries. A change makes a copy, and only the changed
entries differ. library.py reads the cases, and checks.py compares the printed values.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.hierarchy.expressions import split_arguments
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import Instance
from hiermeasures.measures.own import called
from hiermeasures.verify import printed
from hiermeasures.verify.case import Case
from hiermeasures.verify.checks import formula_of, published
from hiermeasures.verify.format import PaperEntry, bars
from hiermeasures.verify.library import (
    ALONE,
    PAPER,
    CaseLibrary,
    SourceFile,
    bounded_yaml,
    case_entries,
    hierarchy_entry,
    labels_entries,
    library_alone,
    options_entry,
    read_alone,
)
from hiermeasures.verify.reading import Document
from hiermeasures.verify.verification import CheckedCell

LABELS = ("true", "predicted", "true_paths", "predicted_paths")
Entries = dict[str, Any]


@dataclass(frozen=True)
class PaperFile:
    """A case file with its cases and their printed values.

    `entries` are the entries of the file, and every scalar is a text. `text` is the content of the
    file, or "" after a change. `token` identifies a file, and changes keep it.
    """

    entries: Mapping[str, Any]
    name: str = ""
    text: str = ""
    token: str = field(default_factory=lambda: secrets.token_hex(4), compare=False)

    @cached_property
    def library(self) -> CaseLibrary:
        return library_alone(Document(ALONE, self.name, self.entries))

    @property
    def cases(self) -> Mapping[str, Case]:
        """The cases by part. A file with one figure has the part ""."""
        return self.library.files[0].cases

    def case(self, part: str) -> Case:
        if part not in self.cases:
            raise InputError(unknown("figure", part, self.cases))
        return self.cases[part]

    def as_yaml(self) -> str:
        """Return the text of the file to save. An unchanged file keeps its layout."""
        return self.text or bounded_yaml(self.entries, "case")

    # --- changes ---------------------------------------------------------------------------------

    def changed(self, change: Callable[[Entries], None]) -> "PaperFile":
        """Return a copy with changed entries. InputError if the copy cannot be used."""
        entries = deepcopy(dict(self.entries))
        change(entries)
        if entries == self.entries:
            return self
        made = replace(self, entries=entries, text="")
        assert made.library
        return made

    def with_instance(
        self, part: str, instance: Instance, define: Mapping[str, str] | None = None
    ) -> "PaperFile":
        """Return a copy with this instance as a figure. `define` adds own measures to it."""
        case = self.case(part)
        own = _defined(case, define)
        same = own == {h.strip(): e.strip() for h, e in case.define.items()}
        if same and same_instance(case, instance):
            return self

        def write(entries: Entries) -> None:
            _push_down(entries, self.cases)
            entry = _entry_of(entries, part)
            if case.hierarchy != instance.hierarchy:
                entry["hierarchy"] = hierarchy_entry(instance.hierarchy)
            for name in LABELS:
                entry.pop(name, None)
            entry |= labels_entries(instance)
            for name, value in (("options", options_entry(instance)), ("define", own)):
                entry.pop(name, None)
                entry |= {name: value} if value else {}

        return self.changed(write)

    def with_figure(
        self, part: str, title: str, instance: Instance, define: Mapping[str, str] | None = None
    ) -> "PaperFile":
        """Return a copy with one more figure. `part` is its name."""
        if not part.strip():
            raise InputError("The figure has no name. Write one, such as Figure 2.")
        if part in self.cases:
            raise InputError(f"Another figure has the name {part}. Choose another name.")
        entry = case_entries(instance, title=title, define=define)
        del entry["figure"]
        entry = {"part": part} | ({"title": title} if title else {}) | entry

        def add(entries: Entries) -> None:
            if "cases" not in entries:
                _make_parts(entries)
            entries["cases"].append(entry)

        return self.changed(add)

    def with_printed(self, part: str, quantity: str, text: str) -> "PaperFile":
        """Return a copy with a printed value of a figure's quantity. The text "" removes it."""
        if text := text.strip():
            formula_of(quantity, self.case(part)).parse(text)

        def write(entries: Entries) -> None:
            for cell in _places_of(entries, part, quantity, self.cases):
                cell(text)
                return
            if text:
                _single_cells(entries, part, self.cases)[quantity] = text

        return self.changed(write)

    def with_explanation(
        self, cell: CheckedCell, explanation: str, variant: Mapping[str, Any]
    ) -> "PaperFile":
        """Return a copy with a new explanation of a printed value."""
        entry: Entries = {"source": cell.source}
        entry |= {"rows": [cell.row]} if cell.row else {}
        entry |= {"cells": [cell.quantity], "explanation": explanation}
        entry |= {"variant": dict(variant)} if variant else {}

        def write(entries: Entries) -> None:
            others = entries.get("discrepancies", ())
            kept = [other for other in others if not _is_about(other, cell)]
            entries["discrepancies"] = [*kept, entry] if explanation.strip() else kept

        return self.changed(write)

    def with_about(self, **about: str) -> "PaperFile":
        """Return a copy with other entries about the paper, such as its title.

        Until you set a name, the title is also the paper's name.
        """

        def write(entries: Entries) -> None:
            paper = {**PAPER, "year": "2000", **entries.get("paper", {})}
            named = about.get("title", "").strip() and paper["name"] in (
                PAPER["name"],
                paper["title"],
            )
            given = {"name": about["title"], **about} if named else about
            entries["paper"] = paper | {name: text for name, text in given.items() if text.strip()}

        return self.changed(write)

    def with_title(self, part: str, title: str) -> "PaperFile":
        """Return a copy with another title of a figure."""
        self.case(part)
        return self.changed(lambda entries: _entry_of(entries, part).update(title=title))

    def without_figure(self, part: str) -> "PaperFile":
        """Return a copy without one of several figures and without its printed values."""
        self.case(part)

        def remove(entries: Entries) -> None:
            _push_down(entries, self.cases)
            entries["cases"] = [e for e in entries["cases"] if e.get("part", "") != part]
            blocks = [b for b in entries.get("published", ()) if b.get("case", "") != part]
            for block in blocks:
                rows = block.get("rows", {}).items()
                block |= (
                    {"rows": {k: r for k, r in rows if _row_case(k, r) != part}} if rows else {}
                )
            entries["published"] = [b for b in blocks if b.get("rows") or b.get("cells")]

        return self.changed(remove)

    def with_table(
        self, source: str, columns: Sequence[str], rows: Mapping[str, tuple[str, Sequence[str]]]
    ) -> "PaperFile":
        """Return a copy with a printed table. Each row has its figure and its printed cells."""
        if not source.strip():
            raise InputError("The table has no name. Write one, such as Table 1.")
        if not columns or not rows:
            raise InputError(
                "The table has no columns or rows. Choose a measure for a column and a figure for a "
                "row."
            )
        block = {
            "source": source,
            "columns": list(columns),
            "rows": {
                label: {"case": part, "cells": list(cells)} if part else {"cells": list(cells)}
                for label, (part, cells) in rows.items()
            },
        }
        return self.changed(lambda entries: entries.setdefault("published", []).append(block))

    def with_remark(self, cell: CheckedCell, text: str) -> "PaperFile":
        """Return a copy with another explanation of a value. Its variant stays."""
        old = (each for each in self.entries.get("discrepancies", ()) if _is_about(each, cell))
        empty: Entries = {}
        variant = next(old, empty).get("variant", {})
        return self.with_explanation(cell, text, variant)

    # --- printed values --------------------------------------------------------------------------

    def cells(
        self, part: str, instance: Instance | None = None, define: Mapping[str, str] | None = None
    ) -> tuple[CheckedCell, ...]:
        """Return a figure's printed values next to ours.

        With `instance`, our values are about it instead of the case in the file. `define` adds own
        measures.
        """
        case = self.case(part)
        if instance is None:
            return published(self.library, case)
        case = replace(
            case,
            define=_defined(case, define),
            hierarchy=instance.hierarchy,
            options=instance.options.given,
            exact_work=instance.exact_work,
            **{name: getattr(instance, name) for name in LABELS},
        )
        cases = {**self.cases, part: case}
        papers = tuple(
            paper.model_copy(update={"cases": tuple(cases.values())})
            for paper in self.library.papers
        )
        files = (replace(self.library.files[0], cases=cases),)
        return published(CaseLibrary(papers, files, ()), case)


def read_paper_file(data: bytes, name: str = "") -> PaperFile:
    """Read a case file from bytes.

    Parameters
    ----------
    data : bytes
    name : str, optional
        The name of the file in messages.

    Returns
    -------
    PaperFile

    Raises
    ------
    InputError
        If the file cannot be used.

    See Also
    --------
    begin_paper : Make a new file.

    Examples
    --------
    >>> text = "figure: Mine\\nhierarchy: A>B A>C\\ntrue: B\\npredicted: C\\n"
    >>> file = read_paper_file(text.encode(), "mine.yaml")
    >>> file.as_yaml() == text
    True
    >>> print(file.with_printed("", "hP", "0.50").as_yaml().partition("published:")[2])
    <BLANKLINE>
    - source: Mine
      cells:
        hP: 0.50
    <BLANKLINE>
    """
    document, library = read_alone(data, name)
    made = PaperFile(document.data, name, data.decode("utf-8-sig"))
    vars(made)["library"] = library  # read once
    return made


def begin_paper(
    instance: Instance, *, title: str, year: int, define: Mapping[str, str] | None = None
) -> PaperFile:
    """Return a new file with one figure.

    Parameters
    ----------
    instance : Instance
    title : str
    year : int
        The year of your work.
    define : mapping, optional
        Your own measures: expressions by name.

    Returns
    -------
    PaperFile

    Raises
    ------
    InputError
        If edges have weights.

    See Also
    --------
    read_paper_file : Read a file.
    """
    entries = case_entries(instance, title=title, define=define)
    return PaperFile(entries | {"paper": {**PAPER, "year": str(year)}})


def copy_of(file: SourceFile, library: CaseLibrary) -> PaperFile:
    """Return a file of a library as a file that contains its paper."""
    paper = next(paper for paper in library.papers if paper.key == file.paper)
    entries = {**file.document.data}
    entries.setdefault("paper", _paper_entries(paper))
    return PaperFile(entries)


def _paper_entries(paper: PaperEntry) -> Entries:
    def text(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {str(name): text(entry) for name, entry in value.items()}
        return str(value)

    fields = PaperEntry.model_fields
    given = {name: getattr(paper, name) for name in fields if name != "key"}
    return {name: text(v) for name, v in given.items() if v not in (None, fields[name].default)}


def same_instance(case: Case, instance: Instance) -> bool:
    """Return whether hierarchy, classes, paths and options of a case equal those of an instance."""
    labels = all(getattr(case, name) == getattr(instance, name) for name in LABELS)
    options = Options.make(case.options) == instance.options
    return labels and options and case.hierarchy == instance.hierarchy


def _defined(case: Case, more: Mapping[str, str] | None) -> dict[str, str]:
    """Return a case's own measures and more. A new one replaces one with an equal name."""
    own = dict(more or {})
    names = {called(head) for head in own}
    return {h: e for h, e in case.define.items() if called(h) not in names} | own


def _is_about(discrepancy: Entries, cell: CheckedCell) -> bool:
    """Return whether a discrepancy is only about this cell."""
    rows = [cell.row] if cell.row else []
    given = [list(bars(discrepancy.get(name, ()))) for name in ("rows", "cells")]
    return discrepancy["source"] == cell.source and given == [rows, [cell.quantity]]


def _row_case(label: str, row: Any) -> str:
    return str(row.get("case", "") or label) if isinstance(row, dict) else label


def _entry_of(entries: Entries, part: str) -> Entries:
    """Return the entry of a figure. It is one of `cases`, or the whole file."""
    found = (entry for entry in entries.get("cases", ()) if entry.get("part", "") == part)
    return next(found, entries)


def _push_down(entries: Entries, cases: Mapping[str, Case]) -> None:
    """Copy inherited entries into each figure."""
    if not entries.get("cases"):
        return
    options, define = entries.pop("options", {}), entries.pop("define", {})
    for entry in entries["cases"]:
        for name, shared in (("options", options), ("define", define)):
            if merged := {**shared, **entry.get(name, {})}:
                entry[name] = merged
        drawn = entry.get("hierarchy")
        if isinstance(drawn, Mapping) and "like" in drawn:
            entry["hierarchy"] = hierarchy_entry(cases[entry.get("part", "")].hierarchy)


def _make_parts(entries: Entries) -> None:
    """Turn a file with one figure into a file that can have several."""
    part = entries["figure"]
    names = ("title", "hierarchy", *LABELS, "probabilities", "options", "define")
    entry = {name: entries.pop(name) for name in names if name in entries}
    entries["cases"] = [{"part": part, **entry}]
    for block in entries.get("published", ()):
        if not block.get("case"):
            block["case"] = part


def _places_of(
    entries: Entries, part: str, quantity: str, cases: Mapping[str, Case]
) -> Iterator[Callable[[str], None]]:
    """Yield a function for each cell of a figure's quantity. It replaces the text of the cell."""
    for block in entries.get("published", ()):
        if block.get("options") or block.get("together"):
            continue
        around = block.get("case", "") or ("" if len(cases) > 1 else part)
        for name in block.get("cells", ()) if around == part else ():
            if _quantities(name, "") == [quantity]:
                yield partial(_replace_single, entries, block, name)
        for label, row in block.get("rows", {}).items():
            more = row if isinstance(row, Mapping) else {"cells": row}
            about = more.get("case", "") or (label if label in cases else around)
            if about == part and not {"options", "together"} & set(more):
                for k, column in enumerate(bars(block["columns"])):
                    names = _quantities(column, more.get("of", ""))
                    if quantity in names:
                        second = None if len(names) == 1 else names.index(quantity)
                        yield partial(_replace_in_row, block, label, (k, second))


def _quantities(column: str, of: str) -> list[str]:
    names = [name.removesuffix("%").strip() for name in split_arguments(column)[0]]
    return [f"{name}({of})" if of else name for name in names]


def _replace_single(entries: Entries, block: Entries, quantity: str, text: str) -> None:
    if text:
        block["cells"][quantity] = text
        return
    del block["cells"][quantity]
    if not block["cells"]:
        del block["cells"]
    if not block.keys() & {"cells", "rows"}:
        entries["published"] = [other for other in entries["published"] if other is not block]


def _replace_in_row(block: Entries, label: str, place: tuple[int, int | None], text: str) -> None:
    """Replace the cell in a column, or one of the two numbers in that cell."""
    k, second = place
    row: Any = block["rows"][label]
    written = row["cells"] if isinstance(row, dict) else row
    cells = list(bars(written))
    if second is not None and text:
        both = [*printed.bracketed(cells[k] or f"{text}({text})")]
        both[second] = text
        text = f"{both[0]}({both[1]})"
    cells[k] = text
    made = " | ".join(cells) if isinstance(written, str) else cells
    if isinstance(row, dict):
        row["cells"] = made
    else:
        block["rows"][label] = made


def _single_cells(entries: Entries, part: str, cases: Mapping[str, Case]) -> Entries:
    """Return the single cells of a figure, for adding a value."""
    about = {"case": part} if len(cases) > 1 else {}
    blocks = entries.setdefault("published", [])
    for block in blocks:
        fits = block.get("case", "") in ((part,) if len(cases) > 1 else ("", part))
        if fits and "cells" in block and not block.keys() & {"options", "together"}:
            break
    else:
        block = {"source": part or entries["figure"], **about, "cells": {}}
        blocks.append(block)
    found: Entries = block["cells"]
    return found
