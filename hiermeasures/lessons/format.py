"""The format of a lesson file: which entries there are, what each may hold and how much. docs/lessons.md shows it by
example.

Nothing is computed here. The entries of an instance are those of the case files (cases/format.py), and as there every
value is text; library.py makes lessons of the entries.
"""

from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field

from hiermeasures.cases.format import Entry, Labels, Settings, Words, bars, words
from hiermeasures.errors import unknown

MOST_CARDS, MOST_CLAIMS, MOST_MEASURES, MOST_CHOICES = 60, 30, 20, 12
LONGEST_TITLE, LONGEST_TEXT = 200, 2_000  # characters

Hidden = Literal["values", "true", "predicted", "view"]
HIDDEN: tuple[Hidden, ...] = get_args(Hidden)
View = Literal["classes", "ancestors", "descendants", "lca", "pairing", "confusion", "counts", "distances"]
VIEWS: tuple[View, ...] = get_args(View)  # what ui/views draws, which a lesson is read without
Change = Literal["predicted", "true", "hierarchy"]


def _known(kind: str, names: tuple[str, ...]) -> Any:
    def check(value: Any) -> Any:
        if isinstance(value, str) and value not in names:
            raise ValueError(unknown(kind, value, names))
        return value

    return BeforeValidator(check)


def _hidden(value: Any) -> Any:
    found = words(value)
    for word in found if isinstance(found, list | tuple) else ():
        if word not in HIDDEN:
            raise ValueError(unknown("word for what is hidden", str(word), HIDDEN))
    return found


def _question(value: Any) -> Any:
    if isinstance(value, dict) and "kind" in value:
        return value
    raise ValueError(f"there is nothing to answer: a question needs 'kind', one of {', '.join(KIND_NAMES)}")


def _answer(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


Kind = Literal["prefers", "click", "pair", "value", "make", "which"]
KIND_NAMES: tuple[Kind, ...] = get_args(Kind)
Title = Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]
LongText = Annotated[str, Field(max_length=LONGEST_TEXT)]
Claims = Annotated[tuple[LongText, ...], BeforeValidator(bars), Field(max_length=MOST_CLAIMS)]
HiddenWords = Annotated[tuple[Hidden, ...], BeforeValidator(_hidden)]
Answer = Annotated[str | tuple[str, ...], BeforeValidator(_answer)]


class SecondEntry(Labels):
    """The second prediction: what differs from the first."""


class QuestionEntry(Entry):
    """A question; the class of its kind, in kinds/, says which entries it needs and takes. `answer` is what the author
    thinks, and is compared with what is computed; an exercise has none.
    """

    kind: Annotated[Kind, _known("kind of question", KIND_NAMES)]
    measure: LongText = ""
    set: LongText = ""
    value: LongText = ""
    tolerance: Annotated[float, Field(gt=0, le=1)] | None = None
    condition: LongText = ""
    change: Annotated[Change, _known("thing to change", get_args(Change))] | None = None
    choices: Annotated[Words, Field(max_length=MOST_CHOICES)] = ()
    says: LongText = ""
    ask: LongText = ""
    explain: LongText = ""
    answer: Answer | None = None


class CardEntry(Labels):
    """One card: its text, its instance or two, what is shown and hidden, and what it asks."""

    title: Title
    text: LongText = ""
    case: str = ""
    second: SecondEntry | None = None
    define: dict[str, Annotated[str, Field(min_length=1)]] = Field(default_factory=dict)
    view: Annotated[View | Literal[""], _known("view", ("", *VIEWS))] = ""
    measures: Annotated[Words, Field(max_length=MOST_MEASURES)] = ()
    hidden: HiddenWords = ()
    claims: Claims = ()
    question: Annotated[QuestionEntry, BeforeValidator(_question)] | None = None


class LessonFile(Entry):
    """A lesson file. `options` are those of every card that does not say otherwise."""

    lesson: Title
    learns: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
    minutes: Annotated[int, Field(ge=1, le=120)]
    options: Settings = Field(default_factory=dict)
    cards: Annotated[tuple[CardEntry, ...], Field(min_length=1, max_length=MOST_CARDS)]
