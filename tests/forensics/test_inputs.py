"""Inputs of the search of conventions, of protocols and of captions: other names of classes, forged
ids, files named twice, options that would not be heard.
"""

import json
import math
import re
from pathlib import Path

import pytest

from hiermeasures import InputError, evaluate
from hiermeasures.cli import main
from hiermeasures.forensics import forensics, protocol
from tests.forensics.test_forensics import TREE


def test_labels_are_titles_and_other_names_as_in_evaluate() -> None:
    h = TREE.described((), {"P1": "Pear"}, other_names={"Pear": "P1", "old": "C"})
    true, predicted = [["T1"], ["C"], ["B"]], [["Pear"], ["old"], ["B"]]
    # {B, T1} against {B, P1} has 1 of 2 on both sides, the others are right: (1/2 + 1 + 1) / 3.
    assert protocol("F").values(h, true, predicted)["F"] == pytest.approx(2.5 / 3)
    assert evaluate(h, true, predicted, measures=["hF"], options={"count_root": False})["hF"] == pytest.approx(2.5 / 3)
    found = forensics(h, true, predicted, "0.833", of="F")
    assert found.consistent[0].convention.id == "F"
    assert not any("not in the hierarchy" in note for note in found.notes)


def test_f1_of_means_over_nothing_is_no_number() -> None:
    # Neither the root nor its children count: nothing predicted is left, so no precision is in the
    # mean.
    id = "F|f_of:means|root:tops_out|empty:left_out"
    assert math.isnan(protocol(id).values(TREE, [["T1"], ["B"]], [["C"], []])[id])


@pytest.mark.parametrize("id", ["F|measure:x", "F|cls:x", "F|self:x", "F|average:micro|average:macro", "F|:x"])
def test_a_forged_id_is_refused(id: str) -> None:
    with pytest.raises(InputError, match=r"axis"):
        protocol(id)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    texts = {"h": "".join(f"{a} {b}\n" for a, b in TREE.edges), "t": "T1\nC\n", "p": "P1\nC\n", "u": "zz\nC\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    (tmp_path / "table.csv").write_text("true,model\nA > B,A > C\nA > C,A > C\n")
    return {name: str(tmp_path / f"{name}.txt") for name in texts} | {"table": str(tmp_path / "table.csv")}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("forensics --hierarchy h --true t --predicted p p --printed 0.5 0.6", "named twice"),
        ("evaluate --hierarchy h --true t --predicted p p --protocol F", "named twice"),
        ("evaluate --hierarchy h --true t --predicted p --protocol F --average micro", "leave --average out"),
        ("evaluate --hierarchy h --true t --predicted p --protocol F --set count_root=yes", "leave --set out"),
        ("evaluate --hierarchy h --true t --predicted p --caption --paths /", "leave --paths out"),
        ("evaluate --hierarchy h --true t --predicted u --caption", "unknown class 'zz'"),
        ("protocols --hierarchy h --true t --predicted p --caption", "need its name"),
        ("evaluate table --true true --predicted ,", "--predicted names nothing"),
        ("score h --true T1\rC --predicted C", "in one line"),
    ],
)
def test_what_would_not_be_heard_or_cannot_be_is_refused(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], command: str, said: str
) -> None:
    assert main([files.get(word, word) for word in command.split(" ")]) == 2
    assert said in capsys.readouterr().err


def test_the_numbers_of_a_protocol_name_the_labels_that_are_no_classes(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    command = "evaluate --hierarchy h --true t --predicted u --protocol F"
    assert main([files.get(word, word) for word in command.split()]) == 0
    assert "labels not in the hierarchy" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["hF", "f1"])
@pytest.mark.parametrize("average", ["samples", "micro", "macro"])
@pytest.mark.parametrize("root", ["yes", "no"])
def test_a_caption_beside_unknown_answers_has_the_number_of_evaluate_or_is_refused(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], key: str, average: str, root: str
) -> None:
    read = [files.get(word, word) for word in "evaluate --hierarchy h --true t --predicted u".split()]
    asked = [*read, "--unknown", "wrong", "--measures", key, "--average", average, "--set", f"count_root={root}"]
    refused = average == "macro" or (key, root) == ("hF", "yes")
    assert main([*asked, "--caption"]) == (2 if refused else 0)
    if refused:
        return
    id = re.findall(r"\((.*?)\)", capsys.readouterr().out)[0]
    assert main([*asked, "--json"]) == main([*read, "--protocol", id, "--json"]) == 0
    ours, theirs = (next(iter(json.loads(text).values())) for text in re.findall(r"{[^}]*}", capsys.readouterr().out))
    assert ours == theirs
