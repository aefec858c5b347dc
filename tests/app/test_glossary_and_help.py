"""The Glossary: what to start with stands first, parts and variants are folded, and each source is
among the works. The Help page lists every page and the versions that run.
"""

from importlib import metadata

from streamlit.testing.v1 import AppTest

import hiermeasures
from hiermeasures.app.pages import PLACES, page_of
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import works_in
from hiermeasures.measures.registry import in_tier

from .screen import codes, page_at, run


def opened() -> AppTest:
    return run(page_at("glossary"))


def keys(markdowns: list) -> list[str]:
    """The measures whose cards these are, in order."""
    return [
        m.value.rpartition("`")[0].rpartition("`")[2]
        for m in markdowns
        if m.value.startswith("**") and "` " not in m.value
    ]


def cards(app: AppTest) -> list[str]:
    return [key for key in keys(list(app.main.markdown)) if key in CATALOGUE]


def test_the_tiers_stand_in_their_order_parts_and_references_are_folded_and_cards_say_what_coincides():
    app = opened()
    tiers = [
        [m.key for m in in_tier(tier, CATALOGUE.values())] for tier in ("start", "question", "part")
    ]
    assert cards(app)[: len(tiers[0])] == tiers[0]
    assert sorted(cards(app)) == sorted(CATALOGUE)
    parts, references = app.expander
    assert parts.label == f"Parts and variants: {len(tiers[2])} measures"
    assert not parts.proto.expanded
    assert sorted(key for key in keys(list(parts.markdown)) if key in CATALOGUE) == sorted(tiers[2])
    assert any(
        "At the defaults `HCM_FNR = 1 - HCM_TPR`" in caption.value for caption in app.caption
    )
    (work,) = works_in(CATALOGUE["HCM_FNR"].source)
    (shown,) = (m.value for m in references.markdown if f"`{work.key}`" in m.value)
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
