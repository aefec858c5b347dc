"""All that an Explorer and a lesson compute, as lines of JSON: a name and what came out.
test_plain.py runs it with and without the libraries that a page in a browser has not.
"""

import importlib
import json
import pkgutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any

from hiermeasures import draw, explore, hierarchy, measures, teach
from hiermeasures.debug.random_hierarchies import random_hierarchy
from hiermeasures.debug.what_if import edits_of, what_if
from hiermeasures.draw.export import tikz
from hiermeasures.draw.notebook_repr import drawing_of_explanation
from hiermeasures.draw.scene import figure_scene
from hiermeasures.draw.views import OPENING, VIEWS, overlay_for, with_view
from hiermeasures.explore import hierarchy_edits, present, screen
from hiermeasures.explore.formulas import mathml
from hiermeasures.explore.library import figure
from hiermeasures.explore.loading import STARTS, start
from hiermeasures.explore.model import Host, State
from hiermeasures.explore.outbox import Inbox
from hiermeasures.explore.share_link import decoded, encoded
from hiermeasures.explore.shown import History
from hiermeasures.explore.what_if import EditChoice, edits_data
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE, CORE
from hiermeasures.read import read_hierarchy_text, write_hierarchy_text
from hiermeasures.teach import load_lessons
from hiermeasures.verify import load_cases
from hiermeasures.verify.library import read_cases, write_case

for floor in (hierarchy, measures, draw, teach, explore):
    for module in pkgutil.walk_packages(floor.__path__, f"{floor.__name__}."):
        importlib.import_module(module.name)
assert "networkx" not in sys.modules  # where a flow is solved, and not before

HOST = Host(window=True)
OWN = "mine=0.5*hF + max(F_LCA, 0.25)"
EDITS = 12  # of a figure, for the time of the test
PLAIN_FORMATS = ("edges", "csv", "hemkit", "json", "node-link", "outline", "taxonomy")


def saved() -> Iterator[tuple[str, Any]]:
    """Every figure saved as a case file and read again; a file that is none."""
    for key in load_cases().cases:
        (back,) = read_cases(write_case(figure(key).instance, title=key, year=2000).encode())
        yield key, dict(back.explained)
    for wrong in ("", "{", '{"figure": "One", "hierarchy": "A>B", "true": "C"}', "{" * 100):
        yield (
            f"no case: {wrong[:5]}",
            _outcome(lambda wrong=wrong: read_cases(wrong.encode())).startswith("refused"),
        )


def explanations() -> Iterator[tuple[str, Any]]:
    """Every measure of every figure, with one's own, and the formulas."""
    for key, case in load_cases().cases.items():
        x = case.explain(define={**case.define, "mine": OWN.partition("=")[2]})
        yield key, dict(x)
        yield f"{key} in words", [asdict(x.derivation(measure)) for measure in (*CORE, "mine")]
        yield f"{key} formula", mathml(x.derivation("mine").latex)


def states() -> Iterator[tuple[str, Any]]:
    """The screen of every figure in every view, its pictures, and the screen after a gesture."""
    for key in load_cases().cases:
        state = State(History(figure(key)), OPENING)
        for view in VIEWS:
            at = state.looking(with_view(state.view_state, view)).arranged()
            yield f"{key} {view}", screen.data(at, Inbox("session"), HOST)
            picture = drawing_of_explanation(at.explanation, view)
            yield (
                f"{key} {view} pictures",
                [picture.svg, tikz(figure_scene(at.shown.hierarchy, at.overlay))],
            )
        label = at.shown.hierarchy.nodes[-1]
        click = {
            "kind": "click",
            "id": at.placement.arrangement.ids[label],
            "name": label,
            "mode": "predicted",
        }
        clicked = screen.after(at, HOST, "graph", click)
        yield f"{key} clicked", screen.data(clicked, Inbox("session"), HOST)
        undone = screen.after(clicked, HOST, "undo", None)
        yield f"{key} undone", [sorted(undone.shown.selected), undone.shown == at.shown]
        word = encoded(at.shown, at.view_state, own=(OWN,))
        back = decoded(word)
        yield (
            f"{key} link",
            [
                word,
                back.own,
                sorted(back.shown.selected),
                overlay_for(at.explanation, at.view_state),
            ],
        )


def what_ifs() -> Iterator[tuple[str, Any]]:
    """The effect of the first edits of every figure on the core."""
    for key in load_cases().cases:
        x = figure(key).explained()
        keys = [CATALOGUE[name] for name in CORE]
        found = what_if(x, keys, islice(edits_of(x.instance, x.hierarchy.nodes), EDITS))
        yield key, edits_data(found, EditChoice(sides=("true", "predicted")), CORE[0])


def course() -> Iterator[tuple[str, Any]]:
    """Every question with the right answer, and its judgement."""
    for lesson in load_lessons().lessons:
        for k, card in enumerate(lesson.cards):
            if (question := card.question) is not None:
                verdict = question.judge(question.answer())
                assert verdict.right
                yield (
                    f"{lesson.key} {k}",
                    [question.words, question.choices(), question.explain, asdict(verdict)],
                )


def pastes() -> Iterator[tuple[str, Any]]:
    """Hierarchies as text and back, drawing, and what is refused."""
    for key in STARTS:
        h = start(key)
        for name in PLAIN_FORMATS:
            yield f"{key} {name}", _outcome(lambda h=h, name=name: write_hierarchy_text(h, name))
        yield f"{key} lines", hierarchy_edits.as_lines(h).text
    numbers = read_hierarchy_text("1 2\n1 3\n", format="hemkit")
    texts = [
        write_hierarchy_text(h, "csv")
        for h in (random_hierarchy(40, depth=4, branching=3, extra=0.2), numbers)
    ]
    yield (
        "back",
        [
            read_hierarchy_text(text).edges
            for text in (*texts, "A\n B\n C\n", "A\tB\tC\tD\n", '{"A": ["B"]}')
        ],
    )
    for wrong in ("A B\nB A\n", "A,B,x\n", "[" * 300, '{"A": ["B", "B"]}', "A B\nB B\n"):
        yield wrong[:20], _outcome(lambda wrong=wrong: read_hierarchy_text(wrong))
    yield "nearest", _outcome(lambda: load_cases().case("kosmopoulos2015/figur-11a"))
    yield "presenting", asdict(present.Presenting().reveal_all())


def _outcome(make: Callable[[], Any]) -> str:
    try:
        return str(make())
    except InputError as error:
        return f"refused: {error}"


def plain(value: Any) -> Any:
    """Return the value as JSON can hold it, so that equal values are written alike."""
    if isinstance(value, set | frozenset):
        return sorted(map(str, map(plain, value)))
    return str(value)


USES = (saved, explanations, states, what_ifs, course, pastes)

if __name__ == "__main__":
    for use in USES:
        for name, outcome in use():
            print(json.dumps([f"{use.__name__}: {name}", outcome], default=plain, sort_keys=True))
