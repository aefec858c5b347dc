"""The bibliography: complete entries, each cited name an entry, what was read said of each."""

import re
from pathlib import Path

import pytest

from docs.make.generated import FOLDER
from hiermeasures.cases.library import own_cases
from hiermeasures.core.errors import InputError
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import READ, cited, references, works_in
from hiermeasures.measures.weighted import other_names

WORKS = references()
PROJECT = FOLDER.parent
CITED = re.compile(r"\b([A-Z][\w-]+(?: et al\.| and [A-Z][\w-]+)) ((?:19|20)\d\d)\b")


def test_every_entry_says_what_was_read_and_has_a_name_of_its_own():
    assert {work.read for work in WORKS.values()} == set(READ)
    assert len({work.short for work in WORKS.values()}) == len(WORKS)
    assert list(WORKS) == sorted(WORKS)
    assert all(work.title and work.published and work.key.endswith(str(work.year)) for work in WORKS.values())


def test_the_papers_of_the_cases_were_read_whole():
    papers = {paper.key: paper for paper in own_cases().papers if paper.key in WORKS}
    assert {key for key, work in WORKS.items() if work.read == "whole"} == set(papers)
    assert all(WORKS[key].title == paper.title for key, paper in papers.items())


def test_a_name_has_two_authors_or_et_al():
    assert cited("@amigo2022; @lin1998; @piovesan2024") == "Amigó and Delgado 2022; Lin 1998; Piovesan et al. 2024"


def test_an_unknown_key_is_named_with_the_nearest():
    with pytest.raises(InputError, match=r"'plaud2026'.*'plaud202[45]'"):
        cited("@plaud2026")


def test_each_source_of_the_catalogue_is_a_work_or_a_program():
    sources = [*(m.source for m in CATALOGUE.values()), *(name.source for name in other_names())]
    assert [s for s in sources if not list(works_in(s)) and not re.search("scikit-learn|Cellarium", s)] == []


def _pages() -> list[Path]:
    pages = [page for page in FOLDER.rglob("*.md") if page.name != "errata.md"]
    return [*pages, *(PROJECT / "hiermeasures").rglob("*.py"), *(PROJECT / "cases" / "lessons").glob("*.yaml")]


def test_what_is_cited_in_words_is_in_the_bibliography():
    names = {work.short for work in WORKS.values()} | {"Neunteufel and Hemberg 2023"}  # the end of a list of names
    found = {f"{a} {b}": p.name for p in _pages() for a, b in CITED.findall(" ".join(p.read_text("utf-8").split()))}
    assert len(found) > 20
    assert {name: page for name, page in found.items() if name not in names} == {}


def test_every_link_to_a_work_leads_to_its_entry():
    links = {
        key for page in FOLDER.rglob("*.md") for key in re.findall(r"references\.md#(\w+)", page.read_text("utf-8"))
    }
    assert len(links) > 20
    assert links <= set(WORKS)
    assert all(f'<a id="{key}">' in (FOLDER / "references.md").read_text("utf-8") for key in links)
