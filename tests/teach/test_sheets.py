"""Sheets: what stands on worksheets and solutions, and that no label acts as markup or as a
command.
"""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hiermeasures.teach import KINDS
from hiermeasures.teach.cards import CardEntry
from hiermeasures.teach.exercises import Exercise, ExerciseRequest
from hiermeasures.teach.sheets import Sheet, sheet_files, sheets, solution
from tests.latex import NASTY, compiled, parsed

FORMATS = ("tex", "html")
VOID = {"meta", "br", "img"}
ELEMENTS = {
    *(
        "html head meta title style body main header h1 h2 b i span p br section div ul li figure "
        "figcaption".split()
    ),
    *("svg g rect path text".split()),
}


class Markup(HTMLParser):
    """The text of some HTML, its elements, which have to be closed in order, and their attributes."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        assert not any(
            name.startswith("on") or (value or "").startswith("javascript") for name, value in attrs
        )
        self.open += [tag] if tag not in VOID else []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"


@pytest.fixture(scope="module")
def made() -> tuple[Sheet, ...]:
    return sheets(ExerciseRequest(), 7, 6, 2)


@pytest.fixture(scope="module")
def files(made: tuple[Sheet, ...]) -> dict[str, str]:
    return dict(sheet_files(made, FORMATS))


def hostile() -> Iterator[Exercise]:
    """Exercises whose classes, and whose title, are called as badly as can be."""
    names = ["root", *dict.fromkeys(name.strip() or "blank" for name in NASTY)]
    edges = [f"{names[0]}>{name}" for name in names[1:] if ">" not in name]
    for kind, asked in (
        ("value", {"value": "hF"}),
        ("click", {"set": "augmented(true)"}),
        ("pair", {"measure": "GIE"}),
    ):
        entry = {
            "title": "x",
            "hierarchy": edges,
            "true": names[1:3],
            "predicted": names[2:4],
            "measures": ["hF"],
        }
        yield Exercise(CardEntry.model_validate({**entry, "question": {"kind": kind, **asked}}))


@pytest.fixture(scope="module")
def hostile_files() -> dict[str, str]:
    return dict(sheet_files([Sheet(" ".join(NASTY), 1, 1, 1, tuple(hostile()))], FORMATS))


def test_every_variant_has_all_its_questions_and_the_solutions_all_answers(
    made: tuple[Sheet, ...], files: dict[str, str]
) -> None:
    for name in ("worksheets.html", "solutions.html"):
        page = Markup(files[name])
        assert page.elements.count("main") == 2
        assert page.elements.count("section") == 12
    texts = Markup(files["solutions.html"]).text
    for sheet in made:
        assert f"Variant {sheet.variant} of 2, seed 7" in texts
        for exercise in sheet.exercises:
            assert f"Answer: {solution(exercise).answer}" in texts
            assert solution(exercise).why in texts
    assert files["solutions.tex"].count("Answer:") == 12
    assert files["variant-01.tex"].count(r"\hmheading ") == 6


def test_a_worksheet_says_what_is_asked_and_not_what_the_answer_is(
    made: tuple[Sheet, ...], files: dict[str, str]
) -> None:
    texts = Markup(files["worksheets.html"]).text
    assert "Answer" not in texts
    assert "Click" not in texts
    for sheet in made:
        for exercise in sheet.exercises:
            if exercise.question.kind != "click":
                assert exercise.question.words in texts
            assert solution(exercise).why not in texts


def test_the_page_loads_nothing_and_runs_nothing(hostile_files: dict[str, str]) -> None:
    for name in ("worksheets.html", "solutions.html"):
        source = hostile_files[name]
        page = Markup(source)
        assert set(page.elements) <= ELEMENTS
        assert "default-src 'none'" in source
        assert "href" not in source
        assert "src=" not in source
        assert "url(" not in source


def test_labels_are_text(hostile_files: dict[str, str]) -> None:
    text = Markup(hostile_files["solutions.html"]).text
    assert all(
        label in text for label in (r"\input{/etc/passwd}", "50% & more_or#less", "a^b~c{d}$e$")
    )
    assert "\u202e" not in hostile_files["solutions.html"]
    for name in ("variant-01.tex", "solutions.tex"):
        _, _, body = hostile_files[name].partition(r"\begin{document}")
        assert r"\input{/etc" not in body
        parsed(rf"\begin{{document}}{body}")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_worksheet_and_solutions_compile(kind: str, tmp_path: Path) -> None:
    found = sheets(ExerciseRequest(kinds=(kind,), classes=10, dag=True, labels=3), 3, 4, 1)
    for text in dict(sheet_files(found, ["tex"])).values():
        said = compiled(text, tmp_path)
        assert "Overfull" not in said
        assert "LaTeX Warning" not in said.replace("LaTeX Warning: Label(s) may have changed", "")


@pytest.mark.slow
def test_sheets_compile_whatever_classes_are_called(
    hostile_files: dict[str, str], tmp_path: Path
) -> None:
    for name in ("variant-01.tex", "solutions.tex"):
        compiled(hostile_files[name], tmp_path)
