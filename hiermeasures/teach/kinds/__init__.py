"""The kinds of questions. A kind is one class in a module of this folder, and its name in KINDS.

`question_of` makes a question of its entries and instances.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.teach.kinds.choose import Prefers, Which, Why
from hiermeasures.teach.kinds.click import Click
from hiermeasures.teach.kinds.make import Make
from hiermeasures.teach.kinds.pair import Pairing
from hiermeasures.teach.kinds.value import Value
from hiermeasures.teach.mistakes import recognise_mistake
from hiermeasures.teach.questions import Question, QuestionEntry
from hiermeasures.verify.reading import worded
from hiermeasures.verify.values import Subject, plain, text_pieces

KINDS: dict[str, type[Question]] = {
    kind.kind: kind for kind in (Prefers, Click, Pairing, Value, Make, Which, Why)
}


def known_kind(name: object) -> str:
    if isinstance(name, str) and name in KINDS:
        return name
    raise InputError(unknown("kind of question", str(name), KINDS))


def question_entry(entries: Any) -> QuestionEntry:
    """Read the entries of a question as its kind declares them.

    InputError if the question has no entries. ValidationError for an unknown kind, an entry of
    another kind, or a wrong value.
    """
    if isinstance(entries, QuestionEntry):
        return entries
    if not isinstance(entries, Mapping) or "kind" not in entries:
        raise InputError(f"a question needs the entry 'kind', one of {', '.join(KINDS)}")
    try:
        kind = KINDS[known_kind(entries["kind"])]
    except InputError as fault:
        raise _misfit("kind", str(fault)) from None
    known = kind.Entry.model_fields
    for name in (name for name in entries if name not in known):
        if any(name in other.Entry.model_fields for other in KINDS.values()):
            raise _misfit(name, f"a question {kind.kind!r} does not take {shown(name)}")
        raise _misfit(name, unknown("entry", str(name), known))
    return kind.Entry.model_validate(entries)


def _misfit(name: str, reason: str) -> ValidationError:
    """Return the fault of an entry with the place of its line."""
    error = PydanticCustomError("misfit", "{reason}", {"reason": reason})
    return ValidationError.from_exception_data(
        "question", [{"type": error, "loc": (name,), "input": None}]
    )


def question_of(entries: Mapping[str, Any] | QuestionEntry, subject: Subject) -> Question:
    """Make the question for a subject."""
    try:
        entry = question_entry(entries)
    except ValidationError as error:
        raise InputError(worded(error.errors()[0], QuestionEntry)) from None
    for name, part in entry.form().items():
        if part.needed and not getattr(entry, name):
            raise InputError(f"a question {entry.kind!r} needs the entry {name!r}")
    made = KINDS[entry.kind](entry, subject)
    made.check()
    texts = {name: _fill_in(getattr(entry, name), subject) for name in ("ask", "explain", "hint")}
    words, explain, hinted = (
        made.complete(texts["ask"] or made.asked()),
        texts["explain"],
        texts["hint"],
    )
    return replace(made, words=words, explain=explain, hinted=hinted, recognise=recognise_mistake)


def _fill_in(text: str, subject: Subject) -> str:
    paragraphs, faults = text_pieces(text, subject)
    if faults:
        raise faults[0]
    return plain(paragraphs)
