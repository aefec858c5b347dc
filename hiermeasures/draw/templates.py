"""Jinja templates of HTML and XML, in which all text is escaped."""

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from hiermeasures.draw.text import printable


def html_templates(package: str) -> Environment:
    """Return the templates in a package's folder.

    Text is escaped, and its control and direction characters are replaced, because labels are
    untrusted.
    """
    return Environment(
        loader=PackageLoader(package, ""),
        autoescape=True,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _printable(value: object) -> object:
    return value if isinstance(value, Markup) else printable(str(value))
