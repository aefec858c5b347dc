"""Exercises without end, a part of the Learn page: what is asked for, the exercise, the score, and
the popover "Take a sheet" for worksheets and solutions with the same questions.

The state is one immutable value. Its word stands in the address, so that a link shows the same
exercise to everyone.
"""

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from random import randrange
from typing import Any

import streamlit as st

from hiermeasures.app.binding import Slot, bind, button, show_fault
from hiermeasures.app.components import show_text
from hiermeasures.app.learn import location
from hiermeasures.app.learn.location import follow
from hiermeasures.app.learn.model import LEARN, Learn, play
from hiermeasures.core.errors import InputError, unknown
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.controls import button as button_of
from hiermeasures.explorer.player.card import area, card_controls, notes_of, turning
from hiermeasures.explorer.player.model import Player
from hiermeasures.explorer.player.screen import present_button, presented, wishing
from hiermeasures.explorer.present import Presenting
from hiermeasures.lessons.cards import LONGEST_TITLE, Card
from hiermeasures.lessons.exercises import Exercise, ExerciseRequest, exercise, left_out
from hiermeasures.lessons.kinds import KINDS, known_kind
from hiermeasures.lessons.quiz import quiz_files, quiz_of_sheets
from hiermeasures.lessons.random_instances import (
    ASKED,
    FEWEST_CLASSES,
    MOST_CLASSES,
    MOST_LABELS,
    Difficulty,
    with_families,
)
from hiermeasures.lessons.sheets import TITLE, sheet_files, sheets
from hiermeasures.measures import FAMILIES
from hiermeasures.picture.text import sentence

LARGEST_SEED, LARGEST_NUMBER = 10**9, 10**5
BEGINNING = ("ancestors", "lca", "pairs")  # what a session begins with
MOST_KEPT = 50  # answers of exercises
KEY = "practice/"  # before the keys of their answers


@dataclass(frozen=True)
class Practice:
    """The wanted exercises, the seed, and the number in its series. `score` has for each kind how
    many were right and how many answered; `scored` are the answers counted. `sheet` is what a sheet
    was made for, `fault` why an address could not be followed.
    """

    kinds: tuple[str, ...] = field(default_factory=lambda: tuple(KINDS))
    families: tuple[str, ...] = BEGINNING
    classes: int = 7
    dag: bool = False
    labels: int = 2
    seed: int = 1
    number: int = 1
    score: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    scored: frozenset[str] = frozenset()
    exercises: int = 6
    variants: int = 1
    title: str = ""
    sheet: str = ""
    fault: str = ""

    @property
    def difficulty(self) -> tuple[int, bool, int]:
        return self.classes, self.dag, self.labels

    @property
    def left_out(self) -> dict[str, str]:
        """The kinds that are chosen and cannot be asked, with why."""
        return left_out(self.kinds, Difficulty(**self._difficulty))

    @property
    def request(self) -> ExerciseRequest:
        """The exercises that are asked for; InputError where there are none such."""
        kinds = tuple(kind for kind in self.kinds if kind not in self.left_out)
        if not kinds:
            raise InputError("; ".join(f"{kind}: {why}" for kind, why in self.left_out.items()))
        return ExerciseRequest(kinds=kinds, **self._difficulty)

    @property
    def _difficulty(self) -> dict[str, Any]:
        measures = with_families(self.families)
        return {"classes": self.classes, "dag": self.dag, "labels": self.labels, "measures": measures}

    @property
    def word(self) -> str:
        """Word of the address: seed, number, difficulty, kinds and families; what is as at the
        beginning is left out at the end.

        >>> Practice(seed=7).word, Practice(seed=7, number=3, classes=9, dag=True).word
        ('7', '7.3.9-dag-2')
        """
        size = "-".join([str(self.classes), *(["dag"] if self.dag else []), str(self.labels)])
        parts = [str(self.number), size, "-".join(self.kinds), "-".join(self.families)]
        while parts and parts[-1] == _defaults()[len(parts) - 1]:
            parts.pop()
        return ".".join([str(self.seed), *parts])

    @property
    def key(self) -> str:
        return f"{KEY}{self.word}"


def _defaults() -> tuple[str, ...]:
    return ("1", "7-2", "-".join(KINDS), "-".join(BEGINNING))


PRACTICE: Slot[Practice] = Slot("practice_model", lambda: Practice(seed=randrange(1, 10_000)))


def change(**parts: Any) -> None:
    """Replace parts of it, and have the address say it."""
    at = replace(PRACTICE.value, **parts)
    PRACTICE.set(at)
    if LEARN.value.practice != at.word:
        LEARN.change(practice=at.word)


def request(**parts: Any) -> None:
    """Begin another series; InputError for what there are no exercises about."""
    asked = replace(PRACTICE.value, **parts)
    if not asked.kinds or not asked.families:
        raise InputError("choose one at least")
    _ = asked.request
    change(**parts, number=1, fault="")


def turned(by: int, page: Learn) -> Learn:
    """The page at the next exercise, or the one before. Of many answers the first are forgotten."""
    at = read(page.practice, PRACTICE.value)
    at = replace(at, number=min(max(at.number + by, 1), LARGEST_NUMBER))
    player = page.player
    old = [key for key in player.answers if key.startswith(KEY)][:-MOST_KEPT]
    kept = {key: answer for key, answer in player.answers.items() if key not in old}
    return replace(page, practice=at.word, player=replace(player, answers=kept, faults={}))


def count() -> None:
    """Count each answer once: as it was when it was first judged."""
    at = PRACTICE.value
    score, scored = dict(at.score), set(at.scored)
    for key, answer in LEARN.value.player.answers.items():
        if not key.startswith(KEY) or key in scored or not answer.judged:
            continue
        scored.add(key)
        asked = read(key.removeprefix(KEY), at)
        kind = asked.request.kinds[(asked.number - 1) % len(asked.request.kinds)]
        right, count = score.get(kind, (0, 0))
        score[kind] = right + answer.right_at_once, count + 1
    if len(scored) > len(at.scored):
        change(score=score, scored=frozenset(scored))


def drawn(at: Practice) -> Exercise:
    """Exercise that is shown; InputError where there is none such."""
    found = _drawn(at.request, at.seed, at.number)
    if isinstance(found, str):
        raise InputError(found)
    return found


@lru_cache(maxsize=256)
def _drawn(wanted: ExerciseRequest, seed: int, number: int) -> Exercise | str:
    """An exercise, or why there is none; kept, for finding that there is none takes seconds."""
    try:
        return exercise(wanted, seed, number)
    except InputError as fault:
        return str(fault)


# --- the word of the address ----------------------------------------------------------------------


def arrive() -> None:
    """Follow the address, where it says something else."""
    word = LEARN.value.practice
    if word == PRACTICE.value.word:
        return
    found, fault = PRACTICE.value, ""
    try:
        found = read(word, found) if word else found
    except InputError as error:
        fault = sentence(error)
    change(**{**vars(found), "fault": fault})


def read(word: str, at: Practice) -> Practice:
    """Read a word, with the score and the rest of what is held.

    >>> read("7.3.9-dag-2.click-value", Practice()).kinds
    ('click', 'value')
    """
    seed, *parts = word[:400].split(".")
    number, size, kinds, families = (*parts[:4], *_defaults()[len(parts[:4]) :])
    classes, *dag, labels = size.split("-") if "-" in size else (size, "2")
    if dag not in ([], ["dag"]) or len(parts) > 4:
        raise InputError("the address names no exercise: it is written as 7.3.9-dag-2.click-value.lca-pairs")
    for family in families.split("-"):
        if family not in ASKED:
            raise InputError(unknown("family of measures", family, ASKED))
    made = replace(
        at,
        seed=_number(seed, 0, LARGEST_SEED),
        number=_number(number, 1, LARGEST_NUMBER),
        classes=_number(classes, 1, 99),
        dag=bool(dag),
        labels=_number(labels, 1, 99),
        kinds=_in_order(map(known_kind, kinds.split("-")), KINDS),
        families=tuple(dict.fromkeys(families.split("-"))),
    )
    _ = made.request
    return made


def _number(text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
        raise InputError(f"the address names no exercise: a number from {least:,} to {most:,} is missing in it")
    return int(text)


# --- on the page --------------------------------------------------------------------------------


LEVELS = {"Easy": (5, False, 1), "Medium": (7, False, 2), "Hard": (10, True, 3)}  # classes, whether a DAG, labels
MOST_EXERCISES, MOST_VARIANTS = 20, 40  # on the page; the command line writes more
MOST_TOGETHER = 400  # exercises, which take about ten seconds
WISHES = {"back": partial(turned, -1), "next": partial(turned, 1)}
ABOUT = (
    "A worksheet for each student, with the questions and the difficulty that are chosen here, and the solutions; and "
    "the same as a quiz for a learning platform."
)
FILES = {  # what is offered: its words, its file's name and kind
    "zip": ("LaTeX (zip)", "application/zip"),
    "worksheets.html": ("Worksheets (HTML)", "text/html"),
    "solutions.html": ("Solutions (HTML)", "text/html"),
    "moodle.xml": ("Quiz for Moodle (XML)", "application/xml"),
    "canvas.zip": ("Quiz for Canvas (QTI)", "application/zip"),
}


def practice() -> None:
    """Put all of Practice on the page."""
    arrive()
    one, fault = None, ""
    try:
        one = drawn(PRACTICE.value)
    except InputError as error:
        fault = sentence(error)
    count()
    if one is not None:
        follow(one.card, PRACTICE.value.key, f"exercise {PRACTICE.value.number}")
    if LEARN.value.player.presenting is None:
        _head(PRACTICE.value)
    for k, words in enumerate(filter(None, (PRACTICE.value.fault, fault))):
        show_text(words, "error", key=f"practice_fault_{k}")
    if one is not None:
        play(_screen, WISHES)


# --- what is asked for ----------------------------------------------------------------------------


def _head(at: Practice) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="practice_head"):
        level = next((name for name, size in LEVELS.items() if size == at.difficulty), None)
        bind(st.segmented_control, "practice_level", level, _set_level)(
            "Difficulty", list(LEVELS), label_visibility="collapsed"
        )
        panel = st.popover("Questions", icon=":material/tune:", key="practice_settings")
        with panel, st.container(key="practice_questions"):
            _requested(at)
        take_a_sheet(at)
        with st.container(key="practice_score"):
            show_text(score_words(at), "note", key="practice_score_words")


def _set_level(level: str) -> None:
    classes, dag, labels = LEVELS[level]
    request(classes=classes, dag=dag, labels=labels)


def _requested(at: Practice) -> None:
    bind(st.pills, "practice_kinds", list(at.kinds), lambda kinds: request(kinds=_in_order(kinds, KINDS)))(
        "What is asked", list(KINDS), selection_mode="multi", format_func=lambda kind: KINDS[kind].title
    )
    show_fault("practice_kinds")
    for kind, reason in at.left_out.items():
        show_text(f"{KINDS[kind].title}: left out, for {reason}.", "note", key=f"practice_left_out_{kind}")
    bind(st.pills, "practice_families", list(at.families), lambda found: request(families=_in_order(found, ASKED)))(
        "About which measures", list(ASKED), selection_mode="multi", format_func=lambda key: FAMILIES[key].title
    )
    show_fault("practice_families")
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    bind(left.number_input, "practice_classes", at.classes, lambda n: request(classes=n))(
        "Classes", FEWEST_CLASSES, MOST_CLASSES
    )
    bind(middle.number_input, "practice_labels", at.labels, lambda n: request(labels=n))(
        "Labels at most", 1, MOST_LABELS, help="Of the true and of the predicted side."
    )
    bind(right.toggle, "practice_dag", at.dag, lambda dag: request(dag=dag))("DAG")
    for name in ("practice_classes", "practice_labels", "practice_dag"):
        show_fault(name)
    bind(st.number_input, "practice_seed", at.seed, lambda seed: request(seed=seed))(
        "Seed", 0, LARGEST_SEED, help="The same seed gives the same exercises, to everyone who opens this address."
    )


def _in_order(chosen: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    found = set(chosen)
    return tuple(name for name in known if name in found)


def score_words(at: Practice) -> str:
    """Seed and score: all, and by kind where there are several.

    >>> score_words(Practice(score={"value": (1, 2), "click": (1, 1)}))
    'Seed 1 · 2 of 3 right · Values 1/2 · Sets 1/1'
    """
    right, asked = (sum(pair[k] for pair in at.score.values()) for k in (0, 1))
    kinds = [f"{KINDS[kind].title} {r}/{n}" for kind, (r, n) in at.score.items()] if len(at.score) > 1 else []
    return " · ".join([f"Seed {at.seed}", f"{right} of {asked} right" if asked else "nothing answered yet", *kinds])


# --- the exercise ---------------------------------------------------------------------------------


def _screen(player: Player) -> Controls:
    at = read(LEARN.value.practice, PRACTICE.value)  # which may be ahead of what was drawn last
    one = drawn(at)
    if player.presenting is not None:
        shown = Presented(one.card, at.key, f"Seed {at.seed}")
        return (area(*presented(player, shown, location.code, _turn)),)
    ways = turning("practice", lambda by, player: _turn(player, by), first=at.number == 1)
    explorer = button_of("practice_explorer", "Open in the Explorer", partial(wishing, "explorer"))
    card = card_controls(player, one.card, at.key, *ways, explorer, present_button(), notes=notes_of(one))
    return (area(card),)


@dataclass(frozen=True)
class Presented:
    """An exercise as it is presented."""

    card: Card
    card_key: str
    words: str


def _turn(player: Player, by: int) -> Player:
    """The player that asks for the exercise before or after; presented, it begins hidden."""
    now = player.presenting and Presenting()
    return wishing("next" if by > 0 else "back", replace(player, presenting=now))


# --- a sheet --------------------------------------------------------------------------------------


def take_a_sheet(at: Practice) -> None:
    """Put the popover on the page."""
    panel = st.popover("Take a sheet", icon=":material/print:", key="practice_sheet")
    with panel, st.container(key="sheet_panel"):
        show_text(ABOUT, key="sheet_about")
        left, middle, right = st.columns(3)
        bind(left.number_input, "sheet_exercises", at.exercises, lambda n: change(exercises=n))(
            "Exercises", 1, MOST_EXERCISES
        )
        bind(middle.number_input, "sheet_variants", at.variants, lambda n: change(variants=n))(
            "Students", 1, MOST_VARIANTS, help="Each gets other exercises of the same kinds."
        )
        bind(right.number_input, "sheet_seed", at.seed, lambda seed: request(seed=seed))("Seed", 0, LARGEST_SEED)
        bind(st.text_input, "sheet_title", at.title, lambda title: change(title=title))(
            "Title", placeholder=TITLE, max_chars=LONGEST_TITLE
        )
        button("Make it", key="sheet_make", action=_make, type="primary", icon=":material/description:")
        if at.sheet == _sheet_of(at):
            _files(at)


def _make() -> None:
    change(sheet=_sheet_of(PRACTICE.value))


def _sheet_of(at: Practice) -> str:
    """Key of a sheet; another request needs another sheet."""
    return repr((at.kinds, at.families, at.difficulty, at.seed, at.exercises, at.variants, at.title))


def _files(at: Practice) -> None:
    try:
        if at.exercises * at.variants > MOST_TOGETHER:
            raise InputError(
                f"{at.variants} sheets of {at.exercises} exercises are more than {MOST_TOGETHER} exercises, which is "
                f"the most at a time here; hiermeasures sheet writes more"
            )
        with st.spinner("The exercises are drawn …"):
            made, told = made_files(
                at.request, at.seed, number=at.exercises, variants=at.variants, title=at.title.strip() or TITLE
            )
    except InputError as fault:
        show_text(sentence(fault), "error", key="sheet_fault")
        return
    with st.container(horizontal=True, gap="small"):
        for name, (words, kind) in ((name, FILES[name]) for name in FILES if name in made):
            file = f"sheets-seed-{at.seed}.zip" if name == "zip" else name
            st.download_button(words, made[name], file, kind, key=f"sheet_{name}", on_click="ignore")
    for k, words in enumerate(told):
        show_text(f"Not in the quizzes: {words}.", "note", key=f"sheet_left_out_{k}")


@lru_cache(maxsize=4)
def made_files(
    wanted: ExerciseRequest, seed: int, number: int, variants: int, title: str
) -> tuple[Mapping[str, bytes], Sequence[str]]:
    """The files that are offered, the same bytes each time, and what the quizzes leave out."""
    made = sheets(wanted, seed, number, variants, title=title)
    files = {name: text.encode("utf-8", "replace") for name, text in sheet_files(made, ("tex", "html"))}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (name for name in files if name.endswith(".tex")):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name], zipfile.ZIP_DEFLATED)
    pages = {name: files[name] for name in files if name.endswith(".html")}
    try:
        quiz = quiz_of_sheets(made)
    except InputError as nothing:
        return {"zip": packed.getvalue(), **pages}, (str(nothing),)
    return {"zip": packed.getvalue(), **pages, **dict(quiz_files(quiz))}, quiz.told
