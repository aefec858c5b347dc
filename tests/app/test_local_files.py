"""Files of this computer by their paths: only for a session with this start's token."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app import server
from hiermeasures.cli import main as cli
from tests.app.screen import APP, page_at, run, systems_page


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(server, "_token", None)  # put back after the test
    server.make_token()
    return server.query().removeprefix(f"/?{server.PARAMETER}=")


def allowed(given: str) -> bool:
    address, session = {server.PARAMETER: given, "state": "x"}, dict[str, object]()
    server.take_token(address, session)
    assert address == {"state": "x"}  # a wrong one does not stay either
    return server.are_allowed(session)


def test_the_token_of_this_start_opens_and_nothing_like_it(token: str) -> None:
    assert len(token) >= 43  # 256 bits
    assert allowed(token)
    assert not any(map(allowed, ("", token[:-1], token + "x", token.upper(), "\ud800", "None")))
    server.make_token()
    assert not allowed(token)
    server.make_token(wanted=False)
    assert not any(map(allowed, (token, "", "None")))
    assert server.query() == ""


def test_the_app_takes_the_token_from_the_address_once(token: str) -> None:
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params[server.PARAMETER] = token
    app.run()
    assert server.PARAMETER not in app.query_params
    assert server.are_allowed(app.session_state)
    assert server.are_allowed(app.run().session_state)


@pytest.mark.parametrize("with_token", [False, True])
def test_the_page_offers_paths_to_that_session_alone(with_token: bool, token: str) -> None:
    page = run(systems_page() if with_token else page_at("systems"))
    assert (
        any(str(group.key).startswith("systems_from") for group in page.button_group) == with_token
    )


def test_the_command_prints_the_address_with_its_token(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("streamlit.web.cli.main", lambda *arguments, **settings: 0)
    monkeypatch.setattr(server, "_token", None)  # put back after the test
    assert cli(["app", "--local-files"]) == 0
    token = re.findall(
        r"the app is at http://localhost:\d+/\?token=([\w-]{43});", capsys.readouterr().out
    )[0]
    assert allowed(token)
