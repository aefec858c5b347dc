"""`hiermeasures app --local-files`: the printed address opens with paths, any other without."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import PROJECT, free_port, opened, running
from .test_systems_page import LONG, at_rest


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address that the command prints."""
    port, log = free_port(), tmp_path_factory.mktemp("local") / "log"
    command = [sys.executable, "-m", "hiermeasures", "app", "--port", str(port), "--local-files"]
    surroundings = {**os.environ, "STREAMLIT_SERVER_HEADLESS": "true"}
    with running(command, port, log, cwd=PROJECT, env=surroundings):
        yield re.findall(r"the app is at (\S+);", Path(log).read_text())[0]


def paths_are_offered(page: Page) -> bool:
    page.get_by_role("link", name="Systems").click()
    page.get_by_text("Your own files").click(timeout=LONG)
    expect(page.get_by_role("region", name="True labels", exact=True)).to_be_visible()
    at_rest(page)
    return page.get_by_role("radio", name="Path").count() == 1


@pytest.mark.slow
def test_the_printed_address_offers_paths_and_shows_its_token_no_longer(window: Page, printed: str) -> None:
    home, _, query = printed.partition("/?")
    assert re.fullmatch(r"token=[\w-]{43}", query)
    with opened(window, printed) as page:
        expect(page).not_to_have_url(re.compile("token"))
        assert page.url.startswith(home)
        assert paths_are_offered(page)
    for address in (home, printed[:-1]):
        with opened(window, address) as page:
            assert not paths_are_offered(page)
