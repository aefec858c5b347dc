"""XML from strangers: a document type, an entity declaration or the long name of a namespace is
refused before a library has the text, for they can be made to read other files or to fill the
memory.
"""

import re
from types import SimpleNamespace
from xml.etree.ElementTree import ParseError

from hiermeasures.core.errors import shown
from hiermeasures.formats.source import Limits, Source

# An XML parser repeats the name of a namespace for each attribute of a tag that has its prefix. A
# hundred characters of any part of a declaration end the search at once, which therefore takes no
# longer than the text is.
_LONG_NAMESPACE = re.compile(
    r"""xmlns(?::[^\s"'=<>]{100}|(?::[^\s"'=<>]*+)?+(?:\s{100}|\s*+=(?:\s{100}|\s*+(?:"[^"]{101}|'[^']{101}))))"""
)


def check_xml(text: str, source: Source, limits: Limits, kind: str) -> None:
    """Refuse text that is no XML, or XML that can do harm; `kind` is what it should be."""
    if found := _LONG_NAMESPACE.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise source.error("declares a namespace (xmlns) of more than 100 characters", line)
    if text.count("<") > limits.lines:
        raise source.error(f"has more than {limits.lines:,} tags, which is the most that is read here")
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    parser = DefusedXMLParser(target=SimpleNamespace(close=lambda: None), forbid_dtd=True)
    try:
        parser.feed(text)
        parser.close()
    except DefusedXmlException:
        raise source.error(f"<!DOCTYPE or <!ENTITY is not accepted in {kind}: it could pull in other files") from None
    except ParseError as error:
        line, column = error.position
        raise source.error(f"not XML ({str(error).split(':')[0]}, character {column})", line) from None
    except (ValueError, LookupError) as error:
        raise source.error(f"not XML ({shown(str(error), 100)})") from None
