"""The page "A printed number" without a browser: what is typed, the search, and
its answer.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.explore.model import EXPLORER
from hiermeasures.app.files import File
from hiermeasures.app.systems.data import (
    Columns,
    ComparisonRequest,
    Evaluation,
    Matching,
    evaluate_files,
    evaluate_table,
    example,
)
from hiermeasures.app.systems.form import SYSTEMS, PrintedQuestion, SystemsModel
from hiermeasures.app.systems.printed import PrintedAnswer, _values, answered
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.verify.forensics import forensics

from .screen import bound, errors, page_at, sent, until

ASKED = ComparisonRequest(("hF",))
PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def app() -> AppTest:
    """The page on the built-in example."""
    app = page_at("systems.printed").run()
    return until(app, lambda: any(b.key == "printed_find" for b in app.button))


def held(app: AppTest) -> SystemsModel:
    model: SystemsModel = app.session_state[SYSTEMS.name]
    return model


def ask(app: AppTest, **numbers: str) -> PrintedAnswer:
    """Type numbers, by the place of the system, and ask for the conventions."""
    for place, text in numbers.items():
        bound(app, f"printed_{place.removeprefix('n')}").set_value(text)
    app.button(key="printed_find").click().run()
    typed = {text for text in numbers.values() if text}
    until(
        app,
        lambda: (
            (there := held(app).answer) is not None
            and typed <= set(there.question.numbers.values())
        ),
    )
    answer = held(app).answer
    assert answer is not None
    return answer


def shown_rows(app: AppTest) -> list[list[str]]:
    table = sent(app, "table")[-1]
    return [[cell["text"] for cell in row["cells"]] for row in table["rows"]]


def test_the_number_to_try_is_one_ratio_of_sums_without_the_uppermost_classes_and_its_convention_is_found(
    app: AppTest,
) -> None:
    app.button(key="printed_sample").click().run()
    until(app, lambda: held(app).answer is not None)
    h, _, true, systems = example()
    tops = {h.root, *h.children(h.root)}

    def counted(labels: frozenset[str]) -> set[str]:
        return {above for label in labels for above in (label, *h.ancestors(label))} - tops

    pairs = [(counted(t), counted(p)) for t, p in zip(true, systems["cautious"], strict=True)]
    sums = [
        sum(map(len, column)) for column in zip(*((t & p, t, p) for t, p in pairs), strict=True)
    ]
    value = 2 * sums[0] / (sums[1] + sums[2])
    assert bound(app, "printed_0").value == f"{value:.3f}"
    answer = held(app).answer
    assert answer is not None
    ids = [
        convention.id for finding in answer.found.consistent for convention in finding.conventions
    ]
    assert "F|average:micro|root:tops_out" in ids
    assert shown_rows(app)[0][0] == f"{value:.6f} rounded"
    assert any(
        m.value.startswith("Consistent with ") and " by chance" in m.value for m in app.markdown
    )


def test_a_wrong_entry_is_named_and_loses_nothing(app: AppTest) -> None:
    app.button(key="printed_find").click().run()
    assert errors(app) == ["Type the printed number of one of the systems."]
    bound(app, "printed_0").set_value("0.9")
    bound(app, "printed_2").set_value("0,7")
    app.button(key="printed_find").click().run()
    (said,) = errors(app)
    assert said.startswith("generous: '0,7'")
    assert [bound(app, f"printed_{k}").value for k in range(4)] == ["0.9", "", "0,7", ""]
    for text in ("0e999999999", "1e-4000000"):
        bound(app, "printed_2").set_value(text).run()
        assert not app.exception
        assert errors(app) == [said.replace("0,7", text)]
    assert held(app).job is None
    assert held(app).answer is None


@pytest.mark.slow
def test_several_numbers_are_one_question_and_where_none_fits_the_nearest_come_with_differences(
    app: AppTest,
) -> None:
    answer = ask(app, n2=".74", n3="70 %")
    assert list(answer.found.printed) == ["generous", "all or nothing"]
    rows = [finding.values for finding in answer.found.consistent]
    assert rows
    assert all(round(a, 2) == 0.74 and round(b, 2) == 0.7 for a, b in rows)
    answer = ask(app, n2="", n3="", n1="0.8140")
    assert not answer.found.consistent
    values = [float(row[1].split()[0]) for row in shown_rows(app)]
    differences = [float(row[1].split()[1].replace("−", "-")) for row in shown_rows(app)]
    assert differences == pytest.approx([value - 0.814 for value in values], abs=6e-5)
    assert any("The nearest" in caption.value for caption in app.caption)
    assert ask(app, n1="0.8319").found.change
    of_one, of_hierarchy = (
        text["text"] for text in sent(app, "text") if " gives 0.8319 with " in text["text"]
    )
    assert re.fullmatch(r".* with M0\d{3} all wrong\.", of_one)
    assert " with a hierarchy in which " in of_hierarchy
    bound(app, "printed_1").set_value("0.8141").run()
    assert any(
        "results below are older: near miss 0\\.8319" in caption.value for caption in app.caption
    )


@pytest.mark.slow
def test_the_instance_that_tells_them_apart_opens_in_the_explorer(
    app: AppTest, went: list[Any]
) -> None:
    app.button(key="printed_sample").click().run()
    until(app, lambda: any(b.key == "printed_open" for b in app.button))
    answer = held(app).answer
    assert answer is not None
    assert answer.found.telling is not None
    app.button(key="printed_open").click().run()
    _, ids, true, systems = example()
    shown, place = app.session_state[EXPLORER.name].history.present, answer.found.telling
    assert went == [("explore", {})]
    assert shown.title == f"{ids[place]} · cautious"
    assert (shown.instance.true, shown.instance.predicted) == (
        true[place],
        systems["cautious"][place],
    )
    assert app.session_state[EXPLORER.name].back.page == "systems.printed"


# --- without the page -----------------------------------------------------------------------------


def of_files(folder: Path, **texts: str) -> Evaluation:
    """The evaluation of a hierarchy, of truth and of systems, in this order."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    hierarchy, true, *systems = (File(name, folder / name) for name in texts)
    given = {"hierarchy": [hierarchy], "true": [true], "systems": systems}
    return evaluate_files(given, Matching(), lambda *_: None, ASKED)


def page_of(evaluation: Evaluation) -> AppTest:
    app = page_at("systems.printed")
    app.session_state[SYSTEMS.name] = SystemsModel(evaluation=evaluation, wanted=ASKED)
    return app.run()


@pytest.fixture
def lacking(tmp_path: Path) -> Evaluation:
    """Three instances, of which a file has predictions of two."""
    rows = {"t": "id,labels\n1,D\n2,E\n3,C\n", "s": "id,labels\n1,D\n2,Z|B\n"}
    return of_files(tmp_path, h="A,B\nA,C\nB,D\nB,E\n", **rows)


def test_a_missing_prediction_has_bounds_or_is_empty(lacking: Evaluation) -> None:
    app = page_of(lacking)
    # Of three instances the first is right, the second is not, and the third may be.
    assert bound(app, "printed_missing").value == "bounds"
    app.selectbox(key=bound(app, "printed_of").key).select("accuracy").run()
    answer = ask(app, n0="0.667")
    assert answer.found.consistent[0].ends == ((pytest.approx(1 / 3), pytest.approx(2 / 3)),)
    assert shown_rows(app)[0][0] == "0.333 to 0.667"
    assert any("missing predictions" in caption.value for caption in app.caption)
    bound(app, "printed_missing").select("empty").run()
    assert any("results below are older" in caption.value for caption in app.caption)
    app.button(key="printed_find").click().run()
    until(app, lambda: (now := held(app).answer) is not None and now.question.missing == "empty")
    assert not any(finding.spans for finding in held(app).answer.found.nearest)  # type: ignore[union-attr]


def test_labels_of_files_are_searched_as_they_stand_there_and_the_files_to_take_away_hold_the_answer(
    lacking: Evaluation,
) -> None:
    found = answered(lacking, PrintedQuestion({"s": "0.667"}, "P", "empty"), lambda *_: None).found
    h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("B", "E")])
    expected = forensics(
        h, [{"D"}, {"E"}, {"C"}], {"s": [{"D"}, {"Z", "B"}, set()]}, {"s": "0.667"}, of="P"
    )
    assert found.as_json() == expected.as_json()
    # {B, D} and {B}, both right, with Z left out and nothing for the third: of three instances 1, 1
    # and 0.
    assert "P|unknown:drop" in [finding.convention.id for finding in found.consistent]
    assert json.dumps(found.as_json())


def test_one_table_is_searched_as_it_was_read_and_distances_are_no_shares(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,truth,model\n1,A > B,A > C\n2,A > C,A > B\n3,A > C,A\n")
    evaluation = evaluate_table(
        {"table": [File("t.csv", table)]}, Columns("truth", ("model",)), lambda *_: None
    )
    answer = answered(evaluation, PrintedQuestion({"model": "1.67"}), lambda *_: None)
    # Two, two and one edges.
    place = [group[0].convention.id for group in answer.listed].index("distance")
    assert _values(answer, 0)[place] == f"{5 / 3:.6f} rounded"
