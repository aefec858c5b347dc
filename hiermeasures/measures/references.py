"""The bibliography: what the catalogue, the Glossary and the documentation cite, by key.

`references.json` beside this module is CSL-JSON, which reference managers read. `custom` says of
each work what was read of it: the whole, the abstract, or nothing ("not at hand").
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from hiermeasures.core.errors import check_known

READ = ("whole", "abstract", "not at hand")
_KEY = re.compile(r"@(\w+)")


@dataclass(frozen=True)
class Reference:
    """A work. `read` is one of READ; `text` says which text that was, or after whom it is cited."""

    key: str
    authors: tuple[str, ...]
    year: int
    title: str
    published: str
    link: str
    read: str
    text: str

    @property
    def short(self) -> str:
        """Name by which a sentence cites it: `Kosmopoulos et al. 2015`."""
        first, *more = self.authors
        others = "" if not more else f" and {more[0]}" if len(more) == 1 and more[0] != "others" else " et al."
        return f"{first}{others} {self.year}"


@cache
def references() -> Mapping[str, Reference]:
    """Return the works of the bibliography by key, in alphabetical order.

    >>> references()["kosmopoulos2015"].short, references()["lin1998"].read
    ('Kosmopoulos et al. 2015', 'not at hand')
    """
    entries: list[dict[str, Any]] = json.loads(
        files(__package__).joinpath("references.json").read_text(encoding="utf-8")
    )
    return MappingProxyType({entry["id"]: _reference(entry) for entry in entries})


def _reference(entry: Mapping[str, Any]) -> Reference:
    place = [entry.get("container-title") or entry["publisher"], *([entry["volume"]] if "volume" in entry else [])]
    link = entry.get("URL") or (f"https://doi.org/{entry['DOI']}" if "DOI" in entry else "")
    return Reference(
        key=entry["id"],
        authors=tuple(author.get("family") or author["literal"] for author in entry["author"]),
        year=entry["issued"]["date-parts"][0][0],
        title=entry["title"],
        published=", ".join([" ".join(place), *([entry["page"]] if "page" in entry else [])]),
        link=link,
        read=entry["custom"]["read"],
        text=entry["custom"].get("text", ""),
    )


def cited(text: str) -> str:
    """Write a text in which keys are written with @ with the names of the works.

    Raises
    ------
    InputError
        For a key that the bibliography does not have.

    Examples
    --------
    >>> cited("@dekel2004; @kosmopoulos2015, Section 2.3.2")
    'Dekel et al. 2004; Kosmopoulos et al. 2015, Section 2.3.2'
    """
    return _KEY.sub(lambda found: _known(found[1]).short, text)


def works_in(text: str) -> Iterator[Reference]:
    """Yield the works that a text names as `cited` writes them, in its order.

    >>> [work.key for work in works_in("Riehl et al. 2023, Table II; Lin 1998")]
    ['riehl2023', 'lin1998']
    """
    by_name = {work.short: work for work in references().values()}
    for found in re.finditer("|".join(rf"\b{re.escape(name)}\b" for name in by_name), text):
        yield by_name[found[0]]


def _known(key: str) -> Reference:
    check_known("reference", key, references())
    return references()[key]
