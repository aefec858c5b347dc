"""The index of lessons as data, for every host: each with a small picture of its first card."""

from collections.abc import Mapping
from typing import Any

from hiermeasures.explorer.player.drawing import drawings_of, looked_at
from hiermeasures.explorer.player.model import Host, Player
from hiermeasures.lessons.cards import Lesson
from hiermeasures.picture.scene import figure_scene
from hiermeasures.picture.svg import svg

SCALE = 0.5  # of a picture


def index_of(lessons: Mapping[str, Lesson]) -> list[dict[str, Any]]:
    """Entries of lessons, by their keys: title, what one learns, minutes, how many cards and
    questions, and the picture as the address of an SVG, with its words.
    """
    return [{"key": key, "number": k, **_entry(lesson)} for k, (key, lesson) in enumerate(lessons.items(), 1)]


def _entry(lesson: Lesson) -> dict[str, Any]:
    card = lesson.cards[0]
    player = Player(Host(lambda key: lesson))
    drawing = drawings_of(player, card, "")[0]
    image = svg(figure_scene(drawing.instance.hierarchy, drawing.overlay(looked_at(player, card, ""))), scale=SCALE)
    return {
        "title": lesson.title,
        "learns": lesson.learns,
        "minutes": lesson.minutes,
        "cards": len(lesson.cards),
        "questions": sum(each.question is not None for each in lesson.cards),
        "picture": image.data_uri,
        "alt": drawing.described,
        **({} if lesson.number is None else {"number": lesson.number}),
    }
