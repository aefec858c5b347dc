"""Partial results as someone may make them up: they are refused in a line, or read, joined, written
and reported like others, in memory that grows with their length.
"""

import random
import tracemalloc
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import InputError, from_bytes, merge, partial, to_bytes
from tests.partial_bytes import HEAD, made_of, numbers, rewritten, sealed, words_of
from tests.test_meter import PREDICTED, TRUE, H

MANY = 2**53 - 1
SAMPLES = {
    "waiting": to_bytes(partial(H, TRUE[:6], PREDICTED[:6], measures=["hF", "GIE", "CoPHE_F1"])),
    "summed": to_bytes(partial(H, TRUE * 7, PREDICTED * 7, measures=["hF", "GIE", "CoPHE_F1"])),
}


def test_sums_that_became_too_large_are_not_written():
    many = from_bytes(H, rewritten(SAMPLES["summed"], sums__n=MANY))
    with pytest.raises(InputError, match=r"^the partial result cannot be written: sums\.n cannot be read$"):
        to_bytes(merge([many, many]))


def test_counts_per_class_do_not_overflow_where_they_are_joined():
    found = from_bytes(H, SAMPLES["summed"])
    counts = found.sums.class_counts
    some = sum(counts.values()).any(axis=0).sum()
    many = from_bytes(H, rewritten(SAMPLES["summed"], counts=numbers(*[MANY] * (len(counts) * 3 * some))))
    with pytest.raises(InputError, match=r"^joined, these partial results count more than 2\^53 instances$"):
        merge([many, many])


@pytest.mark.parametrize("kind", SAMPLES)
@given(data=st.data())
def test_bytes_that_were_cut_or_changed_are_refused(kind, data):
    whole = SAMPLES[kind]
    place = data.draw(st.integers(0, len(whole) - 1))
    changed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
    for bad in (whole[:place], changed, whole + whole[:place] + b"x"):
        with pytest.raises(InputError):
            from_bytes(H, bad)


@pytest.mark.parametrize(
    "content", [b"", b"abc", b"[" * 10**6, b"[1, " * 10**6, b'{"sums": ' * 10**5, b'{"n": 1' + b"0" * 10**6 + b"}"]
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


NUMBERS = [-1, 0, 1, 2, 7, 2**31, 2**52, MANY, 2**53, 2**63 - 1, 2**63, 2**70, 10**400, 0.5, -1e300, 1e300, 1.7e308]
TEXTS = ["", "0", "1", "8AA", "1////", numbers(0, 1, 2), numbers(*[MANY] * 12), numbers(2**64 - 1), "hF", "N", "\ud800"]
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
    ("seed", "times"), [("every day", 40), *(pytest.param(k, 250, marks=pytest.mark.slow) for k in range(8))]
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
    with pytest.raises(InputError, match="a name in it is no text"):
        to_bytes(dropped)
