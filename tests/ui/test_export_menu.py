"""What the popover "Export" hands out, for every figure of the library and every view of it."""

from collections.abc import Callable
from xml.etree import ElementTree

from hiermeasures import Hierarchy
from hiermeasures.options import Options
from hiermeasures.ui.graph.scene import figure_scene
from hiermeasures.ui.graph.svg import svg
from hiermeasures.ui.graph.tikz import tikz
from hiermeasures.ui.library import figure
from hiermeasures.ui.state import Shown
from hiermeasures.ui.views import OPENING, VIEWS, overlay_for, with_measure, with_view
from hiermeasures.ui.views.flow_figure import FlowFigure
from hiermeasures.ui.views.flow_scene import flow_scene

from ..latex import NASTY
from .screen import opened, overlay_of

DRAWN = {"svg", "title", "style", "g", "rect", "path", "text"}  # the elements that a drawing may have


def test_hostile_labels_are_text_in_the_drawings(latex: Callable[[str], None]) -> None:
    labels = list(dict.fromkeys(label.strip() or "blank" for label in NASTY))
    shown = Shown.make(
        Hierarchy.from_edges([("root", label) for label in labels]), labels[:9], labels[6:], title="]]><script>"
    )
    drawn = figure_scene(shown.hierarchy, overlay_of(shown.explained(), "augmented"))
    latex(tikz(drawn))
    root = ElementTree.fromstring(svg(drawn, legend=True).svg)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= DRAWN


def test_the_ancestor_that_a_cut_puts_in_is_no_class_of_the_drawing() -> None:
    chain = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("C", "E")])
    shown = Shown.make(chain, {"D"}, {"E"}, title="cut", options=Options.make(max_ancestor_distance=1))
    overlay = overlay_of(shown.explained(), "augmented")
    assert not set(overlay.marks) <= set(chain.nodes)
    assert [shape.text for shape in figure_scene(chain, overlay).shapes] == list(chain.nodes)


def test_links_badges_and_their_legend_are_drawn() -> None:
    shown = figure("kosmopoulos2015/figure-15")
    image = svg(figure_scene(shown.hierarchy, overlay_of(shown.explained(), "pairing_GIE")), legend=True)
    # T1 pairs with P1 or P2 at distance 5 (A in the middle), the other is left at D_max = 5.
    assert image.svg.count('data-kind="pair"') == 1
    assert ">+5<" in image.svg
    assert "a pair and its distance" in image.svg


def test_the_files_are_made_only_when_the_popover_is_open() -> None:
    app = opened()
    assert not [button for button in app.get("download_button") if "export" in button.proto.id]


def _network(shown: Shown, measure: str) -> FlowFigure:
    at, explanation = with_measure(with_view(OPENING, "pairing"), measure), shown.explained()
    panel = VIEWS["pairing"].panel(explanation, at, overlay_for(explanation, at))
    assert isinstance(panel, FlowFigure)
    return panel


def texts(network: FlowFigure) -> list[str]:
    """What is written at the edges of a network."""
    parts = [(e.interval, e.cost, f"×{e.edge.flow}" if e.used else "") for e in network.edges]
    return [", ".join(filter(None, part)) for part in parts]


def test_the_flow_network_is_a_picture_with_every_node_and_every_text_of_its_edges() -> None:
    network = _network(figure("kosmopoulos2015/figure-15"), "GIE")
    root = ElementTree.fromstring(svg(flow_scene(network)).svg)
    written = [element.text for element in root.iter() if element.tag.endswith("}text")]
    assert sorted(written) == sorted([*(node.label for node in network.nodes), *texts(network)])
    firm = [g for g in root.iter() if g.get("data-kind") == "pair" and g.tag.endswith("}g")]
    assert len(firm) == sum(edge.used for edge in network.edges) > 0
    assert all("×" in "".join(g.itertext()) for g in firm)


def test_the_flow_network_is_a_figure_for_latex_with_every_node_and_text(latex: Callable[[str], None]) -> None:
    network = _network(figure("kosmopoulos2015/figure-15"), "GIE")
    drawn = tikz(flow_scene(network))
    latex(drawn)
    assert drawn.count(", ->] (n") == len(network.edges)
    assert drawn.count(r"\node[badge]") == sum(edge.used for edge in network.edges)
    assert drawn.count(r"\node[faint badge]") == sum(not edge.used for edge in network.edges)
    for node in network.nodes:
        assert f"{{{node.label}}};" in drawn


def test_hostile_labels_are_text_in_the_flow_network() -> None:
    hostile = "<a&b>"
    shown = Shown.make(Hierarchy.from_edges([("root", hostile), ("root", "P")]), {hostile}, {"P"}, title="t")
    root = ElementTree.fromstring(svg(flow_scene(_network(shown, "MGIA"))).svg)
    assert hostile in [element.text for element in root.iter()]
    assert {element.tag.rpartition("}")[2] for element in root.iter()} == DRAWN
