"""Partial results, wherever they come from and however they are joined, give the report of one
evaluation to the last bit; and bytes from anywhere are either such a result or refused.
"""

import json
import pickle
import random
import struct
import tracemalloc
from base64 import b64encode
from copy import deepcopy
from functools import cache, reduce
from hashlib import blake2b
from operator import add
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, evaluate, from_bytes, merge, partial, to_bytes
from hiermeasures.evaluation import PartialReport, partials, tasks
from tests.test_meter import MEASURES, PREDICTED, TRUE, H, bits

REVERSED = Hierarchy.from_edges([(a, b, H.weight(a, b)) for a, b in reversed(H.edges)])
"""An equal hierarchy, whose classes have other numbers."""


def part(instances, **arguments):
    sides = ([labels[i] for i in instances] for labels in (TRUE, PREDICTED))
    return partial(
        **{"hierarchy": H, "measures": MEASURES, **arguments},
        y_true=next(sides),
        y_pred=next(sides),
    )


def whole(instances=range(40), **arguments):
    sides = ([labels[i] for i in instances] for labels in (TRUE, PREDICTED))
    return evaluate(H, *sides, **{"measures": MEASURES, **arguments})


@st.composite
def histories(draw):
    """Which instances go into which batch of which meter, and how meters are merged."""
    n = draw(st.integers(1, 40))
    instances = draw(st.permutations(range(n)))
    cuts = sorted(draw(st.sets(st.integers(1, max(n - 1, 1)), max_size=6)))
    batches = [instances[a:b] for a, b in zip([0, *cuts], [*cuts, n], strict=True)]
    meters = [draw(st.integers(0, 2)) for _ in batches]
    return instances, batches, meters, draw(st.permutations(range(3)))


@pytest.fixture(autouse=True)
def kernels_from_the_first_instance(monkeypatch):
    """The edges of H have uneven weights, so that `explain` may differ in the last bits."""
    monkeypatch.setattr(tasks, "WORK_OF_LOADING", 0)
    monkeypatch.setattr(tasks, "WORK_OF_COMPILING", 0)


@given(histories(), st.sampled_from([3, 1000]))
def test_any_cutting_joined_in_any_order_gives_the_bits_of_one_evaluation(history, chunk):
    instances, batches, owners, order = history
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partials, "CHUNK", chunk)
        sent = [
            to_bytes(part(batch, hierarchy=h))
            for batch, h in zip(batches, (H, REVERSED) * 4, strict=False)
        ]
        places = [
            [data for data, owner in zip(sent, owners, strict=True) if owner == k] for k in order
        ]
        merged = [to_bytes(merge(from_bytes(H, data) for data in mine)) for mine in places if mine]
        joined = reduce(
            add, [from_bytes(h, data) for data, h in zip(merged, (H, REVERSED, H), strict=False)]
        )
        assert bits(joined.report()) == bits(whole(instances))


def test_own_measures_options_and_averages_go_with_the_bytes():
    arguments = {
        "define": {"cost:lower": "GIE / 3"},
        "measures": ["hF", "mine=hF/2"],
        "average": "macro",
        "dmax": 3,
    }
    read = from_bytes(H, to_bytes(part(range(40), **arguments)))
    assert isinstance(read, PartialReport)
    assert bits(read.report()) == bits(whole(**arguments))
    assert repr(read.report().values) == repr(whole(**arguments).values)
    assert repr(read) == "PartialReport(hF, mine=hF/2, cost; 40 instances)"


def test_where_edges_cost_one_it_does_not_matter_what_explain_and_what_kernels_computed(
    monkeypatch,
):
    h = H.with_weights("constant")
    keys = ["hF", "F_LCA", "GIE", "MGIA", "H_loss", "HCM_F1", "CoPHE_F1", "SP"]
    both = {}
    for work in (0, 10**9):
        monkeypatch.setattr(tasks, "WORK_OF_LOADING", work)
        monkeypatch.setattr(tasks, "WORK_OF_COMPILING", work)
        monkeypatch.setattr(tasks, "load_kernels", cache(tasks.load_kernels.__wrapped__))
        both[work] = [
            partial(h, TRUE[a:b], PREDICTED[a:b], measures=keys) for a, b in ((0, 18), (18, 40))
        ]
    explained = [set(each[1].sums.partial.explained.values()) for each in both.values()]
    assert explained == [{0 if tasks.can_compile() else 22}, {0, 22}]  # sets are made by NumPy
    by_kernels, by_explain, mixed = (
        merge([both[a][0], both[b][1]]) for a, b in ((0, 0), (10**9, 10**9), (0, 10**9))
    )
    assert (
        bits(by_kernels.report())[1:] == bits(by_explain.report())[1:] == bits(mixed.report())[1:]
    )


def test_a_merged_report_has_everything_that_one_evaluation_has_but_instances():
    true = [[*labels, *["lost"] * (k % 7 == 0)] for k, labels in enumerate(TRUE)]
    predicted = [[*labels, *["gone"] * (k % 5 == 2)] for k, labels in enumerate(PREDICTED)]
    arguments = {
        "measures": MEASURES,
        "define": {"cost:lower": "GIE / 3"},
        "unknown": "drop",
        "average": "macro",
    }
    whole = evaluate(H, true, predicted, **arguments)
    cuts = ((0, 15), (15, 22), (22, 40))
    merged = merge(
        from_bytes(H, to_bytes(partial(H, true[a:b], predicted[a:b], **arguments))) for a, b in cuts
    ).report()
    assert bits(merged) == bits(whole)
    for name in ("value_notes", "lost", "signature", "options", "average", "declared"):
        assert repr(getattr(merged, name)) == repr(getattr(whole, name)), name
    assert len(merged.unknown_true) == len(merged.unknown_predicted) == 1
    assert merged._repr_mimebundle_() == whole._repr_mimebundle_()
    for name in ("kept", "per_instance"):
        with pytest.raises(InputError, match="only sums"):
            getattr(merged, name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hierarchy": Hierarchy.from_edges([("n1", "n2")])}, "different hierarchies"),
        ({"hierarchy": H.with_weights("constant")}, "the edges or weights are not"),
        ({"measures": ["hF", "GIE"]}, "has 'GIE'"),
        ({"dmax": 3}, "different options"),
        ({"average": "macro"}, "different averages"),
        ({"define": {"mine": "hF/2"}}, "define 'mine'"),
    ],
)
def test_what_does_not_fit_is_not_merged(arguments, message):
    known = {
        "hierarchy": H,
        "measures": ["hF"],
        "define": {"mine": "hF/3"},
        "y_true": ["n1"],
        "y_pred": ["n2"],
    }
    with pytest.raises(InputError, match=message):
        merge([partial(**known), partial(**{**known, **arguments})])


def test_what_is_no_partial_result_is_refused():
    with pytest.raises(InputError, match="partial results"):
        merge([])
    with pytest.raises(InputError, match="`partial`"):
        merge([whole()])
    with pytest.raises(InputError, match="`partial`"):
        to_bytes(1)
    with pytest.raises(InputError, match="instances together"):
        part(range(5), class_weights="information")
    with pytest.raises(InputError, match="y_true has 1 instances, y_pred 2"):
        partial(H, ["n1"], ["n1", "n2"])


# --- bytes from anywhere ------------------------------------------------------------------------

HEAD = struct.Struct("<12sH16s")


def sealed(content: bytes, version: int = partials.VERSION) -> bytes:
    """Bytes whose check is right."""
    return HEAD.pack(b"hiermeasures", version, blake2b(content, digest_size=16).digest()) + content


def words_of(data: bytes) -> dict[str, Any]:
    """Return what a partial result says."""
    return json.loads(data[HEAD.size :])


def made_of(words: Any) -> bytes:
    """A partial result that says so."""
    return sealed(json.dumps(words).encode())


def numbers(*given: int) -> str:
    """Numbers as a partial result writes them."""
    return "8" + b64encode(np.array(given, np.uint64).tobytes()).decode()


def rewritten(data: bytes, **words: Any) -> bytes:
    """A partial result of which something else is said; a name with points is a nested field."""
    said = words_of(data)
    for name, value in words.items():
        *within, last = name.split("__")
        place = said
        for key in within:
            place = place[key]
        place[last] = value
    return made_of(said)


MANY = 2**53 - 1
SAMPLES = {
    "few": to_bytes(partial(H, TRUE[:6], PREDICTED[:6], measures=["hF", "GIE"])),
    "many": to_bytes(partial(H, TRUE * 7, PREDICTED * 7, measures=["hF", "GIE", "CoPHE_F1"])),
}
DATA = SAMPLES["few"]


@pytest.mark.parametrize(
    "data", [b"", b"hiermeasures", b"PAR1" * 100, pickle.dumps({"a": 1}), "text", None]
)
def test_other_bytes_are_refused(data):
    with pytest.raises(InputError, match=r"not a partial result|end too early|needs bytes"):
        from_bytes(H, data)


def test_another_version_is_named():
    for version in (1, 7):
        said = f"has format version {version}, but this release reads {partials.VERSION}"
        with pytest.raises(InputError, match=said):
            from_bytes(H, sealed(DATA[30:], version))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"sums__n": -1}, "damaged: sums.n"),
        ({"sums__defined": {"hF": 10, "GIE": 0}}, "than instances"),
        ({"sums__values": {"hF": [1e308, 1e308], "GIE": []}}, "sums.values.hF.0"),
        ({"sums__values": {"hF": [0.0] * 100, "GIE": []}}, "values.hF"),
        ({"measures": ["hF"] * 2000}, "measures cannot"),
        ({"define": {"x": "__import__('os')"}}, "__import__"),
        ({"options": {"dmx": 1}}, "unknown option 'dmx'"),
        ({"options": {"dmax": [[1]]}}, "value of an option"),
        ({"options": json.loads("[" * 150 + "]" * 150)}, "options cannot be read"),
    ],
)
def test_words_that_do_not_fit_are_refused(words, message):
    with pytest.raises(InputError, match=message):
        from_bytes(H, rewritten(DATA, **words))


def test_sums_that_became_too_large_are_not_written():
    many = from_bytes(H, rewritten(SAMPLES["many"], sums__n=MANY))
    with pytest.raises(
        InputError, match=r"^the partial result cannot be written: sums\.n cannot be read$"
    ):
        to_bytes(merge([many, many]))


def test_counts_per_class_do_not_overflow_where_they_are_joined():
    found = from_bytes(H, SAMPLES["many"])
    counts = found.sums.class_counts
    some = sum(counts.values()).any(axis=0).sum()
    many = from_bytes(
        H, rewritten(SAMPLES["many"], counts=numbers(*[MANY] * (len(counts) * 3 * some)))
    )
    with pytest.raises(InputError, match=r"count more than 2\^53 instances"):
        merge([many, many])


@given(st.sampled_from(list(SAMPLES.values())), st.data())
def test_bytes_that_were_cut_or_changed_are_refused(whole, data):
    place = data.draw(st.integers(0, len(whole) - 1))
    changed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
    for bad in (whole[:place], changed, whole + whole[:place] + b"x"):
        with pytest.raises(InputError):
            from_bytes(H, bad)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"abc",
        b"[" * 10**6,
        b"[1, " * 10**6,
        b'{"sums": ' * 10**5,
        b'{"n": 1' + b"0" * 10**6 + b"}",
    ],
)
def test_reading_needs_no_more_memory_than_the_bytes_are_long(content):
    data = sealed(content)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"^the bytes of a partial result are damaged: "):
            from_bytes(H, data)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000 + 4 * len(data)
    finally:
        tracemalloc.stop()


NUMBERS = [
    -1,
    0,
    1,
    2,
    7,
    2**31,
    2**52,
    MANY,
    2**53,
    2**63 - 1,
    2**63,
    2**70,
    10**400,
    0.5,
    -1e300,
    1e300,
    1.7e308,
]
TEXTS = [
    "",
    "0",
    "1",
    "8AA",
    "1////",
    numbers(0, 1, 2),
    numbers(*[MANY] * 12),
    numbers(2**64 - 1),
    "hF",
    "N",
    "\ud800",
]
VALUES = [*NUMBERS, *TEXTS, float("nan"), float("inf"), None, True, [], {}, [[]], [0] * 70]


def with_other_words(draw, data):
    """A few of the values are others, or left out, or there twice."""
    words = words_of(data)
    for _ in range(draw.randrange(1, 4)):
        place = words
        while True:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            key = draw.choice(keys)
            if not isinstance(place[key], (dict, list)) or not place[key] or draw.random() < 0.2:
                break
            place = place[key]
        if draw.random() < 0.1:
            del place[key]
        else:
            place[key] = deepcopy(draw.choice([*VALUES, place[draw.choice(keys)]]))
        if not words:
            break
    return made_of(words)


def with_other_bytes(draw, data):
    content = bytearray(data[HEAD.size :])
    for _ in range(draw.randrange(1, 5)):
        content[draw.randrange(len(content))] = draw.randrange(256)
    return sealed(bytes(content[: draw.choice([None, draw.randrange(len(content))])]))


@pytest.mark.parametrize(
    ("seed", "times"),
    [("every day", 40), *(pytest.param(k, 250, marks=pytest.mark.slow) for k in range(8))],
)
@pytest.mark.parametrize("kind", SAMPLES)
def test_forged_results_are_refused_in_a_line_or_work_like_others(kind, seed, times):
    draw, data = random.Random(f"{kind} {seed}"), SAMPLES[kind]
    own, read, refused = from_bytes(H, data), 0, set()
    for _ in range(times):
        forged = draw.choice([with_other_words, with_other_words, with_other_bytes])(draw, data)
        try:
            found = from_bytes(H, forged)
            read += 1
            joined = merge([found] * draw.choice([1, 2, 40]))
            merge([own, from_bytes(H, to_bytes(joined))]).report()
        except InputError as error:
            refused.add(str(error))
    assert read or seed == "every day"
    assert len(refused) > times / 25
    assert not [message for message in refused if "\n" in message or len(message) > 1000]


def test_labels_that_are_no_text_are_refused_in_a_line():
    dropped = partial(H, [["\ud800"]], [["n1"]], measures="hF", unknown="drop")
    with pytest.raises(InputError, match="a name that UTF-8 cannot write"):
        to_bytes(dropped)
