"""Declaration of a file format: its key, its title, its extensions, a sentence, and whether it is
written.

Lists of formats in the documentation, the command line and the interface are made from the two
registries, `hiermeasures.formats.HIERARCHY_FORMATS` and `hiermeasures.formats.LABEL_FORMATS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from hiermeasures.core.errors import InputError, unknown
from hiermeasures.formats.source import extension


@dataclass(frozen=True)
class Format:
    """A file format."""

    key: str
    title: str
    extensions: tuple[str, ...]
    description: str

    @property
    def writable(self) -> bool:
        """True if it is written too; every format is read."""
        return getattr(self, "write", None) is not None


Kind = TypeVar("Kind", bound=Format)


def checked(key: str, formats: Mapping[str, Kind]) -> Kind:
    """The format of this key; an InputError names the nearest one."""
    if key not in formats:
        raise InputError(unknown("format", key, formats) + f" (there are {', '.join(formats)})")
    return formats[key]


def for_writing(key: str | None, name: str, formats: Mapping[str, Kind]) -> Kind:
    """The format to write: the one asked for, else the first that a file of this name has."""
    if key is None:
        fitting = [f for f in formats.values() if f.writable and extension(name) in f.extensions]
        if not fitting:
            known = ", ".join(dict.fromkeys(e for f in formats.values() if f.writable for e in f.extensions))
            raise InputError(
                f"{name or 'the output'}: no format has this extension; say the format, or use one of {known}"
            )
        return fitting[0]
    if not checked(key, formats).writable:
        raise InputError(f"the format {key!r} is read, not written")
    return formats[key]
