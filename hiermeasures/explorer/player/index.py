"""The index of lessons as data, for every host: each with a small picture of its first card; and
the families of measures, each with a picture of what it looks at and the lessons about it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from hiermeasures.explorer.library import OPENING, figure
from hiermeasures.explorer.player.drawing import drawings_of, looked_at
from hiermeasures.explorer.player.model import Host, Player
from hiermeasures.lessons.cards import Lesson
from hiermeasures.measures import CATALOGUE, FAMILIES
from hiermeasures.measures.own import spoken
from hiermeasures.picture.scene import figure_scene
from hiermeasures.picture.svg import svg
from hiermeasures.picture.views import OPENING as AT_FIRST
from hiermeasures.picture.views import overlay_for, with_measure

SCALE = 0.5  # of a picture
SHARE = 1 / 2  # of the cards of a lesson that is about a family
MOST_LESSONS = 4  # that are named for one
MOST_NAMED = 4  # measures of a family


def index_of(lessons: Mapping[str, Lesson]) -> list[dict[str, Any]]:
    """Entries of lessons, by their keys: title, what one learns, minutes, how many cards and
    questions, how many cards by the families of their measures, and the picture as the address of
    an SVG, with its words.
    """
    return [{"key": key, "number": k, **_entry(lesson)} for k, (key, lesson) in enumerate(lessons.items(), 1)]


def _entry(lesson: Lesson) -> dict[str, Any]:
    card = lesson.cards[0]
    player = Player(Host(lambda key: lesson))
    drawing = drawings_of(player, card, "")[0]
    image = svg(figure_scene(drawing.instance.hierarchy, drawing.overlay(looked_at(player, card, ""))), scale=SCALE)
    families = Counter(
        family for each in lesson.cards for family in {each.subject.measure(name).family for name in each.measures}
    )
    return {
        "title": lesson.title,
        "learns": lesson.learns,
        "minutes": lesson.minutes,
        "cards": len(lesson.cards),
        "questions": sum(each.question is not None for each in lesson.cards),
        "families": dict(families),
        "picture": image.data_uri,
        "alt": drawing.described,
        **({} if lesson.number is None else {"number": lesson.number}),
    }


def families_of(index: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The families of the catalogue, with the lessons of an index that are about each: those with
    its measures on half of their cards, the first few, or else the one with most.
    """
    return [{**entry, "lessons": _about(entry["key"], index)} for entry in _families()]


def _about(family: str, index: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    share = {entry["key"]: entry["families"].get(family, 0) / entry["cards"] for entry in index}
    most = max(share.values(), default=0)
    about = [entry for entry in index if 0 < min(SHARE, most) <= share[entry["key"]]]
    return [{name: entry[name] for name in ("key", "number", "title")} for entry in about[:MOST_LESSONS]]


@cache
def _families() -> list[dict[str, Any]]:
    """Each on one and the same instance, drawn as the first of its measures sees it."""
    explained = figure(OPENING).explained()
    found = []
    for family in FAMILIES.values():
        keys = [key for key, measure in CATALOGUE.items() if measure.family == family.key]
        overlay = overlay_for(explained, with_measure(AT_FIRST, keys[0]))
        image = svg(figure_scene(explained.hierarchy, overlay), scale=SCALE)
        named = [spoken(key) for key in keys[:MOST_NAMED]]
        more = ", …" if len(keys) > MOST_NAMED else ""
        said = {"title": family.title, "about": family.description, "measures": ", ".join(named) + more}
        found.append({"key": family.key, **said, "picture": image.data_uri})
    return found
