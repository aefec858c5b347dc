"""The forms of an answer to a question.

Each kind of question names a form (`input`, a key of INPUTS). The form makes the controls. It reads
the answer from them and from clicks on the drawing, and marks it on the drawing while the question
is open.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from hiermeasures.draw.scene import Badge, LegendEntry, Link, Overlay
from hiermeasures.explore import controls, hierarchy_edits
from hiermeasures.explore.controls import Controls
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import Instance, SideName
from hiermeasures.teach.questions import Form, Given, Input, Pair, Question, Verdict

LONGEST_LINES = 20_000  # characters
YOURS = LegendEntry("link", "pair", "your pairs")
LEFT_OVER = "∅"  # on a class that pairs with no other
ALONE = {"alone": LegendEntry("badge", LEFT_OVER, "left over: it has no pair")}
FOCUS = "focus"
MOST_PAIRS = 60  # that are offered beside the drawing


@dataclass(frozen=True)
class AnswerState:
    """The state of one question.

    `given` is the answer so far, or None. `end` is a class that waits for the other end of its
    pair. `revealed` means that the person asked for the solution. A first wrong answer leaves the
    question open, with its verdict as `miss`. `counted` is True if the first judged answer was
    right.
    """

    given: Given | None = None
    end: str | None = None
    verdict: Verdict | None = None
    revealed: bool = False
    miss: Verdict | None = None
    # classes of a large drawing whose children were asked for
    unfolded: frozenset[str] = frozenset()
    structure: bool = False  # whether after the answer the structure is drawn, and not the answer
    counted: bool | None = None

    @property
    def open(self) -> bool:
        return self.verdict is None and not self.revealed

    @property
    def judged(self) -> bool:
        """True after an answer was judged or revealed."""
        return self.miss is not None or not self.open

    @property
    def right_at_once(self) -> bool:
        return (
            self.miss is None
            and not self.revealed
            and self.verdict is not None
            and self.verdict.right
        )

    @property
    def labels(self) -> frozenset[str]:
        """The entered classes."""
        found = self.given if isinstance(self.given, frozenset) else ()
        return frozenset(label for label in found if isinstance(label, str))

    @property
    def pairs(self) -> frozenset[Pair]:
        """The entered pairs."""
        found = self.given if isinstance(self.given, frozenset) else ()
        return frozenset(pair for pair in found if isinstance(pair, tuple))


class Asking:
    """A form of an answer. If you click on the drawing, it shows only the classes."""

    nothing_yet: ClassVar[str]
    on_drawing: ClassVar[bool] = False

    def hint(self, question: Question) -> str:
        """Return an instruction for the answer, or ""."""
        return ""

    def fields(self, question: Question, key: str, answer: AnswerState) -> Controls:
        """Return the controls, which also show the clicked classes."""
        raise NotImplementedError

    def click(self, question: Question) -> str:
        """Return the effect of a click on a class in a browser: "answer", "true", "predicted"."""
        return "answer" if self.on_drawing else "nothing"

    def clicked(self, question: Question, answer: AnswerState, label: str) -> AnswerState:
        return answer

    def entered(self, overlay: Overlay, answer: AnswerState) -> Overlay:
        """Return the overlay with the entries so far, in the page's text colour."""
        return overlay


class ChoiceInput(Asking):
    """Choices of the question. Each is a button with a digit as its key.

    You choose one, or as many as are right.
    """

    nothing_yet = "choose an answer first"

    def fields(self, question: Question, key: str, answer: AnswerState) -> Controls:
        now = answer.given.split() if isinstance(answer.given, str) else []

        def pressed(choice: str, player: Any) -> Any:
            if question.to_choose() == 1:
                return player.entering(key, choice)
            chosen = [c for c in now if c != choice] if choice in now else [*now, choice]
            return player.entering(key, " ".join(chosen) or None)

        buttons = (
            controls.button(
                f"answer_choice_{number}",
                words,
                partial(pressed, choice),
                keys=str(number) if number < 10 else "",
                primary=choice in now,
                pressed=choice in now,
            )
            for number, (choice, words) in enumerate(question.choices(), 1)
        )
        return (controls.row(*buttons),)


class NumberInput(Asking):
    """A number as text. The question reads it."""

    nothing_yet = "enter a number first"
    hints: ClassVar[Mapping[Form, tuple[str, str]]] = {  # with an example for the field
        "count": ("A whole number.", "3"),
        "number": ("A number. Two decimals are enough.", "2.5"),
        "share": ("A fraction or a decimal, such as 2/3 or 0.67.", "2/3"),
    }

    def hint(self, question: Question) -> str:
        return self.hints[question.form][0]

    def fields(self, question: Question, key: str, answer: AnswerState) -> Controls:
        given, example = (
            answer.given if isinstance(answer.given, str) else "",
            self.hints[question.form][1],
        )
        return (
            controls.text(
                "answer_number",
                "Your answer",
                given,
                _entering(key, str),
                placeholder=example,
                longest=40,
            ),
        )


class Classes(Asking):
    """A set of classes."""

    nothing_yet = "click a class first"
    on_drawing = True

    def hint(self, question: Question) -> str:
        return "Click the classes on the drawing."

    def fields(self, question: Question, key: str, answer: AnswerState) -> Controls:
        h = question.instances[0].hierarchy
        chosen = sorted(answer.labels, key=h.index)
        return (controls.classes("answer_classes", "Your answer", chosen, _entering(key, h.check)),)

    def clicked(self, question: Question, answer: AnswerState, label: str) -> AnswerState:
        return replace(answer, given=answer.labels ^ {label}, end=None)

    def entered(self, overlay: Overlay, answer: AnswerState) -> Overlay:
        legend = {**overlay.legend, FOCUS: LegendEntry("focus", "", "your answer")}
        return replace(overlay, focus=answer.labels, legend=legend)


class PairInput(Asking):
    """A set of pairs of a predicted and a true class. Classes may be left over."""

    nothing_yet = "make a pair first"
    on_drawing = True

    def hint(self, question: Question) -> str:
        return "Click a class and then its partner. Click a class twice to leave it over."

    def fields(self, question: Question, key: str, answer: AnswerState) -> Controls:
        true, predicted = (
            sorted(getattr(question.instances[0], side)) for side in ("true", "predicted")
        )
        given = sorted(answer.pairs)
        offered = [(p, t) for p in [*predicted, ""] for t in [*true, ""] if p or t]
        offered = offered if len(offered) <= MOST_PAIRS else given
        words = {pair: " – ".join(end or "nothing" for end in pair) for pair in offered}
        act = _entering(key, frozenset)
        return (controls.pills("answer_pairs", "Your pairs: predicted – true", given, words, act),)

    def clicked(self, question: Question, answer: AnswerState, label: str) -> AnswerState:
        """Return the answer after a click.

        The first click chooses a class, and the second click the other end of its pair. If you click
        the chosen class again, it stays without a pair. A class on both sides is then paired with
        itself.
        """
        true, predicted = question.instances[0].true, question.instances[0].predicted
        if label not in true | predicted:
            return answer
        first = answer.end
        if first == label:
            pair = (label if label in predicted else "", label if label in true else "")
        elif first in predicted and label in true:
            pair = (first, label)
        elif first in true and label in predicted:
            pair = (label, first)
        else:
            return replace(answer, end=label)
        return replace(answer, given=answer.pairs ^ {pair}, end=None)

    def entered(self, overlay: Overlay, answer: AnswerState) -> Overlay:
        focus = frozenset({answer.end} if answer.end else ())
        waits = LegendEntry("focus", "", "waits for its partner")
        links = tuple(Link(p, t, YOURS.sample, "yours") for p, t in sorted(answer.pairs) if p and t)
        legend = {"yours": YOURS, **ALONE, FOCUS: waits}
        return replace(
            overlay, links=links, badges=mark_left_over(answer.pairs), focus=focus, legend=legend
        )


class Made(Asking):
    """An instance. You change a side or the hierarchy of the question's first instance."""

    nothing_yet = "change something first"

    def hint(self, question: Question) -> str:
        if question.change() == "hierarchy":
            return "Change the edges. Each line is a parent and then its child."
        return "Click classes on the drawing."

    def fields(self, question: Question, key: str, answer: AnswerState) -> Controls:
        now, side = _made(question, answer), _side(question)
        if side is not None:
            chosen = sorted(getattr(now, side), key=now.hierarchy.index)
            act = _entering(key, lambda found: now.with_classes(side, now.hierarchy.check(found)))
            return (
                controls.classes("answer_classes", f"{side.capitalize()} classes", chosen, act),
            )
        lines = hierarchy_edits.as_lines(now.hierarchy)
        field = controls.text(
            "answer_lines",
            "Lines: parent child",
            lines.text,
            _entering(key, lambda text: _with_lines(now, text)),
            lines=7,
            help="One edge per line. Ctrl+Enter draws it.",
            longest=LONGEST_LINES,
            disabled=bool(lines.why_not),
        )
        return (field,)

    def click(self, question: Question) -> str:
        return _side(question) or "nothing"

    def clicked(self, question: Question, answer: AnswerState, label: str) -> AnswerState:
        now, side = _made(question, answer), _side(question)
        return (
            answer
            if side is None
            else replace(answer, given=now.with_classes(side, getattr(now, side) ^ {label}))
        )


INPUTS: Mapping[Input, Asking] = {
    "choice": ChoiceInput(),
    "classes": Classes(),
    "pairs": PairInput(),
    "number": NumberInput(),
    "instance": Made(),
}


def _entering(key: str, read: Callable[[Any], Given]) -> controls.Act:
    return lambda player, entry: player.entering(key, read(entry))


def mark_left_over(pairs: Iterable[Pair]) -> dict[str, Badge]:
    """Return badges for the classes without a pair."""
    return {
        p or t: Badge(LEFT_OVER, "alone", "has no pair") for p, t in sorted(pairs) if not (p and t)
    }


def _made(question: Question, answer: AnswerState) -> Instance:
    return answer.given if isinstance(answer.given, Instance) else question.instances[0]


def _side(question: Question) -> SideName | None:
    change = question.change()
    return change if change == "true" or change == "predicted" else None


def _with_lines(now: Instance, text: str) -> Instance:
    """Return the instance on the hierarchy of these lines. InputError if they are not an edge
    list.
    """
    edited = hierarchy_edits.from_lines(Shown(now, ""), text)
    lost = (now.true | now.predicted) - frozenset(edited.hierarchy.nodes)
    if lost:
        raise InputError(
            f"the question is about {', '.join(sorted(lost))}, which these lines do not have"
        )
    edited.explained()
    return replace(edited.instance, exact_work=now.exact_work)
