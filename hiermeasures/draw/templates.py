"""Jinja templates for HTML and XML that escape all text."""

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from hiermeasures.draw.text import printable


def html_templates(package: str) -> Environment:
    """Return the templates in the folder of a package.

    They escape text and replace its control and direction characters, because labels are untrusted.
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
