"""Collections leave out what lives, of modules and of sessions; what has died since is freed all
the same.
"""

import gc
import tomllib
import weakref
from collections.abc import Iterator

import pytest

from hiermeasures.app import pages
from tests.fresh import PROJECT

HELD = 1_000_000  # lists, which a collection of everything needs some hundredths of a second for


class Cycle:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in a server that has just begun; Python collects only when it is asked to."""
    monkeypatch.setattr(pages, "_ended", float("-inf"))
    monkeypatch.setattr(pages, "REST", 0)
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


def test_nothing_is_collected_after_every_click() -> None:
    settings = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["runner"]["postScriptGC"] is False


def test_what_sessions_hold_is_left_out_also_once_they_hold_more() -> None:
    held = []
    for sessions in (1, 2):
        held += [[] for _ in range(HELD)]
        pages.collect_now_and_then()
        assert gc.get_freeze_count() > sessions * HELD
        assert len(gc.get_objects()) < HELD / 10


def test_what_a_click_leaves_is_freed_by_pythons_own_collection() -> None:
    pages.collect_now_and_then()
    cycle = weakref.ref(Cycle())
    gc.collect()
    assert cycle() is None


def test_what_a_session_held_is_freed_after_it_has_ended() -> None:
    session = [Cycle()]
    cycle = weakref.ref(session[0])
    pages.collect_now_and_then()
    session.clear()
    gc.collect()
    assert cycle() is not None  # left out
    pages.collect_now_and_then()
    assert cycle() is None


def test_a_slow_collection_is_not_repeated_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "REST", 1e6)
    held = [[] for _ in range(HELD)]
    pages.collect_now_and_then()
    cycle = weakref.ref(Cycle())
    pages.collect_now_and_then()
    assert cycle() is not None
    assert len(held) == HELD
