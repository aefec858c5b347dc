"""Exercises without end, a part of the Learn page: what is asked for, the exercise, the score, and
the popover "Take a sheet" for worksheets and solutions with the same questions.
"""

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import streamlit as st

from hiermeasures.app.binding import bind, button, popover, show_fault
from hiermeasures.app.components import show_text
from hiermeasures.app.learn import location
from hiermeasures.app.learn import practice_model as model
from hiermeasures.app.learn.model import learn
from hiermeasures.app.learn.play import play
from hiermeasures.app.learn.practice_model import LARGEST_SEED, Practice, change, practised, request
from hiermeasures.app.learn.to_explorer import follow
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.controls import button as button_of
from hiermeasures.explorer.player.card import area, card_controls, notes_of, turning
from hiermeasures.explorer.player.model import Player
from hiermeasures.explorer.player.screen import present_button, wishing
from hiermeasures.explorer.player.stage import presented
from hiermeasures.explorer.present import Presenting
from hiermeasures.lessons import KINDS
from hiermeasures.lessons.cards import LONGEST_TITLE, Card
from hiermeasures.lessons.exercises import Exercise, ExerciseRequest
from hiermeasures.lessons.quiz import quiz_files, quiz_of_sheets
from hiermeasures.lessons.random_instances import ASKED, FEWEST_CLASSES, MOST_CLASSES, MOST_LABELS
from hiermeasures.lessons.sheets import TITLE, sheet_files, sheets
from hiermeasures.measures import FAMILIES
from hiermeasures.picture.text import sentence

LEVELS = {"Easy": (5, False, 1), "Medium": (7, False, 2), "Hard": (10, True, 3)}  # classes, whether a DAG, labels
MOST_EXERCISES, MOST_VARIANTS = 20, 40  # on the page; the command line writes more
MOST_TOGETHER = 400  # exercises, which take about ten seconds
WISHES = {"back": partial(model.turned, -1), "next": partial(model.turned, 1)}
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
    model.arrive()
    one, fault = _exercise(practised())
    model.count()
    if one is not None:
        follow(one.card, practised().key, f"exercise {practised().number}")
    if learn().player.presenting is None:
        _head(practised())
    for k, words in enumerate(filter(None, (practised().fault, fault))):
        show_text(words, "error", key=f"practice_fault_{k}")
    if one is not None:
        play(_screen, WISHES)


def _exercise(at: Practice) -> tuple[Exercise | None, str]:
    try:
        return model.drawn(at), ""
    except InputError as error:
        return None, sentence(error)


# --- what is asked for ----------------------------------------------------------------------------


def _head(at: Practice) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="practice_head"):
        level = next((name for name, size in LEVELS.items() if size == at.difficulty), None)
        bind(st.segmented_control, "practice_level", level, _set_level)(
            "Difficulty", list(LEVELS), label_visibility="collapsed"
        )
        panel = popover("Questions", icon=":material/tune:", key="practice_settings")
        if panel.open:
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
    at = model.addressed()
    one = model.drawn(at)
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
    panel = popover("Take a sheet", icon=":material/print:", key="practice_sheet")
    if not panel.open:
        return
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
    change(sheet=_sheet_of(practised()))


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
