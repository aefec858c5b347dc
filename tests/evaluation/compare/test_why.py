"""The difference of two systems in parts: sums by plain Python, words, and what is refused."""

import json
import math
import re
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, compare
from hiermeasures.cli import main
from hiermeasures.evaluation.compare.partition import NO_LABEL
from hiermeasures.measures.mistakes import KINDS, pair_labels
from tests.conftest import edge_lists, most_specific
from tests.evaluation.test_germeval import KNOWCUP, TWISTBYTES, germeval

H = Hierarchy.from_nested({"R": {"A": {"A1": [], "A2": []}, "B": ["B1", "B2"], "C": ["C1"]}})
TRUE = ["A1"] * 6 + ["B1"] * 4
# careful: 2 right, 4 siblings; then 4 too general. bold: 4 right, 2 other top class; 4 siblings.
CAREFUL = ["A1"] * 2 + ["A2"] * 4 + ["B"] * 4
BOLD = ["A1"] * 4 + ["C1"] * 2 + ["B2"] * 4
MEASURES = ["accuracy", "hF", "GIE"]
NAMES = ("system1", "system2")


def two_systems(**settings):
    return compare(H, TRUE, {"careful": CAREFUL, "bold": BOLD}, measures=MEASURES, **settings)


def test_the_parts_are_those_of_a_calculation_by_hand():
    split = two_systems().why("accuracy", "hF")
    # hF of a sibling: {R, A, A2} and {R, A, A1} share 2 of 3 and 3, so 4/6. Of C1: 2·1/6 = 1/3. Of
    # B for B1: 2·2/5 = 4/5. Each of the ten instances adds a tenth.
    assert split.kinds["accuracy"].to_dict() == pytest.approx(
        {
            ("right", "right"): 0,
            ("sibling", "right"): -0.2,
            ("sibling", "other top class"): 0,
            ("too general", "sibling"): 0,
        }
    )
    assert split.kinds["hF"].to_dict() == pytest.approx(
        {
            ("right", "right"): 0,
            ("sibling", "right"): 2 * (4 / 6 - 1) / 10,
            ("sibling", "other top class"): 2 * (4 / 6 - 1 / 3) / 10,
            ("too general", "sibling"): 4 * (4 / 5 - 4 / 6) / 10,
        }
    )
    assert split.kinds["instances"].to_dict()["too general", "sibling"] == 4
    assert split.levels["accuracy"].to_dict() == pytest.approx({2: -0.2})
    assert split.subtrees["accuracy"].to_dict() == pytest.approx({"A": -0.2, "B": 0})
    assert split.differences == pytest.approx({"accuracy": -0.2, "hF": 4 / 75})


def test_the_sentence_names_the_gain_and_the_loss_that_explain_a_disagreement():
    sentence = two_systems().why("accuracy", "hF").sentence
    assert "accuracy prefers bold by 0.2000, but hF prefers careful by 0.0533" in sentence
    assert "careful gains 0.0667 hF" in sentence
    assert "bold predicts another top class (2 instances), which accuracy does not see" in sentence
    assert "It loses 0.2000 accuracy and 0.0667 hF" in sentence


def test_exchanged_systems_have_the_opposite_differences_and_the_same_sentence():
    comparison = two_systems()
    one = comparison.why("accuracy", "hF", "careful", "bold")
    other = comparison.why("accuracy", "hF", "bold", "careful")
    assert other.differences == pytest.approx({k: -v for k, v in one.differences.items()})
    assert other.sentence == one.sentence
    assert other.telling == one.telling


def test_an_error_that_falls_is_an_advantage():
    split = two_systems().why("accuracy", "GIE")
    # GIE: a sibling costs 2, B for B1 costs 1, C1 for A1 costs 4
    assert split.differences["GIE"] == pytest.approx((4 * 2 + 4 * 1 - 2 * 4 - 4 * 2) / 10)
    assert "GIE prefers careful by 0.4000" in split.sentence
    assert "careful saves" in split.sentence


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (["A1"], ["A1"], "see no difference between one and two."),
        (["A2"], ["B1"], "accuracy sees no difference. hF prefers one"),
        (["A1"], ["B1"], "accuracy prefers one by 1.0000, and hF by 0.6667."),
    ],
)
def test_sentences_where_the_measures_do_not_disagree(first, second, words):
    found = compare(H, ["A1"], {"one": first, "two": second}, measures=["accuracy", "hF"])
    split = found.why("accuracy", "hF")
    assert words in split.sentence
    assert len(split.telling) == (first != second)


def test_the_telling_instances_come_from_different_parts_and_lead_to_their_values():
    split = two_systems().why("accuracy", "hF")
    table = split.instances
    assert sorted(zip(table["kind, careful"], table["kind, bold"], strict=True)) == [
        ("sibling", "other top class"),
        ("sibling", "right"),
        ("too general", "sibling"),
    ]
    place = table["number"].iloc[0]
    assert table["classes, true"].iloc[0] == (TRUE[place],)
    assert table["classes, careful"].iloc[0] == (CAREFUL[place],)
    assert split.places("kinds", ("too general", "sibling")).tolist() == [6, 7, 8, 9]
    assert split.places("subtrees", "B").tolist() == [6, 7, 8, 9]
    assert set(split.places("levels", 2)) == set(range(10))


def test_undefined_values_are_left_out_of_their_own_mean():
    # One label divided by no label is undefined: one has a mean over 1 instance, two over 2.
    found = compare(
        H,
        ["A1", "B1"],
        {"one": [[], "B2"], "two": [["A1", "C1"], "C1"]},
        measures=["accuracy", "hF"],
        define={"size": "len_T / len_P"},
    )
    split = found.why("accuracy", "size")
    assert split.differences["size"] == pytest.approx(1 - (1 / 2 + 1) / 2)
    assert split.kinds["size"].sum() == pytest.approx(split.differences["size"])
    assert split.notes == ("size has a value on 1 of 2 instances for one.",)


@pytest.mark.parametrize(
    ("arguments", "settings", "named"),
    [
        (("accuracy", "hF"), {"average": "micro"}, "hF"),
        (("accuracy", "hF"), {"average": "macro"}, "samples"),
        (("accuracy", "accuracy"), {}, "different measures"),
        (("accuracy", "HF"), {}, "hF"),
        (("accuracy", "hF", "careful", "careful"), {}, "different systems"),
        (("accuracy", "hF", "careful"), {}, "two systems"),
        (("accuracy", "hF", "careful", "bald"), {}, "bold"),
        (("accuracy", "ICM"), {}, "ICM"),
        (("HCM_F1", "hF"), {}, "summed counts"),
    ],
)
def test_what_has_no_parts_is_refused_with_a_hint(arguments, settings, named):
    comparison = two_systems(**settings)
    with pytest.raises(InputError, match=named):
        comparison.why(*arguments)


def test_two_of_several_systems_must_be_named():
    found = compare(H, ["A1"], dict.fromkeys("abc", ("A1",)), measures=["accuracy", "hF"])
    with pytest.raises(InputError, match="'a', 'b'"):
        found.why("accuracy", "hF")
    assert found.why("accuracy", "hF", "c", "a").systems == ("c", "a")


def test_the_text_and_the_plain_data_have_the_same_numbers():
    split = two_systems().why("accuracy", "hF")
    data = json.loads(json.dumps(split.to_dict()))
    assert data["differences"] == pytest.approx(split.differences)
    assert {(row["first"], row["second"]) for row in data["kinds"]} == set(split.kinds.index)
    assert [row["part"] for row in data["levels"]] == [2]
    assert data["instances"][0]["id"] == int(split.telling[0])
    text = str(split)
    assert split.sentence in text
    assert f"{split.kinds['hF'].iloc[0]:.4f}" in text


def test_rows_that_are_not_shown_are_summed_in_the_last_one():
    split = two_systems().why("accuracy", "hF")
    head, rows = split.rows(split.kinds, 1)
    assert head == ["careful", "bold", "instances", "accuracy", "hF"]
    assert rows[-1][0] == "3 more"
    for column in (3, 4):
        total = sum(float(row[column]) for row in rows)
        assert total == pytest.approx(split.differences[head[column]], abs=1e-3)
    assert sum(int(row[2]) for row in rows) == 10


# --- command line -----------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Files of the two systems, and a third one."""
    monkeypatch.chdir(tmp_path)
    edges = "\n".join(f"{a}\t{b}" for a, b in H.edges)
    (tmp_path / "h.tsv").write_text(edges)
    for name, labels in (("true", TRUE), ("careful", CAREFUL), ("bold", BOLD), ("third", TRUE)):
        (tmp_path / f"{name}.txt").write_text("\n".join(labels))
    return "compare --hierarchy h.tsv --true true.txt --predicted careful.txt bold.txt".split()


def test_compare_says_why_in_text_and_json(files, capsys):
    assert main([*files, "--measures", "hP", "--why", "accuracy,hF"]) == 0
    text = capsys.readouterr().out
    assert "hF prefers careful by 0.0533" in text
    assert main([*files, "--why", "accuracy,hF", "--json"]) == 0
    split = json.loads(capsys.readouterr().out)["why"]
    assert split["systems"] == ["careful", "bold"]
    assert split["differences"]["accuracy"] == pytest.approx(-0.2)
    three = [*files, "third.txt", "--why", "accuracy,hF"]
    assert main([*three, "--between", "bold,third", "--json"]) == 0
    split = json.loads(capsys.readouterr().out)["why"]
    assert split["systems"] == ["bold", "third"]
    assert split["differences"]["accuracy"] == pytest.approx(0.4 - 1)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("--why hF", "two measures"),
        ("--why hF,accuracy --csv out.csv", "--csv"),
        ("--between careful,bold", "Add --why"),
        ("third.txt --why hF,accuracy", "--between"),
        ("--why hF,accuracy --between bold,bald", "'bold'"),
        ("--why hF,accuracy --average micro", "samples"),
    ],
)
def test_compare_refuses_a_why_that_it_cannot_answer(files, words, named, capsys):
    assert main([*files, *words.split()]) == 2
    assert named in capsys.readouterr().err


def test_find_leads_to_why_where_no_instance_disagrees(files, capsys):
    del files[0]
    assert main(["find", "--disagree", "accuracy,hF", *files]) == 1
    assert "--why accuracy,hF" in capsys.readouterr().out
    assert main(["find", "--disagree", "hF,GIE", *files]) in (0, 1)


# --- plain Python on random hierarchies -------------------------------------------------------------


def tops(h, label):
    above = h.ancestors(label) | {label}
    return {c for c in above if h.root in h.parents(c)} or {label}


def gravest(h, true, predicted):
    kinds = [mistake.kind for mistake in pair_labels(h, true, predicted)]
    return max(kinds, key=KINDS.index, default="right")


def parts_of(h, true, systems):
    """Return for each table the parts of every instance with their shares, by plain Python."""
    found = {"kinds": [], "levels": [], "subtrees": []}
    for labels, *predicted in zip(true, *systems, strict=True):
        found["kinds"].append({tuple(gravest(h, labels, p) for p in predicted): 1})
        specific = most_specific(h, labels) if labels else []
        levels = {h.level(c) for c in specific} or {NO_LABEL}
        subtrees = {top for c in specific for top in tops(h, c)} or {NO_LABEL}
        found["levels"].append(dict.fromkeys(levels, 1 / len(levels)))
        found["subtrees"].append(dict.fromkeys(subtrees, 1 / len(subtrees)))
    return found


def check_sentence(split):
    """Check what a sentence says against the means and the table of kinds."""
    preferred = {}
    for key, name in re.findall(r"(\w+) prefers (\w+) by", split.sentence):
        preferred[key] = name
    if both := re.search(r"(\w+) prefers (\w+) by \S+, and (\w+) by", split.sentence):
        preferred[both[3]] = both[2]
    for key, difference in split.differences.items():
        ahead = difference if key == "size" else -difference  # GIE is an error
        assert preferred.get(key) == (None if abs(ahead) < 1e-12 else NAMES[ahead < 0])
    pattern = r"(system\d|It) ((?:gains|loses|saves|adds) .*?) where .*?\((\d+) instance"
    subject = ""
    for name, changes, size in re.findall(pattern, split.sentence):
        subject = subject if name == "It" else name
        sign, said, up = 1.0 if subject == NAMES[0] else -1.0, {}, False
        for verb, value, key in re.findall(r"(gains|loses|saves|adds)? ?(\d\S*) (\w+)", changes):
            up = (verb in ("gains", "adds")) if verb else up  # else the verb before it
            said[key] = (float(value), up)
        assert any(
            row.instances == int(size)
            and all(
                abs(getattr(row, key)) == pytest.approx(value, abs=6e-5, rel=0.1)
                and (sign * getattr(row, key) > 0) == rises
                for key, (value, rises) in said.items()
            )
            for row in split.kinds.itertuples()
        ), split.sentence


@given(st.data())
def test_every_part_is_the_sum_over_its_instances_by_plain_python(data):
    h = Hierarchy.from_edges(data.draw(edge_lists()))
    classes = h.nodes[h.virtual_root :]
    truth = st.sets(st.sampled_from(classes), max_size=3)
    answers = st.sets(st.sampled_from([*classes, "stranger", "odd"]), max_size=3)
    true = data.draw(st.lists(truth, min_size=5, max_size=5))
    systems = [data.draw(st.lists(answers, min_size=5, max_size=5)) for _ in range(2)]
    keys = ["GIE", "size"]
    define = {"size": "(len_T + 1) / len_P"}  # undefined for an empty prediction
    settings = {"measures": ["GIE"], "define": define, "unknown": "wrong"}
    found = compare(h, true, dict(zip(NAMES, systems, strict=True)), **settings)
    values = [{k: found.reports[name].per_instance[k].tolist() for k in keys} for name in NAMES]
    if any(all(map(math.isnan, side[k])) for side in values for k in keys):
        return
    split = found.why(*keys)
    expected = parts_of(h, true, systems)
    for key in keys:
        difference = found.scores.at[NAMES[0], key] - found.scores.at[NAMES[1], key]
        assert split.differences[key] == pytest.approx(difference)
        mine, theirs = (side[key] for side in values)
        n = [sum(not math.isnan(v) for v in side) for side in (mine, theirs)]
        for by, shares in expected.items():
            sums = defaultdict(float)
            for k, parts in enumerate(shares):
                for part, share in parts.items():
                    sums[part] += share * (0 if math.isnan(mine[k]) else mine[k] / n[0])
                    sums[part] -= share * (0 if math.isnan(theirs[k]) else theirs[k] / n[1])
            table = getattr(split, by)
            assert table[key].to_dict() == pytest.approx(dict(sums))
            assert table[key].sum() == pytest.approx(difference)
            sizes = {part: sum(part in parts for parts in shares) for part in sums}
            assert table["instances"].to_dict() == sizes
    check_sentence(split)
    assert str(split)


# --- real data --------------------------------------------------------------------------------------


def test_germeval_s_hf_prefers_twistbytes_because_it_is_too_general_instead_of_far_off():
    h, true, knowcup = germeval(KNOWCUP, "b")
    twistbytes = germeval(TWISTBYTES, "b")[2]
    systems = {"knowcup": knowcup, "twistbytes": twistbytes}
    found = compare(h, true, systems, measures=["accuracy", "hF"], unknown="drop")
    split = found.why("accuracy", "hF")
    assert split.differences["accuracy"] > 0 > split.differences["hF"]
    for table in (split.kinds, split.levels, split.subtrees):
        assert table["hF"].sum() == pytest.approx(split.differences["hF"])
    assert split.kinds["instances"].sum() == len(true) == 4157
    # accuracy sees no part in which both are wrong or both are right, up to differing sets
    gain = split.kinds.loc[("other top class", "too general")]
    assert gain["accuracy"] == 0
    assert gain["hF"] == split.kinds.query("accuracy == 0")["hF"].min()
    assert "where it is too general and knowcup predicts another top class" in split.sentence
