"""Texts on their way to a page, a terminal or a document, each by examples."""

from typing import Any

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.draw import export, notebook_repr, text
from hiermeasures.draw.layout import neighbourhood
from hiermeasures.draw.scene import shown_label
from hiermeasures.draw.views import OPENING, with_measure, with_view
from hiermeasures.draw.views.confusion import superscript

DIAMOND = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("C", "D"), ("D", "E")])
PAIR = explain(Hierarchy.from_edges([("A", "B"), ("A", "C")]), {"B"}, {"C"})


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (text.escaped("<b> *a* $x$ :red[b]"), r"\<b\> \*a\* \$x\$ \:red\[b\]"),
        (text.markdown_text("D_max and F_LCA"), r"D\_max and F\_LCA"),
        (
            [text.sentence("no such class"), text.sentence("It needs a name.")],
            ["No such class.", "It needs a name."],
        ),
        (text.sentence(ValueError("case.yaml, line 2: not YAML")), "case.yaml, line 2: not YAML."),
        ([text.as_text(x) for x in (2 / 3, 7.0, float("nan"))], ["0.6667", "7.0000", "–"]),
        (
            list(text.tree_lines(neighbourhood(DIAMOND, ()), {"E": "true"})),
            ["A", "├─ B", "│  └─ D", "│     └─ E  true", "└─ C", "   └─ D  (as above)"],
        ),
        (
            notebook_repr.drawing_of_explanation(PAIR, "classes").text,
            "A\n├─ B  true\n└─ C  predicted",
        ),
        (notebook_repr.text("<b>"), "&lt;b&gt;"),
        (
            notebook_repr.bundle(None, {"text/html"}, text=lambda: "A", html=lambda: "<b>A</b>"),
            {"text/plain": "A"},
        ),
        (shown_label("two\nlines\x00\u202e"), "two␊lines␀�"),
        (shown_label("x" * 30, limit=5), "xxxx…"),
        (export.latex_label(r"R&D_1 \input{x}"), r"R\&D\_1 \textbackslash{}input\{x\}"),
        ([export.latex_label("Zoë"), export.latex_label("a --dag")], ['Zo\\"{e}', "a -{}-dag"]),
        (
            export.values_csv(PAIR, ["hF"], title="=1+1").splitlines()[1],
            "'=1+1,B,C,,hF,Hierarchical F1,Ancestor sets,higher,0.5",
        ),
        ([superscript(12), superscript(0)], ["¹²", ""]),
        (with_view(OPENING, "confusion").measure, "HCM_F1"),
        (with_measure(OPENING, "GIE").view, "pairing"),
    ],
)
def test_it_is_written_so(made: Any, expected: Any) -> None:
    assert made == expected
