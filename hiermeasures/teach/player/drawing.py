"""Drawings of a card, with marks for an answer, and the small drawings in the list of lessons.

This module leaves out the hidden parts of a card, so the browser never gets them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

from hiermeasures.draw.layout import in_sight, neighbourhood
from hiermeasures.draw.scene import (
    PLAIN,
    READABLE_ROOM,
    Arrangement,
    Badge,
    LegendEntry,
    Link,
    Overlay,
    Side,
    figure_scene,
    readable_on_screen,
    scene,
)
from hiermeasures.draw.svg import svg
from hiermeasures.draw.views import OPENING, ViewState, overlay_for, with_measure, with_view
from hiermeasures.draw.views.sets import CLASSES, classes_alone
from hiermeasures.explore.component_data import graph_data
from hiermeasures.explore.library import figure
from hiermeasures.explore.share_link import Shared
from hiermeasures.explore.shown import Shown, described
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures import Explanation, Instance, explain_instance
from hiermeasures.measures.own import is_definition
from hiermeasures.teach.cards import Card, Lesson
from hiermeasures.teach.player.inputs import (
    ALONE,
    INPUTS,
    LEFT_OVER,
    YOURS,
    AnswerState,
    Asking,
    mark_left_over,
)
from hiermeasures.teach.player.model import Player, PlayerHost
from hiermeasures.teach.questions import Question, Verdict
from hiermeasures.verify.wording import name_instances

# of a judged answer, by the words of Verdict
SIGNS = {"both": "✓", "missed": "missing", "spurious": "✗"}
WORDS = {"both": "right", "missed": "missing in your answer", "spurious": "wrong in your answer"}
MISTAKEN = {
    "missed": "counts, but you may have left it out",
    "spurious": "does not count, but you may have counted it",
}
PAIRED = {
    "paired": LegendEntry("link", "✗", "✗: not a pair, but you may have made it"),
    "left": LegendEntry("link", "missing", "missing: a pair that you may have left out"),
}
PAIRS = {
    kind: LegendEntry("link", sign, f"{sign}: {WORDS[kind]}") for kind, sign in SIGNS.items()
} | {"yours": YOURS}
PROBABILITY = LegendEntry("badge", "0.75", "the model's probability of a class")
HALF_ROOM = (560.0, 230.0)  # for one of two drawings on a screen of 1280 x 800 pixels
COSTS = ("pairing", "distances")  # views that print the parts of which a value is the sum
MOST_AT_A_GLANCE = 30  # classes of a drawing that needs no zoom, so that the wheel scrolls the page


def choose_view(player: Player, card: Card, key: str) -> ViewState:
    """Return the view of a card, or of the chosen measure. `key` is the key of the answer."""
    chosen = player.chosen.get(key, "")
    if chosen in card.measures:
        return with_measure(OPENING, chosen)
    at = (
        with_measure(OPENING, card.measures[0])
        if card.measures
        else with_view(OPENING, CLASSES.key)
    )
    return with_view(at, card.view) if card.view else at


@dataclass(frozen=True)
class CardDrawing:
    """The k-th instance of a card, with the state of its answer."""

    card: Card
    k: int
    key: str
    answer: AnswerState

    @property
    def question(self) -> Question | None:
        return self.card.question if self.k == 0 else None

    @property
    def asking(self) -> Asking | None:
        return INPUTS[self.question.input] if self.question is not None else None

    @property
    def caption(self) -> str:
        """The difference from the other drawing, without the option that the question asks for."""
        asks_why = (
            self.answer.open and self.card.question is not None and self.card.question.kind == "why"
        )
        return name_instances(self.card.instances, tells_option=not asks_why).captions[self.k]

    @cached_property
    def instance(self) -> Instance:
        """The instance with the person's changes, or with the changes of the revealed answer."""
        answer = self.answer
        if self.question is not None and self.question.input == "instance":
            found = (
                answer.verdict.answer
                if answer.revealed and answer.verdict is not None
                else answer.given
            )
            if isinstance(found, Instance):
                return found
        return self.card.instances[self.k]

    @cached_property
    def explained(self) -> Explanation:
        same = self.instance is self.card.instances[self.k]
        return self.card.explained[self.k] if same else explain_instance(self.instance)

    @property
    def hidden(self) -> frozenset[str]:
        """The parts of the card that are still hidden."""
        return frozenset(self.card.hidden) if self.answer.open else frozenset()

    @property
    def click(self) -> dict[str, Any]:
        """Return the data of a click. The question decides its effect."""
        asked = self.question is not None and self.asking is not None and self.answer.open
        mode = (
            self.asking.click(self.question)
            if asked and self.asking and self.question
            else "nothing"
        )
        return {"mode": mode, "sides": False}

    def overlay(self, at: ViewState) -> Overlay:
        """Return the overlay of a view with the answer and the card's probabilities."""
        return self._with_probabilities(self._with_answer(at))

    def _with_answer(self, at: ViewState) -> Overlay:
        question, asking, answer = self.question, self.asking, self.answer
        clicked = asking is not None and asking.on_drawing
        unpaid = "values" in self.hidden and answer.miss is None and at.view in COSTS
        plain = (
            unpaid or bool(self.hidden & {"view", "true", "predicted"}) or (answer.open and clicked)
        )
        overlay = classes_alone(self.explained) if plain else overlay_for(self.explained, at)
        if asking is not None and answer.open:
            return self._with_mistake(asking.entered(_without(overlay, self.hidden), answer))
        if (
            question is not None
            and answer.verdict is not None
            and shows_comparison(question, answer)
            and not answer.structure
        ):
            base = overlay if question.input == "classes" else classes_alone(self.explained)
            costs = {(link.start, link.end): link.text for link in overlay.links}
            return draw_verdict(answer.verdict, base, costs, revealed=answer.revealed)
        return self._with_mistake(_without(overlay, self.hidden))

    def _with_probabilities(self, overlay: Overlay) -> Overlay:
        """Return the overlay with the card's probabilities printed at their classes."""
        if not self.card.probabilities:
            return overlay
        badges = dict(overlay.badges)
        for label, text in self.card.probabilities.items():
            before = badges.get(label, Badge("", "probability", PROBABILITY.words))
            badges[label] = replace(before, text=f"{text} {before.text}".strip())
        legend = {**overlay.legend, "probability": PROBABILITY}
        return replace(overlay, badges=badges, legend=legend)

    def _with_mistake(self, overlay: Overlay) -> Overlay:
        """Return the overlay with the classes that a mistake counts wrongly, or with its wrong
        pairs.

        If the answer is a set of classes, missing classes stay unmarked, because they are the
        answer.
        """
        verdict = self.answer.miss if self.answer.open else self.answer.verdict
        if verdict is None or not verdict.mistake or self.hidden & {"true", "predicted"}:
            return overlay
        clicked = (
            self.answer.open and self.question is not None and self.question.input == "classes"
        )
        missed, spurious = (
            verdict.mistaken[self.k]
            if verdict.mistaken
            else ((), verdict.spurious if clicked else ())
        )
        badges = dict(overlay.badges)
        for kind, found in (("missed", missed), ("spurious", spurious)):
            for label in (label for label in found if isinstance(label, str)):
                before = f"{badges[label].text} " if label in badges else ""
                badges[label] = Badge(before + SIGNS[kind], kind, MISTAKEN[kind])
        links = [
            replace(x, text=f"{x.text} {SIGNS['missed']}", kind="left")
            if (x.start, x.end) in missed
            else x
            for x in overlay.links
        ]
        pairs = sorted(pair for pair in spurious if isinstance(pair, tuple))
        links += [Link(p, t, SIGNS["spurious"], "paired") for p, t in pairs]
        legend = {
            kind: LegendEntry("badge", SIGNS[kind], words) for kind, words in MISTAKEN.items()
        }
        return replace(
            overlay,
            badges=badges,
            links=tuple(links),
            legend={**overlay.legend, **legend, **PAIRED},
        )

    @property
    def arrangement(self) -> Arrangement:
        instance, card = self.instance, self.card.instances[self.k]
        marked, unfolded = instance.true | instance.predicted, self.answer.unfolded
        room = HALF_ROOM if self.caption else READABLE_ROOM
        made = _arranged(instance.hierarchy, marked, unfolded, room)
        if instance.hierarchy == card.hierarchy or not marked <= set(card.hierarchy.nodes):
            return made
        return _keep_places(made, _arranged(card.hierarchy, marked, unfolded, room))

    def graph(self, at: ViewState) -> dict[str, Any]:
        h, places, overlay = self.instance.hierarchy, self.arrangement, self.overlay(at)
        marked = self.instance.true | self.instance.predicted
        data = graph_data(
            places,
            overlay,
            view=f"{self.key}|{self.k}",
            alt=described(self.instance, self.hidden),
            focus=in_sight(h, marked) if not self.hidden else [],
            click=self.click,
            zoom=len(places.ids) > MOST_AT_A_GLANCE,
        )
        judged = self.answer.verdict is not None or self.answer.miss is not None
        return data | {"room": self._room_for_links(at), "fades": judged}

    def coming(self, at: ViewState) -> tuple[Overlay, ...]:
        """Return the overlays that the card may draw: the overlay of the view, and one with every
        pair.
        """
        instance, overlays = self.instance, [overlay_for(self.explained, at)]
        if self.question is not None and self.question.input == "pairs":
            ends = product(sorted(instance.predicted), sorted(instance.true))
            links = tuple(Link(p, t, YOURS.sample, "yours") for p, t in ends if p != t)
            overlays.append(replace(classes_alone(self.explained), links=links))
        return tuple(map(self._with_probabilities, overlays))

    def _room_for_links(self, at: ViewState) -> list[float] | None:
        """Return the box of the links that the card may draw: left, top, right, bottom.

        The drawing fits this box from the beginning, so that new links do not move it. The browser
        gets only the box, because the links may be the answer.
        """
        scenes = [scene(self.arrangement, overlay) for overlay in self.coming(at)]
        if not (found := [(link.x, link.y) for drawn in scenes for link in drawn.links]):
            return None
        xs, ys = zip(*found, strict=True)
        return [min(xs), min(ys), max(xs), max(ys)]

    @property
    def shown(self) -> Shown:
        """Return the instance for the Explorer: the library's figure, the card's instance, or a
        changed one.
        """
        if self.card.case and self.instance == (found := figure(self.card.case)).instance:
            return found
        return Shown(self.instance, self.card.title, origin=self.card.instances[self.k])


@lru_cache(maxsize=64)
def _arranged(
    hierarchy: Hierarchy,
    marked: frozenset[str],
    unfolded: frozenset[str],
    room: tuple[float, float],
) -> Arrangement:
    return readable_on_screen(neighbourhood(hierarchy, marked, unfolded=unfolded), marked, room)


def _keep_places(made: Arrangement, before: Arrangement) -> Arrangement:
    """Return the places of the classes before an edge was added or removed, if the levels stay.

    A long edge bends around other classes, so a drawing with a long edge gets a new arrangement.
    """
    new, old = made.neighbourhood, before.neighbourhood
    levels = {v: new.hierarchy.level(v) for v in new.nodes}
    if levels != {v: old.hierarchy.level(v) for v in old.nodes} or made.layout.bends:
        return made
    return replace(made, layout=replace(before.layout, bends={}))


def drawings_of(player: Player, card: Card, key: str) -> tuple[CardDrawing, ...]:
    return tuple(CardDrawing(card, k, key, player.answer(key)) for k in range(len(card.instances)))


def shows_comparison(question: Question, answer: AnswerState) -> bool:
    """Return True if the answer is drawn next to the right answer."""
    if question.input == "instance":
        wrong = answer.verdict is not None and not answer.verdict.right
        return wrong and question.change() != "hierarchy"
    return INPUTS[question.input].on_drawing


def _without(overlay: Overlay, unseen: frozenset[str]) -> Overlay:
    if not unseen & {"true", "predicted"}:
        return overlay
    true, predicted = ("true" not in unseen), ("predicted" not in unseen)
    marks = {
        label: replace(
            mark, true=Side(mark.true * true), predicted=Side(mark.predicted * predicted)
        )
        for label, mark in overlay.marks.items()
    }
    return replace(overlay, marks={label: mark for label, mark in marks.items() if mark != PLAIN})


def share_card(player: Player, card: Card, key: str) -> Shared:
    """Return a card for the Explorer. With two predictions, the second is next to the first."""
    first, *more = (drawing.shown for drawing in drawings_of(player, card, key))
    last = next((second for second in more if second.hierarchy == first.hierarchy), first)
    own = tuple(name for name in card.measures if is_definition(name))
    return Shared(last, choose_view(player, card, key), first if last is not first else None, own)


def draw_verdict(
    verdict: Verdict, base: Overlay, costs: Mapping[tuple[str, str], str], *, revealed: bool = False
) -> Overlay:
    """Draw the answer and the right answer on an overlay, with signs at classes or on pairs. Pairs
    of the structure have `costs`.
    """
    words = {**WORDS, "both": "the answer"} if revealed else WORDS
    badges = dict(base.badges)
    if verdict.pairs is None:
        links = base.links
        legend = {kind: LegendEntry("badge", text, words[kind]) for kind, text in SIGNS.items()}
        for kind, text in SIGNS.items():
            for label in sorted(getattr(verdict, kind)):
                before = f"{badges[label].text} " if label in badges else ""
                badges[label] = Badge(before + text, kind, words[kind])
    else:
        pairs = verdict.pairs.items()
        links = tuple(
            Link(p, t, f"{costs.get((p, t), '')} {SIGNS[kind]}".strip(), kind)
            for kind, found in pairs
            for p, t in sorted(found)
            if p and t
        )
        legend = {
            **PAIRS,
            **ALONE,
            **({"both": LegendEntry("link", SIGNS["both"], words["both"])} if revealed else {}),
        }
        for kind, found in pairs:
            for label, badge in mark_left_over(found).items():
                before = badges[label].text if label in badges else LEFT_OVER
                badges[label] = replace(badge, text=f"{before} {SIGNS[kind]}")
    title = "The answer" if revealed else "Your answer and the right one"
    return replace(base, title=title, links=links, badges=badges, legend={**base.legend, **legend})


SCALE = 0.5  # of a picture


def index_of(lessons: Mapping[str, Lesson]) -> list[dict[str, Any]]:
    """Return the entries of lessons for the list. Each has a picture of its first card, as an SVG's
    address.
    """
    return [
        {"key": key, "number": k, **_entry(lesson)}
        for k, (key, lesson) in enumerate(lessons.items(), 1)
    ]


def _entry(lesson: Lesson) -> dict[str, Any]:
    card = lesson.cards[0]
    player = Player(PlayerHost(lambda key: lesson))
    drawing = drawings_of(player, card, "")[0]
    image = svg(
        figure_scene(drawing.instance.hierarchy, drawing.overlay(choose_view(player, card, ""))),
        scale=SCALE,
    )
    return {
        "title": lesson.title,
        "learns": lesson.learns,
        "minutes": lesson.minutes,
        **({"group": lesson.group} if lesson.group else {}),
        "cards": len(lesson.cards),
        "questions": sum(each.question is not None for each in lesson.cards),
        "picture": image.data_uri,
        "alt": described(drawing.instance, drawing.hidden),
        **({} if lesson.number is None else {"number": lesson.number}),
    }
