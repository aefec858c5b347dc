"""The ways to answer a question. A kind of question names one (`input`, a key of INPUTS), which
says what controls ask it, how an answer is read from them and from clicks on the drawing, and how
it is marked there while the question is open.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from hiermeasures.core.errors import InputError
from hiermeasures.explorer import controls, editing
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.state import Shown
from hiermeasures.lessons.questions import Change, Given, Input, Pair, Question, Verdict
from hiermeasures.measures import Instance, SideName
from hiermeasures.picture.scene import Badge, LegendEntry, Link, Overlay

LONGEST_LINES = 20_000  # characters
YOURS = LegendEntry("link", "pair", "your pairs")
LEFT_OVER = "∅"  # on a class that pairs with no other
ALONE = {"alone": LegendEntry("badge", LEFT_OVER, "left over: pairs with no class")}
FOCUS = "focus"
YOUR_PAIRS = "Your pairs: predicted – true"
MOST_PAIRS = 60  # that are offered beside the drawing


@dataclass(frozen=True)
class Answer:
    """State of one question: what was entered so far (None: nothing), the class that waits for the
    other `end` of its pair, and the verdict. `revealed`: asked for without an answer. A first wrong
    answer leaves the question open, with its verdict as `miss`.
    """

    given: Given | None = None
    end: str | None = None
    verdict: Verdict | None = None
    revealed: bool = False
    miss: Verdict | None = None
    unfolded: frozenset[str] = frozenset()  # classes of a large drawing whose children were asked for
    structure: bool = False  # whether after the answer the structure is drawn, and not the answer

    @property
    def open(self) -> bool:
        return self.verdict is None and not self.revealed

    @property
    def judged(self) -> bool:
        """True once an answer was judged, or asked for."""
        return self.miss is not None or not self.open

    @property
    def right_at_once(self) -> bool:
        return self.miss is None and not self.revealed and self.verdict is not None and self.verdict.right


class Asking:
    """One way to answer; where the drawing is clicked, it shows no more than the classes."""

    nothing_yet: ClassVar[str]
    on_drawing: ClassVar[bool] = False

    def hint(self, question: Question) -> str:
        """Return how to answer, in words; "" where it needs no words."""
        return ""

    def fields(self, question: Question, key: str, answer: Answer) -> Controls:
        """The controls; what they hold and what was clicked is the same."""
        raise NotImplementedError

    def click(self, question: Question) -> str:
        """The effect of a click on a class in a browser: "answer", "true", "predicted"."""
        return "answer" if self.on_drawing else "nothing"

    def clicked(self, question: Question, answer: Answer, label: str) -> Answer:
        """The answer after a click on a class."""
        return answer

    def entered(self, overlay: Overlay, answer: Answer) -> Overlay:
        """The overlay with what was entered so far, in the ink of the page."""
        return overlay


class Choice(Asking):
    """Choices of the question, each a button that a digit presses: one, or so many as are right."""

    nothing_yet = "choose an answer first"

    def fields(self, question: Question, key: str, answer: Answer) -> Controls:
        buttons = (
            controls.button(
                f"answer_choice_{number}",
                words,
                partial(_enter, key, _chosen(question, answer, choice)),
                keys=str(number) if number < 10 else "",
                primary=choice in _chosen_now(answer),
                pressed=choice in _chosen_now(answer),
            )
            for number, (choice, words) in enumerate(question.choices(), 1)
        )
        return (controls.row(*buttons),)


def _chosen_now(answer: Answer) -> list[str]:
    return answer.given.split() if isinstance(answer.given, str) else []


def _chosen(question: Question, answer: Answer, choice: str) -> str | None:
    """The choices after one was pressed: where several are right, it is put in or taken out."""
    if question.to_choose() == 1:
        return choice
    before = _chosen_now(answer)
    return " ".join([c for c in before if c != choice] if choice in before else [*before, choice]) or None


class Number(Asking):
    """A number as text: the question reads it."""

    nothing_yet = "enter a number first, such as 2/3 or 0.67"

    def hint(self, question: Question) -> str:
        return "A fraction or a decimal, such as 2/3 or 0.67."

    def fields(self, question: Question, key: str, answer: Answer) -> Controls:
        given = answer.given if isinstance(answer.given, str) else ""
        return (_text("answer_number", "Your answer", given, key, lambda text: text, placeholder="2/3", longest=40),)


class Classes(Asking):
    """A set of classes."""

    nothing_yet = "click a class first"
    on_drawing = True

    def hint(self, question: Question) -> str:
        return "Click the classes on the drawing."

    def fields(self, question: Question, key: str, answer: Answer) -> Controls:
        h, given = question.instances[0].hierarchy, _labels(answer.given)
        return (_class_field("Your answer", question.instances[0], given, key, h.check),)

    def clicked(self, question: Question, answer: Answer, label: str) -> Answer:
        return replace(answer, given=_labels(answer.given) ^ {label}, end=None)

    def entered(self, overlay: Overlay, answer: Answer) -> Overlay:
        legend = {**overlay.legend, FOCUS: LegendEntry("focus", "", "your answer")}
        return replace(overlay, focus=_labels(answer.given), legend=legend)


class Pairs(Asking):
    """A set of pairs, each of a predicted class and a true one; either may be left over."""

    nothing_yet = "make a pair first"
    on_drawing = True

    def hint(self, question: Question) -> str:
        return "Click a class and then the class that it pairs with; a class that is left over is clicked twice."

    def fields(self, question: Question, key: str, answer: Answer) -> Controls:
        true, predicted = (sorted(getattr(question.instances[0], side)) for side in ("true", "predicted"))
        given = _pairs(answer.given)
        offered = [(p, t) for p in [*predicted, ""] for t in [*true, ""] if p or t]
        offered = offered if len(offered) <= MOST_PAIRS else sorted(given)
        words = {pair: " – ".join(end or "nothing" for end in pair) for pair in offered}
        return (controls.pills("answer_pairs", YOUR_PAIRS, sorted(given), words, _entering(key, frozenset)),)

    def clicked(self, question: Question, answer: Answer, label: str) -> Answer:
        """The first click chooses a class, the second the other end of its pair; clicked again, it
        is left over, or pairs with itself where it is on both sides.
        """
        true, predicted = question.instances[0].true, question.instances[0].predicted
        if label not in true | predicted:
            return answer
        first = answer.end
        if first == label:
            alone = (label, "") if label in predicted else ("", label)
            pair = (label, label) if label in true & predicted else alone
        elif first in predicted and label in true:
            pair = (first, label)
        elif first in true and label in predicted:
            pair = (label, first)
        else:
            return replace(answer, end=label)
        return replace(answer, given=_pairs(answer.given) ^ {pair}, end=None)

    def entered(self, overlay: Overlay, answer: Answer) -> Overlay:
        pairs, focus = _pairs(answer.given), frozenset({answer.end} if answer.end else ())
        waits = LegendEntry("focus", "", "waits for the other class of its pair")
        links = tuple(Link(p, t, YOURS.sample, "yours") for p, t in sorted(pairs) if p and t)
        legend = {"yours": YOURS, **ALONE, FOCUS: waits}
        return replace(overlay, links=links, badges=left_over(pairs), focus=focus, legend=legend)


class Made(Asking):
    """An instance, made of the question's first by changing classes of a side or the hierarchy."""

    nothing_yet = "change something first"

    def hint(self, question: Question) -> str:
        if question.change() == "hierarchy":
            return "Change the edges, one in each line: the parent and then its child."
        return "Click classes on the drawing."

    def fields(self, question: Question, key: str, answer: Answer) -> Controls:
        now, side = _made(question, answer), _side(question.change())
        if side is not None:
            label = f"{side.capitalize()} classes"
            return (_class_field(label, now, getattr(now, side), key, partial(_with_classes, now, side)),)
        lines = editing.as_lines(now.hierarchy)
        help = "One edge per line. Ctrl+Enter draws it."
        more = {"lines": 7, "help": help, "longest": LONGEST_LINES, "disabled": bool(lines.why_not)}
        return (_text("answer_lines", "Lines: parent child", lines.text, key, partial(_with_lines, now), **more),)

    def click(self, question: Question) -> str:
        return _side(question.change()) or "nothing"

    def clicked(self, question: Question, answer: Answer, label: str) -> Answer:
        now, side = _made(question, answer), _side(question.change())
        return answer if side is None else replace(answer, given=now.with_classes(side, getattr(now, side) ^ {label}))


INPUTS: Mapping[Input, Asking] = {
    "choice": Choice(),
    "classes": Classes(),
    "pairs": Pairs(),
    "number": Number(),
    "instance": Made(),
}


# --- helpers --------------------------------------------------------------------------------------


def _enter(key: str, given: Given | None, player: Any) -> Any:
    return player.entering(key, given)


def _entering(key: str, read: Callable[[Any], Given]) -> controls.Act:
    return lambda player, entry: player.entering(key, read(entry))


def _text(name: str, label: str, value: str, key: str, read: Callable[[str], Given], **more: Any) -> controls.Control:
    return controls.text(name, label, value, _entering(key, read), **more)


def _class_field(
    label: str, instance: Instance, chosen: Iterable[str], key: str, read: Callable[[Any], Given]
) -> controls.Control:
    h = instance.hierarchy
    return controls.classes("answer_classes", label, sorted(chosen, key=h.index), _entering(key, read))


def _labels(given: Given | None) -> frozenset[str]:
    found = given if isinstance(given, frozenset) else ()
    return frozenset(label for label in found if isinstance(label, str))


def _pairs(given: Given | None) -> frozenset[Pair]:
    found = given if isinstance(given, frozenset) else ()
    return frozenset(pair for pair in found if isinstance(pair, tuple))


def left_over(pairs: Iterable[Pair]) -> dict[str, Badge]:
    """Badges on the classes that are in no pair with another."""
    return {p or t: Badge(LEFT_OVER, "alone", "pairs with no class") for p, t in sorted(pairs) if not (p and t)}


def _made(question: Question, answer: Answer) -> Instance:
    return answer.given if isinstance(answer.given, Instance) else question.instances[0]


def _side(change: Change | None) -> SideName | None:
    return change if change == "true" or change == "predicted" else None


def _with_classes(now: Instance, side: SideName, found: Iterable[str]) -> Instance:
    return now.with_classes(side, now.hierarchy.check(found))


def _with_lines(now: Instance, text: str) -> Instance:
    """The instance on the hierarchy of these lines; InputError as the reader of edge lists."""
    edited = editing.from_lines(Shown(now, ""), text)
    lost = (now.true | now.predicted) - frozenset(edited.hierarchy.nodes)
    if lost:
        raise InputError(f"the question is about {', '.join(sorted(lost))}, which these lines do not have")
    edited.explained()
    return replace(edited.instance, exact_work=now.exact_work)
