"""Partial results of every kind as someone may make them up: they are refused in a line, or read,
joined, written and reported like others, in memory that grows with their length.
"""

import io
import json
import random
import tracemalloc
import zipfile
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import InputError, from_bytes, merge, partial, to_bytes
from tests.partial_bytes import HEAD, KINDS, arrays_of, made_of, rewritten, sealed, words_of
from tests.probabilities import test_cafa_partial as cafa
from tests.test_meter import PREDICTED, TRUE, H

MANY = 2**53 - 1
SAMPLES = {
    "report": (H, to_bytes(partial(H, TRUE[:6], PREDICTED[:6], measures=["hF", "GIE", "CoPHE_F1"]))),
    "summed": (H, to_bytes(partial(H, TRUE * 7, PREDICTED * 7, measures=["hF", "GIE", "CoPHE_F1"]))),
    "cafa": (cafa.ONTOLOGY, cafa.DATA),
}


@pytest.mark.parametrize("kind", ["summed", "cafa"])
def test_sums_that_became_too_large_are_not_written(kind):
    of, data = SAMPLES[kind]
    name = {"summed": "sums__n", "cafa": "spaces__N__targets"}[kind]
    many = from_bytes(of, rewritten(data, **{name: MANY}))
    joined = merge([many] * 2)
    with pytest.raises(InputError, match=r"^the partial result cannot be written: \S+ cannot be read$"):
        to_bytes(joined)


def test_counts_per_class_do_not_overflow_where_they_are_joined():
    of, data = SAMPLES["summed"]
    arrays = arrays_of(data)
    counts = words_of(data)["counts"]
    many = from_bytes(of, made_of({**arrays, counts: np.full(arrays[counts].shape, MANY, np.uint64)}))
    with pytest.raises(InputError, match=r"^joined, these partial results count more than 2\^53 instances$"):
        merge([many, many])


def test_labels_that_are_no_text_are_refused_in_a_line():
    dropped = partial(H, [["\ud800"]], [["n1"]], measures="hF", unknown="drop")
    with pytest.raises(InputError, match="a name in it is no text"):
        to_bytes(dropped)


@pytest.mark.parametrize("kind", SAMPLES)
@given(data=st.data())
def test_bytes_that_were_cut_or_changed_are_refused(kind, data):
    of, whole = SAMPLES[kind]
    place = data.draw(st.integers(0, len(whole) - 1))
    for bad in (
        whole[:place],
        whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :],
        whole + whole[:place] + b"x",
    ):
        with pytest.raises(InputError):
            from_bytes(of, bad)


# --- archives -----------------------------------------------------------------------------------


def header_of(shape):
    """The beginning of an NPY file that says that so many bytes follow."""
    stream = io.BytesIO()
    about = {"descr": "|u1", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_2_0(stream, about)
    return stream.getvalue()


def archive(members, pack=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", pack) as file:
        for name, content in members:
            file.writestr(name, content)
    return stream.getvalue()


BOMB = header_of((10**8,)) + bytes(10**6)
ARCHIVES = {
    "a header that promises more": archive([("report.npy", header_of((10**12,)))]),
    "a shape of many dimensions": archive([("report.npy", header_of((10**6, 10**6, 10**6)))]),
    "zeros packed": archive([("report.npy", BOMB)], zipfile.ZIP_DEFLATED),
    "packed otherwise": archive([("report.npy", BOMB)], zipfile.ZIP_LZMA),
    "no array": archive([("report.npy", b"text")]),
    "nothing": archive([]),
    "one array": header_of((3,)) + b"abc",
    "no archive": b"abc",
    "two kinds": archive([(f"{kind}.npy", header_of((2,)) + b"{}") for kind in KINDS[:2]]),
    "no kind": archive([("other.npy", header_of((2,)) + b"{}")]),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_that_unpacks_to_more_is_refused_before_it_does(name):
    data = sealed(ARCHIVES[name])
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"^the bytes of a partial result are damaged: "):
            from_bytes(H, data)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000 + 4 * len(data)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", SAMPLES)
def test_an_array_is_used_once_and_none_is_left(kind):
    of, data = SAMPLES[kind]
    arrays = arrays_of(data)
    for bad in ({**arrays, "more": np.zeros(3, np.uint8)}, {key: arrays[key] for key in list(arrays)[:-1]}):
        with pytest.raises(InputError, match=r"of which nothing is said|an array is missing"):
            from_bytes(of, made_of(bad))
    said = json.dumps(words_of(data))
    numbers = [name for name in arrays if name not in KINDS and f'"{name}"' in said]
    twice = json.loads(said.replace(f'"{numbers[-1]}"', f'"{numbers[0]}"'))
    with pytest.raises(InputError, match="an array is missing"):
        from_bytes(of, rewritten(data, **twice))


# --- by chance ----------------------------------------------------------------------------------

NUMBERS = [-1, 0, 1, 2, 7, 2**31, 2**52, MANY, 2**53, 2**63 - 1, 2**63, 2**70, 10**400, 0.5, -1e300, 1e300, 1.7e308]
VALUES = [*NUMBERS, float("nan"), float("inf"), "", "0", "1", "hF", "N", "\ud800", None, True, [], {}, [[]], [0] * 70]


def with_other_words(draw, data):
    """A few of the values in the JSON are others, or left out, or there twice."""
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
    arrays = arrays_of(data)
    kind = next(kind for kind in KINDS if kind in arrays)
    return made_of({**arrays, kind: np.frombuffer(json.dumps({"sums": words}).encode(), np.uint8)})


def with_other_arrays(draw, data):
    """An array has other numbers, another shape or another type."""
    arrays = arrays_of(data)
    name = draw.choice([name for name in arrays if name not in KINDS])
    array = arrays[name]
    most = np.iinfo(array.dtype).max
    arrays[name] = draw.choice(
        [
            lambda: np.full_like(array, most),
            lambda: np.full(array.shape, draw.choice([MANY, 2**53, 2**63, 2**64 - 1]), np.uint64),
            lambda: array.reshape(-1),
            lambda: array[..., :-1] if array.ndim else array,
            lambda: np.concatenate([array, array]),
            lambda: array[:0],
            lambda: np.zeros((0, 2**40), np.uint8),
            lambda: np.zeros((*array.shape, 0), np.uint8),
            lambda: array.astype(draw.choice(["i8", "f8", "c16", "U3", "S2", ">u4", "?", "f2"])),
            lambda: array.T,
            lambda: np.where(np.arange(array.size).reshape(array.shape) == 0, draw.randrange(3), array).astype("u1"),
            lambda: np.random.default_rng(draw.randrange(99)).integers(0, most, array.shape).astype(array.dtype),
        ]
    )()
    return made_of(arrays, draw.choice([np.savez, np.savez_compressed]))


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
    draw, (of, data) = random.Random(f"{kind} {seed}"), SAMPLES[kind]
    own, read, refused = from_bytes(of, data), 0, set()
    for _ in range(times):
        forged = draw.choice([with_other_words, with_other_words, with_other_arrays, with_other_bytes])(draw, data)
        try:
            found = from_bytes(of, forged)
            read += 1
            joined = merge([found] * draw.choice([1, 2, 40]))
            merge([own, from_bytes(of, to_bytes(joined))]).report()
        except InputError as error:
            refused.add(str(error))
    assert read or seed == "every day"
    assert len(refused) > times / 25
    assert not [message for message in refused if "\n" in message or len(message) > 1000]
