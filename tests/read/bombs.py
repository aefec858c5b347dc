"""Small files that unpack to gigabytes, or take a parser very long: name, what reads them, their
bytes.

Each was found to fill the memory, to take minutes, or to end the process, before its reader bounded
what it does.
"""

import bz2
import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from hiermeasures import Hierarchy
from hiermeasures.evaluation.scores import read_probabilities
from hiermeasures.read import read_hierarchy, read_labels
from hiermeasures.verify.library import read_cases

HIERARCHY = Hierarchy.from_edges([("A", "B"), ("A", "C")])
READERS: dict[str, Callable[[bytes], Any]] = {
    "labels": read_labels,
    "hierarchy": read_hierarchy,
    "case": partial(read_cases, name="case.yaml"),
    "probabilities": lambda content: read_probabilities(content, HIERARCHY),
}


def zeros(count: int, kind: str = "|i1", shape: str = "") -> bytes:
    """The bytes of an NPY file of zeros, without ever holding more than they are."""
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape or f'({count},)'}, }}"
    out = io.BytesIO()
    out.write(b"\x93NUMPY\x01\x00" + (len(head) + 1).to_bytes(2, "little") + head.encode() + b"\n")
    return out.getvalue() + bytes(count * np.dtype(kind).itemsize)


def archive(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return out.getvalue()


def packed(**arrays: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def parquet(columns: dict[str, Any], **settings: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **settings)
    return out.getvalue()


def repeated(text: str, times: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(times, np.int32)), pa.array([text]))


def _long_header() -> bytes:
    """The head of a tar archive whose next gigabytes are to be a header."""
    member = tarfile.TarInfo("nodes.dmp")
    member.type, member.size = tarfile.XHDTYPE, 4 * 10**9
    return member.tobuf()


def bombs() -> Iterator[tuple[str, str, bytes]]:
    """(what it is, which reader it is for, its bytes)."""
    million = 10**6
    yield "brackets in a case", "case", b"figure: " + b"[" * 200_000
    yield "brackets that close", "case", b"a: " + b"[" * 30_000 + b"]" * 30_000
    yield "unknown keys", "case", b"".join(b"k%d: v\n" % k for k in range(80_000))
    chain = b" ".join(b"c%d>c%d" % (k, k + 1) for k in range(60_000))
    yield (
        "case of a chain",
        "case",
        b"figure: F\nhierarchy: " + chain + b"\ntrue: c1\npredicted: c2\n",
    )
    twelve = {f"a{k}": zeros(100_000_000 // 4, "|i1", f"(1, {100_000_000 // 4})") for k in range(4)}
    yield "arrays under bzip2", "labels", archive(twelve, zipfile.ZIP_BZIP2)
    yield "arrays of NPZ", "labels", archive(twelve)
    names = np.array(["c"])
    yield (
        "long ids",
        "labels",
        packed(y=np.zeros((100_000, 1), "?"), classes=names, ids=np.zeros(100_000, "U1500")),
    )
    ones, columns = np.ones((400_000, 200), "?"), np.arange(200)
    yield "nothing but ones", "labels", packed(y=ones, classes=columns)
    yield (
        "probabilities of small numbers",
        "probabilities",
        packed(probabilities=np.zeros((40_000, 1000), "i1"), classes=np.arange(1000)),
    )
    yield (
        "long class names",
        "probabilities",
        packed(probabilities=np.zeros((1, 9)), classes=np.zeros(9, "U9999999")),
    )
    yield "long text in Parquet", "labels", parquet({"label": repeated("x" * 100_000, 60_000)})
    yield "many labels in Parquet", "labels", parquet({"label": repeated("a|" * 50_000, 60_000)})
    yield (
        "long ids in Parquet",
        "labels",
        parquet({"id": repeated("x" * 100_000, 60_000), "label": ["A"] * 60_000}),
    )
    yield "text for numbers", "probabilities", parquet({"A": repeated("x" * 100_000, 60_000)})
    numbers = {"id": repeated("x" * 100_000, 60_000), "A": np.zeros(60_000)}
    yield "long ids of probabilities", "probabilities", parquet(numbers)
    yield (
        "many rows in Parquet",
        "probabilities",
        parquet({"A": np.zeros(30 * million, "f4")}, compression="gzip"),
    )
    lists = pa.ListArray.from_arrays([0, 60 * million], repeated("A", 60 * million))
    yield "a long list in Parquet", "labels", parquet({"label": lists})
    yield "one id", "labels", b"id,labels\n" + b"".join(b"x,c%d\n" % k for k in range(300_000))
    yield "a chain of edges", "hierarchy", b"".join(b"%d %d\n" % (k, k + 1) for k in range(300_000))
    yield (
        "a circle of edges",
        "hierarchy",
        b"".join(b"%d %d\n" % (k, (k + 1) % 300_000) for k in range(300_000)),
    )
    yield "JSON of lists", "hierarchy", b'{"A": [' + b"[]," * (6 * million) + b"[]]}"
    yield (
        "JSON of names",
        "hierarchy",
        b"[" + b",".join(b'"%d"' % k for k in range(2 * million)) + b"]",
    )
    yield "brackets of JSON", "hierarchy", b"[" * (15 * million)
    yield (
        "tags of GraphML",
        "hierarchy",
        (
            b'<graphml><graph edgedefault="directed">'
            + b"<node/>" * (2 * million)
            + b"</graph></graphml>"
        ),
    )
    prefixed = b" ".join(b'p:a%d=""' % k for k in range(50_000))
    yield (
        "namespaces of GraphML",
        "hierarchy",
        b'<graphml xmlns:p="' + b"x" * 200_000 + b'" ' + prefixed + b"/>",
    )
    yield (
        "blanks of an outline",
        "hierarchy",
        b"A A A A\n" + b"\tB B B B\n" * 100_000 + b"\tC" + b" " * (15 * million),
    )
    yield "marks of DOT", "hierarchy", b"digraph {" + b";" * (19 * million) + b"}"
    yield (
        "a chain of DOT",
        "hierarchy",
        b"digraph {" + b"->".join(b"c%d" % k for k in range(900_000)) + b"}",
    )
    doubled = b"digraph {a->" + b"{" * 190 + b"b " * (4 * million) + b"}->a " * 190 + b"}"
    yield "braces of DOT", "hierarchy", doubled
    yield "a quote of DOT", "hierarchy", b'digraph {"' + b'\\"' * (9 * million)
    yield (
        "taxonomy of one line",
        "hierarchy",
        b"a\t" + b"\t".join(b"%d" % k for k in range(2 * million)),
    )
    yield "cells of one row", "labels", b"id,labels\n" + b"x," + b"a|" * (7 * million) + b"\n"
    yield "a weight of many digits", "hierarchy", b"A,B," + b"9" * 5000
    yield (
        "a JSON weight of many digits",
        "hierarchy",
        (
            b'{"nodes": [], "edges": [{"source": "a", "target": "b", "weight": '
            + b"9" * 4000
            + b"}]}"
        ),
    )
    yield "brackets of Turtle", "hierarchy", b"@prefix s: <x:> .\n<a> s:b " + b"( " * (8 * million)
    yield (
        "escapes of Turtle",
        "hierarchy",
        b'@prefix s: <x:> .\n<a> s:b """' + b'\\"' * (9 * million),
    )
    yield (
        "digits of Turtle",
        "hierarchy",
        b"@prefix s: <x:> .\n<a> s:b " + b"9" * (15 * million) + b" .",
    )
    root = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><Ontology/>'
    yield "tags of OWL", "hierarchy", root + b"<a>" * 450_000 + b"</a>" * 450_000 + b"</rdf:RDF>"
    terms = b",".join(b'{"id":"%d","type":"CLASS"}' % k for k in range(600_000))
    yield (
        "terms of OBO Graphs",
        "hierarchy",
        b'{"graphs":[{"id":"x","edges":[],"nodes":[' + terms + b"]}]}",
    )
    yield "a path of many parts", "hierarchy", b"/a" * 150_000 + b"\nb/c\n"
    parts = b" > ".join(b"%c" % (97 + k % 26) for k in range(180))
    rows = b"".join(b"r%d > %s\n" % (k, parts) for k in range(19 * million // 730))
    yield "paths of many parts", "hierarchy", rows
    edges = b"".join(b"%d->%d;" % (k // 2, k + 1) for k in range(900_000))
    yield "edges of DOT", "hierarchy", b"digraph {" + edges + b"}"
    yield "parentheses of Newick", "hierarchy", b"(" * (9 * million) + b"a;"
    yield "zeros in a taxdump", "hierarchy", gzip.compress(_long_header() + bytes(600 * million), 1)
    yield (
        "columns of a header",
        "hierarchy",
        b",".join(b"level%d" % k for k in range(million)) + b"\nA,B\n" * 9,
    )
    yield (
        "columns of short rows",
        "hierarchy",
        b",".join(b"level%d" % k for k in range(900)) + b"\nA,B" * (3 * million),
    )
    yield (
        "listed codes",
        "hierarchy",
        b"code,title\n" + b"".join(b"%015d,x\n" % (k * 7) for k in range(900_000)),
    )
    ranges = b"".join(b"A%07d-A%07d,x\n" % (k, 2 * k) for k in range(800_000))
    yield "listed ranges", "hierarchy", b"code,title\n" + ranges
    yield "numbers of headings", "hierarchy", b"1 A\n1" + b".1" * (9 * million) + b" B\n"
    yield "bullets", "hierarchy", b"".join(b" " * (k % 60) + b"- x%d\n" % k for k in range(400_000))
    keys = b",".join(b'{"id":"%d","k%d":1,"parent":"x"}' % (k, k) for k in range(300_000))
    yield "keys of records", "hierarchy", b"[" + keys + b"]"
    many = b",".join(b'"%d"' % k for k in range(400_000))
    wide = b",".join(b'"k%d":"v"' % k for k in range(900))
    yield (
        "parents of a record",
        "hierarchy",
        b'[{"id":"a","parents":[' + many + b"]," + wide + b"}]",
    )
    tree = b'{"name":"aaa","children":[' * 90 + b",".join([b'{"name":"b"}'] * 10) + b"]}" * 90
    yield (
        "names that repeat in a tree",
        "hierarchy",
        b'{"name":"r","children":[' + b",".join([tree] * 1400) + b"]}",
    )
    yield "parts of a path", "hierarchy", b"a > " * (4 * million) + b"a\n"
    deep = b"".join(b"/%05d" % k + b"/a" * 490 + b"\n" for k in range(18_000))
    yield "paths of many parts", "hierarchy", deep
    yield "parts of types", "hierarchy", b"/a" * (9 * million) + b"\n/b/c\n"
    yield "rows of a Kraken report", "hierarchy", b" 9.00\t1\t1\tS\t7\t  x\n" * 600_000
    assert bz2  # the module that zipfile needs for the first kind
