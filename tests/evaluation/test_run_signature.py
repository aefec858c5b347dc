"""The signature of a run says what was computed."""

from hiermeasures import Hierarchy, evaluate
from hiermeasures.evaluation import run_signature

H = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C"), ("A", "D")])
TRUE, PREDICTED = [{"C"}, {"B"}, set()], [{"C", "D"}, {"A"}, {"B"}]


def said(**more):
    fields = {
        "first": "hF",
        "root": "counted",
        "empty": "0",
        "avg": "samples",
        "unknown": "error",
        "n": "3",
        **more,
    }
    first, version = fields.pop("first"), fields.pop("last", f"v{run_signature.VERSION}")
    return "|".join(
        [
            first,
            *(f"{name}:{value}" for name, value in fields.items() if value is not None),
            version,
        ]
    )


def test_own_measures_are_said_with_their_definitions_and_bounds():
    found = evaluate(H, TRUE, PREDICTED, measures=[], define={"m:lower:-1..2": "1 - hF"})
    assert found.signature.startswith("m:lower:-1.0..2.0=1 - hF|root:counted|")
    assert (
        "|normalise:case|"
        in evaluate(H, TRUE, PREDICTED, unknown="wrong", normalise=["case"]).signature
    )


def test_options_that_change_none_of_the_measures_are_not_said():
    assert evaluate(H, TRUE, PREDICTED, measures=["hF"], dmax=2).signature == said()
    assert (
        "|unknown:error|dmax:2|n:3|"
        in evaluate(H, TRUE, PREDICTED, measures=["GIE"], dmax=2).signature
    )


def test_a_threshold_and_what_was_dropped_are_said():
    scores = [[0.1, 0.9, 0.4, 0.2, 0.3]]
    found = evaluate(H, [{"A"}], scores, classes=H.nodes, threshold=0.5, measures=["hF"])
    assert "|scores:at_least@0.5|" in found.signature
    assert "|scores:argmax|" in evaluate(H, [{"A"}], scores, classes=H.nodes, argmax=True).signature
    assert "|unknown:drop|" in evaluate(H, [{"A"}], [{"A", "X"}], unknown="drop").signature
