"""LCA measures: precision, recall, F1 and symmetric difference on graphs that join each class with its nearest of the
other side. The graphs are defined in lca_structure and built by lca_builder.
"""

from typing import Literal

from hiermeasures.measures import sets
from hiermeasures.measures.catalogue import Derivation, Family, Measure, Structure, counted, fraction, named, number
from hiermeasures.measures.lca_builder import lca_graphs
from hiermeasures.measures.lca_structure import GraphPair, LCAGraphs
from hiermeasures.measures.sets import SetOverlap
from hiermeasures.options import EDGE_WEIGHTS, Options


def compared_graphs(graphs: LCAGraphs, options: Options) -> GraphPair:
    """The two graphs that the option `graphs` asks for."""
    return graphs.extended if options.graphs == "extended" else graphs.minimal


# --- derivations --------------------------------------------------------------------------------------------------


def derive_precision(graphs: LCAGraphs, value: float, options: Options) -> Derivation:
    return _derive_share(graphs, value, options, "predicted")


def derive_recall(graphs: LCAGraphs, value: float, options: Options) -> Derivation:
    return _derive_share(graphs, value, options, "true")


def derive_symmetric_difference(graphs: LCAGraphs, value: float, options: Options) -> Derivation:
    overlap = compared_graphs(graphs, options).overlap
    g_t, g_p = _symbols(options.graphs)
    return Derivation(
        rf"|{g_p} \setminus {g_t}| + |{g_t} \setminus {g_p}| = {len(overlap.spurious)} + {len(overlap.missed)} "
        rf"= {number(value)}",
        f"Only on the predicted side: {named(overlap.spurious)}; only on the true side: {named(overlap.missed)}."
        + _about_choice(graphs, options.graphs),
    )


def _symbols(kind: str) -> tuple[str, str]:
    return ("G_t^{ex}", "G_p^{ex}") if kind == "extended" else ("G_t", "G_p")


def _derive_share(graphs: LCAGraphs, value: float, options: Options, side: Literal["true", "predicted"]) -> Derivation:
    overlap = compared_graphs(graphs, options).overlap
    g_t, g_p = _symbols(options.graphs)
    whole, symbol = (overlap.predicted, g_p) if side == "predicted" else (overlap.true, g_t)
    if not whole:
        return Derivation(rf"{symbol} = \emptyset \;\Rightarrow\; {number(value)}", _about_empty(overlap, side, value))
    return Derivation(
        rf"\frac{{|{g_p} \cap {g_t}|}}{{|{symbol}|}} = {fraction(len(overlap.shared), len(whole), value)}",
        f"{len(overlap.shared)} of the {counted(len(whole), 'class', 'classes')} in the {side} side's "
        f"{options.graphs} graph "
        f"{'is' if len(overlap.shared) == 1 else 'are'} in the other's too: {named(overlap.shared)}."
        + _about_choice(graphs, options.graphs),
    )


def derive_f1(graphs: LCAGraphs, value: float, options: Options) -> Derivation:
    overlap = compared_graphs(graphs, options).overlap
    g_t, g_p = _symbols(options.graphs)
    if overlap.empty:
        return Derivation(
            rf"{g_t} = {g_p} = \emptyset \;\Rightarrow\; {number(value)}", _about_empty(overlap, "true", value)
        )
    return Derivation(
        rf"\frac{{2\,|{g_p} \cap {g_t}|}}{{|{g_p}| + |{g_t}|}} = \frac{{2 \cdot {len(overlap.shared)}}}"
        rf"{{{len(overlap.predicted)} + {len(overlap.true)}}} = {number(value)}",
        f"The {options.graphs} graphs share {counted(len(overlap.shared), 'class', 'classes')}: "
        f"{named(overlap.shared)}; "
        f"{named(overlap.missed)} only on the true side, {named(overlap.spurious)} only on the predicted side."
        + _about_choice(graphs, options.graphs),
    )


def _about_empty(overlap: SetOverlap, side: str, value: float) -> str:
    if overlap.empty:
        return "Both sides are empty and agree."
    return f"The {side} side is empty; an undefined ratio is set to {number(value)}."


def _about_choice(graphs: LCAGraphs, kind: str) -> str:
    if kind == "extended" or graphs.minimal.optimal:
        return ""
    if graphs.minimal.solver == "greedy":
        return " The minimal graphs are the greedy algorithm's; better ones may exist."
    return f" The search for the minimal graphs was stopped after {graphs.minimal.work:,} steps; better ones may exist."


# --- declarations -------------------------------------------------------------------------------------------------

LCA = Structure(
    key="lca",
    family=Family(
        key="lca",
        title="LCA graphs",
        description="Each class is joined with its nearest classes of the other side through their lowest common "
        "ancestors.",
        rank=2,
    ),
    build=lca_graphs,
    columns=sets.OVERLAP,
    meanings=sets.OVERLAP_MEANINGS,
    row=lambda graphs, options: sets.overlap(compared_graphs(graphs, options).overlap, options),
    chosen_by="graphs",
    tables={"minimal": "lca", "extended": "lca_ext"},
)

_SOURCE = "Kosmopoulos et al. 2015, Section 2.4.2"
_EXTENDED = ("count_root", "zero_division", *EDGE_WEIGHTS, "max_ancestor_distance")
_OPTIONS = ("graphs", "solver", *_EXTENDED)

MEASURES = (
    Measure(
        key="F_LCA",
        function="lca_f1_score",
        symbol="F_{LCA}",
        name="LCA F1",
        structure=LCA,
        read=sets.f1,
        formula=r"\frac{2\,|G_p \cap G_t|}{|G_p| + |G_t|}",
        derive=derive_f1,
        description="The harmonic mean of LCA precision and recall.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="P_LCA",
        function="lca_precision_score",
        symbol="P_{LCA}",
        name="LCA precision",
        structure=LCA,
        read=sets.precision,
        formula=r"\frac{|G_p \cap G_t|}{|G_p|}",
        derive=derive_precision,
        description="The share of the predicted side's LCA graph that is in the true side's.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="R_LCA",
        function="lca_recall_score",
        symbol="R_{LCA}",
        name="LCA recall",
        structure=LCA,
        read=sets.recall,
        formula=r"\frac{|G_p \cap G_t|}{|G_t|}",
        derive=derive_recall,
        description="The share of the true side's LCA graph that is in the predicted side's.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="SDL_LCA",
        function="lca_symmetric_difference_loss",
        symbol=r"l_{\Delta,LCA}",
        name="LCA symmetric difference loss",
        structure=LCA,
        better="lower",
        high=None,
        read=sets.symmetric_difference,
        pooled="never",
        formula=r"|G_p \setminus G_t| + |G_t \setminus G_p|",
        derive=derive_symmetric_difference,
        description="How many classes are in one of the two LCA graphs only.",
        source="Kosmopoulos et al. 2015, Section 3.1",
        options=tuple(o for o in _OPTIONS if o != "zero_division"),
    ),
    Measure(
        key="F_LCA_ext",
        function="lca_extended_f1_score",
        symbol="F_{LCA}^{ex}",
        name="LCA F1, extended graphs",
        structure=LCA,
        read=sets.f1,
        formula=r"\frac{2\,|G_p^{ex} \cap G_t^{ex}|}{|G_p^{ex}| + |G_t^{ex}|}",
        derive=derive_f1,
        description="The harmonic mean of LCA precision and recall on the graphs with every LCA and every "
        "cheapest way.",
        source=_SOURCE,
        options=_EXTENDED,
        fixed={"graphs": "extended"},
    ),
    Measure(
        key="P_LCA_ext",
        function="lca_extended_precision_score",
        symbol="P_{LCA}^{ex}",
        name="LCA precision, extended graphs",
        structure=LCA,
        read=sets.precision,
        formula=r"\frac{|G_p^{ex} \cap G_t^{ex}|}{|G_p^{ex}|}",
        derive=derive_precision,
        description="LCA precision on the graphs with every LCA and every cheapest way.",
        source=_SOURCE,
        options=_EXTENDED,
        fixed={"graphs": "extended"},
    ),
    Measure(
        key="R_LCA_ext",
        function="lca_extended_recall_score",
        symbol="R_{LCA}^{ex}",
        name="LCA recall, extended graphs",
        structure=LCA,
        read=sets.recall,
        formula=r"\frac{|G_p^{ex} \cap G_t^{ex}|}{|G_t^{ex}|}",
        derive=derive_recall,
        description="LCA recall on the graphs with every LCA and every cheapest way.",
        source=_SOURCE,
        options=_EXTENDED,
        fixed={"graphs": "extended"},
    ),
)
