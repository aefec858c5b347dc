"""The documentation that is made from the code is the code's."""

import re

import pytest

from docs.make.generated import FOLDER, PAGES

# a minute of searching, half a minute of checking, seconds
SEARCHED = {"behaviour.md", "claims.md", "protocols.md"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in SEARCHED)) for name in sorted(PAGES)],
)
def test_the_page_is_what_the_catalogue_gives(name):
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name](), (
        "run python -m docs.make.generated"
    )


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
