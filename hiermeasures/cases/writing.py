"""One instance as a case file that stands alone: written here, and read again from its text.

The format is declared in format.py and read by library.py; nothing is published in such a file, so
nothing is compared.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hiermeasures.cases.case import Case
from hiermeasures.cases.library import load_cases
from hiermeasures.cases.reading import MAX_BYTES, dumped
from hiermeasures.core.class_weights import CLASS_WEIGHT, ICM_WEIGHT
from hiermeasures.core.errors import InputError
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies.building import class_weights_if_any
from hiermeasures.formats.source import Source, decode, encodable, load, size_in_words
from hiermeasures.measures.catalogue import SIDES, Instance

PAPER = {"name": "Own cases", "authors": "not given", "title": "Own cases", "citation": "unpublished"}


def write_case(instance: Instance, *, title: str, year: int, define: Mapping[str, str] | None = None) -> str:
    """The text of a case file.

    Parameters
    ----------
    instance : Instance
        A virtual root is left out; reading adds it again.
    title : str
        What the instance is called.
    year : int
        A case file names the year of its paper; here that of one's own work.
    define : mapping, optional
        Own measures, expressions by name.

    Raises
    ------
    InputError
        Where edges have weights, which a case file has no place for, or the file would be larger
        than is read.

    Examples
    --------
    >>> from hiermeasures import explain
    >>> x = explain(Hierarchy.from_edges([("A", "B"), ("A", "C")]), {"B"}, {"C"})
    >>> print(write_case(x.instance, title="Two classes", year=2000).partition("paper:")[0])
    figure: Two classes
    hierarchy: A>B A>C
    true: B
    predicted: C
    <BLANKLINE>
    """
    h = instance.hierarchy
    if h.has_edge_weights:
        raise InputError(
            "a case file has no place for edge weights, and this hierarchy has some; save it as an edge list"
        )
    entries = {"figure": " ".join(title.split()) or "Own case", "hierarchy": hierarchy_entry(h)}
    more = {"options": options_entry(instance), "define": dict(define or {})}
    entries |= labels_entries(instance) | {name: entry for name, entry in more.items() if entry}
    entries |= {"paper": {**PAPER, "year": str(year)}}
    return bounded_yaml(entries, "case", "; save the hierarchy in another format")


def labels_entries(instance: Instance) -> dict[str, Any]:
    """The true and predicted classes of an instance, and its paths where it has some."""
    found: dict[str, Any] = {}
    for side in SIDES:
        labels = sorted(getattr(instance, side), key=instance.hierarchy.index)
        found[side] = " ".join(labels) if all(map(_is_word, labels)) else labels
    paths = ((f"{side}_paths", getattr(instance, f"{side}_paths")) for side in SIDES)
    return found | {name: [list(path) for path in given] for name, given in paths if given is not None}


def options_entry(instance: Instance) -> dict[str, str]:
    """The options of an instance away from their defaults."""
    options = instance.options.model_dump(exclude_defaults=True, exclude_none=True)
    return {name: str(value) for name, value in options.items()}


def read_cases(data: bytes, name: str = "") -> tuple[Case, ...]:
    """The cases of one case file, given by its bytes; it may lack the entry `paper`.

    Raises
    ------
    InputError
        For a file that cannot be used: the file, the line and the reason.
    """
    source = Source(name)
    if len(data) > MAX_BYTES:
        raise source.error(f"larger than {size_in_words(MAX_BYTES)}, which is the most that is read of a case file")
    decode(data, source)
    with TemporaryDirectory() as folder:
        Path(folder, "paper.yaml").write_text(dumped({**PAPER, "year": "2000"}), "utf-8")
        Path(folder, "case.yaml").write_bytes(data)
        library = load_cases(folder)
    if library.faults:
        fault = library.faults[0]
        raise source.error(fault.reason, fault.line)
    cases = tuple(library.cases.values())
    if not cases:
        raise source.error("holds no case: a hierarchy with true and predicted classes")
    return cases


def case_in(path: Path) -> Case | None:
    """The first case of a case file: YAML, or JSON with an entry `figure`; None for other files.

    Raises
    ------
    InputError
        As `read_cases`; and for a file that is not there.
    """
    if path.suffix.lower() not in (".yaml", ".yml", ".json"):
        return None
    data, source, _ = load(path, "", None)
    if path.suffix.lower() == ".json" and not re.search(rb'"figure"\s*:', data[:10_000]):
        return None
    return read_cases(data, source.name)[0]


def hierarchy_entry(h: Hierarchy) -> Any:
    """Edges as `A>B`, or for names that cannot be written so every class with its children; and
    what classes weigh.

    Raises
    ------
    InputError
        Where a virtual root, which is not written, weighs something.
    """
    edges = [(p, c) for c in h.nodes for p in h.parents(c) if not (h.virtual_root and p == h.root)]
    classes = h.nodes[h.virtual_root :]
    alone = set(classes).difference(*edges)
    drawn: dict[str, Any] = {"edges": " ".join(f"{p}>{c}" for p, c in edges)}
    if alone or not all(map(_is_word, classes)):
        below: dict[str, list[str]] = {label: [] for label in classes if label in alone}
        for p, c in edges:
            below.setdefault(p, []).append(c)
        drawn = {"nested": below}
    weights = class_weights_if_any(h)
    for name, entry in ((CLASS_WEIGHT, "weights"), (ICM_WEIGHT, "icm_weights")):
        if written := {label: repr(found[name]) for label, found in weights.items() if name in found}:
            drawn[entry] = written
    return drawn["edges"] if list(drawn) == ["edges"] else drawn


def _is_word(label: str) -> bool:
    return label.split() == [label] and not set(label) & set(">,")


def bounded_yaml(entries: Any, kind: str, advice: str = "") -> str:
    """Return the text of a case or lesson file; InputError where it could not be read again."""
    if not encodable(json.dumps(entries, ensure_ascii=False)):
        raise InputError("a text in it holds half a surrogate pair, which is no character")
    text = dumped(entries)
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise InputError(f"as a {kind} file this would be larger than {size_in_words(MAX_BYTES)}{advice}")
    return text
