"""A quiz as Moodle XML, for the import of a question bank. Pictures travel inside of the file.

Questions that stand for each other are in a category of their own, from which a Moodle quiz draws
at random.
"""

from base64 import b64encode
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from hiermeasures.lessons.quiz.items import ROUNDING, Quiz, QuizItem, paragraphs, written
from hiermeasures.lessons.sheets import html_text, plain_text

_TYPES = {"one": "multichoice", "several": "multichoice", "number": "numerical", "match": "matching"}
_PENALTY = "0.3333333"  # of the mark, for each wrong try


def moodle_xml(quiz: Quiz) -> bytes:
    """Return a quiz as a Moodle XML file.

    Shares of several right choices add up to the whole mark, and wrong choices take as much away
    together, for Moodle has no choice of which all or nothing counts.
    """
    root = Element("quiz")
    pool = any(len(group) > 1 for group in quiz.groups)
    category = ""
    for number, _, item in quiz.numbered():
        wanted = f"{quiz.title}/Exercise {number}" if pool else quiz.title
        if wanted != category:
            _category(root, wanted)
            category = wanted
        _question(root, item)
    return written(root)


def shares(number: int) -> tuple[str, ...]:
    """Return shares of the mark that Moodle knows, in percent, so that so many add up to all of it.

    >>> shares(3), shares(11)[8:], shares(30)[0]
    (('33.33333', '33.33333', '33.33333'), ('10', '5', '5'), '5')
    """
    if number <= 10:
        return (f"{100 / number:.5f}".rstrip("0").rstrip("."),) * number
    tens = max(0, 20 - number)
    return ("10",) * tens + ("5",) * (number - tens)


def _category(root: Element, name: str) -> None:
    found = SubElement(SubElement(root, "question", type="category"), "category")
    SubElement(found, "text").text = f"$course$/{plain_text(name)}"


def _question(root: Element, item: QuizItem) -> None:
    made = SubElement(root, "question", type=_TYPES[item.type])
    SubElement(SubElement(made, "name"), "text").text = plain_text(item.title)
    names = [f"picture-{k}.svg" for k in range(1, len(item.images) + 1)]
    text = _html(made, "questiontext", item.html([f"@@PLUGINFILE@@/{name}" for name in names]))
    for name, image in zip(names, item.images, strict=True):
        file = SubElement(text, "file", name=name, path="/", encoding="base64")
        file.text = b64encode(image.svg.encode()).decode()
    _html(made, "generalfeedback", paragraphs(item.feedback))
    for name, words in (("defaultgrade", "1"), ("penalty", _PENALTY), ("hidden", "0")):
        SubElement(made, name).text = words
    {"number": _number, "match": _matching}.get(item.type, _choice)(made, item)
    if item.hint:
        _html(made, "hint", paragraphs([item.hint]))


def _choice(made: Element, item: QuizItem) -> None:
    single = item.type == "one"
    for name, words in (("single", str(single).lower()), ("shuffleanswers", "false"), ("answernumbering", "abc")):
        SubElement(made, name).text = words
    right, wrong = ([o for o in item.options if o.right is side] for side in (True, False))
    plus, minus = iter(shares(len(right))), iter(shares(len(wrong)) if wrong else ())
    for option in item.options:
        share = next(plus) if option.right else "0" if single else f"-{next(minus)}"
        answer = _html(made, "answer", html_text(option.words), fraction=share)
        _html(answer, "feedback", paragraphs([option.feedback]))


def _number(made: Element, item: QuizItem) -> None:
    wrong = ((option.words, "0", option.feedback) for option in item.options)
    for words, share, feedback in ((repr(item.value), "100", ""), *wrong):
        answer = SubElement(made, "answer", fraction=share, format="moodle_auto_format")
        SubElement(answer, "text").text = words
        SubElement(answer, "tolerance").text = repr(item.tolerance + ROUNDING)
        _html(answer, "feedback", paragraphs([feedback]))


def _matching(made: Element, item: QuizItem) -> None:
    SubElement(made, "shuffleanswers").text = "true"
    partners = dict(item.pairs)
    others: Sequence[str] = [o.words for o in item.options if o.words not in partners.values()]
    for stem, partner in (*item.pairs, *(("", other) for other in others)):
        found = _html(made, "subquestion", html_text(stem))
        SubElement(SubElement(found, "answer"), "text").text = html_text(partner)


def _html(parent: Element, name: str, content: str, **attributes: str) -> Element:
    """An element that holds HTML; the XML writer escapes it."""
    made = SubElement(parent, name, {**attributes, "format": "html"})
    SubElement(made, "text").text = content
    return made
