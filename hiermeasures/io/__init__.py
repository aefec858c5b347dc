"""Files: hierarchies and labels are read from and written to many formats here, and untrusted input is checked here.

What is done with them afterwards lives elsewhere.
"""

from hiermeasures.io.formats import Format
from hiermeasures.io.hierarchies import (
    HIERARCHY_FORMATS,
    read_hierarchy,
    read_hierarchy_text,
    write_hierarchy,
    write_hierarchy_text,
)
from hiermeasures.io.safe_csv import SafeWriter, safe_cell, safe_row
from hiermeasures.io.source import FILE, UPLOAD, Limits

__all__ = [
    "FILE",
    "HIERARCHY_FORMATS",
    "UPLOAD",
    "Format",
    "Limits",
    "SafeWriter",
    "read_hierarchy",
    "read_hierarchy_text",
    "safe_cell",
    "safe_row",
    "write_hierarchy",
    "write_hierarchy_text",
]
