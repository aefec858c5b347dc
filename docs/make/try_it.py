"""*Try it*: a link from every instance on a page of the site to the live Explorer.

An instance is written as in the guide, `R>a R>b; T = {a}, P = {b} → {a} | dmax=3`, or by the key of
a case, `kosmopoulos2015/figure-11a`. If a text has two, the second one is shown and the first one
pinned. An erratum leads to its figure. style/try.js opens the Explorer in place. Without it, the
link opens the page.
"""

import html
import re
from functools import cache
from pathlib import Path

from hiermeasures.draw.views import OPENING, with_measure
from hiermeasures.explore import share_link
from hiermeasures.explore.library import case_file, to_compare
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE
from hiermeasures.page.build import write_page
from hiermeasures.verify import verify
from hiermeasures.verify.claims import instances
from hiermeasures.verify.library import own_cases
from hiermeasures.verify.values import DoesNotHold

FOLDER = "explorer"  # of the site, with the page
CODE = re.compile(r"<code>([^<]*; T = \{[^<]*|[a-z][a-z0-9-]*/[\w-]+(?: (?:\||and) [^<]*)?)</code>")
MEASURE = re.compile(rf"(?<![\w.])({'|'.join(sorted(CATALOGUE, key=len, reverse=True))})(?![\w.])")
ERRATUM = re.compile(r"<strong>(?:<a [^>]*>)?([a-z]+\d{4}-\d+)(?:</a>)?\.</strong>")
FRAME = (
    '<iframe class="explorer" src="{address}" title="The Explorer, live" loading="lazy"></iframe>'
)
LIVE = "<!-- the Explorer, live -->"  # on a page: the place of the Explorer


def write(site: Path) -> None:
    """Write the page with the Explorer into the site."""
    write_page(site / FOLDER)


def with_links(content: str, up: str) -> str:
    """Return a page with a link behind each instance. `up` leads to the top of the site."""

    def instance(found: re.Match[str]) -> str:
        word = _word(html.unescape(found[1]), _measure_at(content, found.end()))
        return found[0] + (_link(word, up) if word else "")

    def erratum(found: re.Match[str]) -> str:
        key = _figures_of_errata().get(found[1])
        return found[0] + (_link(_word(key, "") or "", up) if key else "")

    content = content.replace(LIVE, FRAME.format(address=f"{up}{FOLDER}/index.html?embed=1"))
    return ERRATUM.sub(erratum, CODE.sub(instance, content))


def _link(word: str, up: str) -> str:
    return f' <a class="try" href="{up}{FOLDER}/index.html#state={word}">Try it</a>'


def _measure_at(content: str, place: int) -> str:
    """Return the first measure after an instance, in the same paragraph or list item."""
    rest = re.split(r"</?(?:li|p|td|h\d)\b", content[place : place + 400], maxsplit=1)[0]
    found = MEASURE.search(re.sub(r"<[^>]+>", " ", rest))
    return found[1] if found else ""


@cache
def _word(text: str, measure: str) -> str | None:
    """Return the share link of one or two instances, or None for other text or a list of cases."""
    try:
        shown, pinned = to_compare(instances(text), "An instance of the docs")
        return share_link.encoded(
            shown, with_measure(OPENING, measure) if measure else OPENING, pinned
        )
    except (InputError, DoesNotHold, KeyError, ValueError):
        return None


@cache
def _figures_of_errata() -> dict[str, str]:
    """Return the first figure in the file of each erratum, by the label of the erratum."""
    first: dict[str, str] = {}
    for case in own_cases().cases.values():
        first.setdefault(case_file(case), case.key)
    files = {claim.label: f"{claim.paper}/{Path(claim.file).stem}" for claim in verify().claims}
    return {label: first[file] for label, file in files.items() if file in first}
