"""LCA measures: precision, recall, F1 and symmetric difference on graphs that join each class with
its nearest of the other side. The graphs are defined in lca_structure and built by lca_builder.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from hiermeasures.core.options import EDGE_WEIGHTS, Options
from hiermeasures.measures import sets
from hiermeasures.measures.catalogue import (
    LOSS,
    MOST_NAMED,
    Derivation,
    Family,
    Measure,
    Structure,
    counted,
    named,
    number,
)
from hiermeasures.measures.lca_builder import lca_graphs
from hiermeasures.measures.lca_structure import GraphPair, LCAGraphs
from hiermeasures.measures.ratios import OF_SETS, derived_of_sets, f1_precision_recall, formulas_of_sets
from hiermeasures.measures.references import cited


def compared_graphs(graphs: LCAGraphs, options: Options) -> GraphPair:
    """The two graphs that the option `graphs` asks for."""
    return graphs.extended if options.graphs == "extended" else graphs.minimal


# --- derivations --------------------------------------------------------------------------------


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


def _about_choice(graphs: LCAGraphs, kind: str) -> str:
    if kind == "extended" or graphs.minimal.optimal:
        return ""
    if graphs.minimal.solver == "greedy":
        return " The minimal graphs are the greedy algorithm's; better ones may exist."
    return f" The search for the minimal graphs was stopped after {graphs.minimal.work:,} steps; better ones may exist."


_DERIVE = derived_of_sets(
    overlap=lambda graphs, options: compared_graphs(graphs, options).overlap,
    symbols=lambda graphs, options: _symbols(options.graphs),
    share_words=lambda options, side: (f"in the {side} side's {options.graphs} graph", "in the other's too"),
    f1_words=lambda overlap, options: (
        f"The {options.graphs} graphs share {counted(len(overlap.shared), 'class', 'classes')}: "
        f"{named(overlap.shared)}; {named(overlap.missed)} only on the true side, "
        f"{named(overlap.spurious)} only on the predicted side."
    ),
    note=lambda graphs, options: _about_choice(graphs, options.graphs),
)


# --- changes ---


def changes(before: LCAGraphs, after: LCAGraphs, options: Options) -> list[str]:
    """Say which lowest common ancestors came and went, and what the graphs share since."""
    was, now = _lcas(before, options), _lcas(after, options)
    overlaps = [compared_graphs(g, options).overlap for g in (before, after)]
    new_shared = overlaps[1].shared - overlaps[0].shared
    lost = overlaps[0].shared - overlaps[1].shared
    parts: list[str] = []
    said: set[str] = set()
    for lca in sorted(now - was):
        meeting = _meeting(after, lca)
        if meeting:
            joined = new_shared if len(now - was) == 1 else new_shared & {lca}
            said |= joined
            parts.append(meeting + (f", so {_joins(joined)} both graphs" if joined else ""))
    for lca in sorted(was - now):
        without = lost if len(was - now) == 1 else lost & {lca}
        said |= without
        parts.append(
            f"{lca} is no longer a chosen common ancestor"
            + (f", so {named(without, MOST_NAMED)} {_leaves(without)} both graphs" if without else "")
        )
    if rest := new_shared - said:
        parts.append(f"now in both graphs: {named(rest, MOST_NAMED)}")
    if rest := lost - said:
        parts.append(f"no longer in both graphs: {named(rest, MOST_NAMED)}")
    for part, words in (("spurious", "predicted"), ("missed", "true")):
        old, new = getattr(overlaps[0], part), getattr(overlaps[1], part)
        for classes, when in ((new - old, f"only {words} now"), (old - new - new_shared, f"no longer only {words}")):
            if classes:
                parts.append(f"{when}: {named(classes, MOST_NAMED)}")
    return parts


def _lcas(graphs: LCAGraphs, options: Options) -> set[str]:
    if options.graphs == "extended":
        return set(graphs.lca_true | graphs.lca_predicted)
    return set(graphs.minimal.lcas)


def _meeting(graphs: LCAGraphs, lca: str) -> str:
    """The class that meets another there; one that is its own common ancestor is found again."""
    for match in (*graphs.predicted_matches, *graphs.true_matches):
        partners = [m.partner for m in match.meetings if lca in m.lcas]
        if partners == [match.label]:
            return f"{match.label} is true and predicted"
        if partners:
            return f"{match.label} meets {named(partners, MOST_NAMED)} in {lca}"
    return ""


def _joins(classes: Iterable[str]) -> str:
    chosen = sorted(classes)
    return f"{named(chosen, MOST_NAMED)} {'joins' if len(chosen) == 1 else 'join'}"


def _leaves(classes: Iterable[str]) -> str:
    return "leaves" if len(set(classes)) == 1 else "leave"


# --- declarations -------------------------------------------------------------------------------

LCA = Structure(
    key="lca",
    family=Family(
        key="lca",
        title="LCA graphs",
        description="Classes above another of their own side are removed first. Each that is left is joined with its "
        "nearest classes of the other side through their lowest common ancestors.",
        rank=2,
        exercises=("F_LCA", "P_LCA", "R_LCA"),
    ),
    build=lca_graphs,
    view="lca",
    changes=changes,
    columns=sets.OVERLAP,
    meanings=sets.OVERLAP_MEANINGS,
    row=lambda graphs, options: sets.overlap(compared_graphs(graphs, options).overlap, options),
    chosen_by="graphs",
    tables={"minimal": "lca", "extended": "lca_ext"},
)

_SOURCE = cited("@kosmopoulos2015, Section 2.4.2")
_EXTENDED = ("count_root", "zero_division", *EDGE_WEIGHTS, "max_ancestor_distance")
_OPTIONS = ("graphs", "solver", *_EXTENDED)

_RATIOS: Mapping[str, Any] = {"structure": LCA, "ratios": OF_SETS, "derive": _DERIVE, "source": _SOURCE}

MEASURES = (
    *f1_precision_recall(
        keys=("F_LCA", "P_LCA", "R_LCA"),
        function="lca",
        name="LCA {}",
        symbols=("F_{LCA}", "P_{LCA}", "R_{LCA}"),
        formulas=formulas_of_sets(*_symbols("minimal")),
        descriptions=(
            "The harmonic mean of LCA precision and recall.",
            "The share of the predicted side's LCA graph that is in the true side's.",
            "The share of the true side's LCA graph that is in the predicted side's.",
        ),
        options=_OPTIONS,
        **_RATIOS,
    ),
    Measure(
        **LOSS,
        key="SDL_LCA",
        function="lca_symmetric_difference_loss",
        symbol=r"l_{\Delta,LCA}",
        name="LCA symmetric difference loss",
        structure=LCA,
        read=sets.symmetric_difference,
        formula=r"|G_p \setminus G_t| + |G_t \setminus G_p|",
        derive=derive_symmetric_difference,
        description="How many classes are in one of the two LCA graphs only.",
        source=cited("@kosmopoulos2015, Section 3.1"),
        options=tuple(o for o in _OPTIONS if o != "zero_division"),
    ),
    *f1_precision_recall(
        keys=("F_LCA_ext", "P_LCA_ext", "R_LCA_ext"),
        function="lca_extended",
        name="LCA {}, extended graphs",
        symbols=("F_{LCA}^{ex}", "P_{LCA}^{ex}", "R_{LCA}^{ex}"),
        formulas=formulas_of_sets(*_symbols("extended")),
        descriptions=(
            "The harmonic mean of LCA precision and recall on the graphs with every LCA and every cheapest way.",
            "LCA precision on the graphs with every LCA and every cheapest way.",
            "LCA recall on the graphs with every LCA and every cheapest way.",
        ),
        options=_EXTENDED,
        fixed={"graphs": "extended"},
        **_RATIOS,
    ),
)
