"""The kinds of questions. A kind is one class in a module of its own, and its line in KINDS.

`ask` makes a question of its entries and instances, for lessons and exercises alike.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from hiermeasures.errors import InputError, listed
from hiermeasures.lessons.format import QuestionEntry
from hiermeasures.lessons.kinds.click import Click
from hiermeasures.lessons.kinds.make import Make
from hiermeasures.lessons.kinds.pair import Pairing
from hiermeasures.lessons.kinds.prefers import Prefers
from hiermeasures.lessons.kinds.value import Value
from hiermeasures.lessons.kinds.which import Which
from hiermeasures.lessons.questions import Question
from hiermeasures.lessons.text import plain, text_pieces
from hiermeasures.lessons.values import Subject
from hiermeasures.measures import Instance

KINDS: dict[str, type[Question]] = {kind.kind: kind for kind in (Prefers, Click, Pairing, Value, Make, Which)}
_EVERY = ("kind", "ask", "explain", "answer")  # entries that every question may have


def ask(entry: QuestionEntry, instances: Iterable[Instance], define: Mapping[str, str] | None = None) -> Question:
    """A question about one or two instances.

    Parameters
    ----------
    entry : QuestionEntry
        Its `answer` is not looked at.
    instances : iterable of Instance
        The second is what `_second` means in expressions.
    define : mapping of str to str, optional
        Own measures, expressions by name.

    Raises
    ------
    InputError
        For an entry that is missing or of another kind of question, and a question with no answer or nothing to answer.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, explain
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1")])
    >>> two = [explain(h, {"T1"}, {label}).instance for label in "BC"]
    >>> question = ask(QuestionEntry(kind="prefers", measure="hF"), two)
    >>> question.words, question.answer()
    ('Which of the two predictions does hF prefer?', 'first')
    """
    return question_of(entry, Subject.of(instances, define))


def question_of(entry: QuestionEntry, subject: Subject) -> Question:
    """The same of a subject."""
    kind = KINDS[entry.kind]
    for name in kind.needs:
        if not getattr(entry, name):
            raise InputError(f"a question {entry.kind!r} needs the entry {name!r}")
    if odd := entry.model_fields_set - {*_EVERY, *kind.needs, *kind.takes}:
        raise InputError(f"a question {entry.kind!r} does not take {listed(odd)}")
    made = kind(entry, subject)
    made.check()
    return replace(made, words=_filled(entry.ask, subject) or made.asked(), explain=_filled(entry.explain, subject))


def _filled(text: str, subject: Subject) -> str:
    paragraphs, faults = text_pieces(text, subject)
    if faults:
        raise faults[0]
    return plain(paragraphs)
