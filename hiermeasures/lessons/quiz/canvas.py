"""A quiz as a QTI 1.2 package with Canvas' own entries: a zip file with a manifest, the assessment,
its settings, and the pictures. "Import course content, QTI .zip file" takes it.

Questions that stand for each other are a group of which each student gets one.
"""

import io
import zipfile
from collections.abc import Iterable, Mapping
from xml.etree.ElementTree import Element, SubElement

from hiermeasures.lessons.quiz.items import ROUNDING, Option, Quiz, QuizItem, paragraphs, written
from hiermeasures.lessons.sheets import plain_text

QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
MANIFEST = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
SETTINGS = "http://canvas.instructure.com/xsd/cccv1p0"
_FOLDER, _NAME = "quiz", "hiermeasures_quiz"
_TYPES = {
    "one": "multiple_choice_question",
    "several": "multiple_answers_question",
    "number": "numerical_question",
    "match": "matching_question",
}
_RESPONSE = "response1"
_WHEN = (1980, 1, 1, 0, 0, 0)


def canvas_package(quiz: Quiz) -> bytes:
    """Return a quiz as the bytes of a zip file that Canvas imports; equal quizzes give equal bytes."""
    images = {
        f"images/{_NAME}-{k}-{n}-{m}.svg": image.svg
        for k, n, item in quiz.numbered()
        for m, image in enumerate(item.images, 1)
    }
    files = {
        "imsmanifest.xml": written(_manifest(images)),
        f"{_FOLDER}/{_NAME}.xml": written(_assessment(quiz, list(images))),
        f"{_FOLDER}/assessment_meta.xml": written(_settings(quiz)),
        **{name: text.encode() for name, text in images.items()},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _with(parent: Element, entries: Mapping[str, str]) -> None:
    for name, words in entries.items():
        SubElement(parent, name).text = words


# --- the files ------------------------------------------------------------------------------------


def _manifest(images: Iterable[str]) -> Element:
    root = Element("manifest", identifier=f"{_NAME}_manifest", xmlns=MANIFEST)
    _with(SubElement(root, "metadata"), {"schema": "IMS Content", "schemaversion": "1.1.3"})
    SubElement(root, "organizations")
    resources = SubElement(root, "resources")
    quiz = SubElement(resources, "resource", identifier=_NAME, type="imsqti_xmlv1p2")
    SubElement(quiz, "file", href=f"{_FOLDER}/{_NAME}.xml")
    SubElement(quiz, "dependency", identifierref=f"{_NAME}_meta")
    settings = f"{_FOLDER}/assessment_meta.xml"
    kind = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
    others = [(f"{_NAME}_meta", kind, settings)]
    others += [(f"{_NAME}_image_{k}", "webcontent", name) for k, name in enumerate(images, 1)]
    for identifier, kind, name in others:
        made = SubElement(resources, "resource", identifier=identifier, type=kind, href=name)
        SubElement(made, "file", href=name)
    return root


def _settings(quiz: Quiz) -> Element:
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
    _with(root, entries)
    return root


def _assessment(quiz: Quiz, images: list[str]) -> Element:
    root = Element("questestinterop", xmlns=QTI)
    made = SubElement(root, "assessment", ident=_NAME, title=plain_text(quiz.title))
    section = SubElement(made, "section", ident="root_section")
    addresses = iter(f"$IMS-CC-FILEBASE$/{name}" for name in images)
    for k, group in enumerate(quiz.groups, 1):
        place = section if len(group) == 1 else _group(section, k)
        for n, item in enumerate(group, 1):
            _item(place, item, f"question_{k}_{n}", [next(addresses) for _ in item.pictures])
    return root


def _group(section: Element, number: int) -> Element:
    made = SubElement(section, "section", ident=f"group_{number}", title=f"Exercise {number}")
    selection = SubElement(SubElement(made, "selection_ordering"), "selection")
    SubElement(selection, "selection_number").text = "1"
    SubElement(SubElement(selection, "selection_extension"), "points_per_item").text = "1.0"
    return made


# --- a question -----------------------------------------------------------------------------------


def _item(parent: Element, item: QuizItem, ident: str, addresses: list[str]) -> None:
    made = SubElement(parent, "item", ident=ident, title=plain_text(item.title))
    fields = SubElement(SubElement(made, "itemmetadata"), "qtimetadata")
    entries = {
        "question_type": _TYPES[item.type],
        "points_possible": "1.0",
        "assessment_question_identifierref": f"{ident}_ref",
    }
    for label, words in entries.items():
        _with(SubElement(fields, "qtimetadatafield"), {"fieldlabel": label, "fieldentry": words})
    presentation = SubElement(made, "presentation")
    _material(presentation, item.html(addresses))
    judged = SubElement(made, "resprocessing")
    score = {"maxvalue": "100", "minvalue": "0", "varname": "SCORE", "vartype": "Decimal"}
    SubElement(SubElement(judged, "outcomes"), "decvar", score)
    feedback = {"general_fb": paragraphs(item.feedback), "general_incorrect_fb": paragraphs([item.hint])}
    if item.type != "number":  # of which Canvas tells nothing about single wrong values
        feedback |= {f"{key}_fb": paragraphs([option.feedback]) for key, option in _keyed(item)}
    feedback = {name: text for name, text in feedback.items() if text}
    for name in feedback:
        _told(judged, name)
    {"number": _number, "match": _matching}.get(item.type, _choice)(presentation, judged, item)
    for name, text in feedback.items():
        _material(SubElement(SubElement(made, "itemfeedback", ident=name), "flow_mat"), text)


def _keyed(item: QuizItem) -> list[tuple[str, Option]]:
    return [(f"choice_{k}", option) for k, option in enumerate(item.options, 1)]


def _told(judged: Element, name: str) -> None:
    """Show feedback: a choice's if it is chosen, any other always or after a wrong answer."""
    condition = SubElement(judged, "respcondition", {"continue": "Yes"})
    variable = SubElement(condition, "conditionvar")
    if name.startswith("choice_"):
        SubElement(variable, "varequal", respident=_RESPONSE).text = name.removesuffix("_fb")
    else:
        SubElement(variable, "other")
    SubElement(condition, "displayfeedback", feedbacktype="Response", linkrefid=name)


def _right(judged: Element, action: str = "Set", score: str = "100") -> Element:
    """The condition of a right answer, which is still to be filled in."""
    condition = SubElement(judged, "respcondition", {"continue": "No"} if action == "Set" else {})
    variable = SubElement(condition, "conditionvar")
    SubElement(condition, "setvar", action=action, varname="SCORE").text = score
    return variable


def _choice(presentation: Element, judged: Element, item: QuizItem) -> None:
    single = item.type == "one"
    _labels(presentation, item, _RESPONSE, "Single" if single else "Multiple")
    variable = _right(judged)
    place = variable if single else SubElement(variable, "and")
    for key, option in _keyed(item):
        if option.right or not single:
            inside = place if option.right else SubElement(place, "not")
            SubElement(inside, "varequal", respident=_RESPONSE).text = key


def _labels(presentation: Element, item: QuizItem, ident: str, cardinality: str, stem: str = "") -> None:
    response = SubElement(presentation, "response_lid", ident=ident, rcardinality=cardinality)
    if stem:
        _material(response, stem, plain=True)
    offered = SubElement(response, "render_choice")
    for key, option in _keyed(item):
        _material(SubElement(offered, "response_label", ident=key), option.words, plain=True)


def _matching(presentation: Element, judged: Element, item: QuizItem) -> None:
    keys = {option.words: key for key, option in _keyed(item)}
    for k, (stem, partner) in enumerate(item.pairs, 1):
        _labels(presentation, item, f"response_{k}", "Single", stem)
        variable = _right(judged, "Add", f"{100 / len(item.pairs):.2f}")
        SubElement(variable, "varequal", respident=f"response_{k}").text = keys[partner]


def _number(presentation: Element, judged: Element, item: QuizItem) -> None:
    response = SubElement(presentation, "response_str", ident=_RESPONSE, rcardinality="Single")
    SubElement(SubElement(response, "render_fib", fibtype="Decimal"), "response_label", ident="answer1")
    either, margin = SubElement(_right(judged), "or"), item.tolerance + ROUNDING
    exact = SubElement(either, "varequal", respident=_RESPONSE, margintype="absolute", margin=repr(margin))
    exact.text = repr(item.value)
    both = SubElement(either, "and")
    for name, bound in (("vargte", item.value - margin), ("varlte", item.value + margin)):
        SubElement(both, name, respident=_RESPONSE).text = repr(bound)


def _material(parent: Element, text: str, *, plain: bool = False) -> None:
    kind = "text/plain" if plain else "text/html"
    found = SubElement(SubElement(parent, "material"), "mattext", texttype=kind)
    found.text = plain_text(text) if plain else text
