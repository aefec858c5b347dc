"""Making the lesson of a file's entries: instances, texts, claims and questions, card by card.

Whatever cannot be used, or does not hold, becomes a fault that names its card; the other cards are still checked. What
is computed for a text is in text.py, what for a question in questions.py.
"""

from dataclasses import replace
from typing import Any

from hiermeasures.cases.case import Case, changed, defined_of, hierarchy_of, placed, settings_of
from hiermeasures.cases.library import own_cases
from hiermeasures.cases.reading import Document, Fault, Loc, Misplaced
from hiermeasures.errors import InputError
from hiermeasures.io.source import MOST_CLASSES, MOST_EDGES, MOST_MARKED
from hiermeasures.lessons.card import Card, Lesson, Piece
from hiermeasures.lessons.format import CardEntry, LessonFile, SecondEntry
from hiermeasures.measures import Instance
from hiermeasures.measures.explain import find_measure
from hiermeasures.measures.lca_solvers import PAGE_WORK
from hiermeasures.measures.own import own_measures
from hiermeasures.options import Options


class Making:
    """One lesson being made; `faults` is what is wrong with it."""

    def __init__(self, document: Document, entries: LessonFile) -> None:
        self.document = document
        self.entries = entries
        self.faults: list[Fault] = []

    def lesson(self) -> Lesson | None:
        """The lesson, without the cards that have a fault."""
        made = [self.attempt(("cards", k), self._card, k, card) for k, card in enumerate(self.entries.cards)]
        e = self.entries
        cards = tuple(card for card in made if card is not None)
        return Lesson(self.document.path.stem, e.lesson, e.learns, e.minutes, cards, e)

    def attempt(self, loc: Loc, step: Any, *arguments: Any) -> Any:
        """The result of a step, or None after noting what is wrong and where."""
        try:
            return placed(loc, step, *arguments)
        except Misplaced as error:
            self.fault(error.loc, str(error))
            return None

    def fault(self, loc: Loc, reason: str) -> None:
        number = f"card {int(loc[1]) + 1}: " if loc[:1] == ("cards",) and len(loc) > 1 else ""
        self.faults.append(Fault(self.document.name, self.document.line(loc), f"{number}{reason}"))

    def _card(self, k: int, entry: CardEntry) -> Card:
        loc: Loc = ("cards", k)
        first = self._first(loc, entry)
        cases = (first,) if entry.second is None else (first, self._second(loc, first, entry.second))
        for case in cases:
            placed(loc, _bounded, case)
        instances = tuple(placed(loc, _instance_of, case) for case in cases)
        own = own_measures(first.define)
        definitions = {name: f"{head}={first.define[head]}" for name, head in zip(own, first.define, strict=True)}
        measures = tuple(
            definitions.get(key) or placed((*loc, "measures"), find_measure, key).key for key in entry.measures
        )
        figure = own_cases().cases.get(entry.case)
        return Card(
            title=entry.title,
            text=((Piece(entry.text),),) if entry.text else (),
            cases=cases,
            instances=instances,
            measures=measures,
            view=entry.view,
            hidden=frozenset(entry.hidden),
            case=entry.case if figure is not None and figure.hierarchy == first.hierarchy else "",
            source=_source(figure, first) if figure is not None else "",
            own=tuple(definitions.values()),
        )

    def _first(self, loc: Loc, entry: CardEntry) -> Case:
        """The instance of a card: a figure of the library, a hierarchy of its own, or one over the other."""
        figures = own_cases()
        if entry.case:
            base = placed((*loc, "case"), figures.case, entry.case)
        elif entry.hierarchy is not None:
            known = {key: case.hierarchy for key, case in figures.cases.items()}
            hierarchy = placed((*loc, "hierarchy"), hierarchy_of, entry.hierarchy, known)
            base = Case("", "", "", "", entry.title, "", hierarchy)
        else:
            raise Misplaced(loc, "there is nothing to draw: the entry 'hierarchy', or 'case', is missing")
        options = {**base.options, **placed(("options",), settings_of, self.entries.options)}
        define = defined_of({**base.define, **entry.define}, loc)
        base = replace(base, options=options, define=define, exact_work=PAGE_WORK)
        return changed(base, entry, loc, {key: case.hierarchy for key, case in figures.cases.items()})

    def _second(self, loc: Loc, first: Case, entry: SecondEntry) -> Case:
        """The second prediction; given paths belong to the first's classes."""
        here = (*loc, "second")
        if entry.hierarchy is not None and (first.true_paths or first.predicted_paths):
            first = replace(first, true_paths=None, predicted_paths=None)
        second: Case = placed(here, changed, first, entry, here, {})
        return second


def _bounded(case: Case) -> None:
    """InputError for an instance that is larger than a lesson may hold."""
    h = case.hierarchy
    marked = max(len(case.true), len(case.predicted))
    if len(h) > MOST_CLASSES or len(h.arrays.parent_idx) > MOST_EDGES or marked > MOST_MARKED:
        raise InputError(
            f"a card holds {MOST_CLASSES:,} classes, {MOST_EDGES:,} edges and {MOST_MARKED} classes of a side at most"
        )


def _instance_of(case: Case) -> Instance:
    """The instance as it is given; explaining it shows that its classes and options fit its hierarchy."""
    i = case.explained.instance
    return replace(i, hierarchy=case.hierarchy, options=Options.make(case.options))


def _source(figure: Case, first: Case) -> str:
    """How the origin of a card is called: `Figure 11(a), Kosmopoulos et al. 2015`."""
    paper = next(paper.name for paper in own_cases().papers if paper.key == figure.paper)
    same = (figure.hierarchy, figure.true, figure.predicted) == (first.hierarchy, first.true, first.predicted)
    return f"{figure.label}, {paper}" if same else f"after {figure.label}, {paper}"
