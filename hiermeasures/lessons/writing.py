"""Lessons as files: the entries of a card that shows given instances, and the text of a lesson of
such entries.

Entries are plain: mappings, lists and text, as a lesson file holds them. Reading them is
library.py's work, and nothing is checked here but that they can be written.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hiermeasures.cases.writing import bounded_yaml, hierarchy_entry, labels_entries, options_entry
from hiermeasures.core.errors import InputError
from hiermeasures.formats.hierarchies.building import written_edges
from hiermeasures.lessons.questions import Question
from hiermeasures.measures import Instance
from hiermeasures.measures.catalogue import SIDES


def lesson_yaml(entries: Mapping[str, Any]) -> str:
    """The text of a lesson file. Entries that hold nothing are left out.

    Raises
    ------
    InputError
        Where it would be larger than is read, or a text holds what is no character.

    Examples
    --------
    >>> card = {"title": "A", "text": "", "true": ["B"]}
    >>> print(lesson_yaml({"lesson": "One", "minutes": "5", "cards": [card]}))
    lesson: One
    minutes: 5
    cards:
    - title: A
      true:
      - B
    <BLANKLINE>
    """
    return bounded_yaml(_filled(entries), "lesson")


def card_entries(
    first: Instance,
    second: Instance | None = None,
    *,
    title: str,
    case: str = "",
    view: str = "",
    measures: Sequence[str] = (),
    define: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the entries of a card that shows one instance, or two of a hierarchy side by side.

    `case` is the key of the library's figure that the first one is, "" for none; then its classes
    are not written. `view` is a key of the views, "" for that of the first measure; `measures` are
    keys, and names of the own measures in `define`, expressions by name.

    Raises
    ------
    InputError
        Where edges have weights, which a lesson has no place for.
    """
    if first.hierarchy.has_edge_weights:
        raise InputError("a lesson has no place for edge weights, and this hierarchy has some")
    entries: dict[str, Any] = {"title": " ".join(title.split()) or "Without a title", "text": ""}
    entries |= {"case": case} if case else {"hierarchy": hierarchy_entry(first.hierarchy), **_labels(first)}
    if second is not None:
        entries["second"] = _second(first, second)
    return {**entries, "define": dict(define or {}), "view": view, "measures": list(measures)}


def answer_entry(question: Question) -> Any:
    """The computed answer of a question as its file has it: text, or a list of words.

    Raises
    ------
    InputError
        Where nothing is an answer.
    """
    answer = question.answer()
    if isinstance(answer, Instance):
        if question.change() == "hierarchy":
            return [f"{parent}>{child}" for parent, child in written_edges(answer.hierarchy)]
        return labels_entries(answer)["true" if question.change() == "true" else "predicted"]
    if isinstance(answer, frozenset):
        return sorted(">".join(part) if isinstance(part, tuple) else part for part in answer)
    return answer


def _labels(instance: Instance) -> dict[str, Any]:
    return {**labels_entries(instance), "options": options_entry(instance)}


def _second(first: Instance, second: Instance) -> dict[str, Any]:
    """Entries in which the second differs from the first."""
    before, now = _labels(first), _labels(second)
    if any(f"{side}_paths" in before and f"{side}_paths" not in now for side in SIDES):
        raise InputError("beside a prediction with paths a second one needs paths, too, to be written in a lesson")
    found = {name: value for name, value in now.items() if value != before.get(name) and name != "options"}
    was, options = first.options.model_dump(), second.options.model_dump()
    changed = {name: value for name, value in options.items() if value != was[name]}
    if missing := [name for name, value in changed.items() if value is None]:
        raise InputError(f"a lesson cannot say that the option {missing[0]} is not set")
    options = {name: str(value) for name, value in changed.items()}
    return {**found, "options": options} if found or options else {"predicted": now["predicted"]}


def _filled(content: Any) -> Any:
    """Content without entries that hold nothing, but for what a second prediction empties, and
    classes of a hierarchy that have no others below them.
    """
    if isinstance(content, Mapping):
        return {
            key: value if key == "hierarchy" else _filled(value)
            for key, value in content.items()
            if value not in (None, "", [], (), {}) or key in SIDES
        }
    return [_filled(value) for value in content] if isinstance(content, list | tuple) else content
