"""Endless exercises, a part of the Learn page.

It draws the settings, the score, and the popover "Make worksheets". The settings are one immutable
value. The address contains them as a word, so that everyone with the link gets the same exercise.
The key of the endless lesson in the player contains them too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import randrange
from typing import Any

import streamlit as st

from hiermeasures.app.binding import bind, button, show_fault
from hiermeasures.app.components import show_text
from hiermeasures.app.inbox import Slot
from hiermeasures.app.learn.model import LEARN, SOURCES
from hiermeasures.draw.text import sentence
from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.measures import FAMILIES
from hiermeasures.teach.cards import LONGEST_TITLE, Lesson
from hiermeasures.teach.exercises import ExerciseRequest, find_left_out
from hiermeasures.teach.kinds import KINDS, known_kind
from hiermeasures.teach.player.model import LESSON, Exercises, Player
from hiermeasures.teach.quiz import QUIZ_FILE, moodle_xml, quiz_of_sheets, zip_files
from hiermeasures.teach.random_instances import (
    ASKED,
    FEWEST_CLASSES,
    MOST_CLASSES,
    MOST_LABELS,
    Difficulty,
    with_families,
)
from hiermeasures.teach.sheets import TITLE, sheet_files, sheets

KEY = "practice"  # the first part of the lesson's key
LARGEST_SEED, LARGEST_NUMBER = 10**9, 10**5
FIRST_FAMILIES = ("ancestors", "lca", "pairs")  # families at the start of a session
# classes, whether a DAG, labels
LEVELS = {"Easy": (5, False, 1), "Medium": (7, False, 2), "Hard": (10, True, 3)}
MOST_EXERCISES, MOST_VARIANTS = 20, 40  # on the page; the command line writes more
MOST_TOGETHER = 400  # exercises of all sheets; takes about ten seconds
ABOUT = (
    "A worksheet for each student, with the questions and the difficulty you chose here, and the "
    "solutions. You can also save it as a quiz for Moodle."
)
FILES = {  # downloads by file name: label and media type
    "zip": ("LaTeX (zip)", "application/zip"),
    "worksheets.html": ("Worksheets (HTML)", "text/html"),
    "solutions.html": ("Solutions (HTML)", "text/html"),
    QUIZ_FILE: ("Quiz for Moodle (XML)", "application/xml"),
}


@dataclass(frozen=True)
class Practice:
    """Settings of the exercises and of the worksheets.

    `sheet` contains the settings of the last worksheets. `fault` is the error in an address.
    """

    kinds: tuple[str, ...] = field(default_factory=lambda: tuple(KINDS))
    families: tuple[str, ...] = FIRST_FAMILIES
    classes: int = 7
    dag: bool = False
    labels: int = 2
    seed: int = 1
    exercises: int = 6
    variants: int = 1
    title: str = ""
    sheet: "Practice | None" = None
    fault: str = ""

    @property
    def difficulty(self) -> tuple[int, bool, int]:
        return self.classes, self.dag, self.labels

    @property
    def left_out(self) -> dict[str, str]:
        """Chosen kinds of questions that these settings cannot produce, with the reasons."""
        return find_left_out(self.kinds, Difficulty(**self._difficulty))

    @property
    def request(self) -> ExerciseRequest:
        """Return the settings as a request. InputError if no chosen kind is possible."""
        kinds = tuple(kind for kind in self.kinds if kind not in self.left_out)
        if not kinds:
            raise InputError("; ".join(f"{kind}: {why}" for kind, why in self.left_out.items()))
        return ExerciseRequest(kinds=kinds, **self._difficulty)

    @property
    def _difficulty(self) -> dict[str, Any]:
        measures = with_families(self.families)
        return {
            "classes": self.classes,
            "dag": self.dag,
            "labels": self.labels,
            "measures": measures,
        }

    def word(self, number: int = 1) -> str:
        """Return the settings as a word of the address, without defaults at the end.

        The word contains seed, number, difficulty, kinds and families.

        >>> Practice(seed=7).word(), Practice(seed=7, classes=9, dag=True).word(3)
        ('7', '7.3.9-dag-2')
        """
        size = "-".join([str(self.classes), *(["dag"] if self.dag else []), str(self.labels)])
        parts = [str(number), size, "-".join(self.kinds), "-".join(self.families)]
        while parts and parts[-1] == _defaults()[len(parts) - 1]:
            parts.pop()
        return ".".join([str(self.seed), *parts])

    @property
    def key(self) -> str:
        return f"{KEY}/{self.word()}"


def _defaults() -> tuple[str, ...]:
    return ("1", "7-2", "-".join(KINDS), "-".join(FIRST_FAMILIES))


def read(word: str, at: Practice) -> tuple[Practice, int]:
    """Read settings and the exercise's number from a word. Other settings come from `at`.

    >>> at, number = read("7.3.9-dag-2.click-value", Practice())
    >>> at.kinds, number
    (('click', 'value'), 3)
    """
    seed, *parts = word[:400].split(".")
    number, size, kinds, families = (*parts[:4], *_defaults()[len(parts[:4]) :])
    classes, *dag, labels = size.split("-") if "-" in size else (size, "2")
    if dag not in ([], ["dag"]) or len(parts) > 4:
        raise InputError(
            "the address names no exercise. Write it as in 7.3.9-dag-2.click-value.lca-pairs"
        )
    for family in families.split("-"):
        if family not in ASKED:
            raise InputError(unknown("family of measures", family, ASKED))
    made = replace(
        at,
        seed=_number(seed, 0, LARGEST_SEED),
        classes=_number(classes, 1, 99),
        dag=bool(dag),
        labels=_number(labels, 1, 99),
        kinds=_in_order(map(known_kind, kinds.split("-")), KINDS),
        families=tuple(dict.fromkeys(families.split("-"))),
    )
    _ = made.request
    return made, _number(number, 1, LARGEST_NUMBER)


def _number(text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
        raise InputError(
            f"the address names no exercise: write a number from {least:,} to {most:,} in it"
        )
    return int(text)


def _in_order(chosen: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    found = set(chosen)
    return tuple(name for name in known if name in found)


@lru_cache(maxsize=64)
def _lesson(word: str) -> Lesson:
    at, _ = read(word, Practice())
    return Lesson(
        at.key, f"Seed {at.seed}", "", 1, Exercises(at.request, str(at.seed), LARGEST_NUMBER)
    )


SOURCES[KEY] = _lesson
PRACTICE: Slot[Practice] = Slot("practice_model", lambda: Practice(seed=randrange(1, 10_000)))


def begin(number: int = 1) -> None:
    LEARN.change(player=LEARN.value.player.going(PRACTICE.value.key, number - 1))


def request(**parts: Any) -> None:
    """Start another series. InputError if these settings have no exercises."""
    asked = replace(PRACTICE.value, **parts, fault="")
    if not asked.kinds or not asked.families:
        raise InputError("choose at least one kind of question")
    _ = asked.request
    PRACTICE.set(asked)
    begin()


def arrive(word: str) -> None:
    """Show the exercise of an address. An empty word keeps the last settings."""
    number, fault = 1, ""
    try:
        found, number = read(word, PRACTICE.value) if word else (PRACTICE.value, 1)
    except InputError as error:
        found, fault = PRACTICE.value, sentence(error)
    PRACTICE.set(replace(found, fault=fault))
    begin(number)


def address(player: Player) -> str:
    return PRACTICE.value.word(player.card + 1)


def score_words(seed: int, player: Player) -> str:
    """Return seed and score as text: the total, and the score by kind if there are several.

    Each exercise counts once, as first judged.
    """
    score: dict[str, list[bool]] = {}
    for key, answer in player.answers.items():
        if key.startswith(f"{KEY}/") and answer.counted is not None:
            word, _, index = key.removeprefix(f"{KEY}/").rpartition("/")
            kinds = read(word, Practice())[0].request.kinds
            score.setdefault(kinds[int(index) % len(kinds)], []).append(answer.counted)
    every = [right for found in score.values() for right in found]
    parts = [f"{KINDS[kind].title} {sum(found)}/{len(found)}" for kind, found in score.items()]
    said = f"{sum(every)} of {len(every)} right" if every else "nothing answered yet"
    return " · ".join([f"Seed {seed}", said, *(parts if len(parts) > 1 else ())])


def practice() -> None:
    at, player = PRACTICE.value, LEARN.value.player
    if not player.lesson:  # no exercise was found
        LEARN.change(player=replace(player, lesson=at.key))
    if player.presenting is None:
        _head(at)
    for k, words in enumerate(filter(None, (at.fault, player.faults.get(LESSON)))):
        show_text(words, "error", key=f"practice_fault_{k}")


def _head(at: Practice) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="practice_head"):
        level = next((name for name, size in LEVELS.items() if size == at.difficulty), None)
        bind(st.segmented_control, "practice_level", level, _set_level)(
            "Difficulty", list(LEVELS), label_visibility="collapsed"
        )
        panel = st.popover("Questions", icon=":material/tune:", key="practice_settings")
        with panel, st.container(key="practice_questions"):
            _request_form(at)
        _take_a_sheet(at)
        with st.container(key="practice_score"):
            show_text(score_words(at.seed, LEARN.value.player), "note", key="practice_score_words")


def _set_level(level: str) -> None:
    classes, dag, labels = LEVELS[level]
    request(classes=classes, dag=dag, labels=labels)


def _request_form(at: Practice) -> None:
    bind(
        st.pills,
        "practice_kinds",
        list(at.kinds),
        lambda kinds: request(kinds=_in_order(kinds, KINDS)),
    )(
        "Kinds of question",
        list(KINDS),
        selection_mode="multi",
        format_func=lambda kind: KINDS[kind].title,
    )
    show_fault("practice_kinds")
    for kind, reason in at.left_out.items():
        show_text(
            f"{KINDS[kind].title}: left out, because {reason}.",
            "note",
            key=f"practice_left_out_{kind}",
        )
    bind(
        st.pills,
        "practice_families",
        list(at.families),
        lambda found: request(families=_in_order(found, ASKED)),
    )(
        "Families of measures",
        list(ASKED),
        selection_mode="multi",
        format_func=lambda key: FAMILIES[key].title,
    )
    show_fault("practice_families")
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    bind(left.number_input, "practice_classes", at.classes, lambda n: request(classes=n))(
        "Classes", FEWEST_CLASSES, MOST_CLASSES
    )
    bind(middle.number_input, "practice_labels", at.labels, lambda n: request(labels=n))(
        "Most labels", 1, MOST_LABELS, help="Of each side, true and predicted."
    )
    bind(right.toggle, "practice_dag", at.dag, lambda dag: request(dag=dag))("DAG")
    for name in ("practice_classes", "practice_labels", "practice_dag"):
        show_fault(name)
    bind(st.number_input, "practice_seed", at.seed, lambda seed: request(seed=seed))(
        "Seed",
        0,
        LARGEST_SEED,
        help="A seed always gives the same exercises, also to other people with this address.",
    )


def _take_a_sheet(at: Practice) -> None:
    panel = st.popover("Make worksheets", icon=":material/print:", key="practice_sheet")
    with panel, st.container(key="sheet_panel"):
        show_text(ABOUT, key="sheet_about")
        left, middle, right = st.columns(3)
        bind(
            left.number_input,
            "sheet_exercises",
            at.exercises,
            lambda n: PRACTICE.change(exercises=n),
        )("Exercises", 1, MOST_EXERCISES)
        bind(
            middle.number_input,
            "sheet_variants",
            at.variants,
            lambda n: PRACTICE.change(variants=n),
        )("Students", 1, MOST_VARIANTS, help="Each gets different exercises of the same kinds.")
        bind(right.number_input, "sheet_seed", at.seed, lambda seed: request(seed=seed))(
            "Seed", 0, LARGEST_SEED
        )
        bind(st.text_input, "sheet_title", at.title, lambda title: PRACTICE.change(title=title))(
            "Title", placeholder=TITLE, max_chars=LONGEST_TITLE
        )
        button(
            "Create", key="sheet_make", action=_make, type="primary", icon=":material/description:"
        )
        if at.sheet == replace(at, sheet=None, fault=""):
            _files(at)


def _make() -> None:
    PRACTICE.change(sheet=replace(PRACTICE.value, sheet=None, fault=""))


def _files(at: Practice) -> None:
    try:
        if at.exercises * at.variants > MOST_TOGETHER:
            raise InputError(
                f"{at.variants} sheets of {at.exercises} exercises exceed the limit of "
                f"{MOST_TOGETHER} exercises here. Use the command hiermeasures sheet for more"
            )
        with st.spinner("Drawing the exercises …"):
            made, told = make_files(
                at.request,
                at.seed,
                number=at.exercises,
                variants=at.variants,
                title=at.title.strip() or TITLE,
            )
    except InputError as fault:
        show_text(sentence(fault), "error", key="sheet_fault")
        return
    with st.container(horizontal=True, gap="small"):
        for name, (words, kind) in ((name, FILES[name]) for name in FILES if name in made):
            file = f"sheets-seed-{at.seed}.zip" if name == "zip" else name
            st.download_button(
                words, made[name], file, kind, key=f"sheet_{name}", on_click="ignore"
            )
    for k, words in enumerate(told):
        show_text(f"Not in the quiz: {words}.", "note", key=f"sheet_left_out_{k}")


@lru_cache(maxsize=4)
def make_files(
    wanted: ExerciseRequest, seed: int, number: int, variants: int, title: str
) -> tuple[Mapping[str, bytes], Sequence[str]]:
    """Return reproducible downloads, and notes on questions that quizzes leave out."""
    made = sheets(wanted, seed, number, variants, title=title)
    files = dict(sheet_files(made, ("tex", "html")))
    pages = {
        name: text.encode("utf-8", "replace")
        for name, text in files.items()
        if name.endswith(".html")
    }
    offered = {
        "zip": zip_files({name: text for name, text in files.items() if name not in pages}),
        **pages,
    }
    try:
        quiz = quiz_of_sheets(made)
    except InputError as nothing:
        return offered, (str(nothing),)
    return {**offered, QUIZ_FILE: moodle_xml(quiz)}, quiz.told
