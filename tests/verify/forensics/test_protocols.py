"""Named conventions and captions: read back by their ids, held against the programs that they are
of, and given odd inputs; and the smallest data on which two conventions differ, as on
docs/protocols.md.
"""

import json
import re
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest
import yaml

from docs.make.protocols_page import Data, candidates, searched
from hiermeasures import Hierarchy, InputError, evaluate
from hiermeasures.cli import main
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CORE
from hiermeasures.verify.forensics import Convention, convention_of, protocol
from tests.verify.forensics.test_forensics import TREE, drawn

OUTPUTS = yaml.safe_load(Path(__file__).with_name("program_outputs.yaml").read_text("utf-8"))


@pytest.mark.parametrize("program", OUTPUTS["programs"])
def test_a_protocol_gives_what_the_program_itself_printed(program: str) -> None:
    h = Hierarchy.from_edges([edge.split(">") for edge in OUTPUTS["hierarchy"].split()])
    true, predicted = zip(
        *([side.split() for side in row.split("|")] for row in OUTPUTS["rows"]), strict=True
    )
    found = protocol(program).values(h, true, predicted)
    assert found == pytest.approx(OUTPUTS["programs"][program]["values"], abs=1e-6)


def test_the_convention_of_a_measure_gives_the_number_of_evaluate() -> None:
    h, true, systems = drawn(Random(4), 20, odd=False)
    keys = ["hF", "hP", "f1", "recall"]
    for average in ("samples", "micro", "macro"):
        for root in (False, True):
            options = {"count_root": root}
            report = evaluate(h, true, systems[0], average=average, options=options, measures=keys)
            for key in keys:
                said = convention_of(key, h, Options.make(options), average=average)
                (found,) = protocol(said.id).values(h, true, systems[0]).values()
                assert found == pytest.approx(report[key], abs=1e-12), (key, said.id)
    said = convention_of("accuracy", h, Options())
    report = evaluate(h, true, systems[0], measures=["accuracy"])
    assert protocol(said.id).values(h, true, systems[0])[said.id] == pytest.approx(
        report["accuracy"]
    )
    with pytest.raises(InputError, match="TIE"):
        convention_of("TIE", h, Options())
    with pytest.raises(InputError, match="zero_division"):
        convention_of("hF", h, Options(zero_division=1.0))


def test_a_caption_of_evaluate_has_an_id_with_which_evaluate_gives_the_same_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "h.txt").write_text("\n".join(f"{a} {b}" for a, b in TREE.edges))
    for name, text in {"t": "T1\nC\nP2\n", "p": "P1\nC\nB\n", "q": "P1\nC\nP2\n"}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    places = [str(tmp_path / f"{name}.txt") for name in "htpq"]
    files = ["--hierarchy", places[0], "--true", places[1], "--predicted", *places[2:]]
    assert main(["evaluate", *files, "--measures", "hF", "--average", "micro", "--caption"]) == 0
    whole, text = capsys.readouterr().out.split("\n", 1)
    assert "hF over 3 instances; computed from the summed counts; the root is counted;" in whole
    assert text == (
        "F1 (F|average:micro|root:in). Average: one ratio of sums over all instances; ancestors: "
        "added on both "
        "sides; root: counted; precision and recall inside F1: are exact.\n"
    )
    assert (
        main(["evaluate", *files, "--measures", "hF", "--average", "micro", "--caption", "latex"])
        == 0
    )
    assert r"(\texttt{F|average:micro|root:in})" in capsys.readouterr().out
    # With the root, {A, B, T1} against {A, B, P1}, {A, C} against itself, {A, B, P2} against {A,
    # B}: 6 of 8 and of 7.
    assert main(["evaluate", *files[:-1], "--protocol", re.findall(r"\((.*?)\)", text)[0]]) == 0
    assert "0.8000\n" in capsys.readouterr().out
    for wrong in (["--csv", "x.csv"], ["--protocol", "F|rot:in"]):
        assert main(["evaluate", *files, "--caption", *wrong]) == 2
    options = ["--set", "dmax=3", "--measures", "F_LCA,MGIA,HCM_F1,hF"]
    assert main(["evaluate", *files, *options, "--caption"]) == 0
    whole, of_hF = capsys.readouterr().out.rstrip().split("\n")
    assert whole.startswith("F_LCA, MGIA, HCM_F1, hF over 3 instances; mean over the instances")
    assert "the root is counted; dmax 3" in whole
    assert of_hF.startswith("F1 (F|root:in)")
    assert main(["evaluate", *files, "--caption"]) == 0
    whole = capsys.readouterr().out.split("\n")[0]
    assert [key for key in CORE if key not in whole] == []


def test_a_caption_over_scores_has_the_decision_in_the_id_that_evaluate_takes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "h.txt").write_text("A B\nA C\nB T1\nB P1\n")
    for name, text in {
        "t": "id,l\nx,T1\ny,C\n",
        "s": "id,B,C,T1,P1\ny,0.1,0.5,0,0\nx,0.7,0.2,0.3,0.6\n",
    }.items():
        (tmp_path / f"{name}.csv").write_text(text)
    files = ["evaluate", "--hierarchy", str(tmp_path / "h.txt"), "--true", str(tmp_path / "t.csv")]
    scores = [*files, "--scores", str(tmp_path / "s.csv")]
    assert main([*scores, "--average", "micro", "--caption"]) == 0
    text = capsys.readouterr().out
    assert "labels by the decision at_least@0.5" in text
    text = next(
        line for line in text.split("\n") if line.startswith("F1 (F|dec") and "both" in line
    )
    assert text.startswith(
        "F1 (F|decision:at_least@0.5|average:micro|root:in). Predictions from scores: classes "
        "with a score of at least t (0.5); average: one ratio"
    )
    # {A, B, P1} against {A, B, T1}, and {A, C} against itself: 4 of 5 and of 5.
    assert main([*scores, "--protocol", re.findall(r"\((.*?)\)", text)[0]]) == 0
    assert "0.8000\n" in capsys.readouterr().out
    # The best class of x is B, of y C: {B} against {B, T1}, {C} against itself; 2 of 2, and of 3.
    assert main([*scores, "--protocol", "hiclass", "--decision", "top@1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["precision_micro"], found["recall_micro"]) == (1.0, pytest.approx(2 / 3))
    labels = [*files, "--predicted", str(tmp_path / "t.csv")]
    for wrong in ([*scores, "--protocol", "F|decision:top@1", "--decision", "levels"],
                  [*scores, "--caption", "--decision", "top@0"], [*labels, "--caption", "--decision", "top@1"],
                  [*labels, "--scores", str(tmp_path / "s.csv"), "--caption"]):  # fmt: skip
        assert main(wrong) == 2


OURS, FLAT = Convention.of("F"), Convention.of("F", average="micro", ancestors="none")


def smallest_by_hand(most: int) -> int:
    """Return the least size of one instance on which F1 with and without ancestors differ."""
    sizes = []
    for n in range(1, most):  # classes 1 … n; the parent of each is 0, the root, or one before it
        for parents in product(*(range(k) for k in range(1, n + 1))):
            above = {0: set()}
            for c, parent in enumerate(parents, 1):
                above[c] = above[parent] | {c}
            sides = [set(s) for k in (1, 2) for s in combinations(range(1, n + 1), k)]
            for t, p in product(sides, sides):
                grown = [set().union(*(above[c] for c in side)) for side in (t, p)]
                values = [Fraction(2 * len(x & y), len(x) + len(y)) for x, y in ((t, p), grown)]
                if values[0] != values[1]:
                    sizes.append(n + 1 + 1 + len(t) + len(p))
    return min(sizes)


def test_the_smallest_data_are_as_small_as_brute_force_finds():
    pair = frozenset((OURS, FLAT))
    first, closed = searched([pair], candidates(7))
    assert first[pair].order[:2] == (False, smallest_by_hand(5)) == (False, 6)
    # R > a > b, {a} against {b}: with ancestors {a} against {a, b}, F1 2/3; without them no class
    # is shared.
    assert first[pair] == Data(Hierarchy.from_edges([("R", "a"), ("a", "b")]), ((("a",), ("b",)),))
    assert [round(value, 6) for value in first[pair].values([OURS, FLAT])] == [0.666667, 0]
    # On full paths one instance tells them apart only where both sides are empty: 1 for ours, 0 of
    # sums of nothing.
    assert closed[pair].rows == (((), ()),)


@pytest.mark.parametrize(
    "id", ["F|measure:x", "F|cls:x", "F|self:x", "F|average:micro|average:macro", "F|:x"]
)
def test_a_forged_id_is_refused(id: str) -> None:
    with pytest.raises(InputError, match=r"axis"):
        protocol(id)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    texts = {
        "h": "".join(f"{a} {b}\n" for a, b in TREE.edges),
        "t": "T1\nC\n",
        "p": "P1\nC\n",
        "u": "zz\nC\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    (tmp_path / "table.csv").write_text("true,model\nA > B,A > C\nA > C,A > C\n")
    return {name: str(tmp_path / f"{name}.txt") for name in texts} | {
        "table": str(tmp_path / "table.csv")
    }


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("forensics --hierarchy h --true t --predicted p p --printed 0.5 0.6", "named twice"),
        ("evaluate --hierarchy h --true t --predicted p p --protocol F", "named twice"),
        (
            "evaluate --hierarchy h --true t --predicted p --protocol F --average micro",
            "Leave out --average",
        ),
        (
            "evaluate --hierarchy h --true t --predicted p --protocol F --set count_root=yes",
            "Leave out --set",
        ),
        ("evaluate --hierarchy h --true t --predicted p --caption --paths /", "Leave out --paths"),
        (
            "evaluate --hierarchy h --true t --predicted u --unknown error --caption",
            "unknown class 'zz'",
        ),
        ("protocols --hierarchy h --true t --predicted p --caption", "give its name"),
        ("evaluate table --true true --predicted ,", "--predicted is empty"),
        ("score h --true T1\rC --predicted C", "in one line"),
    ],
)
def test_what_would_not_be_heard_or_cannot_be_is_refused(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], command: str, said: str
) -> None:
    assert main([files.get(word, word) for word in command.split(" ")]) == 2
    assert said in capsys.readouterr().err
