"""Files: hierarchies and labels are read from and written to many formats here, and untrusted input is checked here.

What is done with them afterwards lives elsewhere.
"""

from hiermeasures.io.convert import Conversion, convert
from hiermeasures.io.formats import Format
from hiermeasures.io.hierarchies import (
    HIERARCHY_FORMATS,
    read_hierarchy,
    read_hierarchy_text,
    write_hierarchy,
    write_hierarchy_text,
)
from hiermeasures.io.labels import LABEL_FORMATS, Aligned, LabelFile, align, iter_labels, read_labels, write_labels
from hiermeasures.io.labels.germeval import hierarchy_of_task
from hiermeasures.io.safe_csv import SafeWriter, csv_text, safe_cell, safe_row
from hiermeasures.io.source import FILE, UPLOAD, Limits

__all__ = [
    "FILE",
    "HIERARCHY_FORMATS",
    "LABEL_FORMATS",
    "UPLOAD",
    "Aligned",
    "Conversion",
    "Format",
    "LabelFile",
    "Limits",
    "SafeWriter",
    "align",
    "convert",
    "csv_text",
    "hierarchy_of_task",
    "iter_labels",
    "read_hierarchy",
    "read_hierarchy_text",
    "read_labels",
    "safe_cell",
    "safe_row",
    "write_hierarchy",
    "write_hierarchy_text",
    "write_labels",
]
