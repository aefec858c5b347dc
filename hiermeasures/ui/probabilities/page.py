"""The Probabilities page: from probabilities to a prediction, and what a measure makes of it, for one instance or for a
file.

Every number comes from hiermeasures.inference and hiermeasures.cases; here they are laid out. What is on the page is
kept by state.py, drawn by tree.py and charts.py; a file's part is file.py.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.cases import CheckedCell, load_cases, verify
from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference import (
    INCOHERENT,
    INTERPOLATIONS,
    RULES,
    CandidateTable,
    Curve,
    Distribution,
    NodeProbabilities,
    Optimum,
    ThresholdRange,
    ThresholdSweep,
    assess,
    coherence,
    coherent_sets,
    expected_value,
    independent,
    instance_curve,
    predict,
    search,
    single_path,
    threshold_ranges,
    threshold_sweep,
)
from hiermeasures.inference.coherence import Coherence
from hiermeasures.inference.events import ends_of
from hiermeasures.measures import CATALOGUE, explain
from hiermeasures.measures.catalogue import latex_text
from hiermeasures.options import Options
from hiermeasures.ui.binding import button
from hiermeasures.ui.explore.model import EXPLORER
from hiermeasures.ui.gestures import mailbox
from hiermeasures.ui.pages import Page
from hiermeasures.ui.probabilities import charts
from hiermeasures.ui.probabilities import file as probability_file
from hiermeasures.ui.probabilities import tree as probability_tree
from hiermeasures.ui.probabilities.state import (
    PREFIX,
    Sheet,
    Source,
    beginning,
    choose,
    edited,
    even,
    figures,
    key_of,
    put,
    recall,
    set_setting,
    setting,
    sheet,
    typed,
)
from hiermeasures.ui.text import escaped, markdown_text

OPENING_FIGURE = "Figure 3"
MOST_COMPARED = 20_000
MANY_EVENTS = 200
SLOW_FAMILIES = ("lca", "pairs")
LIKELIEST = "likeliest"
BEST = {"best_a": "measure_a", "best_b": "measure_b"}
RULE_NAMES = {
    **{key: rule.name for key, rule in RULES.items()},
    "best_a": "Best for the first measure",
    "best_b": "Best for the second measure",
}
READINGS = {"single_path": "One path is true", "independent": "Classes are independent, given their parents"}
LABELS = {"all": "All classes, ancestors included", "most_specific": "The most specific classes only"}
MEASURE_HELP = {
    "measure_a": "All candidate predictions are ranked by its expected value.",
    "measure_b": "Set beside the first: what it would have had predicted.",
}
PATHS = {"best": "best child", "all": "all children"}
LISTED = ["hF", "hP", "hR", "F_LCA", "SP", "accuracy"]
ROW, HEADER = 27, 35
STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-left: 1.75rem; padding-right: 1.75rem; max-width: none; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.6rem; }
[data-testid="stMainBlockContainer"] .katex-display { margin: 0; padding: 0.15rem 0 0.35rem; overflow: auto hidden; }
[data-testid="stMainBlockContainer"] .katex-display > .katex { text-align: left; }
[data-testid="stMainBlockContainer"] .katex { font-size: 1.02em; }
[data-testid="stMetricValue"] { font-size: 1.5rem; }
.st-key-probabilities_safe [data-testid="stElementToolbar"] { display: none; }
</style>"""
CHART = {"displayModeBar": False}
DEFAULTS: dict[str, Any] = {
    "view": "One instance",
    "source": "",
    "rule": "threshold",
    "tau": 0.3,
    "k": 1,
    "among": "leaves",
    "paths": "best",
    "share": True,
    "reading": "single_path",
    "labels": "all",
    "interpolation": "trapezoid",
    "incoherent": "augment",
    "count_root": False,
    "measure_a": "hF",
    "measure_b": "SP",
    "listed": LISTED,
    "truth": [],
    "kind": "nodes",
    "strange": "error",
    "file_hierarchy": "",
}


def page() -> None:
    """Draw the page."""
    st.html(STYLE)
    recall(DEFAULTS)
    sources = _sources()
    _open(sources)
    _follow_typing()
    if setting("view") == "A file":
        view, more, _ = st.columns([2.2, 1.3, 10.7], gap="small", vertical_alignment="bottom")
        with view:
            _view_switch()
        with more:
            _settings_button(_curve_settings)
        probability_file.show(
            _file_hierarchies(sources), _options(), setting("interpolation"), setting("incoherent"), _open_instance
        )
    else:
        _one_instance(sources)
    mailbox()


def _view_switch() -> None:
    st.segmented_control(
        "Look at",
        ["One instance", "A file"],
        default=beginning("view"),
        key=key_of("view"),
        required=True,
        help="One instance: its tree, its curve and every candidate prediction. A file: a whole test set.",
    )


# --- what is on the page ------------------------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def _figures() -> dict[str, Source]:
    return figures(load_cases())


@st.cache_resource(show_spinner=False)
def _published() -> tuple[CheckedCell, ...]:
    papers = {case.paper for source in _figures().values() for case in source.cases}
    return tuple(cell for paper in sorted(papers) for cell in verify(paper=paper).cells)


def _sources() -> dict[str, Source]:
    """What the page can begin with: the library's figures, the Explorer's hierarchy, and an instance opened from a
    file.
    """
    found = dict(_figures())
    if EXPLORER.filled:
        explored = EXPLORER.value.history.present
        if len(explored.hierarchy) > 1:
            title = f"Explorer: {explored.title}"
            found[title] = even(explored.hierarchy, title, explored.instance.options, explored.instance.true)
    opened = st.session_state.get("probabilities_opened")
    return found | ({opened.title: opened} if opened else {})


def _open(sources: dict[str, Source]) -> None:
    """Lay out the sheet of a first visit, and keep the choice of source among those there are."""
    now = sheet()
    if now is None:
        title = next((t for t in sources if t.startswith(OPENING_FIGURE)), next(iter(sources)))
        _begin(sources[title])
    elif now.source.title not in sources:
        sources[now.source.title] = now.source
    elif _outdated(sources) and not now.edited:
        _begin(sources[now.source.title])


def _outdated(sources: dict[str, Source]) -> bool:
    """Whether the hierarchy was changed in the Explorer after it was laid out here."""
    now = _sheet()
    return sources[now.source.title].probabilities.hierarchy != now.hierarchy


def _begin(source: Source) -> None:
    put(Sheet.of(source, (sheet().turn + 1) if sheet() else 0))  # type: ignore[union-attr]
    set_setting("source", source.title)
    set_setting("truth", sorted(source.truth, key=source.probabilities.hierarchy.index))
    set_setting("count_root", source.options.counts_root(source.probabilities.hierarchy))


def _sheet() -> Sheet:
    now = sheet()
    assert now is not None
    return now


def _options() -> Options:
    return Options.make(_sheet().source.options.model_dump(exclude_unset=True), count_root=bool(setting("count_root")))


def _open_instance(title: str, probabilities: NodeProbabilities, truth: frozenset[str]) -> None:
    """Show an instance of a file as the one instance."""
    words = "An instance of a file. Edits stay here; the file is not changed."
    opened = Source(
        title, probabilities, _sheet().source.options, truth & frozenset(probabilities.hierarchy.nodes), words=words
    )
    st.session_state["probabilities_opened"] = opened
    _begin(opened)
    set_setting("view", "One instance")


# --- edits --------------------------------------------------------------------------------------------------------


def _editor_key() -> str:
    return f"{PREFIX}table_{_sheet().turn}"


def _follow_typing() -> None:
    """Take over what was typed into the table of numbers. What is refused stays in its cell, with a line beside it."""
    now = _sheet()
    rows = st.session_state.get(_editor_key(), {}).get("edited_rows", {})
    numbers = {now.hierarchy.nodes[int(i) + 1]: cells["P"] for i, cells in sorted(rows.items()) if "P" in cells}
    if not numbers:
        return
    after = typed(now.typed_over, numbers, bool(setting("share")))
    if not after.refused:
        put(now.to(after.probabilities))
    st.session_state["probabilities_said"] = (*after.refused, *after.cut)


def _dragged(bar: Mapping[str, Any]) -> None:
    now = _sheet()
    try:
        after, line = edited(now.probabilities, str(bar["label"]), float(bar["value"]), bool(setting("share")))
    except (InputError, KeyError, TypeError, ValueError):
        return
    put(now.to(after))
    st.session_state["probabilities_said"] = (line,) if line else ()


def _chosen(name: Mapping[str, Any]) -> None:
    """A click on a class: it becomes the truth, or one of it where several paths can be true; a second click takes it
    back.
    """
    label = str(name.get("label"))
    if label not in _sheet().hierarchy:
        return
    truth = list(setting("truth"))
    if label in truth:
        truth.remove(label)
    else:
        truth = [label] if setting("reading") == "single_path" else [*truth, label]
    set_setting("truth", truth)


def _renormalise() -> None:
    put(_sheet().to(_sheet().probabilities.renormalised()))
    st.session_state["probabilities_said"] = ()


def _undo() -> None:
    put(_sheet().undo())
    st.session_state["probabilities_said"] = ()


# --- what is computed from it -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Predicted:
    """What the chosen rule predicts. `tau` is the threshold that draws the same on the curve, None where none does."""

    classes: frozenset[str]
    sentence: str
    source: str
    tau: float | None


@dataclass(frozen=True)
class Looked:
    """Everything the page shows about the sheet. `doubt` says why there is no distribution, and so no expected
    value.
    """

    sheet: Sheet
    options: Options
    found: Coherence
    distribution: Distribution | None
    doubt: str
    table: CandidateTable | None
    narrowed: str
    predicted: Predicted
    truth: frozenset[str]
    curve: Curve | None

    @property
    def hierarchy(self) -> Hierarchy:
        return self.sheet.hierarchy


def _look() -> Looked:
    now, options = _sheet(), _options()
    distribution, doubt = _read(now.probabilities, setting("reading"))
    table, narrowed = None, ""
    if distribution is not None:
        measures = tuple(dict.fromkeys((setting("measure_a"), setting("measure_b"))))
        table, narrowed = _searched(distribution, measures, setting("labels"), options)
    truth = frozenset(setting("truth"))
    curve = None
    if truth:
        curve = instance_curve(
            now.probabilities,
            truth,
            interpolation=setting("interpolation"),
            incoherent=setting("incoherent"),
            count_root=options.counts_root(now.hierarchy),
        )
    predicted = _predicted(now.probabilities, table)
    return Looked(
        now, options, coherence(now.probabilities), distribution, doubt, table, narrowed, predicted, truth, curve
    )


@lru_cache(maxsize=64)
def _read(probabilities: NodeProbabilities, reading: str) -> tuple[Distribution | None, str]:
    try:
        return (single_path if reading == "single_path" else independent)(probabilities), ""
    except InputError as error:
        return None, str(error)


@lru_cache(maxsize=64)
def _found(
    probabilities: NodeProbabilities, reading: str, measures: tuple[str, ...], labels: str, options: Options, space: str
) -> CandidateTable:
    distribution, doubt = _read(probabilities, reading)
    if distribution is None:
        raise InputError(doubt)
    candidates = None
    if space == LIKELIEST:
        many = max(1, MOST_COMPARED // 2 // len(distribution.events) - 1)
        likeliest = sorted(distribution.events, key=lambda e: -e.probability)[:many]
        candidates = dict.fromkeys([frozenset[str](), *(e.classes for e in likeliest)])
        space = "coherent"
    # type: ignore[arg-type]
    return search(distribution, measures, space=space, candidates=candidates, labels=labels, options=options)


def _searched(
    d: Distribution, measures: tuple[str, ...], labels: str, options: Options
) -> tuple[CandidateTable | None, str]:
    """All coherent sets where they are few, else single paths, else the likeliest events; the words say which and
    why.
    """
    spaces: list[tuple[str, Callable[[], int], str]] = [
        ("coherent", lambda: len(coherent_sets(d.hierarchy)), ""),
        ("paths", lambda: len(d.hierarchy), "Only single paths are compared: {}."),
        (LIKELIEST, lambda: 0, "Only the likeliest possible truths are compared: {}."),
    ]
    why = ""
    for space, count, words in spaces:
        try:
            several = count() * len(d.events)
            if several <= MOST_COMPARED:
                return _found(d.probabilities, setting("reading"), measures, labels, options, space), words.format(why)
            why = f"there are too many others, which would take {several:,} comparisons"
        except InputError as error:
            why = str(error)
    return None, why


def _predicted(p: NodeProbabilities, table: CandidateTable | None) -> Predicted:
    rule = setting("rule")
    if rule in BEST:
        return _best_prediction(p, rule, table)
    settings = {"at": setting("tau"), "k": int(setting("k")), "among": setting("among"), "paths": setting("paths")}
    try:
        made = predict(p, rule, **{name: settings[name] for name in RULES[rule].parameters})
    except InputError as error:
        return Predicted(frozenset(), str(error), RULES[rule].source, None)
    tau = made.threshold if rule == "threshold" else _threshold_of(p, made.classes)
    return Predicted(made.classes, made.sentence, RULES[rule].source, tau)


def _best_prediction(p: NodeProbabilities, rule: str, table: CandidateTable | None) -> Predicted:
    measure = CATALOGUE[setting(BEST[rule])]
    source = "Plaud et al. 2024, Eq. 2, by comparing all candidates"
    if table is None:
        return Predicted(frozenset(), "There is no best prediction without expected values.", source, None)
    try:
        best = table.optimum(measure.key)
    except InputError as error:
        return Predicted(frozenset(), f"{error}.", source, None)
    classes = best.best.candidate.classes
    sentence = f"The best expected {measure.name} of {table.space}: {braces(p.hierarchy, classes)}."
    return Predicted(classes, sentence, source, _threshold_of(p, classes))


def _threshold_of(p: NodeProbabilities, classes: frozenset[str]) -> float | None:
    found = threshold_ranges(p).get(classes)
    return found.low if found else None


@lru_cache(maxsize=64)
def _swept(p: NodeProbabilities, reading: str, labels: str, options: Options) -> ThresholdSweep | None:
    distribution, _ = _read(p, reading)
    if distribution is None:
        return None
    try:
        return threshold_sweep(distribution, "hF", labels=labels, options=options)  # type: ignore[arg-type]
    except InputError:
        return None


# --- one instance -------------------------------------------------------------------------------------------------


def _one_instance(sources: dict[str, Source]) -> None:
    _toolbar(sources)
    if _outdated(sources):
        words, newer = st.columns([4, 1], vertical_alignment="center")
        words.info("The hierarchy was changed in the Explorer; your probabilities here are of the one before.")
        newer.button("Take the new one", on_click=_begin, args=(sources[_sheet().source.title],), width="stretch")
    looked = _look()
    tree, numbers, right = st.columns([5.2, 2.5, 5.6], gap="medium")
    with tree:
        _tree(looked)
    with numbers:
        _numbers(looked)
    with right:
        _charts(looked)
        _values(looked)
    _candidates(looked)


def _toolbar(sources: dict[str, Source]) -> None:
    view, source, rule, how, truth, more = st.columns(
        [2.2, 2.9, 2.6, 3, 2.2, 1.3], gap="small", vertical_alignment="bottom"
    )
    with view:
        _view_switch()
    choose(
        source,
        "Probabilities of",
        list(sources),
        "source",
        on_change=lambda: _begin(sources[setting("source")]),
        help="Figures of papers with their numbers, or the hierarchy that is open in the Explorer.",
    )
    choose(
        rule,
        "Prediction rule",
        [*RULES, *BEST],
        "rule",
        format_func=RULE_NAMES.__getitem__,
        help="How probabilities become predicted classes.\n\n"
        + "\n".join(
            f"- **{markdown_text(r.name)}**: {markdown_text(r.description)} ({markdown_text(r.source)})"
            for r in RULES.values()
        ),
    )
    with how:
        _rule_settings()
    truth.multiselect(
        "Truth",
        _sheet().hierarchy.nodes[1:],
        default=beginning("truth"),
        key=key_of("truth"),
        placeholder="none chosen",
        help="The true classes of this instance, for realised values and the curve. Ancestors are added. "
        "A click on a class of the tree does the same.",
    )
    with more:
        _settings_button(_settings)


def _rule_settings() -> None:
    rule = setting("rule")
    takes = () if rule in BEST else RULES[rule].parameters
    if "k" in takes:
        count, among = st.columns(2, vertical_alignment="bottom")
        most = len(_sheet().hierarchy.leaves if setting("among") == "leaves" else _sheet().hierarchy) - (
            setting("among") != "leaves"
        )
        set_setting("k", min(int(setting("k")), most))
        count.number_input(
            "k", 0, most, int(beginning("k")), key=key_of("k"), help="How many of the likeliest are predicted."
        )
        choose(among, "of the", ["leaves", "classes"], "among")
        return
    if "paths" in takes:
        tau, paths = st.columns(2, vertical_alignment="bottom")
        _threshold(tau, disabled=False)
        choose(
            paths,
            "to",
            list(PATHS),
            "paths",
            format_func=PATHS.__getitem__,
            help="Whether only the likeliest child above the threshold is taken, or every one.",
        )
        return
    _threshold(st, disabled="at" not in takes)


def _threshold(place: Any, disabled: bool) -> None:
    words = (
        "This rule has no threshold." if disabled else "Classes with a probability above it, strictly, are predicted."
    )
    place.slider("Threshold τ", 0.0, 1.0, beginning("tau"), 0.01, key=key_of("tau"), disabled=disabled, help=words)


def _settings_button(content: Callable[[], None]) -> None:
    """The popover of settings. What is in it is drawn once it is open: the browser would begin closed fields with their
    defaults.
    """
    opened = st.popover("Settings", width="stretch", key="probabilities_settings", on_change="rerun")
    if opened.open:
        with opened, st.container(width=420):
            content()


def _settings() -> None:
    choose(
        st,
        "Which truths are possible",
        list(READINGS),
        "reading",
        format_func=READINGS.__getitem__,
        help="Probabilities of single classes do not say which classes occur together; a reading has to be chosen "
        "before anything can be expected.",
    )
    choose(
        st,
        "A measure is given",
        list(LABELS),
        "labels",
        format_func=LABELS.__getitem__,
        help="Plaud et al. compare whole sets with their ancestors; pair-based measures are meant for the most specific "
        "classes.",
    )
    _curve_settings()
    st.multiselect("Measures in the table of values", list(CATALOGUE), beginning("listed"), key=key_of("listed"))


def _curve_settings() -> None:
    st.toggle(
        "Count the root",
        beginning("count_root"),
        key=key_of("count_root"),
        help="Whether set-based measures and the curve count the root as a class.",
    )
    choose(st, "Area under the curve", list(INTERPOLATIONS), "interpolation", format_func=_told(INTERPOLATIONS))
    choose(
        st,
        "A class likelier than its parent, in the curve",
        list(INCOHERENT),
        "incoherent",
        format_func=_told(INCOHERENT),
    )


def _told(words: dict[str, str]) -> Any:
    return lambda key: f"{key}: {words[key]}"


def _tree(looked: Looked) -> None:
    h = looked.hierarchy
    tau = setting("tau") if setting("rule") in ("threshold", "top_down_threshold") else None
    truth = frozenset(a for c in looked.truth for a in h.up(c)) - {h.root}
    made = probability_tree.drawing(looked.sheet.probabilities, truth, looked.predicted.classes, tau, looked.found)
    probability_tree.show(made, _dragged, _chosen)
    if made.folded:
        st.caption(
            f"{made.folded} classes far from the predicted and true ones are not drawn. They count in every value."
        )
    st.markdown(escaped(looked.predicted.sentence))
    st.caption(f"Rule: {markdown_text(looked.predicted.source)}.")
    _oddities(looked)
    if looked.sheet.source.words and not looked.sheet.edited:
        st.caption(escaped(looked.sheet.source.words))


def _oddities(looked: Looked) -> None:
    """What does not fit in the probabilities, in plain words; they are used as they are."""
    found = looked.found
    grave = [f.sentence for f in found.child_above_parent] + [s.sentence for s in found.siblings_over]
    if grave:
        more = f" And {len(grave) - 3} more." if len(grave) > 3 else ""
        st.warning(
            escaped("Incoherent: " + "; ".join(grave[:3]) + "." + more) + " The numbers are used as they are. "
            "“Renormalise siblings” scales the children of each class to sum to it."
        )
    elif looked.doubt:
        st.warning(escaped(f"No expected values: {looked.doubt}."))
    elif found.stopping:
        more = f", and {len(found.stopping) - 2} more" if len(found.stopping) > 2 else ""
        st.caption(escaped("; ".join(s.sentence for s in found.stopping[:2]) + more + ": a path may end there."))
    for note in looked.sheet.probabilities.notes:
        st.caption(escaped(note))


def _numbers(looked: Looked) -> None:
    """The table of numbers: every probability can be typed."""
    now = looked.sheet
    h, given = now.hierarchy, now.probabilities.given_parents
    frame = pd.DataFrame(
        {
            "Class": list(h.nodes[1:]),
            "P": [now.typed_over[c] for c in h.nodes[1:]],
            "given parent": [given[c] for c in h.nodes[1:]],
        }
    )
    holder = st.container(key="probabilities_safe")
    holder.data_editor(
        frame,
        key=_editor_key(),
        hide_index=True,
        disabled=["Class", "given parent"],
        row_height=ROW,
        height=_height(frame, 9),
        alt="Probabilities of the classes",
        column_config={
            "P": st.column_config.NumberColumn(
                "P", format="%.3f", help="The probability of the class, from 0 to 1. Type to change it."
            ),
            "given parent": st.column_config.NumberColumn(
                "P | parent",
                format="%.3f",
                help="The probability of the class if its parent is true: its own divided by its parent's.",
            ),
        },
    )
    for line in st.session_state.get("probabilities_said", ()):
        st.error(escaped(line))
    st.toggle(
        "Siblings share the rest",
        beginning("share"),
        key=key_of("share"),
        disabled=not h.is_tree,
        help="An edited class keeps its new probability; its siblings divide what is left of their parent's in the proportion "
        "they had, and what lies below follows. Off: only the one number changes. It needs a tree.",
    )
    undo, reset = st.columns(2, gap="small")
    with undo:
        button("Undo", key="prob_undo", action=_undo, disabled=not now.past, width="stretch")
    reset.button(
        "Reset",
        on_click=_begin,
        args=(now.source,),
        disabled=not now.edited,
        width="stretch",
        help="Back to where it began.",
    )
    st.button(
        "Renormalise siblings",
        on_click=_renormalise,
        disabled=not h.is_tree,
        width="stretch",
        help="Scales the children of every class so that they sum to it.",
    )


def _height(frame: pd.DataFrame, most: int) -> int:
    """The height of a table with at most so many rows in view."""
    return ROW * min(len(frame), most) + HEADER + 2


def _charts(looked: Looked) -> None:
    left, right = st.columns(2, gap="small")
    with left:
        if looked.curve is None:
            st.markdown("**Precision and recall**")
            st.info("Choose a truth, above or by a click on a class, to see its curve.")
        else:
            st.markdown(
                f"Area under the curve **{looked.curve.area:.3f}**",
                help="Hierarchical precision and recall of this instance over "
                "all thresholds; the box is the prediction. " + markdown_text(looked.curve.sentence),
            )
            st.plotly_chart(charts.precision_recall(looked.curve, _place(looked)), key="prob_curve", config=CHART)
    with right:
        sweep = _swept(looked.sheet.probabilities, setting("reading"), setting("labels"), looked.options)
        best = f", best **{_range(sweep.best[0].thresholds)}**" if sweep else ""
        st.markdown(
            f"hF over τ{best}",
            help="Hierarchical F1 over all thresholds τ, expected and for the chosen truth. Bold: the "
            "best thresholds. They depend on the instance (Plaud et al. 2024, Appendix B.1.2).",
        )
        tau = setting("tau") if setting("rule") == "threshold" else None
        st.plotly_chart(charts.over_thresholds(sweep, looked.curve, tau), key="prob_sweep", config=CHART)


def _place(looked: Looked) -> tuple[float, float]:
    """Where the current prediction stands among recall and precision."""
    assert looked.curve is not None
    if looked.predicted.tau is not None:
        point = looked.curve.at(looked.predicted.tau)
        return point.recall, point.precision
    there = _single(looked)
    return there["hR"], there["hP"]


def _single(looked: Looked) -> Any:
    """The prediction against the chosen truth, given the same labels as the expected values."""
    truth = frozenset(a for c in looked.truth for a in looked.hierarchy.up(c)) - {looked.hierarchy.root}
    predicted = looked.predicted.classes
    if setting("labels") == "most_specific":
        truth, predicted = ends_of(looked.hierarchy, truth), ends_of(looked.hierarchy, predicted)
    return explain(looked.hierarchy, truth, predicted, options=looked.options)


def _range(r: ThresholdRange | None) -> str:
    return f"{r.low:.3g}–{r.high:.3g}" if r else "–"


def _values(looked: Looked) -> None:
    truth = f"if {braces(looked.hierarchy, looked.truth)} true" if looked.truth else "no truth chosen"
    rows = _assessed(looked)
    if not rows:
        return
    frame = pd.DataFrame(
        [
            (f"{key} {'↑' if better == 'higher' else '↓'}", expected, realised)
            for key, better, expected, realised in rows
        ],
        columns=["Measure", "expected", truth],
    )
    predicted = braces(looked.hierarchy, looked.predicted.classes)
    st.markdown(
        f"Predicted **{escaped(predicted)}**",
        help="Expected: the mean over all possible truths, each with its probability. "
        "Realised: the value if the chosen truth holds. ↑ higher is better, ↓ lower is better.",
    )
    st.dataframe(
        frame,
        hide_index=True,
        key="prob_values",
        row_height=ROW,
        height=_height(frame, 8),
        placeholder="–",
        column_config={
            "expected": st.column_config.NumberColumn(
                "expected", format="%.3f", help="The mean over all possible truths."
            ),
            truth: st.column_config.NumberColumn(truth, format="%.3f", help="The value if the chosen truth holds."),
        },
    )


def _assessed(looked: Looked) -> list[tuple[str, str, float, float]]:
    """Each listed measure with its direction, its expected and its realised value."""
    listed = list(setting("listed"))
    realised = _single(looked) if looked.truth else dict.fromkeys(listed, math.nan)
    slow: list[str] = []
    if looked.distribution is None:
        st.caption(escaped(f"No expected values: {looked.doubt}."))
        listed = listed if looked.truth else []
        expected = dict.fromkeys(listed, math.nan)
    else:
        if len(looked.distribution.events) > MANY_EVENTS:
            slow = [k for k in listed if CATALOGUE[k].family in SLOW_FAMILIES]
            st.caption(
                escaped(
                    f"Over {len(looked.distribution.events):,} possible truths, the expected {', '.join(slow)} would take long "
                    "and is left out."
                )
                if slow
                else ""
            )
        made = assess(
            looked.distribution,
            looked.predicted.classes,
            None,
            [k for k in listed if k not in slow],
            labels=setting("labels"),
            options=looked.options,
        )
        expected = dict.fromkeys(slow, math.nan) | {r.measure.key: r.expected.value for r in made.rows}
    return [(k, CATALOGUE[k].better, expected[k], realised[k]) for k in listed]


# --- the candidates -----------------------------------------------------------------------------------------------


def _candidates(looked: Looked) -> None:
    if looked.table is None:
        st.info(
            "What one should have predicted needs expected values, and there are none: "
            + escaped(looked.doubt or looked.narrowed)
            + "."
        )
        return
    optima: dict[str, Optimum] = {}
    left, right = st.columns(2, gap="medium")
    for name, label, place in (("measure_a", "First measure", left), ("measure_b", "Second measure", right)):
        with place:
            optima |= _optimum(looked, name, label)
    if setting("measure_a") not in optima:
        return
    left, right = st.columns([7, 5], gap="medium")
    with left:
        chosen = _ranking(looked, optima[setting("measure_a")], optima.get(setting("measure_b")))
    with right:
        _evidence(looked, looked.predicted.classes if chosen is None else chosen)
    _published_cells(looked)


def _measure_name(key: str) -> str:
    return f"{CATALOGUE[key].name} ({key})"


def _optimum(looked: Looked, name: str, label: str) -> dict[str, Optimum]:
    """The choice of a measure, its best prediction, and what is known about that."""
    choice, words = st.columns([2, 3], gap="small")
    key = choose(choice, label, list(CATALOGUE), name, format_func=_measure_name, help=MEASURE_HELP[name])
    with words:
        assert looked.table is not None
        try:
            optimum = looked.table.optimum(key)
        except InputError as error:
            st.info(f"{escaped(str(error))}.")
            return {}
        best = optimum.best
        also = "".join(f" or {escaped(braces(looked.hierarchy, t.candidate.classes))}" for t in optimum.ties[1:3])
        tau = f"τ {_range(best.candidate.thresholds)}" if best.candidate.thresholds else "no threshold gives it"
        classes = escaped(braces(looked.hierarchy, best.candidate.classes))
        st.markdown(
            f"Best **{classes}**{also}, expected **{best.value:.3f}**, {tau}",
            help=markdown_text(CATALOGUE[key].description),
        )
        line, more = _proof(looked, optimum)
        st.caption(line, help=more)
    return {key: optimum}


def _proof(looked: Looked, optimum: Optimum) -> tuple[str, str | None]:
    """What speaks for an optimum in a line, and the same at length."""
    assert looked.table is not None
    words = f"Of {len(optimum.alternatives)} candidates: {looked.table.space}."
    form = optimum.closed_form
    if form is None:
        return f"{words} No closed form is known.", None
    source = f"{markdown_text(form.statement)} {markdown_text(form.condition)} ({markdown_text(form.source)})"
    if form.applies:
        return f"{words} Closed form: {markdown_text(form.source.partition(',')[0])}.", source
    return f"{words} The closed form does not apply: {escaped(form.why_not)}.", source


def _ranking(looked: Looked, main: Optimum, other: Optimum | None) -> frozenset[str] | None:
    """The table of all candidates, best first; gives the one whose row is selected."""
    if other is main or (other and other.measure.key == main.measure.key):
        other = None
    places = {a.candidate.classes: a for a in other.alternatives} if other else {}
    rows = []
    for a in main.alternatives:
        row = {
            "rank": a.rank,
            "prediction": braces(looked.hierarchy, a.candidate.classes),
            main.measure.key: a.value,
            "worse by": a.regret,
        }
        if other:
            beside = places[a.candidate.classes]
            row |= {other.measure.key: beside.value, f"rank by {other.measure.key}": beside.rank}
        tags = _tags(looked, a.candidate.classes, [main, *([other] if other else [])])
        rows.append(row | {"thresholds": _range(a.candidate.thresholds), "": " · ".join(tags)})
    frame = pd.DataFrame(rows)
    picked = st.dataframe(
        frame,
        hide_index=True,
        key="prob_ranking",
        on_select="rerun",
        selection_mode="single-row",
        row_height=ROW,
        height=_height(frame, 9),
        placeholder="–",
        column_config=_ranking_columns(main, other),
    )
    if looked.narrowed:
        st.caption(escaped(looked.narrowed))
    chosen = picked["selection"]["rows"]
    return main.alternatives[chosen[0]].candidate.classes if chosen and chosen[0] < len(rows) else None


def _ranking_columns(main: Optimum, other: Optimum | None) -> dict[str, Any]:
    measures = [o.measure for o in (main, other) if o]
    return {
        "rank": st.column_config.NumberColumn(width=52),
        "prediction": st.column_config.TextColumn(width=120),
        "": st.column_config.TextColumn(width=150, help="now: what is predicted now. best: the optimum of a measure."),
        **{
            m.key: st.column_config.NumberColumn(
                f"E[{m.key}]", format="%.3f", help=f"Expected {m.name}, {m.better} is better."
            )
            for m in measures
        },
        "worse by": st.column_config.NumberColumn(
            format="%.3f", help=f"How much worse its expected {main.measure.name} is than the best."
        ),
        "thresholds": st.column_config.TextColumn(
            "τ", help="The thresholds that give this prediction; – where none does."
        ),
    }


def _tags(looked: Looked, classes: frozenset[str], optima: Iterable[Optimum]) -> list[str]:
    tags = ["now"] if classes == looked.predicted.classes else []
    return tags + [f"best {o.measure.key}" for o in optima if classes in {t.candidate.classes for t in o.ties}]


def _evidence(looked: Looked, classes: frozenset[str]) -> None:
    """The events behind the expected values of one prediction."""
    assert looked.distribution is not None
    keys = list(dict.fromkeys((setting("measure_a"), setting("measure_b"))))
    values = [
        expected_value(looked.distribution, classes, k, labels=setting("labels"), options=looked.options) for k in keys
    ]
    frame = pd.DataFrame(
        {
            "if true": [braces(looked.hierarchy, e.classes) for e in looked.distribution.events],
            "probability": [e.probability for e in looked.distribution.events],
            **{v.measure.key: [r.value for r in v.rows] for v in values},
        }
    )
    st.dataframe(
        frame,
        hide_index=True,
        key="prob_events",
        row_height=ROW,
        height=_height(frame, 6),
        placeholder="–",
        column_config={
            "probability": st.column_config.NumberColumn("P", format="%.3f", help="The probability of this truth."),
            **{
                k: st.column_config.NumberColumn(k, format="%.3f", help=f"{CATALOGUE[k].name} if this is true.")
                for k in keys
            },
        },
    )
    for value in values:
        st.latex(rf"\mathbb{{E}}[{value.measure.symbol} \mid {latex_set(looked.hierarchy, classes)}] = {value.latex}")
    st.caption(
        "Select a row of the ranking to see another prediction.", help=markdown_text(looked.distribution.assumption)
    )


def _published_cells(looked: Looked) -> None:
    """The paper's own numbers about the figure, beside ours."""
    keys = {case.key for case in looked.sheet.source.cases}
    cells = [cell for cell in _published() if cell.case in keys]
    if not cells:
        return
    match = sum(cell.status == "match" for cell in cells)
    rest = f", {len(cells) - match} explained" if match < len(cells) else ""
    with st.expander(f"Published about this figure: {match} of {len(cells)} values match{rest}"):
        left, right = st.columns([7, 5], gap="medium")
        left.dataframe(
            pd.DataFrame(
                {
                    "where": [c.source for c in cells],
                    "quantity": [c.quantity for c in cells],
                    "printed": [c.printed for c in cells],
                    "ours": [c.ours_text for c in cells],
                    "status": [c.status for c in cells],
                }
            ),
            hide_index=True,
            key="prob_published",
            row_height=ROW,
        )
        for cell in cells:
            if cell.explanation:
                right.caption(escaped(f"{cell.quantity}: {cell.explanation}"))


def _file_hierarchies(sources: dict[str, Source]) -> dict[str, Hierarchy]:
    """The hierarchies that a file may be read with, the one on the sheet first."""
    now = _sheet()
    named = {f"{now.source.title} (on this page)": now.hierarchy}
    return named | {title: s.probabilities.hierarchy for title, s in sources.items() if title != now.source.title}


def latex_set(h: Hierarchy, classes: frozenset[str], most: int = 4) -> str:
    """A set of classes in a formula; nothing in a label acts as a command."""
    ordered = sorted(classes, key=h.index)
    if not ordered:
        return r"\text{nothing}"
    return (
        r"\{"
        + ", ".join(latex_text(c, 16) for c in ordered[:most])
        + (r", \dots" if len(ordered) > most else "")
        + r"\}"
    )


def braces(h: Hierarchy, classes: frozenset[str], most: int = 8) -> str:
    """A set of classes as text, in the hierarchy's order.

    >>> braces(Hierarchy.from_nested({"r": {"1": ["5"]}}), frozenset({"5", "1"}))
    '{1, 5}'
    """
    if not classes:
        return "nothing"
    ordered = sorted(classes, key=h.index)
    more = f", and {len(ordered) - most} more" if len(ordered) > most else ""
    return "{" + ", ".join(ordered[:most]) + more + "}"


PAGE = Page("Probabilities", page)
