"""Plots: their data is the report's, their captions say how it was computed, and names stay text."""

import subprocess
import sys

import plotly.graph_objects as go
import pytest

from hiermeasures.evaluation import Report, evaluate
from hiermeasures.evaluation.compare import Comparison, compare
from hiermeasures.evaluation.plots import (
    plot_agreement,
    plot_confusion,
    plot_curves,
    plot_hierarchy,
    plot_instances,
    plot_mistakes,
    plot_ranks,
    plot_thresholds,
    take_caption,
)
from hiermeasures.evaluation.scores import NodeProbabilities, instance_curve
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy

HOSTILE = "<b>x</b> & $y$"
ESCAPED = "&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;"


@pytest.fixture
def hierarchy() -> Hierarchy:
    return Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", HOSTILE), ("A", "D")])


@pytest.fixture
def report(hierarchy: Hierarchy) -> Report:
    true, predicted = [{"D"}, {"B"}, {HOSTILE}], [{"D"}, {"A"}, {"nothing"}]
    return evaluate(hierarchy, true, predicted, measures=["accuracy", "hF"], unknown="drop")


@pytest.fixture
def comparison(hierarchy: Hierarchy) -> Comparison:
    systems = {"one": [{"D"}, {"B"}], HOSTILE: [{"B"}, {"A"}]}
    return compare(hierarchy, [{"D"}, {"B"}], systems, measures=["hF", "GIE"], average="micro")


def caption_of(figure: go.Figure) -> str:
    """The caption as it is in the picture."""
    (text,) = (note.text for note in figure.layout.annotations if note.name == "caption")
    return str(text).replace("<br>", " ")


def test_a_caption_says_average_root_unknown_labels_and_number_of_instances(
    comparison: Comparison, report: Report
) -> None:
    for figure in (plot_ranks(comparison), plot_agreement(comparison)):
        for fact in ("summed counts", "root is counted", "unknown labels: error", "2 instances"):
            assert fact in caption_of(figure)
    for figure in (plot_instances(report, "accuracy", "hF"), plot_hierarchy(report, "hF")):
        for fact in ("root is counted", "unknown labels: drop", "3 instances"):
            assert fact in caption_of(figure)


def test_a_caption_that_is_taken_leaves_the_drawing_as_it_was(comparison: Comparison) -> None:
    figure = plot_ranks(comparison)
    inner = figure.layout.height - figure.layout.margin.b - figure.layout.margin.t
    caption = caption_of(figure)
    assert take_caption(figure) == caption
    assert {note.text for note in figure.layout.annotations} == {"one", ESCAPED}
    assert figure.layout.height - figure.layout.margin.b - figure.layout.margin.t == inner
    assert take_caption(figure) == ""


def test_names_of_systems_and_classes_stay_text(comparison: Comparison, report: Report) -> None:
    assert {line.name for line in plot_ranks(comparison).data} == {"one", ESCAPED}
    assert ESCAPED in plot_hierarchy(report, "hF").data[0].labels


def test_spots_are_the_instances_counted_by_their_two_values(report: Report) -> None:
    # accuracy 1, 0, 0; hF 1, {R, B} against {R, A}: 1/2, {R, A, x} against nothing: 0
    spots = plot_instances(report, "accuracy", "hF").data[0]
    assert list(zip(spots.x, spots.y, strict=True)) == [(0, 0), (0, 0.5), (1, 1)]
    with pytest.raises(InputError, match="GIE"):
        plot_instances(report, "GIE", "hF")


def test_the_hierarchy_shows_any_column_on_a_scale_that_holds_its_values(report: Report) -> None:
    support = report.per_class["augmented_true"]
    icicle = plot_hierarchy(report, support)
    shown = dict(zip(icicle.data[0].labels, icicle.data[0].text, strict=True))
    assert (shown["R"], shown["A"], shown["D"]) == ("3.00", "2.00", "1.00")
    assert "violet: 3" in caption_of(icicle)
    with pytest.raises(InputError, match="per_class"):
        plot_hierarchy(report, "hG")


def test_a_class_with_two_parents_is_below_both() -> None:
    dag = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C"), ("B", "C")])
    report = evaluate(dag, [{"C"}], [{"C"}], measures=["hF"])
    assert list(plot_hierarchy(report, "hF").data[0].labels) == ["R", "A", "B", "C", "C"]


def test_the_matrix_has_the_counts_and_shades_of_right_and_wrong(hierarchy: Hierarchy) -> None:
    answers = [{"D"}, {HOSTILE}, {"D"}, {"nothing"}]
    truth = [{"D"}, {"D"}, {"B"}, {"B"}]
    report = evaluate(hierarchy, truth, answers, measures=["hF"], unknown="wrong")
    matrix = plot_confusion(report, level=2)
    (cells,) = matrix.data
    assert list(matrix.layout.yaxis.ticktext) == [ESCAPED, "D", "B"]
    assert list(matrix.layout.xaxis.ticktext) == [ESCAPED, "D", "B", "(unknown)"]
    # D was predicted as D and as x; B as D and as something unknown
    assert [list(row) for row in cells.text] == [
        ["", "", "", ""],
        ["1", "1", "", ""],
        ["", "1", "", "1"],
    ]
    expected = [[0, 0, 0, 0], [-0.5, 0.5, 0, 0], [0, -0.5, 0, -0.5]]
    assert cells.z.tolist() == expected
    assert "Unknown labels: wrong; 4 instances" in caption_of(matrix)
    shares = plot_confusion(report, level=2, share="predicted").data[0]
    assert list(shares.text[1]) == ["1.00", "0.50", "", ""]


def test_a_matrix_that_is_too_large_to_read_is_refused() -> None:
    wide = Hierarchy.from_edges([("R", f"c{k}") for k in range(200)])
    classes = [f"c{k}" for k in range(200)]
    report = evaluate(wide, classes, classes, measures=["hF"])
    with pytest.raises(InputError, match=r"200 rows .* at most 150"):
        plot_confusion(report)


def test_mistakes_of_several_systems_are_bars_side_by_side(comparison: Comparison) -> None:
    figure = plot_mistakes(comparison.reports)
    shares = {bars.name: dict(zip(bars.y, bars.x, strict=True)) for bars in figure.data}
    # one: both right. The other: B for D, A for B: only the root is common
    assert shares["one"] == {"right": 1, "other top class": 0}
    assert shares[ESCAPED] == {"right": 0, "other top class": 1}
    with pytest.raises(InputError, match="one system"):
        plot_mistakes(comparison.reports, "level")


def test_the_shares_of_a_level_add_up_to_one(report: Report) -> None:
    (table,) = plot_mistakes(report, "level").data
    assert abs(table.z).sum(axis=1) == pytest.approx(1)


def test_several_curves_are_lines_of_their_own_with_their_areas() -> None:
    h = Hierarchy.from_nested({"r": ["1", "2"]})
    right, wrong = (
        instance_curve(NodeProbabilities.of(h, {"1": p, "2": 1 - p}), {"1"}) for p in (0.75, 0.25)
    )
    figure = plot_curves({"right": right, "wrong": wrong}, predicted=(1, 1))
    assert [line.name for line in figure.data] == ["right", "wrong", "predicted now"]
    # from (0, 1) to (1, 1); and (0, 1), (0, 0), (1, 1/2)
    assert "right 1.000, wrong 0.250" in caption_of(figure)


def test_the_best_thresholds_are_bold_for_scores_and_errors() -> None:
    steps = [(0.0, 0.3, 2.0), (0.3, 0.6, 5.0), (0.6, 1.0, 2.0)]
    for measure, best in (("hF", [[0.3, 0.6]]), ("GIE", [[0.0, 0.3], [0.6, 1.0]])):
        _, *bold = plot_thresholds({"a": steps}, measure).data
        assert [list(line.x) for line in bold] == best


def test_without_plotly_the_extra_is_named() -> None:
    code = "import sys; sys.modules['plotly'] = None; import hiermeasures.evaluation.plots"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "MissingExtra: a plot needs the extra 'plots'" in done.stderr
