"""Which format a label file is in: by its first bytes and lines, and by its extension where they leave it open."""

import re

from hiermeasures.io.labels.columns import is_header
from hiermeasures.io.labels.germeval import SECTION
from hiermeasures.io.source import BOM, extension

HEAD = 65_536
_MAGIC = {b"PAR1": "parquet", b"\x93NUMPY": "npy", b"PK\x03\x04": "npz"}
_BY_EXTENSION = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".npz": "npz",
    ".npy": "npy",
    ".hemkit": "hemkit",
}
_JSON_LINE = re.compile(r'\s*(\{|\[\s*("|\d|\]))')


def recognised(head: bytes, name: str) -> str:
    """The key of the format of a file that starts with these bytes (up to HEAD of them)."""
    for magic, key in _MAGIC.items():
        if head.startswith(magic):
            return key
    lines = head.removeprefix(BOM).decode("utf-8", "replace").split("\n")
    whole = lines[:-1] if len(head) >= HEAD and len(lines) > 1 else lines
    lines = [line.rstrip("\r") for line in whole if line.strip()]
    first = lines[0] if lines else ""
    if SECTION.fullmatch(first):
        return "germeval"
    by_extension = _BY_EXTENSION.get(extension(name))
    if by_extension:
        return by_extension
    if _JSON_LINE.match(first):
        return "jsonl"
    return _by_delimiters(lines)


def _by_delimiters(lines: list[str]) -> str:
    half = len(lines) / 2
    if lines and ("\t" in lines[0] or sum("\t" in line for line in lines) > half):
        return "tsv"
    if sum("," in line or ";" in line for line in lines) > half or (lines and is_header([lines[0]])):
        return "csv"
    return "hemkit"
