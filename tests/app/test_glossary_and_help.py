"""The Glossary: what to start with stands first, parts and variants are folded, and each source is
among the works. The Help page lists every page and the versions that run.
"""

from importlib import metadata

from streamlit.testing.v1 import AppTest

import hiermeasures
from hiermeasures.app.glossary import TERMS
from hiermeasures.app.pages import NAMES, page_of
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import works_in
from hiermeasures.measures.registry import in_tier
from hiermeasures.measures.weighted import other_names

from .screen import page_at, run, sent


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


def test_the_tiers_stand_in_their_order_and_the_last_is_folded():
    app = opened()
    tiers = [[m.key for m in in_tier(tier, CATALOGUE.values())] for tier in ("start", "question", "part")]
    assert cards(app)[: len(tiers[0])] == tiers[0]
    assert sorted(cards(app)) == sorted(CATALOGUE)
    parts, references = app.expander
    assert parts.label == f"Parts and variants: {len(tiers[2])} measures"
    assert not parts.proto.expanded
    assert sorted(key for key in keys(list(parts.markdown)) if key in CATALOGUE) == sorted(tiers[2])
    assert references.label.startswith("References: ")


def test_a_card_says_what_a_measure_coincides_with_and_its_work_is_among_the_references():
    app = opened()
    assert any("At the defaults `HCM_FNR = 1 - HCM_TPR`" in caption.value for caption in app.caption)
    (work,) = works_in(CATALOGUE["HCM_FNR"].source)
    (shown,) = (m.value for m in app.expander[1].markdown if f"`{work.key}`" in m.value)
    assert "Read: whole." in shown


def test_words_measures_and_their_other_names_are_searched():
    (data,) = sent(opened(), "contents")
    titles = [entry["title"] for entry in data["entries"]]
    assert set(TERMS) <= set(titles)
    by_key = {entry["to"].removeprefix("glossary_"): entry for entry in data["entries"]}
    for m in CATALOGUE.values():
        assert by_key[m.key]["title"] == m.name
        assert m.description in by_key[m.key]["text"]
        assert bool(by_key[m.key]["inside"]) == (m.key in [part.key for part in in_tier("part", CATALOGUE.values())])
    for name in other_names():
        assert name.called in titles
        assert all(name.called in by_key[key]["text"] for key in name.measures)


def test_every_page_is_listed_with_what_it_is_for() -> None:
    shown = "\n".join(block.value for block in run(page_at("help")).markdown)
    for name in set(NAMES) - {"help"}:
        page = page_of(name)
        assert page.about, name
        assert f"- **{page.title}**: {page.about}" in shown


def test_the_version_is_the_one_that_runs_and_no_place_of_the_server_is_told() -> None:
    at = run(page_at("help"))
    cite, versions = (block.value for block in at.code)
    assert f"version = {{{hiermeasures.__version__}}}" in cite
    assert ["streamlit", metadata.version("streamlit")] in [line.split() for line in versions.splitlines()]
    assert "/" not in versions
