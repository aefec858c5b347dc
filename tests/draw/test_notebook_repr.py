"""Notebook output of each kind of object: pictures and tables without a script, in every format,
whatever classes are called, and no larger than a page however large the hierarchy.
"""

import re
from base64 import b64decode
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from hiermeasures import Hierarchy, InputError, compare, evaluate, explain
from hiermeasures.cli import main
from hiermeasures.measures import CORE
from tests.latex import NASTY, compiled, parsed

H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
X = explain(H, {"T1"}, {"P1", "P2"})  # Figure 11(a) of Kosmopoulos et al. 2015
TRUE, GOOD, BAD = [{"T1"}] * 20, [{"T1"}] * 19 + [{"P1"}], [{"C"}] * 20
REPORT = evaluate(H, TRUE, BAD, measures=["hF", "GIE", "TIE"])
COMPARISON = compare(H, TRUE, {"good": GOOD, "bad": BAD}, measures=["hF", "GIE"])
SHOWN = {"hierarchy": H, "explanation": X, "report": REPORT, "comparison": COMPARISON}
EVERY_KIND = pytest.mark.parametrize("thing", SHOWN.values(), ids=SHOWN)
LARGE = Hierarchy.from_edges([(f"c{(i - 1) // 4}", f"c{i}") for i in range(1, 5000)])


class Page(HTMLParser):
    """The elements of a piece of HTML, the texts of its cells and paragraphs, and its images."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("td", "th", "p"):
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.texts and data.strip():
            self.texts[-1] += data

    @property
    def pictures(self) -> list[ElementTree.Element]:
        """The SVG documents in its images."""
        addresses = [attributes["src"] or "" for tag, attributes in self.elements if tag == "img"]
        return [
            ElementTree.fromstring(b64decode(a.removeprefix("data:image/svg+xml;base64,")))
            for a in addresses
        ]

    @property
    def labels(self) -> list[str]:
        return [
            t.text or ""
            for p in self.pictures
            for t in p.iter()
            if t.get("class") in ("label", "label struck")
        ]


def page(thing: object) -> Page:
    return Page(thing._repr_mimebundle_()["text/html"])  # type: ignore[attr-defined]


def text(thing: object) -> str:
    return thing._repr_mimebundle_()["text/plain"]  # type: ignore[attr-defined]


@EVERY_KIND
def test_everything_shows_itself_as_html_latex_and_text(thing) -> None:
    assert set(thing._repr_mimebundle_()) == {"text/plain", "text/html", "text/latex"}
    assert set(thing._repr_mimebundle_(include={"text/html"})) == {"text/html"}
    assert set(thing._repr_mimebundle_(exclude={"text/latex"})) == {"text/plain", "text/html"}


@EVERY_KIND
def test_the_html_runs_nothing_and_asks_for_nothing(thing) -> None:
    shown = page(thing)
    allowed = {"div", "style", "img", "p", "table", "thead", "tbody", "tr", "th", "td"}
    assert {tag for tag, _ in shown.elements} <= allowed
    for _, attributes in shown.elements:
        assert set(attributes) <= {"class", "style", "src", "alt", "colspan"}
        assert (attributes.get("src") or "data:image/svg+xml;").startswith("data:image/svg+xml;")
        assert "url(" not in (attributes.get("style") or "")
    for picture in shown.pictures:
        assert not {e.tag.rpartition("}")[2] for e in picture.iter()} & {
            "script",
            "image",
            "use",
            "foreignObject",
            "a",
        }


@EVERY_KIND
def test_a_page_does_not_look_for_formulas_in_it(thing) -> None:
    (_, outer), *_ = page(thing).elements
    # The names by which MathJax 2 and 3 are told so.
    assert {"tex2jax_ignore", "mathjax_ignore"} <= set((outer["class"] or "").split())


def test_a_hierarchy_is_drawn_and_is_a_tree_of_text() -> None:
    assert sorted(page(H).labels) == ["A", "B", "C", "P1", "P2", "T1"]
    about, *tree = text(H).splitlines()
    assert re.findall(r"\d+", about) == ["6", "5", "2"]  # classes, edges, levels
    assert tree == ["A", "├─ B", "│  ├─ T1", "│  ├─ P1", "│  └─ P2", "└─ C"]


def test_an_explanation_shows_the_best_known_values_beside_the_ancestors() -> None:
    shown = page(X)
    (picture,) = shown.pictures
    sides = [
        (g.get("data-true"), g.get("data-predicted")) for g in picture.iter() if g.get("data-shape")
    ]
    # A and B are ancestors of both sides, C of none; T1 is true, P1 and P2 are predicted.
    expected = (
        [("added", "added")] * 2 + [("none", "none"), ("class", "none")] + [("none", "class")] * 2
    )
    assert sorted(sides) == sorted(expected)
    rows = dict(zip(shown.texts[4::4], shown.texts[6::4], strict=False))
    # P = {A, B, P1, P2}, T = {A, B, T1}: 2·2/7. One pair at distance 2, and P2 alone for 5.
    assert rows["hF"] == "0.5714"
    assert rows["GIE"] == "7.0000"
    assert rows["F_LCA"] == "0.4000"
    assert list(rows)[: len(CORE)] == list(CORE)
    assert re.search(r"T1  true\n.*P1  predicted\n", text(X))
    assert re.search(r"hF +0\.5714  higher is better", text(X))


def test_a_structure_that_would_take_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hiermeasures.draw.notebook_repr.BUDGET", 0.0)
    x = explain(H, {"T1"}, {"P1"})
    assert x["hF"] == pytest.approx(2 / 3)
    assert "F_LCA, MGIA, GIE, f1, accuracy" in text(x)
    assert "hF" in page(x).texts


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"view": "pairing"}, "a pair and its distance"),
        ({"measure": "GIE"}, "a pair and its distance"),
        ({"view": "lca"}, "lowest common ancestor"),
        ({"measure": "F_LCA"}, "lowest common ancestor"),
        ({"view": "confusion"}, "false positive"),
        ({"view": "counts"}, "over-predicted"),
        ({}, "ancestor of both"),
    ],
)
def test_a_drawing_is_of_the_view_or_the_measure_that_is_asked_for(
    asked: dict[str, str], words: str
) -> None:
    drawing = X.drawing(**asked)
    assert words in drawing.svg
    assert words in drawing.tikz
    assert set(drawing._repr_mimebundle_()) == {
        "text/plain",
        "text/html",
        "text/latex",
        "image/svg+xml",
    }


def test_an_unknown_view_or_measure_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="'pairing'"):
        X.drawing("pairings")
    with pytest.raises(InputError, match="'HF1'"):
        X.drawing(measure="HF1")
    with pytest.raises(InputError, match="'T2'"):
        H.drawing(around={"T2"})


def test_a_report_shows_its_averages_by_family_as_the_command_line_prints_them(
    tmp_path, capsys
) -> None:
    # The true T1 has the ancestors A and B, the predicted C has A: 2·1/(3 + 2). T1 and C are 3
    # apart.
    cells = page(REPORT).texts
    assert cells[cells.index("hF") :][:4] == ["hF", "Hierarchical F1", "0.4000", "higher"]
    assert cells[cells.index("GIE") :][:4] == ["GIE", "Graph-induced error", "3.0000", "lower"]
    h, t, p = (tmp_path / f"{name}.txt" for name in "htp")
    h.write_text("A\tB\nA\tC\nB\tT1\nB\tP1\nB\tP2\n")
    t.write_text("T1\n" * 20)
    p.write_text("C\n" * 20)
    command = f"evaluate --hierarchy {h} --true {t} --predicted {p} --measures hF,GIE,TIE"
    assert main(command.split()) == 0
    printed = capsys.readouterr().out.splitlines()
    # In Python with the number of instances of each, and with the signature.
    lines = [re.sub(r" {12}20  ", "  ", line) for line in text(REPORT).splitlines()]
    assert lines[2].split() == ["value", "n"]
    assert lines[-1] == REPORT.signature
    assert printed[2:] == lines[4:-2]


def test_a_comparison_shows_scores_with_ranks_and_correlations() -> None:
    shown, latex = page(COMPARISON), COMPARISON._repr_mimebundle_()["text/latex"]
    # 19 right and one of 2·2/6.
    assert shown.texts[:6] == ["", "hF ↑", "GIE ↓", "good", "0.9833 (1)", "0.1000 (1)"]
    assert text(COMPARISON) == COMPARISON.as_text()
    assert r"good & 0.9833 (1) & 0.1000 (1) \\" in latex


@pytest.mark.parametrize("around", [(), ("c4999", "c77")])
def test_of_a_large_hierarchy_a_readable_part_is_shown_and_the_rest_is_counted(
    around: tuple[str, ...],
) -> None:
    for thing in (LARGE.drawing(around), explain(LARGE, around[:1], around[1:])):
        shown = thing._repr_mimebundle_()
        found = Page(shown["text/html"])
        (picture,), labels = found.pictures, found.labels
        assert {"c0", *around} <= set(labels)
        assert len(labels) <= 32
        assert f"{len(LARGE) - len(labels):,} " in "".join(picture.itertext())
        assert len(shown["text/plain"].splitlines()) <= 80
        assert all(len(source) < 60_000 for source in shown.values())
    assert len(repr(LARGE)) < 100


@pytest.mark.parametrize("label", [*NASTY, "$x$ <script>alert(1)</script>", "\\(x\\)", "](x)"])
def test_whatever_a_class_or_a_system_is_called_it_is_text(label: str) -> None:
    h = Hierarchy.from_edges([("root", label), ("root", "b")])
    things = {
        "hierarchy": h,
        "explanation": explain(h, {label}, {"b"}),
        "drawing": explain(h, {label}, {"b"}).drawing("pairing"),
        "comparison": compare(h, [{label}], {label: [{"b"}], "other": [{label}]}, measures=["hF"]),
    }
    for kind, thing in things.items():
        shown = thing._repr_mimebundle_()
        found = Page(shown["text/html"])
        assert not {tag for tag, _ in found.elements} & {"script", "i", "b"}
        visible = "".join(c if c.isprintable() else "�" for c in label)
        if kind == "comparison":
            assert visible in found.texts
        else:
            assert len(found.labels) == 3
        parsed(shown["text/latex"])


@pytest.mark.slow
@pytest.mark.parametrize("package", [r"\usepackage{tikz}", ""])
def test_the_latex_compiles_in_a_box_with_tikz_and_without(package: str, tmp_path) -> None:
    wide = Hierarchy.from_edges([("root", f"a long name {name}") for name in NASTY])
    chosen = wide.nodes[1:4]
    things = [
        *SHOWN.values(),
        X.drawing("lca"),
        wide,
        explain(wide, chosen[:1], chosen[1:]).drawing("pairing"),
    ]
    boxes = [
        rf"\noindent\begin{{minipage}}{{\linewidth}}{thing._repr_mimebundle_()['text/latex']}\end{{minipage}}\clearpage"
        for thing in things
    ]
    head = rf"\documentclass{{article}}\usepackage{{amssymb,graphicx}}{package}"
    said = compiled(rf"{head}\begin{{document}}{''.join(boxes)}\end{{document}}", tmp_path)
    assert not re.findall(r"Overfull \\hbox \((\d{2,})", said)
