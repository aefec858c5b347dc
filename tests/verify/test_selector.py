"""The selector: no claim without its evidence, no card whose lines do not run, no advice against
the guide.
"""

import io
import json
import re
import shlex
from contextlib import redirect_stdout
from itertools import combinations
from pathlib import Path

import pytest

from docs.make.generated import FOLDER
from hiermeasures.cli import main
from hiermeasures.hierarchy.options import DECLARED
from hiermeasures.verify.selector import (
    ASKED,
    CAPTIONS,
    CLAIMS,
    MEASURES,
    RULES,
    complete,
    parameters,
    protocol,
)
from hiermeasures.verify.values import Subject, check_words


def pairwise() -> list[dict[str, str]]:
    """Answers in which any two answers to two questions occur together, found greedily."""
    offered = {q.key: list(q.answers) for q in ASKED}
    open_pairs = {
        ((p, a), (q, b))
        for p, q in combinations(offered, 2)
        for a in offered[p]
        for b in offered[q]
    }
    found = []
    while open_pairs:
        chosen = dict(min(open_pairs))
        for question, answers in offered.items():
            if question not in chosen:
                chosen[question] = max(
                    answers, key=lambda a: _covered({**chosen, question: a}, open_pairs)
                )
        chosen = {key: chosen[key] for key in offered}
        open_pairs -= set(combinations(chosen.items(), 2))
        found.append(chosen)
    return found


def _covered(chosen: dict[str, str], open_pairs: set) -> int:
    return sum(pair <= chosen.items() for pair in map(set, open_pairs))


CARDS = pairwise()


def answered(**given: str) -> dict[str, str]:
    answers, faults = complete(given)
    assert not faults
    return answers


def test_every_claim_is_computed_and_types_no_number_in():
    """The site runs the searches when it is built."""
    for each in CLAIMS:
        check_words(each.says, Subject(()))
        assert all(each.evidence(lambda search: search.in_words))


@pytest.mark.parametrize(
    "answers", CARDS, ids=lambda answers: "-".join(parameters(answers).values())
)
def test_a_card_names_measures_once_and_settings_without_contradiction(answers):
    found = protocol(answers)
    assert found.report
    assert not set(found.report) & set(found.beside)
    assert {*found.report, *found.beside, *found.not_alone} <= MEASURES.keys()
    assert found.why
    assert found.caption.endswith(".")
    assert all(f"{key}: {CAPTIONS[key]}" in found.caption for key in (*found.report, *found.beside))
    assert not re.search(r"\{\w+\}", found.command + found.python + found.caption)
    given: dict[str, object] = {}
    for rule in RULES:
        if rule.holds(answers):
            assert all(
                given.setdefault(name, value) == value for name, value in rule.settings.items()
            )
    assert all(
        name in DECLARED or name in ("average", "unknown", "missing") for name in found.settings
    )


EDGES = {"tree": "R a\nR b\na c\na d\nb e\nb f\n", "dag": "R a\nR b\na c\na d\nb e\nb f\nb d\n"}
TRUE = {"one": [["c"], ["d"], ["e"], ["f"]], "several": [["c"], ["d", "f"], ["e", "f"], ["a"]]}
PREDICTED = [["c"], ["c"], ["a"], ["f"]]
SCORES = "id,a,b,c,d,e,f\n1,.9,.1,.8,.1,.1,0\n2,.7,.4,.6,.2,.1,.3\n3,.2,.8,.1,.1,.7,.1\n4,.1,.9,0,.1,.3,.6\n"


def write_files(answers: dict[str, str]) -> None:
    """Small files such as a person with these answers has."""
    Path("hierarchy.txt").write_text(EDGES[answers["shape"]], "utf-8")
    outside = answers["outside"] != "none"
    files = {
        "true": TRUE[answers["labels"]],
        "training": TRUE["one"] * 3 + [["c"]],
        "validation": TRUE["one"],
        "system": [*PREDICTED[:3], ["a/x"] if outside else ["f"]],
        "other": [["d"], ["d"], ["e"], ["e"]],
    }
    for name, labels in files.items():
        rows = [json.dumps({"id": str(k), "label": each}) for k, each in enumerate(labels, 1)]
        if name == "system" and answers["empty"] == "yes":
            del rows[1]
        Path(f"{name}.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    Path("weights.tsv").write_text("".join(f"{c}\t{k}\n" for k, c in enumerate("Rabcdef")), "utf-8")
    for name in ("scores.csv", "validation-scores.csv"):
        Path(name).write_text(SCORES, "utf-8")


def printed_by(line: str) -> str:
    """Run a line of a card as a shell would, as far as cards go."""
    words = shlex.split(line, comments=True)
    if not words:
        return ""
    assert words.pop(0) == "hiermeasures"
    target = Path(words.pop()) if words[-2:-1] == [">"] else None
    if target:
        words.pop()
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(words) == 0, line
    if target:
        target.write_text(out.getvalue(), "utf-8")
    return out.getvalue()


@pytest.mark.parametrize(
    "answers", CARDS, ids=lambda answers: "-".join(parameters(answers).values())
)
def test_the_lines_of_a_card_run_and_command_and_python_give_the_same_values(
    answers, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_files(answers)
    found, names = protocol(answers), {}
    with redirect_stdout(io.StringIO()):
        exec(compile(found.python, "card", "exec"), names)
    for line in found.command.splitlines():
        printed = printed_by(line)
        if " evaluate " in line and "--set rank" not in line and "report" in names:
            values = json.loads(printed_by(f"{line} --json"))
            for key, value in values.items():
                assert value is None or value == pytest.approx(names["report"][key]), key
            assert all(
                key in printed
                for key in (*found.report, *found.beside)
                if not key.startswith("rank_")
            )


def test_contradictions_are_said():
    assert not protocol(answered()).conflicts
    (said,) = protocol(answered(labels="several", exclusive="yes")).conflicts
    assert said.startswith("Siblings exclude each other")
    assert protocol(answered(hierarchies="yes", information="training")).conflicts
    assert protocol(answered(truth="leaves", specific="right")).conflicts


def test_every_rule_is_reached_by_some_answers_and_asks_what_there_is():
    offered = {q.key: set(q.answers) for q in ASKED}
    for rule in RULES:
        assert all(set(answers) <= offered[question] for question, answers in rule.when.items())
        answers = answered(**{question: answers[0] for question, answers in rule.when.items()})
        assert rule.holds(answers)
        assert {*rule.report, *rule.beside, *rule.not_alone} <= MEASURES.keys()


@pytest.mark.parametrize("bad", ["bush", "", "<b>" * 30])
def test_a_bad_answer_of_a_link_is_ignored_with_a_sentence(bad):
    answers, (said,) = complete({"shape": bad, "labels": "several", "other": "x"})
    assert (answers["shape"], answers["labels"]) == ("tree", "several")
    assert "Ignored" in said
    assert "tree" in said
    assert len(said) < 200


def test_the_advice_is_that_of_the_guide():
    """The first two columns of the guide's first table, held against the cards of its rows."""
    rows = {
        cells[0].strip("[").partition("]")[0]: set(re.findall(r"`([^`=]+)`", " ".join(cells[1:3])))
        for line in (FOLDER / "which-measure.md").read_text("utf-8").splitlines()
        if line.startswith("| [")
        and (cells := [cell.strip() for cell in line.strip("|").split("|")])
    }
    asked = {
        "one label, tree": {},
        "one label, DAG": {"shape": "dag"},
        "several labels, tree": {"labels": "several"},
        "several labels, DAG": {"labels": "several", "shape": "dag"},
        "several labels whose number in a family matters": {"labels": "several", "counts": "yes"},
        "some classes count more than others": {"information": "training"},
        "a class is used only with its path": {"path": "yes"},
        "organisms, named down to a rank": {"ranks": "yes"},
        "costs known per edge": {"edges": "yes"},
        "specificity, correlation": {"negatives": "yes"},
    }
    for name, given in asked.items():
        row = rows.get(name) or rows["several labels, tree or DAG"]
        found = protocol(answered(**given))
        assert set(found.report) <= row, name
