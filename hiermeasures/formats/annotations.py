"""Annotations of targets with terms, a line each: `target term` for what is true, `target term
score` for what is predicted, as CAFA and the tools around it write them. Text, plain or compressed
by gzip, and Parquet.

Which targets and terms are known, and what the scores mean, is not asked here. Weights of classes,
as CAFA's tools write them, are read here too.
"""

import gzip
import io
import math
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hiermeasures.core.errors import shown
from hiermeasures.core.extras import require
from hiermeasures.formats.bounded import check_rows
from hiermeasures.formats.source import Limits, Source, checked_text, decode, load, size_in_words

HEADER = frozenset({"AUTHOR", "MODEL", "KEYWORDS", "ACCURACY", "END"})  # of a submission to CAFA
HEAD, BEGINNING = 10_000, 100_000  # bytes searched for a header, and for the separator of columns
_ASCII = bytes(range(128)) + b"?" * 128
GZIP, PARQUET = b"\x1f\x8b", b"PAR1"
_EXACT: dict[str, Any] = {} if int(pd.__version__.partition(".")[0]) >= 3 else {"float_precision": "round_trip"}


@dataclass(frozen=True, eq=False)
class Annotations:
    """Pairs of a target and a term, as numbers of their names: `target` and `term` (int32), a place
    for each line, and `score` (float64) where there are scores. `name` is what messages call the
    file.
    """

    name: str
    targets: np.ndarray
    terms: np.ndarray
    target: np.ndarray
    term: np.ndarray
    score: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.target)


def read_annotations(path_or_bytes: Any, *, scored: bool, name: str = "", limits: Limits | None = None) -> Annotations:
    """The annotations in a file.

    Parameters
    ----------
    path_or_bytes : str, path, bytes or binary stream
        Columns separated by tabs or blanks; further columns are not read. Parquet: the first
        columns of the table.
    scored : bool
        Whether a third column holds a number from 0 to 1.
    name, limits
        As for `read_hierarchy`.

    Raises
    ------
    InputError
        Naming the file and the line of what is no annotation, or no score from 0 to 1; for a name
        that is too long.

    Examples
    --------
    >>> found = read_annotations(b"P1\\tA\\t0.5\\nP2\\tA\\t1\\n", scored=True)
    >>> found.targets[found.target].tolist(), found.score.tolist()
    (['P1', 'P2'], [0.5, 1.0])
    >>> read_annotations(b"P1\\tA\\t0.5\\nP2\\tA\\thigh\\n", scored=True, name="p.tsv")
    Traceback (most recent call last):
    hiermeasures.core.errors.InputError: p.tsv, line 2: the score 'high' is no number
    """
    data, source, limits = load(path_or_bytes, name, limits)
    if data.startswith(PARQUET):
        frame, lines = _frame_of_parquet(data, source, limits, scored), None
    else:
        frame, lines = _frame_of_text(_unpacked(data, source, limits), source, scored)
    if not len(frame):
        raise source.error("holds no annotations")
    columns = [frame[key].astype("category").cat.remove_unused_categories().cat for key in ("target", "term")]
    names = [column.categories.to_numpy(dtype=object) for column in columns]
    longest = max((*names[0], *names[1]), key=len)
    if len(longest) > limits.label:
        most = f"at most {limits.label:,} are read"
        raise source.error(f"a name of {len(longest):,} characters ({shown(longest, 20)}); {most}")
    score = frame["score"].to_numpy(np.float64) if scored else None
    if score is not None:
        for k in np.flatnonzero(~((score >= 0) & (score <= 1)))[:1].tolist():
            row, where = (f"row {k + 1}: ", None) if lines is None else ("", int(lines[k]))
            raise source.error(f"{row}the score {score[k]:g} is not from 0 to 1", where)
    target, term = (column.codes.to_numpy(np.int32) for column in columns)
    return Annotations(source.name, names[0], names[1], target=target, term=term, score=score)


def _unpacked(data: bytes, source: Source, limits: Limits) -> bytes:
    if not data.startswith(GZIP):
        return data
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            found = stream.read(limits.bytes + 1)
    except (OSError, EOFError, zlib.error):
        raise source.error("a gzip file that is cut short or damaged") from None
    if len(found) > limits.bytes:
        raise source.error(f"unpacks to more than {size_in_words(limits.bytes)}, which is the most that is read here")
    return found


def _frame_of_text(data: bytes, source: Source, scored: bool) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the table, and the line of each row.

    Of the header nothing is read, and an author's name may be in any encoding.
    """
    lines = data[:HEAD].split(b"\n")
    start = next(
        (k for k, line in enumerate(lines) if (line.split() or [b""])[0].decode("latin-1") not in HEADER), len(lines)
    )
    begin = sum(len(line) + 1 for line in lines[:start])
    data = data[:begin].translate(_ASCII) + data[begin:]
    if b"\x00" in data[:1000]:
        decode(data, source)
    tabs, names = b"\t" in data[:BEGINNING], _names(scored)

    def table(kind: Any) -> pd.DataFrame:
        return pd.read_csv(
            io.BytesIO(data),
            sep="\t" if tabs else r"\s+",
            names=names,
            usecols=range(len(names)),
            dtype={"target": kind, "term": kind} | ({"score": "float64"} if scored else {}),
            skiprows=start,
            skip_blank_lines=False,
            header=None,
            quoting=3,
            keep_default_na=False,
            na_values={name: [""] for name in names},
            encoding="utf-8",
            low_memory=False,
            **_EXACT,
        )

    try:
        frame = table("category")
        if not all(isinstance(name, str) for key in names[:2] for name in frame[key].cat.categories[:1]):
            frame = table(str)  # slower; pandas takes categories that all look like numbers for numbers, 01 for 1
    except (ValueError, pd.errors.ParserError):
        _check_lines(data, source, scored, start=start, tabs=tabs)
        frame = pd.DataFrame({"target": [], "term": [], "score": np.zeros(0)})[names]  # of lines of a header alone
    whole = frame[names].notna().all(axis=1).to_numpy()
    partial = ~whole & ~(frame["target"].isna() & frame["term"].isna()).to_numpy()
    if not HEADER.issuperset(str(target).partition(" ")[0] for target in frame["target"][partial]):
        _check_lines(data, source, scored, start=start, tabs=tabs)
    return frame[whole], np.flatnonzero(whole) + start + 1


def _check_lines(data: bytes, source: Source, scored: bool, *, start: int, tabs: bool) -> None:
    """Refuse the first line below `start` that is no annotation, nor of a header."""
    text = decode(data, source)
    columns = 3 if scored else 2
    if not text.strip():
        raise source.error("holds no annotations")
    for number, line in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in line.split("\t")] if tabs else line.split()
        whole = len(cells) >= columns and all(cells[:columns])
        if number <= start or not any(cells) or (not whole and cells[0].partition(" ")[0] in HEADER):
            continue
        if not whole:
            form = "`target term score`" if scored else "`target term`"
            raise source.error(f"an annotation is {form}, not {shown(line, 60)}", number)
        if scored and math.isnan(_number(cells[2])):
            raise source.error(f"the score {shown(cells[2])} is no number", number)


def _frame_of_parquet(data: bytes, source: Source, limits: Limits, scored: bool) -> pd.DataFrame:
    """The first columns of a file."""
    require("app", "reading Parquet", "pyarrow")
    from pyarrow.parquet import ParquetFile

    names = _names(scored)
    with source.damaged("no Parquet file of annotations"):
        file = ParquetFile(io.BytesIO(data))
        check_rows(file, source, limits)
        columns = file.schema_arrow.names[: len(names)]
        if len(columns) < len(names):
            raise source.error(f"has {len(columns)} columns; needed are {', '.join(names)}")
        frame: pd.DataFrame = file.read(columns=columns).to_pandas()
        frame.columns = pd.Index(names)
        frame = frame.astype({"target": str, "term": str} | ({"score": "float64"} if scored else {}))
        if frame.isna().any(axis=None):
            raise source.error("an annotation without a target, a term or a score")
        return frame


def _names(scored: bool) -> list[str]:
    return ["target", "term", *(["score"] if scored else [])]


# --- weights of classes -------------------------------------------------------------------------


def read_weights(path_or_bytes: Any, *, name: str = "", limits: Limits | None = None) -> dict[str, float]:
    """The weight of each class that a file names.

    Parameters
    ----------
    path_or_bytes : str, path, bytes or binary stream
        Class and weight separated by a tab, or by the last blank of the line. Weights are not
        negative; `inf` is one.
    name, limits
        As for `read_hierarchy`.

    Raises
    ------
    InputError
        Naming the file and the line of what is no class with a weight, and of a class that is there
        twice.

    Examples
    --------
    >>> read_weights(b"A\\t0\\nB\\t1.5\\n")
    {'A': 0.0, 'B': 1.5}
    >>> read_weights(b"A\\t0\\nB\\t-1\\n", name="ia.tsv")
    Traceback (most recent call last):
    hiermeasures.core.errors.InputError: ia.tsv, line 2: the weight '-1' of 'B' is no number from 0 up
    """
    data, source, limits = load(path_or_bytes, name, limits)
    found: dict[str, float] = {}
    for number, line in enumerate(checked_text(decode(data, source), source, limits).split("\n"), 1):
        if not line.strip():
            continue
        cells = line.split("\t") if "\t" in line else line.rsplit(None, 1)
        if len(cells) < 2 or not cells[0].strip():
            raise source.error(f"a line is `class weight`, not {shown(line, 60)}", number)
        label, text = cells[0].strip(), cells[1].strip()
        weight = _number(text)
        if not weight >= 0:
            raise source.error(f"the weight {shown(text, 20)} of {shown(label)} is no number from 0 up", number)
        if label in found:
            raise source.error(f"class {shown(label)} is there twice", number)
        found[label] = weight
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
