"""Which format a hierarchy's text is in: by its content, and by the file's extension where the content leaves it
open.
"""

import re

from hiermeasures.io.hierarchies.edge_list import content_lines, find_delimiter
from hiermeasures.io.hierarchies.node_link import is_node_link
from hiermeasures.io.json_text import parse
from hiermeasures.io.source import Limits, Source, extension

_JSON = re.compile(r'\s*(\{\s*["}]|\[\s*["\[{\]])')
_XML = re.compile(r"\s*(<\?xml|<!--|<!doctype|<graphml)", re.IGNORECASE)
_OBO = re.compile(r"(format-version:|^\[Term\]\s*$)", re.MULTILINE)
_LINE_ENDINGS = (".csv", ".tsv", ".edges", ".hemkit", ".taxonomy")  # where a first name such as "[Term]" is just a name
_SAMPLE = 1000


def recognised(text: str, source: Source, limits: Limits) -> str:
    """The key of the format of a text that is not empty."""
    ending = extension(source.name)
    if ending in _LINE_ENDINGS:
        return _line_format(text, source, ending)
    if ending == ".json" or _JSON.match(text):
        return "node-link" if is_node_link(parse(text, source, limits)) else "json"
    if ending == ".graphml" or _XML.match(text):
        return "graphml"
    if ending == ".obo" or text.lstrip().startswith("format-version:") or _OBO.match(text.lstrip()):
        return "obo"
    return _line_format(text, source, ending)


def _line_format(text: str, source: Source, ending: str) -> str:
    lines = [line for _, line in content_lines(text[: 200 * _SAMPLE])[:_SAMPLE]]
    if ending == ".taxonomy":
        return "taxonomy"
    if not lines:
        return "edges"
    delimiter = find_delimiter(lines, source)
    if delimiter == "\t":
        return "taxonomy" if any(_holds_children(line) for line in lines) else "edges"
    if delimiter == " " and all(len(row) == 2 and all(map(str.isdecimal, row)) for row in map(str.split, lines)):
        return "hemkit"
    return "edges" if delimiter == " " else "csv"


def _holds_children(line: str) -> bool:
    """Whether a tab-separated line is a parent with several children: more than three names, or a third that is no
    weight.
    """
    fields = line.rstrip("\t ").split("\t")
    if len(fields) != 3:
        return len(fields) > 3
    try:
        float(fields[2])
    except ValueError:
        return True
    return False
