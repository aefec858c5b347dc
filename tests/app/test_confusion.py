"""The view "Confusion" of the page Compare: opening classes, cells and their instances, without a
browser.
"""

import csv
import io
from base64 import b64decode
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.explore.model import EXPLORER
from hiermeasures.app.systems.confusion import matrix_csv
from hiermeasures.app.systems.data import example
from hiermeasures.app.systems.form import SYSTEMS
from hiermeasures.evaluation import encode
from hiermeasures.evaluation.confusion_matrix import Matrix, axis
from hiermeasures.evaluation.mistakes import pair_all
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures.mistakes import pair_labels

from .screen import bound, gesture, give_paths, run, sent, systems_page, until

KEY = "systems_matrix"


@pytest.fixture
def app() -> AppTest:
    app = systems_page()
    app.run()
    until(app, lambda: sent(app, "table"))
    bound(app, "systems_view").set_value("Confusion")
    return run(app)


def matrix(app: AppTest) -> dict[str, Any]:
    (found,) = sent(app, "matrix")
    return found


def names(app: AppTest, side: str = "rows") -> list[str]:
    return [head["words"] for head in matrix(app)[side]]


def key(app: AppTest, name: str, side: str = "rows") -> str:
    return next(str(head["key"]) for head in matrix(app)[side] if head["words"] == name)


def rows_of_list(app: AppTest) -> list[list[str]]:
    tables = [table for table in sent(app, "table") if table["address"]["key"] == "systems_list"]
    return [[cell["text"] for cell in row["cells"]] for table in tables for row in table["rows"]]


def test_top_classes_are_shown_first_and_a_class_opens_on_both_axes(app: AppTest) -> None:
    h = example()[0]
    top = list(h.children(h.root))
    assert names(app)[: len(top)] == top
    gesture(app, "open", KEY, axis="rows", key=key(app, "Painting"))
    for side in ("rows", "columns"):
        shown = names(app, side)
        at = shown.index("Painting")
        assert set(shown[at + 1 : at + 2 + len(h.children("Painting"))]) >= {
            *h.children("Painting")
        }
    gesture(app, "open", KEY, axis="columns", key=key(app, "Painting", "columns"))
    assert names(app)[: len(top)] == top


def test_rows_and_columns_open_separately_if_asked(app: AppTest) -> None:
    bound(app, "systems_matrix_same").set_value(False)
    run(app)
    gesture(app, "open", KEY, axis="columns", key=key(app, "Paper", "columns"))
    assert "Print" in names(app, "columns")
    assert "Print" not in names(app, "rows")
    bound(app, "systems_matrix_same").set_value(True)
    run(app)
    assert "Print" not in names(app, "columns")


def test_a_cell_lists_the_instances_that_plain_python_finds(app: AppTest) -> None:
    h, ids, true, systems = example()
    top = {c: t for t in h.children(h.root) for c in {t, *h.descendants(t)}}
    first = next(iter(systems.values()))
    expected = {
        name
        for name, t, p in zip(ids, true, first, strict=True)
        if any(
            m.true and not m.predicted and top[m.true] == "Painting" for m in pair_labels(h, t, p)
        )
    }
    assert expected
    gesture(
        app, "choose", KEY, row=key(app, "Painting"), column=key(app, "missed", "columns"), key="x"
    )
    assert {row[0] for row in rows_of_list(app)} == expected
    gesture(app, "choose", "systems_list", key="0")
    opened = app.session_state[EXPLORER.name]
    assert opened.history.present.title.split(" · ")[0] in expected


def test_a_stale_or_false_key_changes_nothing(app: AppTest) -> None:
    before = app.session_state[SYSTEMS.name].matrix
    gesture(app, "choose", KEY, row="gone", column="", key="x")
    gesture(app, "open", KEY, axis="rows", key="gone")
    gesture(app, "open", KEY, axis="other", key=None)
    assert app.session_state[SYSTEMS.name].matrix == before


def test_a_level_and_a_part_of_the_hierarchy_can_be_shown(app: AppTest) -> None:
    bound(app, "systems_matrix_level_1_to_3").set_value(2)
    run(app)
    assert {"Portrait", "Statue"} <= set(names(app))
    bound(app, "systems_matrix.below").set_value("Painting")
    run(app)
    assert "Statue" not in names(app)
    assert "Portrait" in names(app)
    gesture(app, "open", KEY, axis="rows", key=key(app, "Portrait"))
    assert len(names(app)) > 5
    bound(app, "systems_matrix_level_2_to_0").set_value(3)
    run(app)
    bound(app, "systems_matrix.below").set_value("")
    run(app)
    assert "Statue" in names(app)


def test_the_difference_of_two_systems_has_signs(app: AppTest) -> None:
    bound(app, "systems_matrix.minus").set_value(list(example()[3])[1])
    run(app)
    numbers = [cell["text"] for cell in matrix(app)["cells"]]
    assert any(number.startswith(("+", "−")) for number in numbers)


def saved_picture(app: AppTest) -> str:
    """The SVG of which the browser makes a PNG."""
    forms = [form for form in sent(app, "form") if form["address"]["key"] == f"{KEY}_png"]
    return b64decode(forms[0]["controls"][0]["svg"].partition(",")[2]).decode()


def test_a_filter_of_a_cell_holds_for_the_matrix_and_its_picture_says_so(app: AppTest) -> None:
    assert "Only instances with" not in saved_picture(app)
    gesture(
        app, "choose", KEY, row=key(app, "Painting"), column=key(app, "missed", "columns"), key="x"
    )
    count = len(rows_of_list(app))
    run(app, app.button(key=f"{KEY}_filter").click())
    until(app, lambda: f"{count} instances" in matrix(app)["caption"])
    # The rows are those of the instances that missed a label below Painting.
    assert "true Painting, missed" in saved_picture(app)
    assert "Only instances with" in saved_picture(app)


def test_one_system_with_answers_that_are_not_classes(tmp_path: Path) -> None:
    texts = {"h.tsv": "A\tB\nA\tC\n", "true.csv": "1,B\n2,C\n", "one.csv": "1,B\n2,nonsense\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    app = systems_page()
    app.run()
    hierarchy, true, one = (tmp_path / name for name in texts)
    give_paths(app, "systems", hierarchy=hierarchy, true=true, systems=str(one))
    until(app, lambda: any("1 system" in caption.value for caption in app.caption))
    bound(app, "systems_view").set_value("Confusion")
    run(app)
    assert not [box for box in app.selectbox if box.label == "Minus"]
    assert names(app, "columns") == ["B", "C", "unknown"]
    cells = {tuple(cell["place"]): cell["text"] for cell in matrix(app)["cells"]}
    assert cells == {(0, 0): "1", (1, 1): "0", (1, 2): "1"}


def test_the_csv_has_every_count_and_its_totals_and_no_formula() -> None:
    h = Hierarchy.from_nested({"R": {"=A": ["a", "b"], "B": ["c"]}})
    sides = encode(h, [{"a"}, {"b"}, {"c"}]), encode(h, [{"b"}, {"c"}, {"c"}])
    both = axis(h, {"=A"}, labels={"a", "b", "c"})
    text = matrix_csv(Matrix.count(pair_all(h, *sides), both, both))
    head, *rows = list(csv.reader(io.StringIO(text)))
    assert head == ["true", "'=A > b", "B", "total"]
    assert [row[0] for row in rows] == ["'=A > a", "'=A > b", "B", "total"]
    counts = np.array([[float(cell) for cell in row[1:]] for row in rows])
    # a as b, b as c, c as c
    assert counts.tolist() == [[1, 0, 1], [0, 1, 1], [0, 1, 1], [1, 2, 3]]


def test_the_worst_instances_of_a_cell_come_first(app: AppTest) -> None:
    gesture(app, "choose", KEY, row="", column="", key="x")
    values = [float(row[-2]) for row in rows_of_list(app)]
    assert len(values) == 200  # of 240, which a list shows at most
    assert values == sorted(values)
    bound(app, "systems_matrix.minus").set_value("generous")
    run(app)
    gesture(app, "choose", KEY, row=key(app, "extra"), column="", key="x")
    losses = [float(row[-2]) - float(row[-1]) for row in rows_of_list(app)]
    assert losses == pytest.approx(sorted(losses), abs=0.011)  # shown with two decimals
    assert len(losses) > 1
