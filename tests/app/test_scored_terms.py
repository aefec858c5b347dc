"""Scored terms on the Systems page without a browser: the built-in example, one's own files, the
curves, the targets behind a point, and what opens in the Explorer.
"""

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.explore.model import EXPLORER
from hiermeasures.app.files import File
from hiermeasures.app.job import FieldError
from hiermeasures.app.systems.data import UTENSILS, Point, Protocol, ScoredEvaluation, evaluate_scored, targets_at
from hiermeasures.app.systems.figures import precision_recall, uncertainty_misinformation
from hiermeasures.app.systems.form import SYSTEMS, SystemsModel
from hiermeasures.app.systems.scored import SCORED, ScoredModel
from hiermeasures.cafa.protocol import cafa_evaluate, counted_information
from hiermeasures.cafa.sums import CafaReport
from hiermeasures.formats.annotations import read_annotations
from hiermeasures.formats.ontology import read_ontology

from .screen import bound, gesture, give_paths, sent, systems_page, until

OBO = """format-version: 1.2

[Term]
id: R
namespace: N

[Term]
id: A
namespace: N
is_a: R

[Term]
id: B
namespace: N
relationship: part_of R

[Term]
id: C
namespace: N
is_a: A
"""
FILES = {
    "o.obo": OBO,
    "t.tsv": "P1\tC\nP2\tB\n",
    "one.tsv": "P1\tC\t0.305\nP1\tB\t0.55\nP2\tA\t0.605\n",
    "two.tsv": "P1\tC\t0.9\nP2\tB\t0.8\n",
    "ia.tsv": "R\t0\nA\t1\nB\t2\nC\t3\n",
}


@pytest.fixture
def app() -> AppTest:
    app = systems_page()
    app.session_state[SYSTEMS.name] = SystemsModel(kind="scored")
    app.run()
    return until(app, lambda: listed(app))


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in FILES}


def held(app: AppTest) -> ScoredModel:
    return app.session_state[SCORED.name]


def listed(app: AppTest) -> list[str]:
    """The targets of the list, which is drawn when they have been looked up."""
    return [row[0] for row in rows(app)]


def rows(app: AppTest) -> list[list[str]]:
    tables = [table for table in sent(app, "table") if table["address"]["component"] == "systems_list"]
    return [[cell["text"] for cell in row["cells"]] for table in tables for row in table["rows"]]


def own(app: AppTest, files: dict[str, Path], *more: str) -> AppTest:
    systems = "\n".join(str(files[name]) for name in ("one.tsv", "two.tsv"))
    given = {"ontology": files["o.obo"], "true": files["t.tsv"], "systems": systems}
    give_paths(app, "scored", **given, **dict.fromkeys(more, files["ia.tsv"]))
    return until(app, lambda: held(app).evaluation.files.title == "t.tsv" and set(listed(app)) == {"P1", "P2"})


def evaluated(*predicted: str, ontology: str = OBO, true: str = FILES["t.tsv"]) -> ScoredEvaluation:
    systems = [File(f"s{k}.tsv", text.encode()) for k, text in enumerate(predicted)]
    given = {"ontology": [File("o.obo", ontology.encode())], "true": [File("t.tsv", true.encode())], "systems": systems}
    return evaluate_scored(given, Protocol(), lambda *_: None)


def example_report() -> CafaReport:
    """The library's evaluation of the files that the page gives away."""
    with zipfile.ZipFile(UTENSILS) as archive:
        found = {Path(name).name: archive.read(name) for name in archive.namelist()}
    ontology, true = read_ontology(found["utensils.obo"]), read_annotations(found["truth.tsv"], scored=False)
    predictions = [read_annotations(found[f"{n}.tsv"], scored=True, name=n) for n in ("bold", "wary", "coarse")]
    return cafa_evaluate(ontology, true, predictions, information=counted_information(ontology, true))


# --- the page -------------------------------------------------------------------------------------


def test_the_page_opens_with_an_example_whose_table_is_the_evaluation_of_the_files_it_gives_away(app: AppTest) -> None:
    table = sent(app, "table")[0]
    shown = {
        (row["cells"][0]["text"], row["cells"][1]["text"]): [c["text"].replace("\u00a0", " ") for c in row["cells"][2:]]
        for row in table["rows"]
    }
    expected = {
        (line["ns"], line["filename"]): [
            *(f"{line[k]:.3f} at {line[f'{k}_tau']:.2f}" for k in ("F_max", "F_max_w", "S_min", "S_min_w")),
            f"{line['coverage']:.1%}",
        ]
        for line in example_report().best().to_dict("records")
    }
    assert shown == expected
    assert len(app.get("plotly_chart")) == 2


@pytest.mark.slow
def test_a_row_of_the_table_picks_a_system_at_its_best_threshold(app: AppTest) -> None:
    gesture(app, "choose", "scored_best", key="4")  # the second system of the second namespace
    until(app, lambda: held(app).targets.point.namespace == "use")
    best = example_report().best().set_index(["ns", "filename"]).loc["use", "wary"]
    assert held(app).targets.point == Point("wary", "use", best["F_max_w_tau"], True)
    bound(app, "scored_weighted").set_value(False).run()
    until(app, lambda: held(app).targets.point == Point("wary", "use", best["F_max_tau"], False))
    app.button(key="scored_to_S_min").click().run()
    until(app, lambda: held(app).targets.point.tau == best["S_min_tau"])


@pytest.mark.slow
def test_another_protocol_evaluates_the_same_files_again(app: AppTest, files: dict[str, Path]) -> None:
    own(app, files)
    before = held(app).evaluation
    for name, value in (("normalisation", "pred"), ("propagation", "fill"), ("orphans", False)):
        bound(app, f"scored_{name}").set_value(value).run()
        until(app, lambda name=name, value=value: getattr(held(app).evaluation.protocol, name) == value)
    assert held(app).evaluation.files is before.files
    # By one.tsv only P2 reaches 0.6: A for B; the root does not count. C and A of P1 are not found
    # either, and "pred" divides by the one target with a prediction.
    rows = held(app).evaluation.curve("one", "N").set_index("tau")
    assert (rows.at[0.6, "tp"], rows.at[0.6, "fp"], rows.at[0.6, "fn"]) == (0, 1, 3)


@pytest.mark.slow
def test_own_files_lead_to_their_targets_and_on_to_the_explorer(
    app: AppTest, files: dict[str, Path], went: list[Any]
) -> None:
    own(app, files, "information")
    bound(app, "scored_tau").set_value(0.99).run()  # which no score reaches
    until(app, lambda: held(app).targets.point.tau == 0.99)
    assert (held(app).targets.table["mi"] == 0).all()
    bound(app, "scored_tau").set_value(0.2).run()
    until(app, lambda: held(app).targets.point == Point("one", "N", 0.2, True))
    # P1: predicted {C, A, B, R}, true {C, A, R}: mi 2. P2: predicted {A, R}, true {B, R}: mi 1, ru
    # 2, S √5.
    assert listed(app) == ["P2", "P1"]
    assert [row[3:] for row in rows(app)] == [["1.00", "2.00", "2.24"], ["2.00", "0.00", "2.00"]]
    gesture(app, "choose", "systems_list", key="1")
    assert went == [("explore", {})]
    explorer = app.session_state[EXPLORER.name]
    instance = explorer.history.present.instance
    assert (instance.true, instance.predicted) == ({"C"}, {"C", "B"})
    assert explorer.view_state.measure == "wF"
    # tp C + A = 4, mi B = 2: precision 4 / 6, recall 1.
    assert explorer.history.present.explained()["wF"] == pytest.approx(0.8)
    assert explorer.history.present.explained()["mi"] == 2
    assert explorer.series.place(explorer.history.present) == 1
    assert explorer.series.make(0).instance.predicted == {"A"}


# --- the curves -----------------------------------------------------------------------------------


def marks(figure):
    return [t for t in figure.data if t.mode == "markers" and t.customdata is not None]


def dotted(figure):
    return [t for t in figure.data if t.mode == "lines"]


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_the_best_thresholds_are_marked_on_the_curves_and_lines_join_equal_values(weighted: bool) -> None:
    found, end = evaluated(FILES["one.tsv"], FILES["two.tsv"]), "_w" * weighted
    at = Point("s0", "N", 0.2, weighted)
    best = found.report.best().set_index("filename")
    for make, value, axes in (
        (precision_recall, "F_max", ("rc", "pr")),
        (uncertainty_misinformation, "S_min", ("ru", "mi")),
    ):
        figure = make(found, at)
        for k, mark in enumerate(marks(figure)):
            system, tau = f"s{k}", best.at[f"s{k}", f"{value}{end}_tau"]
            assert list(mark.customdata[0]) == [k, tau]
            row = found.curve(system, "N").set_index("tau").loc[tau]
            assert (mark.x[0], mark.y[0]) == tuple(row[f"{axis}{end}"] for axis in axes)
        assert len({mark.marker.symbol for mark in marks(figure)}) == 2
    for line in dotted(precision_recall(found, at)):
        f = 2 * line.x * line.y / (line.x + line.y)
        assert f == pytest.approx(np.full(len(f), f[0]))
    for line in dotted(uncertainty_misinformation(found, at)):
        s = np.hypot(line.x, line.y)
        assert s == pytest.approx(np.full(len(s), s[0]))


def test_a_fault_belongs_to_a_field() -> None:
    with pytest.raises(FieldError, match=r"s0\.tsv, line 1") as fault:
        evaluated("P1\tC\t2\n")
    assert fault.value.field == "systems"


def test_thresholds_between_which_nothing_changes_are_one_point_that_says_so() -> None:
    # The scores are 0.305, 0.55 and 0.605: there are the thresholds up to 0.3, to 0.55, and to 0.6.
    curve = next(
        t for t in precision_recall(evaluated(FILES["one.tsv"]), Point("s0", "N", 0.2, True)).data if t.name == "s0"
    )
    assert [list(point) for point in curve.customdata] == [[0, 0.01], [0, 0.31], [0, 0.56]]
    assert [text.partition("τ ")[2].partition("<")[0] for text in curve.hovertext] == [
        "0.01 to 0.3",
        "0.31 to 0.55",
        "0.56 to 0.6",
    ]


def test_names_of_files_are_text_on_the_curves() -> None:
    found = evaluated(FILES["one.tsv"])
    named = replace(found.files, systems={"<b>$x$": found.files.systems["s0"]})
    table = found.report.table.replace("s0", "<b>$x$")
    report = replace(found.report, table=table, scored={})
    figure = precision_recall(ScoredEvaluation(named, found.protocol, report), Point("<b>$x$", "N", 0.2, True))
    assert [t.name for t in figure.data if t.mode == "lines+markers"] == ["&lt;b&gt;&#36;x&#36;"]
    assert "&lt;b&gt;&#36;x&#36;" in marks(figure)[0].hovertext[0]


def test_several_tops_stay_so_and_the_virtual_root_counts_nothing() -> None:
    tops = "".join(f"[Term]\nid: {c}\nnamespace: N\n" for c in "RAB")
    found = evaluated("P1\tA\t0.5\n", ontology=tops, true="P1\tA\nP2\tB\n")
    at = targets_at(found, Point("s0", "N", 0.4, False), lambda *_: None)
    shown = at.shown(0, "P1")
    assert (shown.instance.true, shown.instance.predicted) == ({"A"}, {"A"})
    assert shown.hierarchy.virtual_root
    assert shown.explained()["hF"] == 1
