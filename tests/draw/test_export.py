"""Export as text: values as CSV and LaTeX, scenes as TikZ. LaTeX is parsed, and compiled by the
slow tests.
"""

import csv
import io
import re
from collections.abc import Callable

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.draw.export import latex_label, tikz, values_csv, values_latex
from hiermeasures.draw.scene import (
    Badge,
    LegendEntry,
    Link,
    Mark,
    Overlay,
    Scene,
    Shape,
    Side,
    figure_scene,
)
from hiermeasures.explore.library import figure
from hiermeasures.measures import CATALOGUE, STRUCTURES
from hiermeasures.read.safe_csv import original_cell
from tests.app.screen import overlay_of
from tests.latex import NASTY, parsed

H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
X = explain(H, {"T1"}, {"P1", "P2"}, dmax=4)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_csv_has_every_measure_with_all_its_digits() -> None:
    table = rows(values_csv(X, title="Figure 11(a)"))
    assert [row["measure"] for row in table] == list(CATALOGUE)
    by_key = {row["measure"]: row for row in table}
    # P = {A, B, P1, P2} and T = {A, B, T1} share two of three true ones.
    assert float(by_key["hR"]["value"]) == 2 / 3
    assert by_key["hR"]["predicted"] == "P1, P2"
    assert by_key["hR"]["options"] == "dmax=4.0"
    # One true and two predicted classes: nothing to pair one to one.
    assert by_key["TIE"]["value"] == ""


def test_the_csv_compares_with_the_values_before() -> None:
    (row,) = rows(values_csv(X, ["GIE"], before={"GIE": 7.0}))
    # T1 with one of the two at distance 2, the other for D_max = 4.
    assert (row["value"], row["before"], row["change"]) == ("6.0", "7.0", "-1.0")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_of_the_csv_starts_a_formula(start: str) -> None:
    label = f"{start}cmd|' /C calc'!A0"
    h = Hierarchy.from_edges([("root", label), ("root", "b")])
    (row,) = rows(values_csv(explain(h, {label}, {"b"}), ["hF"], title=label))
    assert row["true"].startswith("'")
    assert row["instance"].startswith("'")
    assert original_cell(row["instance"]) == label


def test_the_latex_table_compiles(latex: Callable[[str], None]) -> None:
    before = dict(explain(H, {"T1"}, {"P1"}))
    for text in (values_latex(X), values_latex(X, before=before, caption=" ".join(NASTY))):
        latex(rf"\begingroup\tiny {text}\endgroup")


def test_the_latex_table_is_by_family_and_marks_what_is_undefined() -> None:
    text = values_latex(X, ["TIE", "hF", "HCM_MCC"])
    lines = text.splitlines()
    # hF = 2 · 2 / (4 + 3); families in the catalogue's order.
    assert lines[7] == r"$\mathrm{hF}$ & Hierarchical F1 & $\uparrow$ & 0.5714 \\"
    assert any(line.startswith(r"$\mathrm{TIE}$") and line.endswith(r"& -- \\") for line in lines)
    assert "& $-0." in text


@pytest.mark.parametrize("label", NASTY)
def test_a_label_in_latex_is_text_only(label: str) -> None:
    text = latex_label(label)
    parsed(text)
    signs = r"textbackslash|textdollar|textasciitilde|textasciicircum|textless|textgreater|textbar"
    known = rf"ifdefined|Umathcode|else|fi|alpha|beta|rightarrow|{signs}|ss|ae|AE|oe|OE|o|O|l|L|i|[rvuHc]"
    assert set(re.findall(r"\\([a-zA-Z]+)", text)) <= set(re.findall(r"[a-zA-Z]+", known))


FIGURES = (
    "kosmopoulos2015/figure-8b",
    "kosmopoulos2015/figure-15",
    "riehl2023/figure-4b2",
    "falis2021/figure-1",
)


def only(shape: Shape) -> Scene:
    return Scene("", (shape,), words="A class.")


@pytest.mark.parametrize("key", FIGURES)
def test_every_view_of_a_figure_compiles(key: str, latex: Callable[[str], None]) -> None:
    shown = figure(key)
    overlays = [overlay_of(shown.explained(), structure) for structure in STRUCTURES]
    latex("\n\n".join(tikz(figure_scene(shown.hierarchy, overlay)) for overlay in overlays))


def test_a_figure_of_every_mark_compiles_whatever_its_labels_are(
    latex: Callable[[str], None],
) -> None:
    labels = list(dict.fromkeys(label.strip() for label in NASTY))
    hierarchy = Hierarchy.from_edges(
        [("root", label) for label in labels] + [(labels[0], labels[1])]
    )
    marks = [
        Mark(t, p, struck, not (t or p)) for t in Side for p in Side for struck in (False, True)
    ]
    kinds = ("pair", "considered", "struck", "both", "focus")
    whats = ("link", "link", "badge", "edge", "focus")
    overlay = Overlay(
        "Every mark",
        {label: marks[k % len(marks)] for k, label in enumerate(labels)},
        {mark: labels[k % len(labels)] for k, mark in enumerate(marks)},
        badges={
            label: Badge(label, ("struck", "TN", "lca")[k % 3]) for k, label in enumerate(labels)
        },
        links=(
            Link(labels[3], labels[4], labels[5], "pair"),
            Link(labels[6], labels[7], "2", "considered"),
        ),
        edges={("root", labels[0]): "both", ("root", labels[1]): "predicted"},
        focus=frozenset(labels[:2]),
        legend={
            kind: LegendEntry(what, labels[8], labels[9])
            for kind, what in zip(kinds, whats, strict=True)
        },
    )
    drawn = figure_scene(hierarchy, overlay, subtitles={label: label for label in labels})
    assert {line.what for line in drawn.legend} == {"class", "badge", "link", "edge", "focus"}
    latex(tikz(drawn))
