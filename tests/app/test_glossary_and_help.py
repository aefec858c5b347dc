"""The Glossary: what to start with stands first, parts and variants are folded, and each source is
among the works. The Help page lists every page and the versions that run.
"""

import re
from collections.abc import Iterable
from importlib import metadata
from typing import Any

from streamlit.testing.v1 import AppTest

import hiermeasures
from hiermeasures.app.pages import PLACES, page_of
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import works_in
from hiermeasures.measures.registry import in_tier

from .screen import codes, page_at, run


def opened() -> AppTest:
    return run(page_at("glossary"))


def html(shown: Iterable[Any]) -> str:
    """The HTML of a part of the page."""
    return "".join(element.proto.body for element in shown if element.type == "html")


def keys(shown: Iterable[Any]) -> list[str]:
    """The measures whose cards these are, in order."""
    return [k for k in re.findall('id="glossary_([^"]*)"', html(shown)) if k in CATALOGUE]


def test_the_tiers_stand_in_their_order_parts_and_references_are_folded_and_cards_say_what_coincides():
    app = opened()
    tiers = [
        [m.key for m in in_tier(tier, CATALOGUE.values())] for tier in ("start", "question", "part")
    ]
    cards = keys(app.main)
    assert cards[: len(tiers[0])] == tiers[0]
    assert sorted(cards) == sorted(CATALOGUE)
    parts, references = app.expander
    assert parts.label == f"Parts and variants: {len(tiers[2])} measures"
    assert not parts.proto.expanded
    assert sorted(keys(parts)) == sorted(tiers[2])
    assert "At the defaults <code>HCM_FNR = 1 - HCM_TPR</code>" in html(app.main)
    (work,) = works_in(CATALOGUE["HCM_FNR"].source)
    (shown,) = (w for w in html(references).split("</p>") if f"<code>{work.key}</code>" in w)
    assert "Read: whole." in shown


def test_help_lists_every_page_and_the_version_that_runs_and_no_place_of_the_server() -> None:
    at = run(page_at("help"))
    shown = "\n".join(block.value for block in at.markdown)
    names = [name for modules in PLACES.values() for name in modules.values()]
    for page in (page_of(name) for name in names if name != "help"):
        assert page.about
        assert f"- **{page.title}**: {page.about}" in shown
    cite, versions = codes(at)
    assert f"version = {{{hiermeasures.__version__}}}" in cite
    assert ["streamlit", metadata.version("streamlit")] in [
        line.split() for line in versions.splitlines()
    ]
    assert "/" not in versions
