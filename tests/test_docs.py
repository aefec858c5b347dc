"""The documentation that is made from the code is the code's."""

import pytest

from hiermeasures.docs import FOLDER, PAGES


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_what_the_catalogue_gives(name):
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name](), "run python -m hiermeasures.docs"
