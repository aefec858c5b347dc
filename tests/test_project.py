"""The project's own files: one version, a citation of the papers it checks, a changelog in order,
forms for reports, and data files that every machine can read.
"""

import json
import re
from pathlib import Path

import pytest
import yaml

import hiermeasures
from hiermeasures.cli import parser
from hiermeasures.verify import load_cases

PROJECT = Path(__file__).resolve().parents[1]


def text(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def citation() -> dict:
    return yaml.load(text("CITATION.cff"), Loader=yaml.BaseLoader)  # every value as it is written


def releases() -> list[tuple[str, str]]:
    """The versions of the changelog with their days, as they follow each other."""
    return re.findall(
        r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", text("CHANGELOG.md"), re.MULTILINE
    )


# --- citation -----------------------------------------------------------------------------------


def test_the_citation_names_this_version_and_its_day(citation: dict) -> None:
    assert citation["version"] == hiermeasures.__version__
    assert releases()[0] == (citation["version"], citation["date-released"])
    assert citation["license"] == "MIT"


def test_the_citation_refers_to_every_paper_that_is_checked(citation: dict) -> None:
    def people(paper: dict) -> str:
        return ", ".join(
            f"{author['given-names']} {author['family-names']}" for author in paper["authors"]
        )

    cited = {(p["title"], people(p), p["year"], p["url"]) for p in citation["references"]}
    assert cited == {
        (p.title, p.authors, str(p.year), p.url) for p in load_cases() if p.kind == "paper"
    }


def test_the_archives_record_says_what_the_citation_says(citation: dict) -> None:
    record = json.loads(text(".zenodo.json"))
    assert record["title"] == citation["title"]
    assert record["description"] == f"<p>{citation['abstract'].strip()}</p>"
    assert [person["name"] for person in record["creators"]] == [
        person["name"] for person in citation["authors"]
    ]
    assert record["keywords"] == citation["keywords"]
    assert [paper["identifier"] for paper in record["related_identifiers"]] == [
        p["url"] for p in citation["references"]
    ]


# --- deprecation and workflows ------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", sorted((PROJECT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem
)
def test_a_workflow_may_only_read_and_uses_commits_of_others(path: Path) -> None:
    words = path.read_text(encoding="utf-8")
    workflow = yaml.load(words, Loader=yaml.BaseLoader)
    assert workflow["permissions"] == {"contents": "read"}
    uses = re.findall(r"uses: (.*)", words)
    assert [
        use for use in uses if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use)
    ] == []
    writing = [job for job in workflow["jobs"].values() if "permissions" in job]
    assert all(
        "environment" in job and not any("run" in step for step in job["steps"]) for job in writing
    )


# --- forms for reports --------------------------------------------------------------------------

FORMS = [
    path
    for path in sorted((PROJECT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    if path.stem != "config"
]


@pytest.mark.parametrize("path", [*FORMS, PROJECT / "CONTRIBUTING.md"], ids=lambda path: path.stem)
def test_the_commands_that_are_named_exist(path: Path) -> None:
    words = path.read_text(encoding="utf-8").replace("python -m hiermeasures", "hiermeasures")
    named = set(re.findall(r"`(?:\S*/)?hiermeasures (\w[\w-]*)", words))
    assert named
    assert named <= set(re.findall(r"^ {4}(\w+)", parser().format_help(), re.MULTILINE))


# --- data files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["hiermeasures", "cases"])
def test_yaml_is_the_same_without_the_parser_in_c(folder: str) -> None:
    """PyYAML brings libyaml's parser on most machines only, and its own one is stricter."""
    files = sorted((PROJECT / folder).rglob("*.yaml"))
    assert files
    for file in files:
        content = text(str(file.relative_to(PROJECT)))
        by_c = yaml.load(content, Loader=yaml.CSafeLoader)
        assert yaml.load(content, Loader=yaml.SafeLoader) == by_c, file
