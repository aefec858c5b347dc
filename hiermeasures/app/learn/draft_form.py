"""The screen of My lesson as controls, and its page.

It shows the list of cards and one card in the form. You edit the card in its final layout.
draft_lesson.py contains the state. The drawing of a card works as in the Explorer
(explore/drawing.py), and it can show the answer to the card's question.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hiermeasures.app import inbox
from hiermeasures.app.components import mount
from hiermeasures.app.explore.model import explorer
from hiermeasures.app.learn import draft_lesson
from hiermeasures.app.learn.draft_lesson import (
    ANSWER,
    MODEL,
    NOBODY,
    STORE,
    WRITING,
    DraftLesson,
    Entries,
    Writing,
)
from hiermeasures.app.learn.model import DRAFT, LEARN, OWN, Learn, lesson_word, link
from hiermeasures.app.network import phone_addresses
from hiermeasures.draw.layout import READABLE
from hiermeasures.draw.panel import Column, PanelTable, Row, Text
from hiermeasures.draw.text import sentence
from hiermeasures.draw.views import OPENING, VIEWS
from hiermeasures.explore import controls, gestures
from hiermeasures.explore import drawing as explorer_drawing
from hiermeasures.explore.component_data import MARKS
from hiermeasures.explore.controls import (
    Control,
    Controls,
    box,
    button,
    choice,
    component,
    menu,
    row,
    switch,
    words,
)
from hiermeasures.explore.library import figure, figures
from hiermeasures.explore.loading import listed
from hiermeasures.explore.model import EDIT, State
from hiermeasures.explore.outbox import Gesture, Inbox
from hiermeasures.explore.present import Presenting, code_data
from hiermeasures.explore.sharing import YAML, file_name
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE, CORE
from hiermeasures.measures.catalogue import named
from hiermeasures.teach import KINDS
from hiermeasures.teach.cards import HIDDEN
from hiermeasures.teach.kinds.click import named_sets
from hiermeasures.teach.player.card import area, card_text, prose, values_of
from hiermeasures.teach.player.drawing import CardDrawing
from hiermeasures.teach.player.inputs import AnswerState
from hiermeasures.teach.player.model import CARD, STUDENT
from hiermeasures.teach.questions import LONGEST_TEXT, FormField
from hiermeasures.verify.format import words as words_of

UNFINISHED = "•"
EMPTY = (
    "A lesson is a row of cards. Each has a drawing, a text and, if you like, a question with a "
    "computed answer. "
    "Start with an empty drawing, with the Explorer's instance, or with a figure of a paper."
)
TEXT_HELP = (
    "An empty line starts a paragraph. **Stars** make words bold. Values in braces are computed: "
    "{hF}, {hF = 0.67}, {augmented(true)}. You cannot type a number outside braces."
)
ASKS = {"click": "click classes", "prefers": "prefer"}  # where a kind is not called as in files
KEEPS_ALL = (
    "The file keeps unfinished cards, so you can open it here again. Once every card is finished, "
    "it also opens as a lesson."
)
HERE = (
    "Copies the Explorer's instance and its chosen measure. A pinned state becomes the second "
    "prediction."
)
FORGET = "Delete the copy in this browser. The page keeps its content until you leave it."
VALUES = "Values shown; the first one decides the drawing"
LAST = ("ask", "hint", "explain")  # entries of a question that stand below the others
# entries whose faults have their places
SAID = ("title", "text", "measures", "hidden", "question", "drawing")
WHICH = ("First prediction", "Second prediction")


def screen(at: Writing) -> Controls:
    """Return the controls of a prepared state."""
    head = Control("area", "toolbar", parts=(_head(at),))
    if not at.lesson.cards:
        starts = (
            *_starts(),
            menu(at, "my_figure", "From a figure", lambda: (_figures(),), wide=True),
        )
        return (
            head,
            area(box(words(EMPTY, key="my_empty"), row(*starts), key="my_start", style="frame")),
        )
    return (head, area(box(_cards(at), _card(at), key="my_card", style="writing")))


def after(at: Writing, key: str, value: Any) -> Writing:
    """Return the state after a gesture, prepared for drawing."""
    return controls.after(at, screen(at), key, value).ready()


def draw_form(at: Writing, inbox: Inbox) -> dict[str, Any]:
    areas = [control.as_data(at.faults) for control in screen(at)]
    return {**inbox.address(MODEL), "areas": areas}


def _head(at: Writing) -> Control:
    past, lesson = at.history, at.lesson
    keeping = button("my_keep", "Save it here", partial(_kept, True))
    if at.kept.wanted:
        keeping = button(
            "my_forget", "Stop saving in this browser", partial(_kept, False), help=FORGET
        )
    return row(
        controls.text(
            "my_title", "Title of the lesson", lesson.title, partial(_about, "title"), longest=200
        ),
        row(words(at.kept_words, "note", key="my_kept"), keeping),
        button("undo", "Undo", Writing.undone, icon="↶", keys="Ctrl+Z", disabled=not past.past),
        button(
            "redo", "Redo", Writing.redone, icon="↷", keys="Ctrl+Shift+Z", disabled=not past.future
        ),
        button("my_present", "Present", partial(_wishing, "present"), disabled=not lesson.cards),
        menu(at, "my_link", "Student link", partial(_link, lesson)),
        menu(at, "my_file", "File", partial(_file, lesson)),
        style="writes",
    )


def _wishing(wish: str, at: Writing) -> Writing:
    """Return a copy that asks the page for something. InputError if no card can be shown yet."""
    draft_lesson.finish_lesson(at.lesson)
    return replace(at, wish=wish)


def _kept(wanted: bool, at: Writing) -> Writing:
    return replace(at, kept=replace(at.kept, wanted=wanted, fault=""))


def _link(lesson: DraftLesson) -> Controls:
    """Return the link to the lesson, its QR code, and a note on omitted cards."""
    try:
        found = draft_lesson.finish_lesson(lesson)
        address = link({OWN: lesson_word(found.text), CARD: "1", STUDENT: "1"})
    except InputError as fault:
        return (words(sentence(fault), "note", key="my_no_link"),)
    code = code_data(address, phone_addresses())
    others = [at["words"] for at in code.get("choices", ()) if not at["chosen"]]
    more = f"The other addresses: {', '.join(others)}." if others else ""
    notes = (*found.notes, code.get("note", ""), more)
    return (
        controls.copy("my_address", "This link contains the whole lesson.", code["link"]),
        *(words(note, "note", key=f"my_link_note_{k}") for k, note in enumerate(notes) if note),
        *(
            [controls.image("my_code", "QR code of the link", code["image"])]
            if "image" in code
            else []
        ),
    )


def _file(lesson: DraftLesson) -> Controls:
    """Return the buttons that download the lesson and open another, with their messages."""
    saved: Controls
    try:
        content, unfinished = (
            draft_lesson.as_file(lesson),
            any(draft_lesson.check_card(c).faults for c in lesson.cards),
        )
        saved = (
            controls.save(
                "my_save", "Save as YAML", file_name(lesson.title, ".yaml"), YAML, content
            ),
        )
        saved = (*saved, *([words(KEEPS_ALL, "note", key="my_file_note")] if unfinished else []))
    except InputError as fault:
        saved = (words(sentence(fault), "note", key="my_no_file"),)
    return (
        *(saved if lesson.cards else ()),
        controls.file(
            "my_open", "Open a lesson in place of this one", _opened, accept=".yaml,.yml,.json"
        ),
        controls.text(
            "my_learns",
            "What students learn",
            lesson.learns,
            partial(_about, "learns"),
            longest=500,
        ),
        controls.number(
            "my_minutes",
            "Minutes",
            lesson.minutes,
            partial(_about, "minutes"),
            controls.Range((1, 120)),
        ),
        button("my_anew", "Start over", lambda at: controls.closed(at.to(DraftLesson()))),
    )


def _opened(at: Writing, file: tuple[str, str]) -> Writing:
    name, content = file
    return controls.closed(at.to(draft_lesson.from_file(content.encode(), name)))


def _about(name: str, at: Writing, entry: Any) -> Writing:
    return at.to(replace(at.lesson, **{name: entry}))


def _cards(at: Writing) -> Control:
    lesson, k = at.lesson, at.lesson.chosen
    last = k + 1 == len(lesson.cards)
    new = (row(*_starts()), words("From a figure of the library", "title"), _figures())
    return box(
        component("my_cards", "table", lambda: _list(at).as_data(), choose=_choose),
        menu(at, "my_new", "+ New card", lambda: new, wide=True),
        row(
            button(
                "my_up", "Move up", lambda at: at.to(at.lesson.moved(-1)), icon="↑", disabled=k == 0
            ),
            button(
                "my_down",
                "Move down",
                lambda at: at.to(at.lesson.moved(1)),
                icon="↓",
                disabled=last,
            ),
            button(
                "my_twice", "Duplicate", lambda at: at.to(at.lesson.adding(lesson.card, at=k + 1))
            ),
            button("my_delete", "Delete", lambda at: at.to(at.lesson.with_card())),
        ),
        style="list",
    )


def _list(at: Writing) -> PanelTable:
    reasons = [draft_lesson.check_card(card).reason for card in at.lesson.cards]
    rows = []
    for k, (card, reason) in enumerate(zip(at.lesson.cards, reasons, strict=True)):
        title = Text(card.get("title") or "Without a title", says=reason)
        cells = (str(k + 1), title, UNFINISHED if reason else "")
        rows.append(Row(cells, key=str(k), chosen=k == at.lesson.chosen))
    note = f"{UNFINISHED} not finished" if any(reasons) else ""
    return PanelTable(
        "The cards", (Column("", "number"), Column("Card", "rest"), Column("")), tuple(rows), note
    )


def _choose(at: Writing, value: Mapping[str, Any]) -> Writing:
    keys = [str(k) for k in range(len(at.lesson.cards))]
    return at.choosing(keys.index(value["key"])) if value.get("key") in keys else at


def _starts() -> Controls:
    return (
        button("my_blank", "Blank", _blank, help="An empty drawing: one class to add to."),
        button(
            "my_here",
            "From the Explorer",
            lambda at: replace(controls.closed(at), wish="here"),
            help=HERE,
        ),
    )


def _blank(at: Writing) -> Writing:
    return controls.closed(at.adding(draft_lesson.blank_card())).ready().clicking(EDIT)


def _figures() -> Control:
    return component("my_figures", "figures", listed, choose=_from_figure)


def _from_figure(at: Writing, value: Mapping[str, Any]) -> Writing:
    key = value.get("key")
    if key not in figures():
        return at
    return controls.closed(at.adding(draft_lesson.card_of(figure(str(key)), OPENING)))


def _card(at: Writing) -> Control:
    card = at.lesson.card
    hidden = [name for name in HIDDEN if name in _hidden(at)]
    title, text = card.get("title", ""), card.get("text", "")
    return box(
        box(
            controls.text(
                "card_title", "Title of the card", title, _enter("title"), longest=LONGEST_TEXT
            ),
            *_fault(at, "title"),
            controls.text(
                "card_text", "Text", text, _enter("text"), lines=6, help=TEXT_HELP, longest=9_000
            ),
            *_fault(at, "text"),
            *_spoiler(at),
            *_as_read(at),
            style="texts",
        ),
        box(_drawing(at), _values(at), style="seen"),
        box(
            *_question(at),
            *_measures(
                "card_measures", VALUES, _own(card), _listed(card, "measures"), _enter("measures")
            ),
            *_fault(at, "measures"),
            words("Hidden until it is answered", "note"),
            controls.pills(
                "card_hidden", "Hidden", hidden, {name: name for name in HIDDEN}, _enter("hidden")
            ),
            *_fault(at, "hidden"),
            *(
                control
                for name in at.checked.faults
                if name not in SAID
                for control in _fault(at, name)
            ),
            row(button("my_try", "Try it as a student", partial(_wishing, "try"), primary=True)),
            style="asks",
        ),
        style="written",
    )


def _hidden(at: Writing) -> Collection[str]:
    """Return the hidden parts of the card: the author's choice, or the default of its question."""
    card, made = at.lesson.card, at.checked.card
    return made.hidden if made is not None and "hidden" not in card else _listed(card, "hidden")


def _enter(name: str) -> controls.Act:
    return lambda at, entry: at.entering(
        **{name: list(entry) if isinstance(entry, tuple) else entry}
    )


def _values(at: Writing) -> Control | None:
    """Return all values of the card's measures, including hidden ones."""
    card = at.checked.card
    if card is None or not card.measures:
        return None
    seen = replace(card, hidden=frozenset())
    return component("card_values", "table", lambda: values_of(NOBODY, seen, "").as_data())


def _fault(at: Writing, name: str) -> Controls:
    why = at.checked.faults.get(name)
    return (words(why, "error", key=f"card_{name}_wrong"),) if why else ()


def _spoiler(at: Writing) -> Controls:
    said = at.checked.spoiler
    return (words(said, "note", key="card_text_spoils"),) if said else ()


def _as_read(at: Writing) -> Controls:
    """Return the text with its computed values, if it differs from the typed text."""
    card, typed = at.checked.card, at.lesson.card.get("text", "")
    if card is None or "text" in at.checked.faults or not any(mark in typed for mark in "{*"):
        return ()
    text = [paragraph for paragraph in card_text(card) if paragraph.look == "text"]
    return (words("The text as students see it", "note"), prose("card_read", text))


def _own(card: Entries) -> list[str]:
    return [name.partition(":")[0].strip() for name in card.get("define", {})]


def _listed(entries: Entries, name: str) -> list[str]:
    """Words as in a file: one text, or a list."""
    return list(words_of(entries.get(name) or ()))


def _measures(
    key: str, label: str, own: list[str], chosen: list[str], act: controls.Act
) -> Controls:
    """Return a field for several measures, with buttons for common ones and a list for the rest."""
    near = list(dict.fromkeys([*chosen, *own, *CORE]))
    others = {
        name: f"{name}: {measure.name}" for name, measure in CATALOGUE.items() if name not in near
    }
    ordered = lambda at, found: act(
        at, [*(m for m in chosen if m in found), *(m for m in found if m not in chosen)]
    )
    return (
        words(label, "note"),
        controls.pills(key, label, chosen, {name: name for name in near}, ordered),
        choice(f"{key}_more", f"{label}: another", None, others, lambda at, m: act(at, [*chosen, m]), title=False,
               empty="another measure …"),
    )  # fmt: skip


def _question(at: Writing) -> Controls:
    """Return the kind of the card's question, and the fields of its entries."""
    kinds = {"": "nothing", **{key: ASKS.get(key, key) for key in KINDS}}
    asks = switch("card_kind", "Ask", at.kind, kinds, _choose_kind, title=True)
    if not at.kind:
        return (asks,)
    kind = KINDS[at.kind]
    parts = kind.Entry.form() | ({"answer": kind.example} if kind.example is not None else {})
    first, last = ([n for n in parts if (n in LAST) is side] for side in (False, True))
    fields = (control for name in first for control in _entry(at, name, parts[name]))
    answer = at.checked.answer
    told = (words(f"The answer: {answer}", key="card_answer"),) if answer else ()
    more = (control for name in last for control in _entry(at, name, parts[name]))
    return (asks, *fields, *_fault(at, "question"), *told, *more)


def _entry(at: Writing, name: str, asked: FormField) -> Controls:
    key, value = f"question_{name}", at.question.get(name, "")
    act: controls.Act = lambda at, entry: at.asking(**{name: entry})
    if at.kind == "click" and name == "set":
        return _set_field(at, asked.label)
    if asked.options:
        offered = {option: option for option in asked.options}
        return (switch(key, asked.label, value or asked.options[0], offered, act, title=True),)
    own = [*_own(at.lesson.card), *_listed(at.lesson.card, "measures")]
    if asked.names == "measures":
        return _measures(key, asked.label, own, _listed(at.question, name), act)
    if asked.names == "measure":
        known = dict.fromkeys([*([value] if value else []), *own, *CATALOGUE])
        said = {m: f"{m}: {CATALOGUE[m].name}" if m in CATALOGUE else m for m in known}
        return (choice(key, asked.label, value or None, said, act, empty="no measure"),)
    typed = value if isinstance(value, str) else " ".join(value)
    return (
        controls.text(
            key, asked.label, typed, act, placeholder=asked.example, longest=LONGEST_TEXT
        ),
    )


def _choose_kind(at: Writing, kind: str) -> Writing:
    """Return a new question with the old wording. Its subject begins with the card's measures."""
    if not kind:
        return at.entering(question=None)
    measures = _listed(at.lesson.card, "measures")
    question = {"kind": kind, **{name: at.question[name] for name in LAST if name in at.question}}
    for name, asked in KINDS[kind].Entry.form().items():
        if asked.names and measures:
            question[name] = measures if asked.names == "measures" else measures[0]
    return at.entering(question=question).ready()


def _drawing(at: Writing) -> Control:
    """Return the switch for clicks, the drawing, and the selection below it."""
    state = at.editor
    if state is None:
        return box(*_fault(at, "drawing"))
    modes = {**MARKS, EDIT: "✎ edit", **({ANSWER: "answer"} if at.kind else {})}
    views = {
        "": "the structure of the first measure",
        **{key: view.title for key, view in VIEWS.items()},
    }
    shown = _enter("view")
    return box(
        row(
            switch("click", "Click", state.click, modes, Writing.clicking, title=True),
            *_predictions(at, state),
        ),
        row(
            component("my_graph", "graph", partial(_graph, at, state, list(modes)), **HEARD),
            _lift(explorer_drawing.lines(state)) if state.drawing else None,
            style="drawing",
        ),
        *(() if state.click == ANSWER else map(_lift, explorer_drawing.fields(state))),
        choice(
            "card_view",
            "Drawn",
            at.lesson.card.get("view", ""),
            views,
            lambda at, key: shown(at, key or None),
        ),
        style="drawn",
    )


def _lift(control: Control) -> Control:
    """Adapt a control of the Explorer to the drawing of a card."""
    act = control.act
    made = replace(control, parts=tuple(map(_lift, control.parts)))
    if act is None:
        return made
    return replace(made, act=lambda at, entry: at.drawing(lambda state: act(state, entry)))


def _predictions(at: Writing, state: State) -> Controls:
    """Return the switch between two predictions, and the button that adds or drops the second."""
    if "second" not in at.lesson.card:
        about = "A copy of the first prediction, which you can change."
        return (button("card_second", "Add a second prediction", _with_second, help=about),)
    if state.click == ANSWER:
        return ()
    which = switch(
        "card_which", "Prediction", at.k, dict(enumerate(WHICH)), lambda at, k: replace(at, k=k)
    )
    return which, button("card_one", "Only one", lambda at: at.entering(second=None))


def _with_second(at: Writing) -> Writing:
    predicted = sorted(draft_lesson.draw_card(at.lesson.card).instances[0].predicted)
    return replace(at.entering(second={"predicted": predicted}), k=1)


def _gesture(kind: str, at: Writing, value: Mapping[str, Any]) -> Writing:
    if value.get("mode") == ANSWER:
        return at
    return at.drawing(lambda state: gestures.GRAPH[kind](state, value))


HEARD = {kind: partial(_gesture, kind) for kind in gestures.GRAPH}


def _set_field(at: Writing, label: str) -> Controls:
    """Return the field for the set in question. Each option shows its classes."""
    try:
        sets = list(named_sets(draft_lesson.draw_card(at.lesson.card).subject.cases[0]))
    except InputError:
        sets = []
    text = at.question.get("set", "")
    offered = {key: f"{said}: {named(classes)}" for key, said, classes in sets}
    if text:
        offered.setdefault(text, text)
    act: controls.Act = lambda at, key: at.asking(set=key, answer=[])
    return (choice("question_set", label, text, offered, act, empty="not chosen yet"),)


def _graph(at: Writing, state: State, modes: list[str]) -> dict[str, Any]:
    view = f"{at.lesson.chosen}|{state.click == ANSWER}|{bool(state.overlay.links)}"
    mode = {"mode": state.click, "modes": modes}
    if state.click != ANSWER:
        zoom = len(state.places.ids) > READABLE
        return explorer_drawing.graph(state, None, view=f"{view}|{at.k}", click=mode, zoom=zoom)
    card, asked = at.checked.card, at.checked.question
    answer = (
        AnswerState(verdict=asked.judge(asked.answer()), revealed=True)
        if asked is not None
        else AnswerState()
    )
    shown = CardDrawing(
        replace(card or draft_lesson.draw_card(at.lesson.card), question=asked), 0, view, answer
    )
    return {**shown.graph(state.view_state), "click": {**mode, "mode": "nothing", "sides": False}}


def draft_form() -> None:
    """Draw the screen on the page."""
    draft_lesson.keep()
    WRITING.set(WRITING.value.ready())
    mount(draw_form(WRITING.value, inbox.session_inbox()))


def _after(at: Writing, gesture: Gesture) -> Writing:
    """Return the state after a gesture. A request to the page is carried out in the same step."""
    if gesture.key == STORE:
        return at.told(gesture.value).ready()
    made = after(at.ready(), gesture.key, gesture.value)
    if made.wish in ("try", "present"):
        presenting = Presenting() if made.wish == "present" else None
        LEARN.set(_played(made.lesson, LEARN.value, presenting))
        return at
    if made.wish == "here":
        made = controls.attempted(made, "my_new", lambda at: at.with_shown(explorer()))
    return replace(made, wish="").ready()


inbox.MODELS[MODEL] = WRITING, _after


def _played(lesson: DraftLesson, at: Learn, presenting: Presenting | None) -> Learn:
    """Return the page with the current card as students see it, without answers."""
    answers = {
        key: answer for key, answer in at.player.answers.items() if not key.startswith(f"{DRAFT}/")
    }
    player = replace(at.player, answers=answers).going(
        DRAFT, draft_lesson.finish_lesson(lesson).place(lesson.chosen)
    )
    return replace(at, part="course", player=replace(player, presenting=presenting))
