"""Making the lesson of a file's entries: instances, texts, claims and questions, card by card.

Whatever cannot be used, or does not hold, becomes a fault that names its card; the other cards are still checked. What
is computed for a text is in text.py, what for a question in kinds/.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from hiermeasures.cases.case import Case, changed, defined_of, hierarchy_of, placed, settings_of
from hiermeasures.cases.format import Labels
from hiermeasures.cases.library import own_cases
from hiermeasures.cases.reading import Document, Fault, Loc, Misplaced
from hiermeasures.errors import InputError, shown
from hiermeasures.lessons.card import Card, Lesson
from hiermeasures.lessons.format import CardEntry, LessonFile, QuestionEntry, SecondEntry
from hiermeasures.lessons.kinds import question_of
from hiermeasures.lessons.questions import Question, check_size, joined
from hiermeasures.lessons.text import Paragraphs, check_words, text_pieces
from hiermeasures.lessons.values import DoesNotHold, Subject
from hiermeasures.measures.lca_solvers import PAGE_WORK

T = TypeVar("T")
MOST_SECONDS = 30.0  # of processor time for the structures of a lesson, which may come from a stranger


class Making:
    """One lesson being made. `faults` is what is wrong with it; `broken` are those of them that are claims and answers
    that are not so.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.faults: list[Fault] = []
        self.broken: list[Fault] = []
        self.spent = 0.0

    def lesson(self, entries: LessonFile) -> Lesson:
        """The lesson, without the cards that have a fault."""
        options = self.attempt(("options",), settings_of, entries.options) or {}
        cards = []
        for k, entry in enumerate(entries.cards):
            if self.spent > MOST_SECONDS:
                self.fault(("cards", k), f"the cards before take more than {MOST_SECONDS:.0f} seconds to compute")
                break
            cards.append(self.attempt(("cards", k), self._card, ("cards", k), entry, options))
        made = tuple(card for card in cards if card is not None)
        return Lesson(self.document.path.stem, entries.lesson, entries.learns, entries.minutes, made, entries)

    def attempt(self, loc: Loc, step: Callable[..., T], *arguments: Any) -> T | None:
        """The result of a step, or None after noting what is wrong and where."""
        try:
            return step(*arguments)
        except Misplaced as error:
            self.fault(error.loc, str(error))
        except InputError as error:
            self.fault(loc, str(error), broken=isinstance(error, DoesNotHold))
        return None

    def fault(self, loc: Loc, reason: str, broken: bool = False) -> None:
        number = f"card {int(loc[1]) + 1}: " if loc[:1] == ("cards",) and len(loc) > 1 else ""
        fault = Fault(self.document.name, self.document.line(loc), f"{number}{reason}")
        self.faults.append(fault)
        if broken:
            self.broken.append(fault)

    def _card(self, loc: Loc, entry: CardEntry, options: Mapping[str, Any]) -> Card:
        """The card of an entry; faults that leave it a card are noted."""
        first = self._first(loc, entry, options)
        cases = (first,) if entry.second is None else (first, self._second(loc, first, entry.second))
        for case in cases:
            placed(loc, check_size, case)
        subject = Subject(cases, first.define)
        placed((*loc, "hidden"), _check_hidden, entry, cases)
        measures = tuple(placed((*loc, "measures"), self._measure, subject, key) for key in entry.measures)
        self.attempt((*loc, "title"), check_words, entry.title, subject)
        text = self._text((*loc, "text"), entry.text, subject)
        for n, claim in enumerate(entry.claims):
            self.attempt((*loc, "claims", n), _check_claim, claim, subject)
        question = None
        if entry.question is not None:
            question = self.attempt((*loc, "question"), self._question, (*loc, "question"), entry.question, subject)
        self.spent += sum(case.explained.spent for case in cases)
        figure = own_cases().cases.get(entry.case) if entry.case else None
        return Card(
            title=entry.title,
            text=text,
            subject=subject,
            measures=measures,
            view=entry.view,
            hidden=frozenset(entry.hidden),
            question=question,
            case=entry.case if figure is not None and figure.hierarchy == first.hierarchy else "",
            source=_source(figure, first) if figure is not None else "",
        )

    def _measure(self, subject: Subject, key: str) -> str:
        measure = subject.measure(key)
        for x in subject.explained:
            x.value(measure)
        return subject.key(measure)

    def _text(self, loc: Loc, text: str, subject: Subject) -> Paragraphs:
        paragraphs, faults = text_pieces(text, subject)
        for fault in faults:
            self.fault(loc, str(fault), broken=isinstance(fault, DoesNotHold))
        return paragraphs

    def _question(self, loc: Loc, entry: QuestionEntry, subject: Subject) -> Question:
        """The question, which has the answer that its author thinks it has."""
        if entry.answer is None:
            raise Misplaced(loc, "the entry 'answer' is missing: what do you think it is?")
        question = question_of(entry, subject)
        verdict = placed((*loc, "answer"), question.agrees, entry.answer)
        if not verdict.right:
            given = (entry.answer if isinstance(entry.answer, str) else joined(entry.answer)).strip() or "nothing"
            self.fault(
                (*loc, "answer"),
                f"the answer is {question.judge(question.answer()).answer_words}, not {given}: {verdict.why}",
                broken=True,
            )
        return question

    def _first(self, loc: Loc, entry: CardEntry, options: Mapping[str, Any]) -> Case:
        """The instance of a card: a figure of the library, a hierarchy of its own, or one over the other."""
        drawn = entry.hierarchy
        figures = own_cases().cases if entry.case or (drawn and drawn.like) else {}
        known = {key: case.hierarchy for key, case in figures.items()}
        if entry.case:
            base = placed((*loc, "case"), own_cases().case, entry.case)
        elif drawn is not None:
            hierarchy = placed((*loc, "hierarchy"), hierarchy_of, drawn, known)
            base = Case("", "", "", "", entry.title, "", hierarchy)
        else:
            raise Misplaced(loc, "there is nothing to draw: the entry 'hierarchy', or 'case', is missing")
        define = defined_of({**base.define, **entry.define}, loc)
        base = replace(base, options={**base.options, **options}, define=define, exact_work=PAGE_WORK)
        return changed(_without_old_paths(base, entry), entry, loc, known)

    def _second(self, loc: Loc, first: Case, entry: SecondEntry) -> Case:
        here = (*loc, "second")
        second: Case = placed(here, changed, _without_old_paths(first, entry), entry, here, {})
        return second


def _without_old_paths(case: Case, entry: Labels) -> Case:
    """The case without the paths of classes, or of a hierarchy, that an entry replaces."""
    replaced: dict[str, Any] = {
        f"{side}_paths": None
        for side in ("true", "predicted")
        if entry.hierarchy is not None or getattr(entry, side) is not None
    }
    return replace(case, **replaced)


def _check_hidden(entry: CardEntry, cases: tuple[Case, ...]) -> None:
    """InputError where there is nothing of what is to be hidden."""
    for name in ("true", "predicted"):
        if name in entry.hidden and not any(getattr(case, name) for case in cases):
            raise InputError(f"there are no {name} classes to hide")
    if "values" in entry.hidden and not entry.measures and entry.question is None:
        raise InputError("there are no values to hide: 'measures' and 'question' are missing")


def _check_claim(claim: str, subject: Subject) -> None:
    holds, instead = subject.holds(claim)
    if not holds:
        raise DoesNotHold(f"the claim {shown(claim)} does not hold: {instead}")


def _source(figure: Case, first: Case) -> str:
    """How the origin of a card is called: `Figure 11(a), Kosmopoulos et al. 2015`."""
    paper = next(paper.name for paper in own_cases().papers if paper.key == figure.paper)
    same = (figure.hierarchy, figure.true, figure.predicted) == (first.hierarchy, first.true, first.predicted)
    return f"{figure.label}, {paper}" if same else f"after {figure.label}, {paper}"
