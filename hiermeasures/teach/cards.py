"""A lesson and its cards: from the entries of a lesson file to texts, instances and questions.

docs/lessons.md shows the format by example. The entries of an instance are as in case files
(verify/format.py). The kind of a question declares its entries (kinds/). As in case files, every
value is text. An unusable entry or a false claim becomes a fault that names its card. The other
cards are still checked.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AfterValidator, BeforeValidator, Field, SerializeAsAny, ValidationError

from hiermeasures.draw.views import VIEWS
from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.words import join_words
from hiermeasures.measures import Explanation, Instance
from hiermeasures.measures.lca_solvers import PAGE_WORK
from hiermeasures.teach.kinds import KINDS, question_entry, question_of
from hiermeasures.teach.questions import LONGEST_TEXT, LongText, Question, QuestionEntry, check_size
from hiermeasures.verify.case import Case, changed, defined_of, hierarchy_of, placed, settings_of
from hiermeasures.verify.format import FileEntry, LabelsEntry, Settings, Words, bars, known, words
from hiermeasures.verify.library import own_cases
from hiermeasures.verify.reading import Loc, Misplaced, worded
from hiermeasures.verify.values import (
    DoesNotHold,
    Paragraphs,
    Subject,
    check_words,
    plain,
    text_pieces,
)

T = TypeVar("T")
MOST_CARDS, MOST_CLAIMS, MOST_MEASURES, MOST_SENTENCES = 60, 30, 20, 5
MOST_ROWS, MOST_COLUMNS = 30, 8  # of a card's table
LONGEST_TITLE = 200  # characters
MOST_SECONDS = (
    30.0  # of processor time for the structures of a lesson, which may come from a stranger
)

Hidden = Literal["values", "true", "predicted", "view"]
HIDDEN: tuple[Hidden, ...] = get_args(Hidden)


def _view(name: str) -> str:
    if name and name not in VIEWS:
        raise ValueError(unknown("view", name, VIEWS))
    return name


def _probability(text: str) -> str:
    try:
        fits = 0 <= float(text) <= 1
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"{shown(text)} is not a probability. Write a number from 0 to 1")
    return text


Title = Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]
Claims = Annotated[tuple[LongText, ...], BeforeValidator(bars), Field(max_length=MOST_CLAIMS)]
HiddenWords = Annotated[tuple[Hidden, ...], known("word for a hidden part", HIDDEN, words)]


TableRow = Annotated[tuple[LongText, ...], Field(min_length=1, max_length=MOST_COLUMNS)]
Probability = Annotated[str, AfterValidator(_probability)]


class SecondEntry(LabelsEntry):
    """The second prediction, with only the entries that differ from the first."""


class CardEntry(LabelsEntry):
    """One card: its text, one or two instances, its shown and hidden parts, and its question."""

    title: Title
    text: LongText = ""
    case: str = ""
    second: SecondEntry | None = None
    define: dict[str, Annotated[str, Field(min_length=1)]] = Field(default_factory=dict)
    view: Annotated[str, AfterValidator(_view)] = ""
    measures: Annotated[Words, Field(max_length=MOST_MEASURES)] = ()
    hidden: HiddenWords | None = None  # by default the values where the question asks about them
    claims: Claims = ()
    table: Annotated[tuple[TableRow, ...], Field(max_length=MOST_ROWS)] = ()
    probabilities: dict[str, Probability] = Field(default_factory=dict)
    question: Annotated[SerializeAsAny[QuestionEntry] | None, BeforeValidator(question_entry)] = (
        None
    )


class LessonFile(FileEntry):
    """A lesson file.

    `options` are the defaults for its cards, and `summary` ends it. The list of lessons has a
    heading for each `group`.
    """

    lesson: Title
    learns: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
    minutes: Annotated[int, Field(ge=1, le=120)]
    group: Annotated[str, Field(max_length=LONGEST_TITLE)] = ""
    options: Settings = Field(default_factory=dict)
    cards: Annotated[tuple[CardEntry, ...], Field(min_length=1, max_length=MOST_CARDS)]
    summary: Annotated[tuple[LongText, ...], Field(max_length=MOST_SENTENCES)] = ()


DRAWN = (*LabelsEntry.model_fields, "case", "second", "define")  # entries for a card's content


@dataclass(frozen=True)
class Card:
    """One card.

    `subject` contains one instance, or two side by side, and own measures. `measures` contains keys
    or definitions of own measures, the chosen one first. `view` is a key of draw.views, or "" for
    the view of the first measure. `case` is the key of the library figure with this hierarchy, or
    "". `source` is the name of its origin. `notes` are further facts. `table` contains rows of
    texts, and its first row contains the titles. `probabilities` are printed at their classes.
    """

    title: str
    text: Paragraphs
    subject: Subject
    measures: tuple[str, ...] = ()
    view: str = ""
    hidden: frozenset[Hidden] = frozenset()
    question: Question | None = None
    case: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    probabilities: Mapping[str, str] = field(default_factory=dict)

    @property
    def instances(self) -> tuple[Instance, ...]:
        return self.subject.instances

    @property
    def explained(self) -> tuple[Explanation, ...]:
        return self.subject.explained


@dataclass(frozen=True)
class Lesson:
    """A lesson. `key` is the stem of its file. `summary` contains its conclusions, one sentence
    each.

    `group` is its heading in the list of lessons, or "".
    """

    key: str
    title: str
    learns: str
    minutes: int
    cards: Sequence[Card]
    summary: tuple[str, ...] = ()
    entries: LessonFile | None = None
    group: str = ""

    @property
    def number(self) -> int | None:
        """The number at the beginning of the lesson's key, or None."""
        return number_in(self.key)


def number_in(key: str) -> int | None:
    """Return the number at the beginning of a lesson's key, or None."""
    digits = key.partition("-")[0]
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 4 else None


@dataclass(frozen=True)
class CardFault:
    """A fault of a card with its place. A false claim or answer is marked."""

    loc: Loc
    reason: str
    broken: bool = False


class Making:
    """A lesson in the making, with its faults.

    In a `draft`, answers are computed, so the file may omit them.
    """

    def __init__(self, draft: bool = False) -> None:
        self.draft = draft
        self.faults: list[CardFault] = []
        self.spent = 0.0

    def lesson(self, entries: LessonFile, key: str) -> Lesson:
        """Return the lesson without the cards that have a fault."""
        options = self.attempt(("options",), settings_of, entries.options) or {}
        cards = []
        for k, entry in enumerate(entries.cards):
            loc = ("cards", k)
            if self.spent > MOST_SECONDS:
                reason = f"the cards before take more than {MOST_SECONDS:.0f} seconds to compute"
                self.faults.append(CardFault(loc, reason))
                break
            cards.append(self.attempt(loc, self.card, loc, entry, options))
        made = tuple(card for card in cards if card is not None)
        about = {name: getattr(entries, name) for name in ("learns", "minutes", "summary", "group")}
        return Lesson(key=key, title=entries.lesson, cards=made, entries=entries, **about)

    def attempt(self, loc: Loc, step: Callable[..., T], *arguments: Any) -> T | None:
        try:
            return step(*arguments)
        except InputError as error:
            where = error.loc if isinstance(error, Misplaced) else loc
            self.faults.append(CardFault(where, str(error), isinstance(error, DoesNotHold)))
        return None

    def card(self, loc: Loc, entry: CardEntry, options: Mapping[str, Any]) -> Card:
        """Return a card without its faulty entries. Misplaced if it cannot be drawn."""
        first = _first(loc, entry, options)
        cases: tuple[Case, ...] = (first,)
        if (second := entry.second) is not None:
            there, before = (*loc, "second"), _without_old_paths(first, second)
            cases += (placed(there, lambda: changed(before, second, there, {})),)
        for case in cases:
            placed(loc, check_size, case)
        subject = Subject(cases, first.define)
        hidden = self.attempt((*loc, "hidden"), _hidden, entry, cases) or frozenset()
        measures = self.attempt((*loc, "measures"), _measures, subject, entry.measures) or ()
        self.attempt((*loc, "title"), check_words, entry.title, subject)
        text, faults = text_pieces(entry.text, subject)
        self.faults += [
            CardFault((*loc, "text"), str(fault), isinstance(fault, DoesNotHold))
            for fault in faults
        ]
        for n, claim in enumerate(entry.claims):
            self.attempt((*loc, "claims", n), _check_claim, claim, subject)
        table = self.attempt((*loc, "table"), self._table, (*loc, "table"), entry.table, subject)
        self.attempt((*loc, "probabilities"), _check_classes, entry.probabilities, first)
        question = None
        if entry.question is not None:
            question = self.attempt(
                (*loc, "question"), self._question, (*loc, "question"), entry.question, subject
            )
        self.spent += sum(case.explained.spent for case in cases)
        figure = own_cases().cases.get(entry.case) if entry.case else None
        key = entry.case if figure is not None and figure.hierarchy == first.hierarchy else ""
        source = _source(figure, first) if figure is not None else ""
        return Card(
            title=entry.title,
            text=text,
            subject=subject,
            measures=measures,
            view=entry.view,
            hidden=hidden,
            question=question,
            case=key,
            source=source,
            table=table or (),
            probabilities=entry.probabilities,
        )

    def _table(
        self, loc: Loc, rows: Sequence[Sequence[str]], subject: Subject
    ) -> tuple[tuple[str, ...], ...]:
        """Return the cells of a table with their computed values."""
        if len(set(map(len, rows))) > 1:
            raise InputError("all rows of a table need the same number of cells")
        table = []
        for row in rows:
            cells = [text_pieces(cell, subject) for cell in row]
            self.faults += [
                CardFault(loc, str(fault), isinstance(fault, DoesNotHold))
                for _, faults in cells
                for fault in faults
            ]
            table.append(tuple(plain(pieces) for pieces, _ in cells))
        return tuple(table)

    def _question(self, loc: Loc, entry: QuestionEntry, subject: Subject) -> Question:
        question = question_of(entry, subject)
        if self.draft or (entry.answer is None and question.answer_named):
            return question
        if entry.answer is None:
            raise Misplaced(loc, "the entry 'answer' is missing. Write the answer that you expect")
        verdict = placed(
            (*loc, "answer"), lambda answer: question.judge(question.read(answer)), entry.answer
        )
        if not verdict.right:
            given = (
                entry.answer if isinstance(entry.answer, str) else join_words(entry.answer)
            ).strip() or "nothing"
            right = question.judge(question.answer()).answer_words
            reason = f"the answer is {right}, not {given}: {verdict.why}"
            self.faults.append(CardFault((*loc, "answer"), reason, broken=True))
        return question


def usable_card(entries: Mapping[str, Any]) -> tuple[Card | None, dict[str, str]]:
    """Return the usable part of a draft's card, and its faults by entry.

    If the card cannot be drawn, it is None and the fault is under "drawing".
    """
    faults: dict[str, str] = {}
    given, entry = dict(entries), None
    while entry is None:
        try:
            entry = CardEntry.model_validate(given)
        except ValidationError as error:
            for each in error.errors():
                name = str(each["loc"][0])
                faults.setdefault(name, worded(each, CardEntry))
                if given.pop(name, None) is None and name == "title":
                    given[name] = "-"
    making = Making(draft=True)
    card = making.attempt((), making.card, (), entry, {})
    for fault in making.faults:
        faults.setdefault(str(fault.loc[0]) if fault.loc else "drawing", fault.reason)
    drawn = next((name for name in faults if name in DRAWN), "")
    if drawn:
        faults = {
            "drawing": faults[drawn],
            **{name: why for name, why in faults.items() if name not in DRAWN},
        }
    return card, faults


def _first(loc: Loc, entry: CardEntry, options: Mapping[str, Any]) -> Case:
    """Return the instance of a card: a figure of the library, its own hierarchy, or a mixture of
    both.
    """
    drawn = entry.hierarchy
    figures = own_cases().cases if entry.case or (drawn and drawn.like) else {}
    known = {key: case.hierarchy for key, case in figures.items()}
    if entry.case:
        base = placed((*loc, "case"), own_cases().case, entry.case)
    elif drawn is not None:
        base = Case(placed((*loc, "hierarchy"), hierarchy_of, drawn, known), title=entry.title)
    else:
        raise Misplaced(
            loc, "this card cannot be drawn: the entry 'hierarchy' or 'case' is missing"
        )
    define = defined_of({**base.define, **entry.define}, loc)
    base = replace(base, options={**base.options, **options}, define=define, exact_work=PAGE_WORK)
    return changed(_without_old_paths(base, entry), entry, loc, known)


def _measures(subject: Subject, keys: Iterable[str]) -> tuple[str, ...]:
    found = [subject.measure(key) for key in keys]
    for measure in found:
        for x in subject.explained:
            x.value(measure)
    return tuple(map(subject.key, found))


def _without_old_paths(case: Case, entry: LabelsEntry) -> Case:
    """Return the case without the paths that an entry replaces with other classes or another
    hierarchy.
    """
    replaced: dict[str, Any] = {
        f"{side}_paths": None
        for side in ("true", "predicted")
        if entry.hierarchy is not None or getattr(entry, side) is not None
    }
    return replace(case, **replaced)


def _hidden(entry: CardEntry, cases: tuple[Case, ...]) -> frozenset[Hidden]:
    if entry.hidden is None:
        asks_values = entry.question is not None and KINDS[entry.question.kind].asks_values
        return frozenset(("values",) if asks_values else ())
    for name in ("true", "predicted"):
        if name in entry.hidden and not any(getattr(case, name) for case in cases):
            raise InputError(f"this card has no {name} classes to hide")
    if "values" in entry.hidden and not entry.measures and entry.question is None:
        raise InputError("this card has no values to hide: 'measures' and 'question' are missing")
    return frozenset(entry.hidden)


def _check_claim(claim: str, subject: Subject) -> None:
    holds, instead = subject.holds(claim)
    if not holds:
        raise DoesNotHold(f"the claim {shown(claim)} is not true: {instead}")


def _check_classes(labels: Iterable[str], case: Case) -> None:
    for label in labels:
        if label not in case.hierarchy:
            raise InputError(unknown("class", label, case.hierarchy.nodes))


def _source(figure: Case, first: Case) -> str:
    """Return the name of a card's origin: `Figure 11(a), Kosmopoulos et al. 2015`."""
    paper = next(paper.name for paper in own_cases().papers if paper.key == figure.paper)
    same = (figure.hierarchy, figure.true, figure.predicted) == (
        first.hierarchy,
        first.true,
        first.predicted,
    )
    return f"{figure.label}, {paper}" if same else f"after {figure.label}, {paper}"
