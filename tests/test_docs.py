"""The parts of pages that are made from the code are there, and so are the files that pages name."""

import re

import pytest

from docs.make.generated import FOLDER, PARTS, fill_in
from hiermeasures import InputError

PROJECT = FOLDER.parent
NAMED = re.compile(r"`([\w./-]+/[\w./-]*|[\w-]+\.(?:py|js|yaml|toml|md))`")


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md", "README.md"])
def test_files_that_the_documentation_names_are_there(page):
    named = NAMED.findall((PROJECT / page).read_text(encoding="utf-8"))
    everywhere = {path.name for path in PROJECT.glob("hiermeasures/**/*.*")} | {"paper.yaml"}
    missing = [
        name
        for name in named
        if not name.startswith(".venv/")  # of the environment that README's command makes
        and not any(
            (place / name.rstrip("…/")).exists() for place in (PROJECT, PROJECT / "hiermeasures")
        )
        and name not in everywhere
        and not (PROJECT / "hiermeasures" / "read" / name).exists()
    ]
    assert missing == []


def test_each_part_that_is_made_stands_on_one_page():
    pages = "".join(page.read_text(encoding="utf-8") for page in FOLDER.rglob("*.md"))
    assert sorted(re.findall("<!-- made: (.*) -->", pages)) == sorted(PARTS)


def test_a_page_that_asks_for_an_unknown_part_is_refused_with_the_nearest_name():
    with pytest.raises(InputError, match=r"'lesons'.*'lessons'"):
        fill_in("course.md", "<!-- made: lesons -->")
