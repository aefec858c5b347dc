"""What the server keeps for a reload: for whom, how much, and how long."""

from dataclasses import replace

import pytest

from hiermeasures.app import kept_models
from hiermeasures.app.files import FileField, Form
from hiermeasures.app.kept_models import KEY, MOST_BYTES_OF_ONE, ModelShelf
from hiermeasures.app.systems.form import SystemsModel

from .screen import page_at, run

UPLOADS = SystemsModel(
    form=Form(hierarchy=FileField(uploads=(("h.txt", b"A B\nA C\n"),)), asked=False), view="Search"
)
GONE = "Your files are gone"


@pytest.fixture
def shelf(monkeypatch):
    made = ModelShelf()
    monkeypatch.setattr(kept_models, "SHELF", made)
    # sessions of AppTest have no cookie
    monkeypatch.setattr(kept_models, "_browser", lambda: "a browser")
    return made


def test_a_model_is_for_its_visitor_and_for_half_an_hour():
    now = [0.0]
    shelf = ModelShelf(clock=lambda: now[0])
    shelf.put("key", "me", "model", 10)
    assert shelf.get("key", "me") == "model"
    assert shelf.get("key", "someone else") is None
    assert shelf.get("other key", "me") is None
    now[0] = 60 * kept_models.MINUTES - 1
    shelf.put("key", "me", "newer", 10)
    now[0] += 60 * kept_models.MINUTES - 1
    assert shelf.get("key", "me") == "newer"
    now[0] += 2
    assert shelf.get("key", "me") is None


def test_the_oldest_make_room_and_one_that_is_too_large_is_not_kept():
    shelf = ModelShelf()
    for k in range(kept_models.MOST_MODELS + 1):
        shelf.put(str(k), "me", k, 1)
    assert shelf.get("0", "me") is None
    assert shelf.get("1", "me") == 1
    for k in range(5):  # 5 × 100 MB, of which 400 MB stay
        shelf.put(f"large {k}", "me", k, MOST_BYTES_OF_ONE)
    assert [shelf.get(f"large {k}", "me") for k in range(5)] == [None, 1, 2, 3, 4]
    shelf.put("large 4", "me", 9, MOST_BYTES_OF_ONE + 1)
    assert shelf.get("large 4", "me") is None


def test_a_new_session_with_the_key_has_the_uploads_and_the_view(shelf):
    first = page_at("systems")
    first.session_state["systems_model"] = UPLOADS
    run(first)
    key = first.session_state[KEY.name]
    assert len(key) >= 20
    assert key in first.query_params["uploaded"]
    second = run(page_at("systems", uploaded=key))
    model = second.session_state["systems_model"]
    assert (model.form.hierarchy, model.view) == (UPLOADS.form.hierarchy, "Search")
    assert not [info for info in second.info if GONE in info.value]
    # Its own key from now on: nobody can choose the key of another session.
    assert key not in second.query_params["uploaded"]
    assert second.session_state[KEY.name] != key


def test_an_unknown_key_says_that_the_files_are_gone_until_there_are_some(shelf):
    app = run(page_at("systems", uploaded="yes"))
    assert [info for info in app.info if GONE in info.value]
    app.session_state["systems_model"] = replace(
        app.session_state["systems_model"], form=UPLOADS.form
    )
    run(app)
    assert not [info for info in app.info if GONE in info.value]
