"""Files damaged at random: each is read or refused in one plain sentence, by every reader, in
bounded time.

What was once found wrong is kept in tests/samples/found, `<reader>.<format>.<name>`, and is damaged
further. A new find is written there by the test that meets it, to be committed with the repair.
"""

import hashlib
import io
import random
import time
import zipfile

import numpy as np
import pytest
from scipy import sparse

from hiermeasures import Hierarchy
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.read import LABEL_FORMATS, read_labels, write_labels
from hiermeasures.read.hierarchies import HIERARCHY_FORMATS, write_hierarchy_text
from hiermeasures.read.labels import LabelFile
from tests.conftest import SAMPLES
from tests.read.bombs import HIERARCHY, READERS, archive, packed, parquet
from tests.read.test_as_arrays import BLOCK, in_every_way
from tests.verify.helpers import FIGURE

SLOWEST = 10.0  # seconds of processor time for any one of them
FOUND = SAMPLES / "found"

_PIECES = [
    b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\t", b",", b";", b"|", b'"', b"'", b"[", b"]", b"{", b"}",
    b":", b"<", b">", b"&", b"*", b"!", b"#", b"%", b"-", b"=", b"\\", b"\\u0000", b"\\ud800", b"nan", b"-1", b"1e999",
    b"9" * 400, b"None", b"null", b"\xe2\x80\xa8", b"\xf0\x9f\x8c\xb3", b"(2, 3)", b"(-1,)", b"(99999999999,)", b"|O",
    b"<U9", b"<f8", b"True", b"inf", b"? ", b"- ",
]  # fmt: skip


def samples() -> list[tuple[str, str, bytes]]:
    """A good file of every format, and all that was found: reader, format, content."""
    found = [("hierarchy", key, write_hierarchy_text(h, key).encode()) for key, h in _hierarchies()]
    found += [("hierarchy", key, content) for key, content in READ_ONLY]
    labels = LabelFile(("x", "y", "z"), (frozenset("AB"), frozenset("C"), frozenset()))
    for key, file_format in LABEL_FORMATS.items():
        if file_format.writable:
            out = io.BytesIO()
            write_labels(labels, out, key)
            found.append(("labels", key, out.getvalue()))
    matrix = np.array([[1, 1, 0], [0, 0, 1], [0, 0, 0]], np.int8)
    names = np.array(["A", "B", "C"])
    dense = {"y": matrix, "classes": names, "ids": np.array(["x", "y", "z"])}
    found += [("labels", "npz", packed(**dense)), ("labels", "npz", stored(**dense))]
    for kind in ("csr", "csc", "coo", "bsr"):
        out = io.BytesIO()
        sparse.save_npz(out, sparse.coo_array(matrix).asformat(kind), compressed=False)
        out.seek(0)
        with np.load(out) as arrays:
            found.append(("labels", "npz", stored(**arrays, classes=names)))
    found += [("labels", key, content) for key, content in LAID_OUT_OTHERWISE]
    read_only = {
        "animals.ttl": "rdf",
        "cells.owl": "owl",
        "cells.json": "obo-graphs",
        "tree.nwk": "newick",
    }
    found += [
        ("hierarchy", key, (SAMPLES / "ontologies" / name).read_bytes())
        for name, key in read_only.items()
    ]
    found.append(("hierarchy", "taxdump", (SAMPLES / "ontologies/taxdump/nodes.dmp").read_bytes()))
    values = np.array([[0.25, 0.75], [0.5, 0.5]])
    numbers = {
        "probabilities": values,
        "classes": np.array(["B", "C"]),
        "ids": np.array(["x", "y"]),
    }
    found += [("probabilities", "", packed(**numbers)), ("probabilities", "", stored(**numbers))]
    found.append(
        ("probabilities", "", parquet({"id": ["x", "y"], "B": values[:, 0], "C": values[:, 1]}))
    )
    found.append(("probabilities", "", b"id,B,C\nx,0.25,0.75\ny,0.5,0.5\n"))
    found.append(("case", "", FIGURE.encode()))
    return found + [
        (*path.name.split(".")[:2], path.read_bytes()) for path in sorted(FOUND.iterdir())
    ]


LAID_OUT_OTHERWISE = [
    ("hemkit", b"1 5\n\n7 longer-than-8\n"),
    ("csv", b'"id","text","labels"\n"x","two\nlines, ""so""","A|B"\n"y",""," C "\n'),
    ("csv", b"id,level_1,level_2\nx,A,B\ny,C,\n"),
    ("csv", b"id,labels\nx,\"['A', 'B, C']\"\ny,[]\n"),
    ("tsv", b"x\t12 7\ny\t3\n"),
    (
        "jsonl",
        b'{"id": 7, "label": "A", "x": {"y": [1.5]}}\n{"id": 8, "label": "", "x": {"y": []}}\n',
    ),
    ("jsonl", b'["A", "B"]\n[]\n'),
    ("germeval", b"subtask_a\nx\tA\n\nsubtask_b\nx\tA\tB\n"),
]


READ_ONLY = [  # formats of hierarchies that are not written, and tables
    ("csv", b'code,title,parent\n1,Managers,\n11,"Chief, all",1\n12,,1\n'),
    ("edges", b"level1\tlevel2\nA\tB\nA\t\nC\tD\n"),
    (
        "csv",
        b"DescriptorUI,DescriptorName,TreeNumbers\nD1,Body,A01\nD2,Breast,A01.236|A17.500\nD3,Skin,A17\n",
    ),
    ("paths", b"# Version: 1\n1 - A\n2 - A > B\n3 - A > B > C\n"),
    ("paths", b"f1\tk__A; p__B; c__\nf2\tk__A; p__C\n"),
    ("mesh", b"Body;A01\nBreast;A01.236\nBreast;A17.500\nSkin;A17\n"),
    ("csv", b"code,title\n31-33,Making\n311,Food\n3111,Feed\n44-45,Trade\n441,Cars\n"),
    ("csv", b"code,title\n1000,A\n1100,B\n1110,C\n1111,D\n"),
    ("edges", b"A00     Cholera\nA000    Cholera, classical\nA01     Typhoid\n"),
    ("outline", b"- A\n  - B\n    - C\n"),
    ("outline", b"A:\n- B\n- C:\n  - D\n"),
    ("outline", b"1 A\n1.1 B\n1.1.1 C\n2 D\n"),
    (
        "kraken",
        b" 9.00\t9\t9\tU\t0\tunclassified\n 91.00\t91\t0\tR\t1\troot\n 91.00\t91\t2\tD\t2\t  "
        b"Bacteria\n",
    ),
    (
        "records",
        b'[{"id": 1, "name": "A", "parent_id": null}, {"id": 2, "name": "B", "parent_id": 1}]',
    ),
    (
        "records",
        b'[{"id": "a", "name": "A", "child_ids": ["b"]}, {"id": "b", "name": "B", '
        b'"child_ids": []}]',
    ),
    (
        "records",
        b'{"name": "A", "children": [{"name": "B", "size": 1}, {"name": "C", "children": '
        b'[{"name": "B"}]}]}',
    ),
    ("records", b'[["A", "B"], ["A", "C"]]'),
]


def _hierarchies() -> list[tuple[str, Hierarchy]]:
    """Those that a format holds of: some of letters, of numbers, with weights."""
    numbers = Hierarchy.from_edges([("1", "2"), ("1", "3"), ("2", "4"), ("3", "4")])
    heavy = Hierarchy.from_edges(
        [("A", "B", 0.5), ("A", "longer than 8", 2), ("B", "C")]
    ).with_class_weights("depth")
    small = []
    for key in HIERARCHY_FORMATS:
        for h in (HIERARCHY, numbers, heavy):
            try:
                write_hierarchy_text(h, key)
            except InputError:  # numbers only, or no weights
                continue
            small.append((key, h))
    return small


def stored(**arrays) -> bytes:
    """As `packed` without compression, so that mutations meet the arrays themselves."""
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def mutated(content: bytes, rng: random.Random) -> bytes:
    """The file with a few changes: bits, pieces put in or taken out, parts doubled or cut off. In
    an archive it is mostly an array that is changed, for the archive's own check sums would find
    the rest.
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


def findings(count: int, seed: int) -> tuple[list[tuple[str, str]], dict[str, int]]:
    """Return the faults among so many mutated files, and counts of files read and refused."""
    rng = random.Random(seed)
    good = samples()
    wrong, counts = [], {"read": 0, "refused": 0}
    for number in range(count):
        reader, key, content = good[number % len(good)]
        data = mutated(content, rng)
        began = time.process_time()
        fault = _fault(READERS[reader], data, counts)
        if time.process_time() - began > SLOWEST:
            fault = f"{time.process_time() - began:.0f} s"
        if fault:
            path = FOUND / f"{reader}.{key}.{hashlib.sha256(data).hexdigest()[:12]}"
            path.write_bytes(data)
            wrong.append((path.name, fault[:500]))
    return wrong, counts


def _fault(read, data: bytes, counts: dict[str, int]) -> str:
    """Return the failure of a reader on a file; empty where it reads or refuses it."""
    try:
        read(data)
        counts["read"] += 1
    except InputError as error:
        counts["refused"] += 1
        if "\n" in str(error) or len(str(error)) > 2_000:
            return f"a long sentence: {str(error)[:200]!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def test_every_good_file_is_read():
    for reader, _, content in samples()[: -len(list(FOUND.iterdir()))]:
        assert READERS[reader](content, **({"task": "a"} if content.count(b"subtask") > 1 else {}))


@pytest.mark.parametrize("path", sorted(FOUND.iterdir()), ids=lambda path: path.name)
def test_what_was_found_stays_mended(path):
    reader, key, _ = path.name.split(".")
    assert not _fault(READERS[reader], path.read_bytes(), {"read": 0, "refused": 0})
    if reader == "labels" and LABEL_FORMATS[key].has_lines:
        ways = in_every_way(
            lambda: read_labels(path.read_bytes(), key, name="f.txt"), (BLOCK, 7, 30, 90)
        )
        assert ways[1:] == ways[:-1]


def test_a_few_hundred_damaged_files_are_read_or_refused():
    wrong, counts = findings(900, seed=11)
    assert wrong == []
    assert min(counts.values()) > 90
