"""Words, numbers and names that the Explorer writes, each by examples."""

import math
from typing import Any

import pytest

from hiermeasures import Hierarchy
from hiermeasures.debug.what_if import ValueChange
from hiermeasures.explore import hierarchy_edits, library, location, options_form, sharing, table
from hiermeasures.explore.component_data import symbol_parts, two_decimals
from hiermeasures.explore.formulas import mathml
from hiermeasures.explore.model import MeasureFilter
from hiermeasures.explore.share_link import packed, unpacked
from hiermeasures.explore.shown import Shown
from hiermeasures.explore.what_if import short
from hiermeasures.read.source import Limits

OPTIONS = options_form.Options
FIGURE = library.figure("kosmopoulos2015/figure-11a")
SMALL = Shown.make(Hierarchy.from_edges([("A", "T"), ("A", "P")]), {"T"}, {"P"}, title="")
LIMITS = Limits(bytes=100, lines=1)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ([two_decimals(x) for x in (2 / 3, 3.0, math.nan, -0.001)], ["0.67", "3.00", "–", "0.00"]),
        (
            [table.signed(x) for x in (0.25, -1200.0, 0.0004, math.nan)],
            ["+0.25", "-1,200.00", "+0.0004", "–"],
        ),
        (
            symbol_parts(r"l_{\Delta,\mathrm{LCA}}^{\mathrm{ex}}"),
            [("l", "it"), ("Δ", "it sub"), (",", "it sub"), ("LCA", "rm sub"), ("ex", "rm sup")],
        ),
        (symbol_parts(r"\mathrm{Acc}"), [("Acc", "rm")]),
        (
            [short(ValueChange(0.104, "better")), short(ValueChange(-0.07, "worse"))],
            ["+.10 ▲", "−.07 ▼"],
        ),
        (
            [short(ValueChange(5.0, "worse")), short(ValueChange(-1.5, "better"))],
            ["+5 ▼", "−1.50 ▲"],
        ),
        (
            [short(ValueChange(0.0004, "worse")), short(ValueChange(0.0, "same"))],
            ["+.0004 ▼", "0 ·"],
        ),
        (
            library.case_file(library.library().case("kosmopoulos2015/figure-11a")),
            "kosmopoulos2015/figure-11",
        ),
        (
            [library.printed_text(cell) for cell in library.published("riehl2023/figure-4a1")],
            ["3", "5", "0", "0"],
        ),
        (location.before("http://example.org/"), "http://example.org/?"),
        (location.before("http://example.org/page/#"), "http://example.org/page/#"),
        (sharing.file_name("Figure 15: two ways/../x", ".yaml"), "figure-15-two-ways-x.yaml"),
        (sharing.file_name("äöü", ".csv"), "hierarchy.csv"),
        ([hierarchy_edits.new_name(["A", "B"]), hierarchy_edits.new_name(["A", "C"])], ["C", "B"]),
        (hierarchy_edits.as_lines(SMALL.hierarchy).text, "A T\nA P\n"),
        (MeasureFilter(text="lca f1").keys(), ("F_LCA", "F_LCA_ext")),
        (MeasureFilter(families=("lca", "start")).keys(), ("F_LCA",)),
        (unpacked(packed("A>B", LIMITS), LIMITS), "A>B"),
        (
            mathml(r"F = \text{a\_b}")[2][0],
            ["mrow", "", [["mi", "F"], ["mo", "="], ["mtext", "a_b"]]],
        ),
    ],
)
def test_it_is_written_so(made: Any, expected: Any) -> None:
    assert made == expected
