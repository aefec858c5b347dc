"""The instance that the Explorer opens with, where the app was started in an instance."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.explore.model import EXPLORER
from hiermeasures.cases.writing import write_case
from hiermeasures.core.errors import InputError
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.explorer.library import OPENING, figure
from hiermeasures.explorer.loading import start
from hiermeasures.explorer.location import Opening
from hiermeasures.explorer.share_link import decoded
from hiermeasures.explorer.state import DEEPEST
from hiermeasures.formats import read_hierarchy
from hiermeasures.formats.source import UPLOAD
from hiermeasures.measures import explain
from tests.app.screen import AppHand, opened

BEASTS = Hierarchy.from_edges([("animal", "bird"), ("animal", "fish"), ("bird", "owl")])


@pytest.fixture
def beasts(tmp_path, monkeypatch):
    """The app is started with a file of one's own."""
    file = tmp_path / "beasts.txt"
    file.write_text("animal bird\nanimal fish\nbird owl\n")
    for name, text in Opening(str(file), true=["owl"], predicted=["bird"]).environment().items():
        monkeypatch.setenv(name, text)


def address(app: AppTest) -> str:
    """The word in the address bar."""
    word: str = AppHand(app).drawn["location"]["word"]
    return word


def test_a_session_begins_with_the_instance_and_every_address_says_what_is_shown(beasts) -> None:
    app = opened()
    at = AppHand(app)
    assert set(at.shapes) == {"animal", "bird", "fish", "owl"}
    assert (at.chosen("true_classes"), at.chosen("predicted_classes")) == (["owl"], ["bird"])
    # The ancestors of owl are bird and animal: two of three true classes are predicted, and nothing
    # else. 2·2/(3 + 2)
    assert at.value("hF") == "0.80"
    shown = decoded(address(app)).shown
    assert (shown.hierarchy, shown.instance.true, shown.instance.predicted) == (BEASTS, {"owl"}, {"bird"})

    model = app.session_state[EXPLORER.name]
    app.session_state[EXPLORER.name] = replace(model, history=model.history.to(figure(OPENING)))
    assert decoded(address(app.run())).shown == figure(OPENING)  # a bare address opens the file


def test_a_case_file_brings_its_options_and_own_measures(tmp_path) -> None:
    file, instance = tmp_path / "mine.yaml", explain(BEASTS, ["owl"], ["fish"], dmax=2).instance
    file.write_text(write_case(instance, title="Mine", year=2026, define={"mine": "hP / 2"}), "utf-8")
    given = Opening(str(file), predicted=["bird"]).opened()
    assert given.own == ("mine=hP / 2",)
    assert given.shown.instance.options.dmax == 2
    assert (given.shown.instance.true, given.shown.instance.predicted) == ({"owl"}, {"bird"})


def test_a_file_is_bounded_as_an_upload_is(tmp_path) -> None:
    deep, large = tmp_path / "deep.txt", tmp_path / "large.txt"
    deep.write_text("".join(f"c{k} c{k + 1}\n" for k in range(DEEPEST + 1)))
    large.write_bytes(b"a b\n" * (UPLOAD.bytes // 4 + 1))
    with pytest.raises(InputError, match=rf"1,001 levels deep; at most {DEEPEST:,}"):
        Opening(str(deep)).environment()
    with pytest.raises(InputError, match="larger than 20 MB"):
        Opening(str(large)).environment()


# --- what a drawing can start from --------------------------------------------------------------


def test_the_family_364_is_that_of_icd_9(data: Path) -> None:
    whole = read_hierarchy(data / "icd9/icd9_hierarchy.csv")
    family = {"364", *whole.descendants("364")}
    assert start("icd9") == Hierarchy.from_edges([e for e in whole.edges if set(e) <= family])
