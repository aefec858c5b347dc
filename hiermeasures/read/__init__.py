"""Files of hierarchies and labels in many formats: reading, writing and describing them.

Uploads are read in a separate process with limits.
"""

from typing import TYPE_CHECKING

from hiermeasures.hierarchy.package import import_lazily

if TYPE_CHECKING:
    from hiermeasures.read.conversion import Conversion, convert, kind_of
    from hiermeasures.read.description import HierarchyDescription, LabelDescription, describe
    from hiermeasures.read.hierarchies import (
        HIERARCHY_FORMATS,
        read_hierarchy,
        read_hierarchy_text,
        write_hierarchy,
        write_hierarchy_text,
    )
    from hiermeasures.read.labels import (
        LABEL_FORMATS,
        Aligned,
        LabelFile,
        align,
        iter_labels,
        read_labels,
        write_labels,
    )
    from hiermeasures.read.labels.lines import hierarchy_of_task
    from hiermeasures.read.safe_csv import SafeWriter, csv_text, safe_cell, safe_row
    from hiermeasures.read.source import FILE, UPLOAD, Format, Limits

__all__ = [
    "FILE",
    "HIERARCHY_FORMATS",
    "LABEL_FORMATS",
    "UPLOAD",
    "Aligned",
    "Conversion",
    "Format",
    "HierarchyDescription",
    "LabelDescription",
    "LabelFile",
    "Limits",
    "SafeWriter",
    "align",
    "convert",
    "csv_text",
    "describe",
    "hierarchy_of_task",
    "iter_labels",
    "kind_of",
    "read_hierarchy",
    "read_hierarchy_text",
    "read_labels",
    "safe_cell",
    "safe_row",
    "write_hierarchy",
    "write_hierarchy_text",
    "write_labels",
]

__getattr__ = import_lazily(
    __name__,
    {
        **dict.fromkeys(["Conversion", "convert", "kind_of"], "conversion"),
        **dict.fromkeys(["HierarchyDescription", "LabelDescription", "describe"], "description"),
        **dict.fromkeys(
            [
                "HIERARCHY_FORMATS",
                "read_hierarchy",
                "read_hierarchy_text",
                "write_hierarchy",
                "write_hierarchy_text",
            ],
            "hierarchies",
        ),
        **dict.fromkeys(
            [
                "LABEL_FORMATS",
                "Aligned",
                "LabelFile",
                "align",
                "iter_labels",
                "read_labels",
                "write_labels",
            ],
            "labels",
        ),
        "hierarchy_of_task": "labels.lines",
        **dict.fromkeys(["SafeWriter", "csv_text", "safe_cell", "safe_row"], "safe_csv"),
        **dict.fromkeys(["FILE", "UPLOAD", "Format", "Limits"], "source"),
    },
)
