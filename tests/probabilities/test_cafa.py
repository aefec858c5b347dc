"""CAFA's protocol: every column against sets counted by hand, a brute force, and the public
evaluator's tables.
"""

import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures.cafa.protocol import CHUNK, cafa_evaluate, counted_information
from hiermeasures.cafa.sums import COLUMNS, thresholds
from hiermeasures.cli import main
from hiermeasures.core.errors import InputError
from hiermeasures.formats.annotations import read_annotations, read_weights
from hiermeasures.formats.ontology import read_ontology
from tests.conftest import needs_data

OBO = """format-version: 1.2

[Term]
id: R
namespace: N

[Term]
id: A
namespace: N
is_a: R ! the root

[Term]
id: B
namespace: N
relationship: part_of R
alt_id: OLD

[Term]
id: C
namespace: N
is_a: A
relationship: regulates B

[Term]
id: GONE
namespace: N
is_obsolete: true

[Term]
id: X
namespace: M
is_a: A ! in another namespace

[Typedef]
id: part_of
name: part of
"""
WEIGHTS = {"R": 0.0, "A": 1.0, "B": 2.0, "C": 3.0}


def lines(text: str, scored: bool, name: str = "p.tsv"):
    return read_annotations(text.encode(), scored=scored, name=name)


def evaluated(true: str, predicted: str, **settings):
    ontology = read_ontology(OBO.encode())
    return cafa_evaluate(ontology, lines(true, False, "t.tsv"), [lines(predicted, True)], **settings)


def row(report, tau: float, ns: str = "N"):
    found = report.table[(report.table["ns"] == ns) & np.isclose(report.table["tau"], tau)]
    assert len(found) == 1
    return found.iloc[0]


class TestWhatIsSaid:
    def test_what_is_left_out_is_said(self):
        report = evaluated(
            "P1 C\nP2 B\nP2 NONE\n",
            "P1 OLD 0.5\nP1 GONE 0.5\nP2 WRONG 0.1\nP9 C 0.5\nP2 B 0.2\n",
            information={"A": 1.0, "ELSE": 2.0, "GONE": 1.0},
        )
        said = "\n".join(report.notes)
        for expected in (
            "1 parent in another namespace left out ('A')",
            "t.tsv: 1 line with 1 unknown term ('NONE') left out",
            "p.tsv: 1 line with 1 obsolete term ('GONE') left out",
            "p.tsv: 1 line with 1 alternative id ('OLD') read as the terms they stand for",
            "p.tsv: 1 target without truth ('P9') left out",
            "weights of 2 unknown or obsolete terms ('ELSE', 'GONE') left out",
            "3 terms without a weight ('B', 'C', 'R') weighed as 0",
        ):
            assert expected in said
        assert row(report, 0.1)["n"] == 2

    def test_what_leaves_nothing_to_evaluate_is_said(self):
        with pytest.raises(InputError, match=r"p\.tsv: 1 line with 1 unknown term \('Z'\) left out"):
            evaluated("P1 C\n", "P1 Z 0.5\n")
        with pytest.raises(InputError, match=r"t\.tsv: none of its terms \('Z'\) is in the ontology"):
            evaluated("P1 Z\n", "P1 C 0.5\n")

    def test_best_is_the_lowest_threshold_that_reaches_it(self):
        best = evaluated("P1 C\n", "P1 C 0.9\nP1 B 0.5\n").best().iloc[0]
        assert (best["F_max"], best["F_max_tau"], best["S_min"]) == (1.0, 0.51, 0.0)


NODES = 7
TARGETS = ("T0", "T1", "T2")


@st.composite
def instances(draw):
    """Edges, true terms and scores of a random ontology, weights, and settings."""
    edges = {
        (draw(st.integers(0, child - 1)), child) for child in range(1, NODES) for _ in range(draw(st.integers(0, 2)))
    }
    term = st.integers(0, NODES - 1)
    true = {t: draw(st.sets(term, max_size=3)) for t in TARGETS}
    scores = {t: draw(st.dictionaries(term, st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]))) for t in TARGETS}
    weights = [draw(st.sampled_from([0.0, 0.5, 1.0, 2.75])) for _ in range(NODES)]
    settings = (
        draw(st.sampled_from(["cafa", "pred", "gt"])),
        draw(st.sampled_from(["max", "fill"])),
        draw(st.booleans()),
    )
    return edges, true, scores, weights, settings


def with_all_above(edges, labels):
    found = set(labels)
    while more := {p for p, c in edges if c in found} - found:
        found |= more
    return found


def reaching(edges, given, propagation, tau):
    """The terms whose score, carried up, reaches a threshold."""

    def score(c):
        own = given.get(c, 0.0)
        below = max((score(child) for parent, child in edges if parent == c), default=0.0)
        return own if propagation == "fill" and own > 0 else max(own, below)

    return {c for c in range(NODES) if score(c) >= tau}


def brute_force(edges, true, scores, weights, settings, step):
    """Every row, from sets of terms; a dictionary by threshold."""
    normalisation, propagation, orphans = settings
    counted = {c for c in range(NODES) if orphans or c in {child for _, child in edges}}
    truth = {t: with_all_above(edges, labels) for t, labels in true.items() if labels}
    table = {}
    for tau in thresholds(step):
        values = {}
        for suffix, weigh in (("", dict.fromkeys(counted, 1.0)), ("_w", dict(enumerate(weights)))):
            sums = np.zeros(6)
            for t, whole in truth.items():
                picked = reaching(edges, scores[t], propagation, tau)
                tp, fp, fn = (
                    sum(weigh.get(c, 0.0) for c in s) for s in (picked & whole, picked - whole, whole - picked)
                )
                sums += (tp + fp > 0, tp, fp, fn, tp / (tp + fp) if tp + fp else 0, tp / (tp + fn) if tp + fn else 0)
            n, tp, fp, fn, pr, rc = sums
            every = {"cafa": len(truth), "pred": n, "gt": len(truth)}[normalisation]
            tp, fp, fn, rc = (x / every if every else 0 for x in (tp, fp, fn, rc))
            pr = pr / (len(truth) if normalisation == "gt" else n) if n else 0
            micro = tp / (tp + fp) if tp + fp else 0, tp / (tp + fn) if tp + fn else 0
            f, f_micro = (2 * a * b / (a + b) if a + b else 0 for a, b in ((pr, rc), micro))
            row = (n, tp, fp, fn, pr, rc, n / len(truth), fp, fn, f, (fp**2 + fn**2) ** 0.5, *micro, f_micro)
            values |= {f"{key}{suffix}": v for key, v in zip(COLUMNS, row, strict=True)}
        if values["cov"] > 0:
            table[round(float(tau), 10)] = values
    return table


def report_of(instance, **settings):
    """The same instance by way of files; None where nothing can be evaluated."""
    edges, true, scores, weights, (normalisation, propagation, orphans) = instance
    terms = [
        f"[Term]\nid: {c}\nnamespace: N\n" + "".join(f"is_a: {p}\n" for p, k in edges if k == c) for c in range(NODES)
    ]
    truth = "".join(f"{t}\t{c}\n" for t, labels in true.items() for c in labels)
    predicted = "".join(f"{t}\t{c}\t{s}\n" for t, given in scores.items() for c, s in given.items())
    if not truth or not predicted:
        return None
    arguments = (read_ontology("\n".join(terms).encode()), lines(truth, False), [lines(predicted, True)])
    chosen = {"normalisation": normalisation, "propagation": propagation, "orphans": orphans, "step": 0.05}
    known = {str(c): w for c, w in enumerate(weights)}
    try:
        return cafa_evaluate(*arguments, information=known, **chosen, **settings)
    except InputError:
        return None


@given(instances())
def test_every_column_equals_a_brute_force_over_sets(instance):
    report, (_, true, scores, _, _) = report_of(instance), instance
    expected = brute_force(*instance, step=0.05) if any(true.values()) and any(scores.values()) else {}
    if report is None:
        assert not expected
        return
    table = report.table
    assert list(table["tau"]) == list(expected)
    for key in table.columns[3:]:
        assert table[key].to_numpy() == pytest.approx([values[key] for values in expected.values()], abs=1e-12), key


@given(instances(), st.sampled_from([0.1, 0.25, 0.5]))
def test_a_target_at_a_threshold_equals_a_brute_force_over_sets(instance, tau):
    edges, true, scores, weights, (_, propagation, orphans) = instance
    report = report_of(instance, keep=True)
    if report is None or not len(report.scored):
        return
    found = report.scored["p.tsv", "N"]
    threshold = min(thresholds(0.05), key=lambda t: abs(t - tau))
    counted = {c: 1.0 for c in range(NODES) if orphans or c in {child for _, child in edges}}
    for weighted, weigh in ((False, counted), (True, dict(enumerate(weights)))):
        table = found.at(tau, weighted=weighted)
        assert set(table.index) == {t for t, labels in true.items() if labels}
        assert list(table["s"]) == sorted(table["s"], reverse=True)
        for t, row in table.iterrows():
            whole, picked = with_all_above(edges, true[t]), reaching(edges, scores[t], propagation, threshold)
            sides = found.terms(int(row["number"]), tau)
            assert sides == (frozenset(map(str, whole)), frozenset(map(str, picked)))
            tp, mi, ru = (sum(weigh.get(c, 0.0) for c in s) for s in (whole & picked, picked - whole, whole - picked))
            pr, rc = (tp / (tp + part) if tp + part else 0 for part in (mi, ru))
            f = 2 * pr * rc / (pr + rc) if pr + rc else 0
            expected = {"tp": tp, "mi": mi, "ru": ru, "pr": pr, "rc": rc, "f": f, "s": (mi**2 + ru**2) ** 0.5}
            assert row.drop("number").to_dict() == pytest.approx(expected, abs=1e-12)


class TestBackToTheTargets:
    def test_a_threshold_of_the_table_is_the_one_that_it_was_counted_with(self):
        # 0.29 does not reach the threshold that is printed as 0.29, for that is a bit larger.
        found = evaluated("P1 C\n", "P1 C 0.29\n", keep=True).scored["p.tsv", "N"]
        assert found.terms(0, 0.29)[1] == frozenset()
        assert found.terms(0, 0.28)[1] == {"C", "A", "R"}

    def test_targets_of_a_file_of_many_chunks_add_up_to_its_row(self):
        count = 2 * CHUNK + 5
        true = "".join(f"P{k} {'CB'[k % 2]}\n" for k in range(count))
        predicted = "".join(f"P{k} {'AB'[k % 3 % 2]} 0.{1 + k % 9}\n" for k in range(0, count, 2))
        report = evaluated(true, predicted, information=WEIGHTS, keep=True)
        table, at = report.scored["p.tsv", "N"].at(0.3, weighted=True), row(report, 0.3)
        assert len(table) == count
        for key in ("tp", "mi", "ru", "rc"):
            assert table[key].mean() == pytest.approx(at[f"{key}_w"])

    def test_information_is_counted_as_cafa_does_with_a_dummy_that_has_every_term(self):
        # P1 and P2 have C, A and R, P3 has B and R; with the dummy 3 of 4 have A, all of these C,
        # and 2 of 4 B.
        found = counted_information(read_ontology(OBO.encode()), lines("P1 C\nP1 C\nP2 C\nP2 A\nP3 OLD\n", False))
        assert found == pytest.approx({"R": 0.0, "A": np.log2(4 / 3), "B": 1.0, "C": 0.0})


@pytest.mark.parametrize("folder", ["cafa-example", "cafa-random-dag"])
def test_every_row_of_the_public_evaluator(folder, tmp_path, capsys):
    data = needs_data(folder)
    ontology = next(data.glob("*.obo"))
    truth, ia, target = (str(path) for path in (data / "ground_truth.tsv", data / "ia.tsv", tmp_path / "all.tsv"))
    assert main(["cafa", str(ontology), str(data / "predictions"), truth, "--ia", ia, "--table", target]) == 0
    ours, theirs = (pd.read_csv(path, sep="\t") for path in (target, data / "expected/all_thresholds.tsv"))
    assert list(ours.columns) == list(theirs.columns)
    key = ["filename", "ns", "tau"]
    ours, theirs = (table.round({"tau": 6}).sort_values(key).reset_index(drop=True) for table in (ours, theirs))
    pd.testing.assert_frame_equal(ours, theirs, rtol=0, atol=1e-6, check_dtype=False)


class TestFiles:
    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("P1 A 0.5\nP1 A\n", "p.tsv, line 2: an annotation is `target term score`, not 'P1 A'"),
            ("P1\tA\t0.5\n\nP1\tA\t1,5\n", "p.tsv, line 3: the score '1,5' is not a number"),
            ("P1\tA\t0.5\nP1\tA\t1.5\n", "p.tsv, line 2: the score 1.5 is not from 0 to 1"),
            ("P1\tA\t0.5\nP1\tA\t-0.1\n", "p.tsv, line 2: the score -0.1 is not from 0 to 1"),
            ("P1\tA\tnan\n", "p.tsv, line 1: the score 'nan' is not a number"),
            ("\n\n", "p.tsv: holds no annotations"),
            (
                f"P1\t{'A' * 1001}\t1\n",
                "p.tsv: a name of 1,001 characters ('AAAAAAAAAAAAAAAAAAAA…'); at most 1,000 are read",
            ),
        ],
    )
    def test_what_is_no_annotation_is_named_with_its_line(self, text, fault):
        with pytest.raises(InputError) as error:
            lines(text, True)
        assert str(error.value) == fault

    def test_a_namespace_has_its_is_a_and_part_of_edges_only(self):
        ontology = read_ontology(OBO.encode())
        assert set(ontology.namespaces["N"].edges) == {("R", "A"), ("R", "B"), ("A", "C")}
        assert ontology.namespaces["M"].nodes == ("X",)
        assert ontology.obsolete == {"GONE"}

    def test_weights_are_not_negative_and_named_once(self):
        assert read_weights(b"GO:1\t0.5\nGO:2 3\n\n") == {"GO:1": 0.5, "GO:2": 3.0}
        for text in (b"A\tone\n", b"A\t-1\n", b"A\n", b"A\t1\nA\t2\n", b"A\tnan\n"):
            with pytest.raises(InputError, match="line"):
                read_weights(text)

    def test_a_submission_to_cafa_with_its_header(self):
        found = lines("AUTHOR TEAM\nMODEL 1\nKEYWORDS a, b, c.\nP1 A 0.25\nP2 A 1.00\nEND\n", True)
        assert found.score.tolist() == [0.25, 1.0]

    def test_gzip_and_parquet_hold_the_same(self):
        text = "P1\tA\t0.25\nP2\tB\t0.3\n"
        frame = pd.DataFrame({"t": ["P1", "P2"], "c": ["A", "B"], "s": [0.25, 0.3]})
        stream = io.BytesIO()
        frame.to_parquet(stream)
        for data in (gzip.compress(text.encode()), stream.getvalue()):
            found = read_annotations(data, scored=True)
            assert found.targets[found.target].tolist() == ["P1", "P2"]
            assert (found.terms[found.term].tolist(), found.score.tolist()) == (["A", "B"], [0.25, 0.3])
        for damaged in (gzip.compress(text.encode())[:-9], stream.getvalue()[:50]):
            with pytest.raises(InputError):
                read_annotations(damaged, scored=True)
