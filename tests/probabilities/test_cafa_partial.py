"""CAFA's sums of parts of the targets, wherever they come from and however they are joined, give
the tables of one run to the last bit; and bytes from anywhere are either such sums or refused.
"""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, from_bytes, merge, partial, to_bytes
from hiermeasures.cafa import protocol as cafa
from hiermeasures.cafa.protocol import cafa_evaluate, cafa_partial
from hiermeasures.formats.annotations import Annotations
from hiermeasures.formats.ontology import read_ontology
from tests.partial_bytes import rewritten

R = random.Random(5)
TERMS = range(40)
PARENTS = {c: sorted({R.randrange(c % 2, c, 2) for _ in range(2)}) for c in TERMS if c > 1}  # within a namespace


def ontology_of(parents, alternative="", order=TERMS):
    stanzas = (
        f"[Term]\nid: {c}\nnamespace: {'NM'[c % 2]}\n" + "".join(f"is_a: {p}\n" for p in parents.get(c, ()))
        for c in order
    )
    return read_ontology(("\n".join(stanzas) + alternative).encode())


ONTOLOGY = ontology_of(PARENTS)
TARGETS = range(30)
TRUE = {t: R.sample(TERMS, R.randrange(1, 4)) if t % 5 else [R.randrange(0, 40, 2)] for t in TARGETS}
SCORES = {
    file: {t: {c: R.random() for c in R.sample(TERMS, 3)} for t in TARGETS if R.random() < 0.6} for file in ("b", "a")
}
WEIGHTS = {str(c): R.choice([0.0, 0.1, R.random() * 10, 2.0**-40 * R.random(), 1e6 / 3]) for c in TERMS}


def annotations(rows, name, scored):
    """Return the result of `read_annotations` for these rows, without pandas (slow for few)."""
    sides = [np.unique(np.array([str(row[k]) for row in rows], object), return_inverse=True) for k in (0, 1)]
    (targets, target), (terms, term) = sides
    score = np.array([row[2] for row in rows], float) if scored else None
    return Annotations(name, targets, terms, target.astype(np.int32), term.astype(np.int32), score)


def part(targets, *, evaluate=cafa_partial, ontology=ONTOLOGY, files=("b", "a"), **chosen):
    """Of these targets; a file that has nothing for them is missing."""
    true = annotations([(f"P{t}", c) for t in targets for c in TRUE[t]], "true", False)
    rows = {f: [(f"P{t}", c, s) for t in targets for c, s in SCORES[f].get(t, {}).items()] for f in files}
    predictions = [annotations(found, f, True) for f, found in rows.items() if found]
    return evaluate(ontology, true, predictions, **{"information": WEIGHTS, "step": 0.05} | chosen)


def bits(report):
    """Rows by their file, every number by its bits, and how many targets there are."""
    rows = sorted(report.table.to_dict("records"), key=lambda row: (row["filename"], row["ns"], row["tau"]))
    return [{k: v.hex() if isinstance(v, float) else v for k, v in row.items()} for row in rows], report.targets


def test_values_by_hand():
    ontology = read_ontology(b"[Term]\nid: A\nnamespace: N\n[Term]\nid: B\nnamespace: N\nis_a: A\n")
    # P1 is {A, B} and predicted {A}; P2 is {A}, and the file has nothing for it.
    parts = [
        cafa_partial(ontology, annotations([("P1", "B")], "t", False), [annotations([("P1", "A", 0.5)], "p", True)]),
        cafa_partial(ontology, annotations([("P2", "A")], "t", False), []),
    ]
    row = merge(parts).report().table.iloc[0]
    assert (row["n"], row["cov"], row["tp"], row["fp"], row["fn"]) == (1, 1 / 2, 1 / 2, 0, (1 + 1) / 2)
    assert (row["pr"], row["rc"]) == (1, (1 / 2 + 0) / 2)
    assert merge(parts).report().targets == {"N": 2}


@settings(max_examples=40)
@given(
    st.permutations(TARGETS),
    st.sets(st.integers(1, 29), max_size=5),
    st.randoms(use_true_random=False),
    st.sampled_from([1, 7, 4096]),
    st.sampled_from([{}, {"information": None}, {"propagation": "fill", "orphans": False}, {"normalisation": "pred"}]),
)
def test_any_cutting_joined_in_any_order_gives_the_bits_of_one_run(order, cuts, draw, chunk, chosen):
    edges = [0, *sorted(cuts), len(TARGETS)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cafa, "CHUNK", chunk)
        parts = [part(order[a:b], **chosen) for a, b in zip(edges[:-1], edges[1:], strict=True)]
        draw.shuffle(parts)
        while len(parts) > 1:
            k = draw.randrange(len(parts) - 1)
            parts[k : k + 2] = [from_bytes(ONTOLOGY, to_bytes(parts[k] + parts[k + 1]))]
        assert bits(parts[0].report()) == bits(part(TARGETS, evaluate=cafa_evaluate, **chosen))


def test_the_order_of_terms_and_parents_in_the_file_changes_no_bit():
    other = ontology_of({c: p[::-1] for c, p in PARENTS.items()}, order=R.sample(TERMS, len(TERMS)))
    assert other.namespaces["N"].nodes == ONTOLOGY.namespaces["N"].nodes
    parts = [part(TARGETS[:9]), from_bytes(ONTOLOGY, to_bytes(part(TARGETS[9:], ontology=other)))]
    assert bits(merge(parts).report()) == bits(part(TARGETS, evaluate=cafa_evaluate, ontology=other))


def test_progress_is_told_after_every_chunk_and_stops_the_work_where_it_raises(monkeypatch):
    monkeypatch.setattr(cafa, "CHUNK", 4)
    seen = []
    part(TARGETS, files=("a",), progress=lambda done, total: seen.append((done, total)))
    targets = list(part(TARGETS).report().targets.values())
    assert [done for done, total in seen if done == total] == targets
    assert all(b > a or total == a for (a, total), (b, _) in zip(seen, seen[1:], strict=False))

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        part(TARGETS, progress=stop)


def test_files_and_notes_come_in_one_order_however_parts_are_joined():
    parts = [part(TARGETS[k : k + 3]) for k in range(0, 30, 3)] + [part([0], files=("a",))]
    for _ in range(5):
        R.shuffle(parts)
        joined = merge(parts)
        assert joined.files == ("a", "b")
        assert joined.notes == tuple(sorted({note for each in parts for note in each.notes}))
    one, other = [t for t in TARGETS if t in SCORES["a"] and t in SCORES["b"]][:2]
    assert part([one]).files == (part([one]) + part([other])).files == ("b", "a")


@pytest.mark.parametrize("weights", [WEIGHTS, {"1": 1e-100, "3": 1e100, "5": 0.3}, {str(c): 1e40 / 3 for c in TERMS}])
def test_sums_are_rounded_once(weights):
    report = part(TARGETS, evaluate=cafa_evaluate, information=weights, keep=True)
    for (file, ns), targets in report.scored.items():
        row = report.table[(report.table["filename"] == file) & (report.table["ns"] == ns)].iloc[2]
        for suffix, weighted in (("", False), ("_w", True)):
            each = targets.at(row["tau"], weighted=weighted)
            for key in ("tp", "mi", "ru", "rc"):
                assert row[f"{key}{suffix}"] == math.fsum(each[key]) / len(each), (file, ns, key)
            n = row[f"n{suffix}"]
            assert row[f"pr{suffix}"] == (math.fsum(each["pr"]) / n if n else 0)


def test_targets_without_a_term_of_the_ontology_are_a_part_like_others():
    nothing = cafa_partial(ONTOLOGY, annotations([("P99", "Z")], "true", False), [], information=WEIGHTS, step=0.05)
    assert bits((nothing + part(TARGETS)).report()) == bits(part(TARGETS).report())
    with pytest.raises(InputError, match="no target has a true term of the ontology"):
        nothing.report()
    with pytest.raises(InputError, match="no file predicts a term of the ontology for a target with truth"):
        part(TARGETS, files=()).report()


def test_bytes_do_not_grow_with_the_targets():
    few, many = (part(range(1, k), files=("a",)) for k in (20, 30))
    assert abs(len(to_bytes(few)) - len(to_bytes(many))) < 300


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"ontology": ontology_of({**PARENTS, 5: [3]})}, "of different ontologies cannot be joined"),
        ({"ontology": ontology_of(PARENTS, "\n[Term]\nid: X\nnamespace: N\nalt_id: Y\n")}, "of different ontologies"),
        ({"step": 0.1}, "of different step cannot be joined: 0.05 in one, 0.1 in the other"),
        ({"normalisation": "gt"}, "of different normalisation cannot be joined: cafa in one, gt in the other"),
        ({"propagation": "fill"}, "of different propagation cannot be joined"),
        ({"orphans": False}, "of different orphans cannot be joined"),
        ({"information": {**WEIGHTS, "7": 0.5}}, "of different weights cannot be joined"),
        ({"information": None}, "of different weights cannot be joined"),
    ],
)
def test_what_does_not_fit_is_not_merged(chosen, message):
    other = part([2], **chosen)
    with pytest.raises(InputError, match=message):
        merge([part([1]), other])
    if "ontology" in chosen:
        with pytest.raises(InputError, match="is of another ontology than the one given"):
            from_bytes(ONTOLOGY, to_bytes(other))


def test_another_kind_is_not_merged_nor_read():
    h = Hierarchy.from_edges([("a", "b")])
    report = partial(h, ["a"], ["b"], measures="hF")
    with pytest.raises(InputError, match="of different kinds cannot be joined"):
        merge([part([1]), report])
    with pytest.raises(InputError, match="is read with its ontology, not with Hierarchy"):
        from_bytes(h, to_bytes(part([1])))
    with pytest.raises(InputError, match="is read with its hierarchy, not with Ontology"):
        from_bytes(ONTOLOGY, to_bytes(report))


def test_two_files_of_one_name_and_weights_out_of_range_are_refused():
    file, true = annotations([("P1", "A", 0.5)], "p", True), annotations([("P1", "A")], "t", False)
    with pytest.raises(InputError, match="two files of predictions are called 'p'"):
        cafa_partial(ONTOLOGY, true, [file, file])
    for weight in (1e-101, 1e101):
        with pytest.raises(InputError, match="one that counts is from 1e-100 to 1e\\+100"):
            part([1], information={"1": weight})


# --- bytes from anywhere ------------------------------------------------------------------------

DATA = to_bytes(part(range(6), step=0.25))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({}, None),
        ({"more": 1}, "more cannot be read"),
        ({"settings__step": 0.5}, "an array has 3 thresholds, not 1"),
        ({"settings__step": 2.0}, "a step between thresholds is from"),
        ({"settings__weights": None}, "an array has 2 weightings, not 1"),
        ({"settings__normalisation": "mean"}, "settings.normalisation cannot be read"),
        ({"files": ["a", "a"]}, "two files have one name"),
        ({"files": ["a"]}, "sums do not fit"),
        ({"sums": {}}, "arrays of which nothing is said"),
        ({"spaces__N__targets": 0}, "spaces.N.targets cannot be read"),
        ({"spaces__N__targets": 2**53}, "spaces.N.targets cannot be read"),
        ({"spaces__N__targets": 1}, "a sum is out of range"),
        ({"spaces__N__grid": {"exponents": [9, 9], "digits": 1}}, "a sum is out of range"),
        ({"spaces__N__grid": {"exponents": [9, 9], "digits": 90}}, "digits cannot be read"),
        ({"spaces__N__grid": {"exponents": [9, 9999], "digits": 3}}, "exponents.1 cannot be read"),
        ({"spaces__N__grid": {"exponents": [9], "digits": 3}}, "weights do not fit"),
        ({"spaces__X": {"targets": 1, "whole": "0", "grid": {"exponents": [9, 9], "digits": 3}}}, "array is missing"),
    ],
)
def test_words_that_do_not_fit_are_refused(words, message):
    data = rewritten(DATA, **words)
    if message is None:
        assert np.isfinite(from_bytes(ONTOLOGY, data).report().table["f"]).all()
        return
    with pytest.raises(InputError, match=message):
        from_bytes(ONTOLOGY, data)
