"""What of a card is drawn and how an answer is marked on it, before and after it is judged.

Pure functions from a card and an answer to explanations and overlays; drawing.py and question.py put them on the page.
What a card hides is left out here, so that it is not sent to the browser.
"""

from dataclasses import replace

from hiermeasures.lessons import Card, Question, Verdict
from hiermeasures.lessons.questions import Pair
from hiermeasures.measures import Explanation, Instance, explain_instance
from hiermeasures.ui.graph.overlay import PLAIN, Badge, LegendEntry, Link, Mark, Overlay, Side, words_for
from hiermeasures.ui.learn.model import Answer
from hiermeasures.ui.views import OPENING, ViewState, overlay_for, with_measure, with_view
from hiermeasures.ui.views.sets import CLASSES, classes_alone

BOTH, MISSED, SPURIOUS = (Mark(Side.CLASS, Side.CLASS), Mark(true=Side.CLASS), Mark(predicted=Side.CLASS))
WORDS = {
    BOTH: "in your answer and in the right one",
    MISSED: "in the right answer only",
    SPURIOUS: "in your answer only",
}
REVEALED = {BOTH: "the answer"}
TITLE = "Your answer beside the right one"
PAIRS = {
    "both": LegendEntry("link", "✓", WORDS[BOTH]),
    "missed": LegendEntry("link", "missed", WORDS[MISSED], faint=True),
    "spurious": LegendEntry("link", "✗", WORDS[SPURIOUS]),
    "yours": LegendEntry("link", "pair", "your pairs"),
}
LEFT_OVER = "∅"  # on a class that pairs with no other
ALONE = {"alone": LegendEntry("badge", LEFT_OVER, "left over: pairs with no class")}
SIDES = {
    "t": LegendEntry("badge", "t", "a true class"),
    "p": LegendEntry("badge", "p", "a predicted class"),
    "t p": LegendEntry("badge", "t p", "a true and predicted class"),
}


def looked_at(card: Card, chosen: str = "") -> ViewState:
    """What is drawn of a card: its view, or that of a measure which a person chose."""
    if chosen in card.measures:
        return with_measure(OPENING, chosen)
    at = with_measure(OPENING, card.measures[0]) if card.measures else with_view(OPENING, CLASSES.key)
    return with_view(at, card.view) if card.view else at


def instance_of(card: Card, k: int, answer: Answer) -> Instance:
    """An instance of a card; the first as a person changed it, where the question is about that, or as the revealed
    answer has it.
    """
    if k == 0 and card.question is not None and card.question.input == "instance":
        found = answer.verdict.answer if answer.revealed and answer.verdict is not None else answer.given
        if isinstance(found, Instance):
            return found
    return card.instances[k]


def explained(card: Card, k: int, answer: Answer) -> Explanation:
    """That, explained."""
    instance = instance_of(card, k, answer)
    return card.explained[k] if instance is card.instances[k] else explain_instance(instance)


def hidden(card: Card, answer: Answer) -> frozenset[str]:
    """What is not to be seen yet."""
    return frozenset(card.hidden) if answer.open else frozenset()


def picture(card: Card, k: int, answer: Answer, at: ViewState) -> Overlay:
    """What is drawn on the hierarchy of an instance."""
    question = card.question if k == 0 else None
    explanation, unseen = explained(card, k, answer), hidden(card, answer)
    clicked = question is not None and question.input in ("classes", "pairs")
    plain = bool(unseen & {"view", "true", "predicted"}) or (answer.open and clicked)
    overlay = classes_alone(explanation) if plain else overlay_for(explanation, at)
    if question is not None and answer.open:
        return _entered(_without(overlay, unseen), question, answer)
    if question is not None and answer.verdict is not None and compared(question, answer) and not answer.structure:
        return judged(answer.verdict, explanation, revealed=answer.revealed)
    return _without(overlay, unseen)


def compared(question: Question, answer: Answer) -> bool:
    """Whether the answer is drawn beside the right one: what was clicked, and classes that were changed and are not
    right.
    """
    if question.input == "instance":
        wrong = answer.verdict is not None and not answer.verdict.right
        return wrong and question.change() != "hierarchy"
    return question.input in ("classes", "pairs")


def _without(overlay: Overlay, unseen: frozenset[str]) -> Overlay:
    """Without the marks of the sides that are hidden."""
    if not unseen & {"true", "predicted"}:
        return overlay
    true, predicted = ("true" not in unseen), ("predicted" not in unseen)
    marks = {
        label: replace(mark, true=Side(mark.true * true), predicted=Side(mark.predicted * predicted))
        for label, mark in overlay.marks.items()
    }
    return replace(overlay, marks={label: mark for label, mark in marks.items() if mark != PLAIN})


# --- before it is judged ------------------------------------------------------------------------------------------


def _entered(overlay: Overlay, question: Question, answer: Answer) -> Overlay:
    """With what was entered so far, in the ink of the page: which side a class is on is not said by it."""
    if question.input == "classes":
        classes = given_classes(answer)
        return replace(
            overlay, focus=classes, legend={**overlay.legend, "focus": LegendEntry("focus", "", "your answer")}
        )
    if question.input != "pairs":
        return overlay
    pairs = given_pairs(answer)
    focus = frozenset({answer.end} if answer.end else ())
    waits = LegendEntry("focus", "", "waits for the other class of its pair")
    legend = {"yours": PAIRS["yours"], **ALONE, "focus": waits}
    links = tuple(Link(p, t, PAIRS["yours"].sample, "yours") for p, t in sorted(pairs) if p and t)
    return replace(overlay, links=links, badges=_left_over(pairs), focus=focus, legend=legend)


def given_classes(answer: Answer) -> frozenset[str]:
    """The classes that were entered."""
    given = answer.given if isinstance(answer.given, frozenset) else ()
    return frozenset(label for label in given if isinstance(label, str))


def given_pairs(answer: Answer) -> frozenset[Pair]:
    """The pairs that were entered."""
    given = answer.given if isinstance(answer.given, frozenset) else ()
    return frozenset(pair for pair in given if isinstance(pair, tuple))


def given_instance(question: Question, answer: Answer) -> Instance:
    """The instance as far as it was changed."""
    return answer.given if isinstance(answer.given, Instance) else question.instances[0]


def _left_over(pairs: frozenset[Pair]) -> dict[str, Badge]:
    return {p or t: Badge(LEFT_OVER, "alone", "pairs with no class") for p, t in sorted(pairs) if not (p and t)}


# --- after it was judged ------------------------------------------------------------------------------------------


def judged(verdict: Verdict, explanation: Explanation, *, revealed: bool = False) -> Overlay:
    """What was answered beside what is right: of classes by marks as of two sides, the right one circled and the given
    one boxed; of pairs by links with their signs. Which classes are true and predicted is written at them.
    """
    if verdict.pairs is not None:
        return _judged_pairs(verdict, explanation, revealed)
    parts = ((BOTH, verdict.both), (MISSED, verdict.missed), (SPURIOUS, verdict.spurious))
    marks = {label: mark for mark, classes in parts for label in sorted(classes)}
    words = {**words_for("ancestor"), **(REVEALED if revealed else WORDS)}
    title = "The answer" if revealed else TITLE
    return Overlay(title, marks, words, badges=_sides(explanation), edges={}, legend=SIDES)


def _sides(explanation: Explanation) -> dict[str, Badge]:
    """At every class the sides it is on."""
    true, predicted = explanation.true, explanation.predicted
    found = {}
    for label in sorted(true | predicted):
        kind = " ".join(sign for sign, labels in (("t", true), ("p", predicted)) if label in labels)
        found[label] = Badge(kind, kind, SIDES[kind].words)
    return found


def _judged_pairs(verdict: Verdict, explanation: Explanation, revealed: bool) -> Overlay:
    overlay = classes_alone(explanation)
    pairs = {kind: frozenset(found) for kind, found in (verdict.pairs or {}).items()}
    links = tuple(
        Link(p, t, PAIRS[kind].sample, kind) for kind, found in pairs.items() for p, t in sorted(found) if p and t
    )
    badges: dict[str, Badge] = {}
    for kind, found in pairs.items():
        for label, badge in _left_over(found).items():
            before = badges[label].text if label in badges else LEFT_OVER
            badges[label] = replace(badge, text=f"{before} {PAIRS[kind].sample}")
    legend = {**PAIRS, **ALONE, **({"both": LegendEntry("link", "✓", "the answer")} if revealed else {})}
    return replace(overlay, title="The answer" if revealed else TITLE, links=links, badges=badges, legend=legend)
