"""The Help page: every page is listed with what it is for, and the versions are those that run."""

from importlib import metadata

import hiermeasures
from hiermeasures.app.pages import NAMES, page_of

from .screen import page_at, run


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
