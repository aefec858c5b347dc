"""Use the made-up measures wherever a person meets a measure; use.py runs it with its own uses."""

from collections.abc import Callable

from hiermeasures import Hierarchy, evaluate, explain, metrics
from hiermeasures.behaviour.search import study
from hiermeasures.behaviour.what_if import why
from hiermeasures.measures import CATALOGUE

H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
BEFORE, AFTER = explain(H, {"T1"}, {"B"}), explain(H, {"T1"}, {"P1"})
TOYS = {"level_gap": "1", "label_count": "2"}  # and the values of BEFORE


def explained() -> None:
    assert [f"{BEFORE[key]:g}" for key in TOYS] == list(TOYS.values())
    assert BEFORE.derivation("level_gap").sentence == "Levels 2 and 1."
    assert explain(H, {"T1"}, {"B"}, define={"mine": "level_gap + labels.labels"})["mine"] == 3


def evaluated() -> None:
    report = evaluate(H, [{"T1"}, {"T1"}], [{"B"}, {"P1"}], measures=list(TOYS))
    assert report.averaged("samples") == {"level_gap": 0.5, "label_count": 2.0}
    assert metrics.level_gap_error([{"T1"}], [{"B"}], hierarchy=H) == 1.0


def reasoned() -> None:
    assert why(CATALOGUE["level_gap"], BEFORE, AFTER).sentence == "The deepest prediction is on level 2 instead of 1."
    more = explain(H, {"T1"}, {"P1", "P2"})
    assert why(CATALOGUE["label_count"], AFTER, more).sentence == "Labels 2 → 3."


def studied() -> None:
    assert study(list(TOYS), ["perfect_is_best"], trees=3, dags=0).verdicts["perfect_is_best"]["level_gap"].holds


def viewed() -> None:
    from hiermeasures.picture.views import OPENING, VIEWS, overlay_for, with_measure, with_view

    for key, meaning in (("level_gap", "level of the deepest true class"), ("label_count", "labels")):
        at = with_measure(OPENING, key)
        assert at.view == "classes"
        overlay = overlay_for(BEFORE, at)
        assert overlay.marks.keys() == {"T1", "B"}
        assert VIEWS[at.view].panel(BEFORE, at, overlay).as_data()["rows"][0]["cells"] == [
            {"text": meaning},
            {"text": "2"},
        ]
    assert with_view(with_measure(OPENING, "hF"), "classes").measure == "accuracy"  # as without them


def shown_in_the_explorer() -> None:
    from tests.explorer.hand import Hand

    at = Hand()
    assert at.rows.keys() >= TOYS.keys()
    for key in TOYS:
        assert at.do("values", "choose", key=key).measure == key
    assert "labels" in str(at.data("panel")).lower()


def shown_in_a_notebook() -> None:
    assert "svg" in BEFORE.drawing(measure="level_gap")._repr_mimebundle_()["text/html"]
    assert BEFORE._repr_mimebundle_()["text/html"]


def asked_in_exercises() -> None:
    from hiermeasures.lessons.exercises import ExerciseRequest, exercise
    from hiermeasures.lessons.random_instances import with_families

    assert with_families(["levels"]) == ("level_gap",)
    assert exercise(ExerciseRequest(kinds=("value",), measures=("level_gap",)), 1).card.measures == ("level_gap",)


def documented() -> None:
    from docs.make.generated import expressions_page, measures_page

    assert "### level_gap: Level gap" in measures_page()
    assert "level of the deepest true class" in expressions_page()


USES: tuple[Callable[[], None], ...] = (
    explained,
    evaluated,
    reasoned,
    studied,
    viewed,
    shown_in_the_explorer,
    shown_in_a_notebook,
    asked_in_exercises,
    documented,
)
