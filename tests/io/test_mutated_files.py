"""Files damaged at random: each is read or refused in one plain sentence, by every reader, in bounded time."""

import io
import json
import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from hiermeasures.errors import InputError
from hiermeasures.io import LABEL_FORMATS, write_labels
from hiermeasures.io.hierarchies import HIERARCHY_FORMATS, write_hierarchy_text
from hiermeasures.io.labels import LabelFile
from tests.cases.helpers import FIGURE
from tests.io.bombs import HIERARCHY, READERS, archive, packed, parquet

MEMORY = 2_500  # MB at the most for all of the inputs one after the other
SLOWEST = 10.0  # seconds for any one of them, on a busy machine

_PIECES = [
    b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\t", b",", b";", b"|", b'"', b"'", b"[", b"]", b"{", b"}",
    b":", b"<", b">", b"&", b"*", b"!", b"#", b"%", b"-", b"=", b"\\", b"\\u0000", b"\\ud800", b"nan", b"-1", b"1e999",
    b"9" * 400, b"None", b"null", b"\xe2\x80\xa8", b"\xf0\x9f\x8c\xb3", b"(2, 3)", b"(-1,)", b"(99999999999,)", b"|O",
    b"<U9", b"<f8", b"True", b"inf", b"? ", b"- ",
]  # fmt: skip


def samples() -> list[tuple[str, bytes]]:
    """A good file of every format, by its reader."""
    found = [("hierarchy", write_hierarchy_text(HIERARCHY, key).encode()) for key in _hierarchy_formats()]
    labels = LabelFile(("x", "y", "z"), (frozenset("AB"), frozenset("C"), frozenset()))
    for key, file_format in LABEL_FORMATS.items():
        if file_format.writable:
            out = io.BytesIO()
            write_labels(labels, out, key)
            found.append(("labels", out.getvalue()))
    matrix = np.array([[1, 1, 0], [0, 0, 1], [0, 0, 0]], np.int8)
    names = np.array(["A", "B", "C"])
    dense = {"y": matrix, "classes": names, "ids": np.array(["x", "y", "z"])}
    found += [("labels", packed(**dense)), ("labels", stored(**dense))]
    for kind in ("csr", "csc", "coo", "bsr"):
        out = io.BytesIO()
        sparse.save_npz(out, sparse.coo_array(matrix).asformat(kind), compressed=False)
        out.seek(0)
        with np.load(out) as arrays:
            found.append(("labels", stored(**arrays, classes=names)))
    values = np.array([[0.25, 0.75], [0.5, 0.5]])
    numbers = {"probabilities": values, "classes": np.array(["B", "C"]), "ids": np.array(["x", "y"])}
    found += [("probabilities", packed(**numbers)), ("probabilities", stored(**numbers))]
    found.append(("probabilities", parquet({"id": ["x", "y"], "B": values[:, 0], "C": values[:, 1]})))
    found.append(("probabilities", b"id,B,C\nx,0.25,0.75\ny,0.5,0.5\n"))
    found.append(("case", FIGURE.encode()))
    return found


def stored(**arrays) -> bytes:
    """As `packed` without compression, so that mutations meet the arrays themselves."""
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def _hierarchy_formats() -> list[str]:
    small = []
    for key, file_format in HIERARCHY_FORMATS.items():
        if file_format.writable:
            try:
                write_hierarchy_text(HIERARCHY, key)
            except InputError:  # a format of numbers only
                continue
            small.append(key)
    return small


def mutated(content: bytes, rng: random.Random) -> bytes:
    """The file with a few changes: bits, pieces put in or taken out, parts doubled or cut off. In an archive it is
    mostly an array that is changed, for the archive's own check sums would find the rest.
    """
    if content.startswith(b"PK") and rng.random() < 0.9:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            members = {name.removesuffix(".npy"): file.read(name) for name in file.namelist()}
        changed = rng.choice(list(members))
        return archive({**members, changed: mutated(members[changed], rng)})
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        match rng.randrange(7):
            case 0 if data:
                data[at % len(data)] ^= 1 << rng.randrange(8)
            case 1 if data:
                data[at % len(data)] = rng.randrange(256)
            case 2:
                data[at:at] = rng.choice(_PIECES)
            case 3:
                data[at : at + rng.randrange(1, 9)] = rng.choice(_PIECES)
            case 4:
                del data[at : min(to, at + 40)]
            case 5:
                data[at:at] = data[at : min(to, at + 200)] * rng.choice((1, 1, 2, 50))
            case _:
                del data[to:]
    return bytes(data)


def findings(count: int, seed: int) -> list[tuple[str, int, str]]:
    """What went wrong among so many mutated files: the reader, the number of the file, and how."""
    rng = random.Random(seed)
    good = samples()
    wrong = []
    for number in range(count):
        reader, content = good[number % len(good)]
        data = mutated(content, rng)
        began = time.monotonic()
        try:
            READERS[reader](data)
        except InputError as error:
            if "\n" in str(error) or len(str(error)) > 2_000:
                wrong.append((reader, number, f"a long sentence: {str(error)[:200]!r}"))
        except Exception as error:
            wrong.append((reader, number, f"{type(error).__name__}: {error}"[:300]))
        if time.monotonic() - began > SLOWEST:
            wrong.append((reader, number, f"{time.monotonic() - began:.0f} s"))
    return wrong


def test_every_good_file_is_read():
    for reader, content in samples():
        assert READERS[reader](content)


def test_a_few_hundred_damaged_files_are_read_or_refused():
    assert findings(900, seed=11) == []


@pytest.mark.slow
def test_a_hundred_thousand_damaged_files_are_read_or_refused():
    """Two processes of 50,000 each, so that one that ends, or fills its memory, is seen."""
    script = (
        "import json, resource, sys; from tests.io.test_mutated_files import findings;"
        "wrong = findings(50_000, int(sys.argv[1]));"
        "print(json.dumps([wrong, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000]))"
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-W", "ignore", "-c", script]
    running = [subprocess.Popen([*command, seed], cwd=root, stdout=subprocess.PIPE, text=True) for seed in ("1", "2")]
    for process in running:
        out, _ = process.communicate(timeout=590)
        assert process.returncode == 0
        wrong, peak = json.loads(out.splitlines()[-1])
        assert wrong == []
        assert peak < MEMORY
