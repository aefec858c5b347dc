"""Quizzes for learning platforms: exercises, or the questions of a lesson, with pictures, answers
and feedback, as Moodle XML, for the import of a question bank, and as a QTI 1.2 package with
Canvas' own entries ("Import course content, QTI .zip file" takes it).

What is asked of each question is decided once, as one of the types that platforms have; then a
format writes it down. Sets of classes are chosen from all classes, pairings from all pairs. An
instance that is to be made, and a question with several right answers of which one would do, are
left out, and told. Questions that stand for each other are a Moodle category, or a Canvas group, of
which each student gets one.
"""

import io
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hiermeasures.core.errors import InputError, listed
from hiermeasures.lessons.cards import Card, Lesson
from hiermeasures.lessons.kinds.value import Value, number_of
from hiermeasures.lessons.mistakes import MISTAKES
from hiermeasures.lessons.questions import Pair, Question
from hiermeasures.lessons.random_instances import in_order
from hiermeasures.lessons.sheets import Picture, Sheet, drawn, html_text, pictures, plain_text
from hiermeasures.lessons.values import plain
from hiermeasures.measures.catalogue import number
from hiermeasures.picture.svg import Image, svg

MOST_OPTIONS = 40  # to choose from
MOST_RIGHT = 20  # of them; Moodle has no smaller share than a twentieth
ROUNDING = 1e-9  # which a number may be wrong by besides its tolerance: 0.675 is not a float
LEFT_OVER = "left over"
LEGEND = "True classes are circled, predicted classes boxed."
Type = Literal["one", "several", "number"]
_HOW: dict[Type, str] = {"one": "", "several": "Choose all that are right.", "number": "Enter a decimal."}


@dataclass(frozen=True)
class Option:
    """An option; `feedback` is shown if it is chosen, "" for none."""

    words: str
    right: bool
    feedback: str = ""


@dataclass(frozen=True)
class QuizItem:
    """A question of a quiz. `text` are paragraphs before the question, `feedback` those after an
    answer, with the right one; `hint` may be shown before. Of a number there are `value` and
    `tolerance`, and in `options` wrong ones.
    """

    title: str
    type: Type
    words: str
    pictures: tuple[Picture, ...]
    feedback: tuple[str, ...]
    text: tuple[str, ...] = ()
    hint: str = ""
    options: tuple[Option, ...] = ()
    value: float = 0.0
    tolerance: float = 0.0

    @cached_property
    def images(self) -> tuple[Image, ...]:
        return tuple(svg(drawn(picture), ground="paper") for picture in self.pictures)

    def html(self, addresses: Sequence[str]) -> str:
        """Text, pictures and question as HTML; `addresses` are those of the pictures."""
        said = [_paragraphs(self.text)]
        for picture, image, address in zip(self.pictures, self.images, addresses, strict=True):
            size = f'width="{image.width:.0f}" height="{image.height:.0f}"'
            caption = f"{html_text(picture.caption)}. " if picture.caption else ""
            said += [
                f'<p><img src="{html_text(address)}" alt="{html_text(image.words)}" {size}></p>',
                f"<p>{caption}{html_text(picture.words)}</p>",
            ]
        how = _HOW[self.type] + (f" It may be wrong by {number(self.tolerance)}." if self.type == "number" else "")
        return "".join([*said, f"<p>{LEGEND}</p><p><b>{html_text(self.words)}</b></p>", _paragraphs([how])])


@dataclass(frozen=True)
class Quiz:
    """A quiz. Of a group's questions every student gets one; `left_out`: the missing, by reason."""

    title: str
    groups: tuple[tuple[QuizItem, ...], ...]
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def told(self) -> tuple[str, ...]:
        return tuple(f"{listed(names)}: {reason}" for reason, names in self.left_out.items())

    def numbered(self) -> Iterator[tuple[int, int, QuizItem]]:
        for k, group in enumerate(self.groups, 1):
            yield from ((k, n, item) for n, item in enumerate(group, 1))


def _paragraphs(texts: Iterable[str]) -> str:
    return "".join(f"<p>{html_text(text)}</p>" for text in texts if text)


def quiz_of_sheets(sheets: Sequence[Sheet]) -> Quiz:
    """Return the exercises of worksheets as a quiz; those of a number stand for each other.
    InputError where nothing is left of them.

    >>> from hiermeasures.lessons.exercises import ExerciseRequest
    >>> from hiermeasures.lessons.sheets import sheets
    >>> quiz = quiz_of_sheets(sheets(ExerciseRequest(kinds=("click", "make")), 1, number=2))
    >>> [item.type for (item,) in quiz.groups]
    ['several']
    >>> quiz.told
    ("'Exercise 2': an instance is to be made, which no quiz can ask",)
    """
    variants = [f", variant {sheet.variant}" if len(sheets) > 1 else "" for sheet in sheets]
    groups = zip(*(sheet.exercises for sheet in sheets), strict=True)
    named = (
        [(f"{one.entry.title}{which}", one.card, one.given) for which, one in zip(variants, group, strict=True)]
        for group in groups
    )
    return _quiz(sheets[0].title, named)


def quiz_of_lesson(lesson: Lesson) -> Quiz:
    """Return the questions of a lesson as a quiz, each after the text of its card; InputError where
    nothing is left of it.
    """
    return _quiz(lesson.title, ([(card.title, card, "")] for card in lesson.cards if card.question is not None))


def _quiz(title: str, groups: Iterable[Iterable[tuple[str, Card, str]]]) -> Quiz:
    """A quiz of cards in groups, each with its name and what has to be known."""
    made, left_out = [], dict[str, list[str]]()
    for group in groups:
        items = []
        for name, card, given in group:
            try:
                item = quiz_item(card)
                items.append(replace(item, title=name, text=(*item.text, given)))
            except InputError as reason:
                left_out.setdefault(str(reason), []).append(name)
        made += [tuple(items)] if items else []
    quiz = Quiz(title, tuple(made), left_out)
    if not made:
        raise InputError(f"there is nothing to ask in a quiz; {'; '.join(quiz.told) or 'no card has a question'}")
    return quiz


def quiz_item(card: Card) -> QuizItem:
    """Return the question of a card as it stands in a quiz; InputError where no quiz can ask it."""
    question = card.question
    if question is None:
        raise InputError("nothing is asked")
    if not question.unique:
        raise InputError("several answers are right, of which a quiz would take one")
    if card.hidden & {"true", "predicted"}:
        raise InputError("it hides classes, which a picture in a quiz would show")
    verdict = question.judge(question.answer())
    item = QuizItem(
        title=card.title,
        type="one",
        words=question.on_paper,
        pictures=pictures(question.instances),
        feedback=(f"The answer: {verdict.answer_words}", verdict.why, question.explain),
        text=tuple(plain(card.text).split("\n\n")),
        hint=question.hint(),
    )
    return _answered(item, question)


def _answered(item: QuizItem, question: Question) -> QuizItem:
    answer = question.answer()
    if isinstance(question, Value):
        item = replace(item, type="number", value=question.value, tolerance=question.tolerance)
        return replace(item, options=tuple(_mistaken(question)))
    if question.input == "choice" and isinstance(answer, str):
        options = []
        for key, words in question.choices():
            right, verdict = key in answer.split(), question.judge(question.read(key))
            options.append(Option(words, right, "" if right else verdict.thought or verdict.would_be))
        return _with_options(item, options)
    if question.input == "classes" and isinstance(answer, frozenset):
        h = next(i.hierarchy for i in question.instances if answer <= frozenset(i.hierarchy.nodes))
        options = [Option(label, label in answer) for label in h.nodes]
        return _with_options(replace(item, type="several"), options)
    if question.input == "pairs" and isinstance(answer, frozenset):
        x = question.instances[0]
        true, predicted = in_order(x.hierarchy, x.true), in_order(x.hierarchy, x.predicted)
        pairs = [*((p, t) for p in predicted for t in true), *((p, "") for p in predicted), *(("", t) for t in true)]
        item = replace(item, type="several", words=item.words.replace("Draw", "Give", 1))
        return _with_options(item, [Option(pair_words(pair), pair in answer) for pair in pairs])
    raise InputError("an instance is to be made, which no quiz can ask")


def _mistaken(question: Value) -> Iterator[Option]:
    """The values that come of mistakes, each with what a student may have thought."""
    met: list[float] = []
    for mistake in MISTAKES:
        with suppress(InputError):  # what it computes has no value here
            for given in mistake.answers(question):
                value = number_of(str(given))
                if all(abs(value - other) > 2 * question.tolerance for other in (question.value, *met)):
                    met.append(value)
                    yield Option(f"{value:.9g}", False, mistake.sentence)


def _with_options(item: QuizItem, options: Sequence[Option]) -> QuizItem:
    right = sum(option.right for option in options)
    if len(options) > MOST_OPTIONS or right > MOST_RIGHT:
        raise InputError(f"there are {len(options)} to choose from, {right} of them right; a quiz takes "
                         f"{MOST_OPTIONS} and {MOST_RIGHT} at most")  # fmt: skip
    return replace(item, type="several" if right > 1 else item.type, options=tuple(options))


def pair_words(pair: Pair) -> str:
    """Return a pair in words; a class in none is left over."""
    predicted, true = pair
    if predicted and true:
        return f"{predicted} with {true}"
    return f"{predicted} (predicted) {LEFT_OVER}" if predicted else f"{true} (true) {LEFT_OVER}"


_PENALTY = "0.3333333"  # of the mark, for each wrong try


def moodle_xml(quiz: Quiz) -> bytes:
    """Return a quiz as a Moodle XML file.

    Shares of several right choices add up to the whole mark, and wrong choices take as much away
    together, for Moodle has no choice of which all or nothing counts.
    """
    root = Element("quiz")
    pool = any(len(group) > 1 for group in quiz.groups)
    category = ""
    for k, _, item in quiz.numbered():
        wanted = f"{quiz.title}/Exercise {k}" if pool else quiz.title
        if wanted != category:
            _add(_add(root, "question", type="category"), "category/text", f"$course$/{plain_text(wanted)}")
            category = wanted
        _moodle_question(_add(root, "question", type="numerical" if item.type == "number" else "multichoice"), item)
    return _written(root)


def shares(number: int) -> tuple[str, ...]:
    """Return shares of the mark that Moodle knows, in percent, so that so many add up to all of it.

    >>> shares(3), shares(11)[8:], shares(30)[0]
    (('33.33333', '33.33333', '33.33333'), ('10', '5', '5'), '5')
    """
    if number <= 10:
        return (f"{100 / number:.5f}".rstrip("0").rstrip("."),) * number
    tens = max(0, 20 - number)
    return ("10",) * tens + ("5",) * (number - tens)


def _moodle_question(made: Element, item: QuizItem) -> None:
    _add(made, "name/text", plain_text(item.title))
    names = [f"picture-{k}.svg" for k in range(1, len(item.images) + 1)]
    text = _html(made, "questiontext", item.html([f"@@PLUGINFILE@@/{name}" for name in names]))
    for name, image in zip(names, item.images, strict=True):
        _add(text, "file", b64encode(image.svg.encode()).decode(), name=name, path="/", encoding="base64")
    _html(made, "generalfeedback", _paragraphs(item.feedback))
    _add_all(made, {"defaultgrade": "1", "penalty": _PENALTY, "hidden": "0"})
    (_moodle_number if item.type == "number" else _moodle_choice)(made, item)
    if item.hint:
        _html(made, "hint", _paragraphs([item.hint]))


def _moodle_choice(made: Element, item: QuizItem) -> None:
    single = item.type == "one"
    _add_all(made, {"single": str(single).lower(), "shuffleanswers": "false", "answernumbering": "abc"})
    right, wrong = ([o for o in item.options if o.right is side] for side in (True, False))
    plus, minus = iter(shares(len(right))), iter(shares(len(wrong)) if wrong else ())
    for option in item.options:
        share = next(plus) if option.right else "0" if single else f"-{next(minus)}"
        answer = _html(made, "answer", html_text(option.words), fraction=share)
        _html(answer, "feedback", _paragraphs([option.feedback]))


def _moodle_number(made: Element, item: QuizItem) -> None:
    wrong = ((option.words, "0", option.feedback) for option in item.options)
    for words, share, feedback in ((repr(item.value), "100", ""), *wrong):
        answer = _add(made, "answer", fraction=share, format="moodle_auto_format")
        _add_all(answer, {"text": words, "tolerance": repr(item.tolerance + ROUNDING)})
        _html(answer, "feedback", _paragraphs([feedback]))


def _html(parent: Element, name: str, content: str, **attributes: str) -> Element:
    """Append an element that holds HTML; the XML writer escapes it."""
    made = _add(parent, name, **attributes, format="html")
    _add(made, "text", content)
    return made


QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
MANIFEST = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
SETTINGS = "http://canvas.instructure.com/xsd/cccv1p0"
_NAME = "hiermeasures_quiz"
_QUIZ, _META = f"quiz/{_NAME}.xml", "quiz/assessment_meta.xml"
_CANVAS_TYPES = {
    "one": "multiple_choice_question",
    "several": "multiple_answers_question",
    "number": "numerical_question",
}
_RESPONSE = "response1"
_WHEN = (1980, 1, 1, 0, 0, 0)


def canvas_package(quiz: Quiz) -> bytes:
    images = {
        f"images/{_NAME}-{k}-{n}-{m}.svg": image.svg
        for k, n, item in quiz.numbered()
        for m, image in enumerate(item.images, 1)
    }
    files = {
        "imsmanifest.xml": _written(_canvas_manifest(images)),
        _QUIZ: _written(_canvas_assessment(quiz, list(images))),
        _META: _written(_canvas_settings(quiz)),
        **{name: text.encode() for name, text in images.items()},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _canvas_manifest(images: Iterable[str]) -> Element:
    root = Element("manifest", identifier=f"{_NAME}_manifest", xmlns=MANIFEST)
    _add_all(_add(root, "metadata"), {"schema": "IMS Content", "schemaversion": "1.1.3"})
    _add(root, "organizations")
    resources = _add(root, "resources")
    quiz = _add(resources, "resource", identifier=_NAME, type="imsqti_xmlv1p2")
    _add(quiz, "file", href=_QUIZ)
    _add(quiz, "dependency", identifierref=f"{_NAME}_meta")
    others = [(f"{_NAME}_meta", "associatedcontent/imscc_xmlv1p1/learning-application-resource", _META)]
    others += [(f"{_NAME}_image_{k}", "webcontent", name) for k, name in enumerate(images, 1)]
    for identifier, kind, name in others:
        _add(_add(resources, "resource", identifier=identifier, type=kind, href=name), "file", href=name)
    return root


def _canvas_settings(quiz: Quiz) -> Element:
    root = Element("quiz", identifier=_NAME, xmlns=SETTINGS)
    entries = {
        "title": plain_text(quiz.title),
        "description": "",
        "shuffle_answers": "false",
        "scoring_policy": "keep_highest",
        "quiz_type": "practice_quiz",
        "points_possible": f"{len(quiz.groups)}.0",
        "show_correct_answers": "true",
        "allowed_attempts": "-1",
        "one_question_at_a_time": "false",
        "available": "false",
    }
    _add_all(root, entries)
    return root


def _canvas_assessment(quiz: Quiz, images: list[str]) -> Element:
    root = Element("questestinterop", xmlns=QTI)
    made = _add(root, "assessment", ident=_NAME, title=plain_text(quiz.title))
    section = _add(made, "section", ident="root_section")
    addresses = iter(f"$IMS-CC-FILEBASE$/{name}" for name in images)
    for k, group in enumerate(quiz.groups, 1):
        place = section
        if len(group) > 1:  # of which each student gets one
            place = _add(section, "section", ident=f"group_{k}", title=f"Exercise {k}")
            selection = _add(place, "selection_ordering/selection")
            _add(selection, "selection_number", "1")
            _add(selection, "selection_extension/points_per_item", "1.0")
        for n, item in enumerate(group, 1):
            _canvas_item(place, item, f"question_{k}_{n}", [next(addresses) for _ in item.pictures])
    return root


def _canvas_item(parent: Element, item: QuizItem, ident: str, addresses: list[str]) -> None:
    made = _add(parent, "item", ident=ident, title=plain_text(item.title))
    fields = _add(made, "itemmetadata/qtimetadata")
    entries = {
        "question_type": _CANVAS_TYPES[item.type],
        "points_possible": "1.0",
        "assessment_question_identifierref": f"{ident}_ref",
    }
    for label, words in entries.items():
        _add_all(_add(fields, "qtimetadatafield"), {"fieldlabel": label, "fieldentry": words})
    presentation = _add(made, "presentation")
    _material(presentation, item.html(addresses))
    judged = _add(made, "resprocessing")
    _add(judged, "outcomes/decvar", maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal")
    feedback = {"general_fb": _paragraphs(item.feedback), "general_incorrect_fb": _paragraphs([item.hint])}
    if item.type != "number":  # of which Canvas tells nothing about single wrong values
        feedback |= {f"{key}_fb": _paragraphs([option.feedback]) for key, option in _keyed(item)}
    feedback = {name: text for name, text in feedback.items() if text}
    for name in feedback:  # a choice's is shown if it is chosen, any other always or after a wrong answer
        condition = _add(judged, "respcondition", **{"continue": "Yes"})
        if name.startswith("choice_"):
            _add(condition, "conditionvar/varequal", name.removesuffix("_fb"), respident=_RESPONSE)
        else:
            _add(condition, "conditionvar/other")
        _add(condition, "displayfeedback", feedbacktype="Response", linkrefid=name)
    (_canvas_number if item.type == "number" else _canvas_choice)(presentation, judged, item)
    for name, text in feedback.items():
        _material(_add(_add(made, "itemfeedback", ident=name), "flow_mat"), text)


def _keyed(item: QuizItem) -> list[tuple[str, Option]]:
    return [(f"choice_{k}", option) for k, option in enumerate(item.options, 1)]


def _right(judged: Element) -> Element:
    """Append the condition of a right answer, which is still to be filled in."""
    condition = _add(judged, "respcondition", **{"continue": "No"})
    variable = _add(condition, "conditionvar")
    _add(condition, "setvar", "100", action="Set", varname="SCORE")
    return variable


def _canvas_choice(presentation: Element, judged: Element, item: QuizItem) -> None:
    single = item.type == "one"
    response = _add(presentation, "response_lid", ident=_RESPONSE, rcardinality="Single" if single else "Multiple")
    offered, variable = _add(response, "render_choice"), _right(judged)
    place = variable if single else _add(variable, "and")
    for key, option in _keyed(item):
        _material(_add(offered, "response_label", ident=key), option.words, plain=True)
        if option.right or not single:
            _add(place if option.right else _add(place, "not"), "varequal", key, respident=_RESPONSE)


def _canvas_number(presentation: Element, judged: Element, item: QuizItem) -> None:
    response = _add(presentation, "response_str", ident=_RESPONSE, rcardinality="Single")
    _add(_add(response, "render_fib", fibtype="Decimal"), "response_label", ident="answer1")
    either, margin = _add(_right(judged), "or"), item.tolerance + ROUNDING
    _add(either, "varequal", repr(item.value), respident=_RESPONSE, margintype="absolute", margin=repr(margin))
    both = _add(either, "and")
    for name, bound in (("vargte", item.value - margin), ("varlte", item.value + margin)):
        _add(both, name, repr(bound), respident=_RESPONSE)


def _material(parent: Element, text: str, *, plain: bool = False) -> None:
    said = plain_text(text) if plain else text
    _add(parent, "material/mattext", said, texttype="text/plain" if plain else "text/html")


def _add(parent: Element, path: str, text: str | None = None, /, **attributes: str) -> Element:
    """Append an element, or one in another as in `name/text`; the last has text and attributes."""
    *outer, name = path.split("/")
    for around in outer:
        parent = SubElement(parent, around)
    made = SubElement(parent, name, attributes)
    made.text = text
    return made


def _add_all(parent: Element, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        _add(parent, name, text)


def _written(root: Element) -> bytes:
    indent(root)
    return bytes(tostring(root, encoding="UTF-8", xml_declaration=True))


QUIZ_FORMATS: Mapping[str, tuple[str, Callable[[Quiz], bytes]]] = {
    "moodle": ("moodle.xml", moodle_xml),
    "canvas": ("canvas.zip", canvas_package),
}
"""The file's name of each format, and what writes it."""


def quiz_files(quiz: Quiz, formats: Sequence[str] = tuple(QUIZ_FORMATS)) -> Iterator[tuple[str, bytes]]:
    for name, write in (QUIZ_FORMATS[key] for key in formats):
        yield name, write(quiz)
