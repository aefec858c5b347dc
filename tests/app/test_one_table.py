"""One table on the page Compare: what was understood of it stands with its first rows, then it is
evaluated.
"""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.files import File
from hiermeasures.app.job import FieldError
from hiermeasures.app.systems.data import Columns, evaluate_table

from .screen import bound, systems_page, until

TABLE = """id,category,gpt,llama
1,Home > Garden > Tools,Home > Garden > Tools,Home > Garden
2,Home > Kitchen > Pans,Home > Kitchen > Pots,Home > Kitchen > Pans
3,Home > Kitchen > Pots,Home > Kitchen > Pots,
"""


def with_table(path: Path) -> AppTest:
    app = systems_page().run()
    bound(app, "systems_kind").set_value("table").run()
    bound(app, "systems_from").set_value("Path").run()
    bound(app, "systems_table_path").set_value(str(path)).run()
    return app


def test_a_table_shows_what_was_understood_and_is_then_evaluated(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text(TABLE)
    app = with_table(tmp_path / "answers.csv")
    captions = [c.value for c in app.caption]
    assert any(
        ": paths separated by ' \\> ', 3 levels, 6 classes in the first 3 rows" in c
        for c in captions
    ), captions
    assert bound(app, "systems_table_true").value == "category"
    assert bound(app, "systems_table_predicted").value == ["gpt", "llama"]
    assert app.dataframe[0].value.iloc[0].tolist() == ["Home > Garden > Tools"] * 2 + [
        "Home > Garden"
    ]
    app.button(key="systems_evaluate").click().run()
    until(app, lambda: any("2 systems · 3 instances" in c.value for c in app.caption))
    assert any("1 empty" in w.value and "row 3" in w.value for w in app.warning)


def test_a_table_that_cannot_be_read_is_named_beside_its_field(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_bytes(b"id,category\n1,\xff\n")
    app = with_table(tmp_path / "answers.csv")
    assert any("not UTF" in error.value for error in app.error)


def test_uploads_are_evaluated_and_their_instances_are_rows() -> None:
    given = {"table": [File("answers.csv", TABLE.encode())]}
    evaluation = evaluate_table(given, Columns("category", ("gpt", "llama")), lambda *_: None)
    report = evaluation.reports["gpt"]
    assert report["hF"] == pytest.approx((1 + 2 / 3 + 1) / 3)
    assert list(report.per_instance.index) == ["row 1", "row 2", "row 3"]
    with pytest.raises(FieldError, match="unknown column 'truth'"):
        evaluate_table(given, Columns("truth", ("gpt",)), lambda *_: None)
