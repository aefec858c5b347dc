"""The page about public servers says the bounds that the code has."""

import re
from pathlib import Path

import pytest
from streamlit import config

from hiermeasures.app import kept_models, server
from hiermeasures.app.learn import classroom
from hiermeasures.app.learn.practice import MOST_TOGETHER
from hiermeasures.debug.search import MOST_DAG, MOST_TREE
from hiermeasures.draw.layout import MOST_DRAWN
from hiermeasures.explore import location, model, outbox, share_link, shown, what_if
from hiermeasures.hierarchy.expressions import MAX_LENGTH
from hiermeasures.measures.lca_solvers import PAGE_WORK
from hiermeasures.measures.own import MOST_OWN
from hiermeasures.read import sandbox
from hiermeasures.read.source import MOST_CLASSES, MOST_EDGES, MOST_MARKED, UPLOAD, size_in_words
from hiermeasures.teach.cards import MOST_CARDS, MOST_SECONDS
from hiermeasures.verify.reading import MAX_BYTES

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "deploy.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| (.+?) \| (.+?) \| .+? \|$", PAGE, re.MULTILINE))
BOUNDS = {
    "an upload, or pasted text": (size_in_words(UPLOAD.bytes), UPLOAD.lines, UPLOAD.label),
    "uploads that the server keeps": (
        size_in_words(server.MOST_UPLOADED),
        size_in_words(server.MOST_IN_ALL),
    ),
    "uploads that survive a reload, with their results": (
        kept_models.MOST_MODELS,
        size_in_words(kept_models.MOST_BYTES),
        size_in_words(kept_models.MOST_BYTES_OF_ONE),
        kept_models.MINUTES,
    ),
    "reading it": (int(sandbox.SECONDS), size_in_words(sandbox.MEMORY)),
    "files read at once": (sandbox.WORKERS, int(sandbox.SECONDS)),
    "a case file or a lesson": (size_in_words(MAX_BYTES), MOST_CARDS, int(MOST_SECONDS)),
    "a link": (
        share_link.LONGEST,
        size_in_words(share_link.UNPACKED.bytes),
        MOST_CLASSES,
        MOST_EDGES,
        MOST_MARKED,
    ),
    "a hierarchy on the screen": (shown.DEEPEST, MOST_DRAWN),
    "undo": (shown.LONGEST_HISTORY,),
    "the way back in the browser": (location.MOST_VISITED,),
    "the exact search for LCA graphs": (PAGE_WORK,),
    "the table of values, the edits of one class": (int(model.BUDGET), int(what_if.BUDGET)),
    "own measures": (MOST_OWN, MAX_LENGTH),
    "gestures": (outbox.MOST_AT_ONCE, outbox.MOST_CHARACTERS),
    "the searches of *Measures › Properties*": (MOST_TREE, MOST_DAG),
    "sheets of exercises": (MOST_TOGETHER,),
    "classes, with `--classroom`": (
        classroom.MOST_ROOMS,
        classroom.MOST_ROOMS_OF_ONE,
        classroom.MOST_ANSWERS,
        classroom.MOST_ANSWERS_OF_ONE,
        classroom.MOST_PARTS,
        classroom.LONGEST_PART,
    ),
    "a class": (int(classroom.HOUR / 60), int(classroom.UNWATCHED)),
    "a session after its tab is closed": (config.get_option("server.disconnectedSessionTTL"),),
}


@pytest.mark.parametrize("what", BOUNDS)
def test_a_bound_is_the_one_of_the_code(what: str) -> None:
    numbers = re.findall(r"\d+(?:,\d{3})*(?: [kMG]B)?", ROWS[what])
    assert numbers == [bound if isinstance(bound, str) else f"{bound:,}" for bound in BOUNDS[what]]


def test_every_bound_of_the_page_is_compared() -> None:
    assert {what for what in ROWS if what not in ("what", "---")} == set(BOUNDS)
