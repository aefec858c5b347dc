"""What the project says of itself: one version, a citation of the papers it checks, a changelog in order, and forms
for reports.
"""

import re
from datetime import date
from pathlib import Path

import pytest
import yaml

import hiermeasures
from hiermeasures.cases import load_cases
from hiermeasures.cli import parser

PROJECT = Path(__file__).resolve().parents[1]
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def text(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def citation() -> dict:
    return yaml.load(text("CITATION.cff"), Loader=yaml.BaseLoader)  # every value as it is written


def releases() -> list[tuple[str, str]]:
    """The versions of the changelog with their days, as they follow each other."""
    return re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", text("CHANGELOG.md"), re.MULTILINE)


# --- citation -----------------------------------------------------------------------------------------------------


def test_the_citation_is_complete_for_its_format(citation: dict) -> None:
    # What Citation File Format 1.2.0 requires, and the fields that it knows of those used here.
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(citation)
    known = {"cff-version", "message", "type", "title", "abstract", "authors", "version", "date-released", "license"}
    assert set(citation) <= known | {"keywords", "references"}
    assert citation["type"] == "software"
    assert all(set(author) == {"name"} for author in citation["authors"])
    fields = {"type", "title", "authors", "year", "journal", "collection-title", "url"}
    for paper in citation["references"]:
        assert {"type", "title", "authors"} <= set(paper) <= fields
        assert paper["type"] in {"article", "conference-paper"}
        assert all(set(author) == {"given-names", "family-names"} for author in paper["authors"])


def test_the_citation_names_this_version_and_its_day(citation: dict) -> None:
    assert citation["version"] == hiermeasures.__version__
    assert releases()[0] == (citation["version"], citation["date-released"])
    assert citation["license"] == "MIT"


def test_the_citation_refers_to_every_paper_that_is_checked(citation: dict) -> None:
    def people(paper: dict) -> str:
        return ", ".join(f"{author['given-names']} {author['family-names']}" for author in paper["authors"])

    cited = {(p["title"], people(p), p["year"], p["url"]) for p in citation["references"]}
    assert cited == {(p.title, p.authors, str(p.year), p.url) for p in load_cases() if p.kind == "paper"}


def test_the_wheel_that_the_page_installs_is_of_this_version() -> None:
    assert set(re.findall(r"hiermeasures-(\d[\d.]*\d)-py3", text("docs/how-to/install.md"))) == {hiermeasures.__version__}


# --- changelog ----------------------------------------------------------------------------------------------------


def test_the_changelog_has_what_is_not_released_and_then_the_newest_version_first() -> None:
    headings = re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    found = releases()
    assert len(found) == len(headings) - 1
    numbers = [tuple(map(int, version.split("."))) for version, _ in found]
    assert numbers == sorted(numbers, reverse=True)
    days = [date.fromisoformat(day) for _, day in found]
    assert days == sorted(days, reverse=True)


def test_the_changelog_knows_the_usual_kinds_of_change_each_once_in_a_version() -> None:
    for section in re.split(r"^## ", text("CHANGELOG.md"), flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.*)$", section, re.MULTILINE)
        assert set(kinds) <= KINDS
        assert len(kinds) == len(set(kinds))
        # Nothing stands outside of a kind.
        assert not re.match(r".*\n(?:\s*\n)*- ", section)


# --- forms for reports --------------------------------------------------------------------------------------------

FORMS = [path for path in sorted((PROJECT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) if path.stem != "config"]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_for_what_a_report_needs(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(form) == {"name", "description", "labels", "body"}
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids))
    assert all(field["type"] in {"input", "textarea"} and field["attributes"]["label"] for field in form["body"])
    assert any(field.get("validations", {}).get("required") for field in form["body"])


def test_there_is_a_form_for_bugs_for_published_numbers_and_for_measures() -> None:
    assert [path.stem for path in FORMS] == ["bug", "new-measure", "published-number"]
    (info,) = (f for f in yaml.safe_load(text(".github/ISSUE_TEMPLATE/bug.yml"))["body"] if f["id"] == "info")
    assert "`hiermeasures info`" in info["attributes"]["label"]
    assert info["validations"]["required"]


@pytest.mark.parametrize("path", [*FORMS, PROJECT / "CONTRIBUTING.md"], ids=lambda path: path.stem)
def test_the_commands_that_are_named_exist(path: Path) -> None:
    words = path.read_text(encoding="utf-8").replace("python -m hiermeasures", "hiermeasures")
    named = set(re.findall(r"`(?:\S*/)?hiermeasures (\w[\w-]*)", words))
    assert named
    assert named <= set(re.findall(r"^ {4}(\w+)", parser().format_help(), re.MULTILINE))
