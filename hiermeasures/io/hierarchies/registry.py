"""The formats of hierarchies, one line each, and which of them a text is in.

Of several that know a text the one listed last is chosen: put a special format after the general one.
"""

from hiermeasures.io.hierarchies import dot, edge_list, graphml, hemkit, nested_json, node_link, obo, outline, taxonomy
from hiermeasures.io.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.io.source import Limits, Source

_FORMATS = (
    edge_list.EDGES,
    edge_list.CSV,
    nested_json.FORMAT,
    hemkit.FORMAT,
    taxonomy.FORMAT,
    outline.FORMAT,
    obo.FORMAT,
    graphml.FORMAT,
    dot.FORMAT,
    node_link.FORMAT,
)

HIERARCHY_FORMATS: dict[str, HierarchyFormat] = {format.key: format for format in _FORMATS}

_ANY_TEXT = ".txt"  # says nothing about what is inside


def recognised(text: str, source: Source, limits: Limits) -> str:
    """The key of the format of a text that is not empty."""
    opening = Opening(text, source, limits)
    # In a file that is named as one of lines a first name such as "[Term]" is just a name.
    named_as_lines = any(opening.extension in f.extensions for f in _FORMATS if f.has_lines)
    if not named_as_lines or opening.extension == _ANY_TEXT:
        for format in reversed(_FORMATS):
            if format.begins and format.begins(opening):
                return format.key
    return next(format.key for format in reversed(_FORMATS) if format.has_lines and format.has_lines(opening))
