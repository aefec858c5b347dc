"""CAFA's evaluation by a Dask cluster of two worker processes gives the bits and the notes of one
process, also when one of them is killed half-way, wherever the lines of a target stand; and pieces
of a file have its lines, each once.
"""

import gzip
import random
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import InputError
from hiermeasures.cli import main
from hiermeasures.formats import annotations as pieces
from hiermeasures.formats.annotations import read_annotations
from tests.two_workers import killed


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """An ontology, the truth and three systems, lines in no order, as text, gzip and Parquet."""
    folder, draw = tmp_path_factory.mktemp("cafa"), random.Random(3)
    parents = {c: sorted({draw.randrange(c % 2, c, 2) for _ in range(2)}) for c in range(2, 60)}
    stanzas = [
        f"[Term]\nid: GO:{c}\nnamespace: {'NM'[c % 2]}\n" + "".join(f"is_a: GO:{p}\n" for p in parents.get(c, ()))
        for c in range(60)
    ]
    more = "[Term]\nid: GO:98\nnamespace: N\nis_obsolete: true\n[Term]\nid: GO:97\nnamespace: N\nalt_id: GO:96\n"
    (folder / "ontology.obo").write_text("\n".join([*stanzas, more]))
    (folder / "true.tsv").write_text(
        "".join(f"T{t}\tGO:{c}\n" for t in range(900) for c in draw.sample(range(60), 1 + t % 4)) + "T2000\tGO:99\n"
    )
    (folder / "ia.tsv").write_text("".join(f"GO:{c}\t{draw.random() * 9!r}\n" for c in range(60)))
    predictions = folder / "predictions"
    predictions.mkdir()
    for name in ("a.tsv", "b.tsv.gz", "c.parquet"):
        rows = [(f"T{t}", f"GO:{c}", draw.random()) for t in range(1000) for c in draw.sample(range(60), 9)]
        rows += [("T1", "GO:98", 0.5), ("T1", "GO:96", 0.5), ("T2", "GO:99", 0.5)]
        draw.shuffle(rows)
        text = "AUTHOR X\nMODEL 1\n" + "".join(f"{t}\t{c}\t{s!r}\n" for t, c, s in rows) + "END\n"
        if name.endswith("gz"):
            (predictions / name).write_bytes(gzip.compress(text.encode()))
        elif name.endswith("tsv"):
            (predictions / name).write_text(text)
        else:
            frame = pd.DataFrame(rows, columns=["target", "term", "score"])
            frame.to_parquet(predictions / name, row_group_size=500)
    return folder


def command(files, table, *more):
    given = [str(files / name) for name in ("ontology.obo", "predictions", "true.tsv")]
    return ["cafa", *given, "--ia", str(files / "ia.tsv"), "--table", str(table), *more]


@pytest.fixture
def small_pieces(monkeypatch):
    sizes = {"BYTES": 20_000, "PACKED_BYTES": 9000, "ROWS": 700, "GROUP_ROWS": 1000}
    for name, size in {**sizes, "RUN_BYTES": 6000, "RUN_ROWS": 700, "_SOME": 1000}.items():
        monkeypatch.setattr(pieces, name, size)


# --- pieces -------------------------------------------------------------------------------------


def rows_of(found):
    return sorted(zip(found.targets[found.target], found.terms[found.term], found.score.tolist(), strict=True))


def rows_in(piece):
    return [row for run in pieces.read_piece(piece) for row in rows_of(run)]


def test_pieces_of_every_kind_of_file_have_its_lines(files, small_pieces):
    for path in sorted((files / "predictions").iterdir()):
        parts = pieces.annotation_pieces(path, path.name)
        assert len(parts) > 5
        found = [row for part in parts for row in rows_in(part)]
        assert sorted(found) == rows_of(read_annotations(path, scored=True))
        assert sum(part.rows for part in parts) >= len(found)


@given(
    st.integers(1, 90), st.sampled_from(["", "\n", "\n\n", "\nEND", "\nEND\n"]), st.sampled_from(["\n", "\r\n", "\n\n"])
)
def test_text_is_cut_between_lines_wherever_a_piece_would_end(tmp_path_factory, size, end, between):
    path = tmp_path_factory.mktemp("cut") / "p.tsv"
    lines = [f"T{k}\tGO:{k % 3}\t0.{k}" for k in range(1, 9)]
    path.write_bytes((between.join(lines) + end).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "BYTES", size)
        patch.setattr(pieces, "RUN_BYTES", 25)
        parts = pieces.annotation_pieces(path, "p.tsv")
        found = [row for part in parts for row in rows_in(part)]
    assert sorted(found) == rows_of(read_annotations(path, scored=True))


@given(
    st.lists(
        st.lists(st.sampled_from(["", "\n", "T1\tGO:1\t0.25\n", "T2\tGO:2\t0.5\n", "T3\tGO", ":1\t0.7\n"]), max_size=9)
    ),
    st.integers(1, 60),
    st.integers(1, 60),
    st.sampled_from([1, 30, 10**6]),
    st.sampled_from([b"", b"\0\0"]),
)
def test_what_gzip_packed_is_cut_between_lines(tmp_path_factory, members, size, some, at_once, padding):
    path = tmp_path_factory.mktemp("cut") / "p.gz"
    text = "".join(part for member in members for part in member) + "T9\tGO:9\t1"
    texts = ["".join(member).encode() for member in members]
    packed = padding.join(map(gzip.compress, [*texts, b"T9\tGO:9\t1"])) + padding
    path.write_bytes(packed)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"PACKED_BYTES": size, "_SOME": some, "RUN_BYTES": at_once}.items():
            patch.setattr(pieces, name, value)
        try:
            expected = rows_of(read_annotations(text.encode(), scored=True, name="p.gz"))
        except InputError as error:  # T3 without an end
            with pytest.raises(InputError, match=re.escape(str(error))):
                read_in_pieces(path, "p.gz")
            return
        found = [row for part in pieces.annotation_pieces(path, "p.gz") for row in rows_in(part)]
    assert sorted(found) == expected


def test_a_gzip_file_that_is_cut_or_changed_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "PACKED_BYTES", 300)
    path = tmp_path / "p.tsv"
    packed = gzip.compress("".join(f"T{k}\tGO:{k}\t0.{k}\n" for k in range(500)).encode())
    for bad in (packed[:-9], packed[:800], packed[:700] + b"\xff" * 9 + packed[709:], packed + b"more"):
        path.write_bytes(bad)
        with pytest.raises(InputError, match=r"p.tsv: a gzip file that is cut short or damaged"):
            read_in_pieces(path)


def test_a_row_group_is_read_in_pieces(tmp_path, small_pieces):
    rows = [(f"T{k % 70}", f"GO:{k}", k / 5000) for k in range(5000)]
    for size in (5000, 1500):
        frame = pd.DataFrame(rows, columns=["target", "term", "score"])
        frame.to_parquet(tmp_path / "p.parquet", row_group_size=size)
        parts = pieces.annotation_pieces(tmp_path / "p.parquet", "p")
        assert [(p.start, p.stop) for p in parts[:1]] == [(0, 1000 if size == 5000 else 750)]
        assert max(p.rows for p in parts) <= 1000
        runs = [list(pieces.read_piece(part)) for part in parts]
        assert max(len(run) for each in runs for run in each) <= 700
        assert sorted(row for each in runs for run in each for row in rows_of(run)) == sorted(rows)
    frame.loc[4321, "score"] = 2.0
    frame.to_parquet(tmp_path / "p.parquet")
    with pytest.raises(InputError, match=r"p, rows from 4,201: row 122: the score 2 is not from 0 to 1"):
        read_in_pieces(tmp_path / "p.parquet", "p")


def test_small_files_are_shared_out_too_but_not_by_the_line(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "LEAST", 1000)
    for name, size in {"a": 20_000, "b": 500, "c": 60_000}.items():
        (tmp_path / name).write_bytes(b"x" * size)

    def counts(*names):
        return [len(found) for found in pieces.pieces_of_files({name: tmp_path / name for name in names}).values()]

    assert counts("a") == [8]
    assert counts("b") == [1]
    assert counts("a", "b", "c") == [2, 1, 6]  # of an eighth of 80,500 bytes each
    with pytest.raises(InputError, match="z: there is no such file"):
        counts("a", "z")


def read_in_pieces(path, name="p.tsv"):
    return [run for part in pieces.annotation_pieces(path, name) for run in pieces.read_piece(part)]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("size", [55, 70, 10_000])
def test_headers_are_read_alike_whole_and_in_pieces(tmp_path, monkeypatch, pack, size):
    for name in ("BYTES", "RUN_BYTES", "_SOME", "PACKED_BYTES"):
        monkeypatch.setattr(pieces, name, size)
    path = tmp_path / "p.tsv"
    header = "AUTHOR Müller\nMODEL 1\nKEYWORDS é.\n".encode("latin-1")
    path.write_bytes(pack(header + b"T1\tGO:1\t0.5\nMODEL\tGO:2\t0.25\nMODEL 2\nT2\tGO:1\t0.5\nEND\n"))
    whole = read_annotations(path, scored=True)
    found = [row for run in read_in_pieces(path) for row in rows_of(run)]
    assert sorted(found) == rows_of(whole) == [("MODEL", "GO:2", 0.25), ("T1", "GO:1", 0.5), ("T2", "GO:1", 0.5)]
    assert {name for run in read_in_pieces(path) for name in run.targets} == set(whole.targets)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("T\tGO:1\thigh", "p.tsv, line 301: the score 'high' is no number"),
        ("T\tGO:1\t1.5", "p.tsv, line 301: the score 1.5 is not from 0 to 1"),
        ("T\tGO:1", "p.tsv, line 301: an annotation is `target term score`, not 'T\\\\tGO:1'"),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_fault_is_named_with_its_line_in_the_file(tmp_path, monkeypatch, pack, bad, message):
    for name, size in {"BYTES": 1000, "RUN_BYTES": 300, "_SOME": 1000, "PACKED_BYTES": 40}.items():
        monkeypatch.setattr(pieces, name, size)
    path = tmp_path / "p.tsv"
    path.write_bytes(pack(("T\tGO:1\t0.5\n" * 300 + bad + "\n" + "T\tGO:1\t0.5\n" * 300).encode()))
    with pytest.raises(InputError, match=message):
        read_in_pieces(path)


def test_a_file_that_is_not_text_or_empty_or_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "BYTES", 12)
    path = tmp_path / "p.tsv"
    path.write_bytes(b"T\tGO:1\t0.5\nT\xff\tGO:1\t0.5\n")
    with pytest.raises(InputError, match=r"p.tsv, line 2: not UTF-8 text: byte 0xFF at position 12"):
        read_in_pieces(path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match=r"p.tsv: holds no annotations"):
        pieces.annotation_pieces(path, "p.tsv")
    with pytest.raises(InputError, match=r"q.tsv: there is no such file"):
        pieces.annotation_pieces(tmp_path / "q.tsv", "q.tsv")
    path.write_bytes(b"PAR1 and nothing more")
    with pytest.raises(InputError, match=r"p.tsv: no Parquet file of annotations"):
        pieces.annotation_pieces(path, "p.tsv")


# --- on a cluster -------------------------------------------------------------------------------


@pytest.fixture
def expected(files, tmp_path, capsys):
    assert main(command(files, tmp_path / "one.tsv")) == 0
    return (tmp_path / "one.tsv").read_bytes(), *capsys.readouterr()


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--norm", "pred", "--propagate", "fill", "--no-orphans", "--step", "0.1")])
def test_the_command_prints_the_same_from_a_cluster(client, files, tmp_path, capsys, small_pieces, options):
    printed = []
    for more in ((), ("--cluster", client.scheduler.address)):
        assert main(command(files, tmp_path / "table.tsv", *options, *more)) == 0
        printed.append(((tmp_path / "table.tsv").read_bytes(), *capsys.readouterr()))
    assert printed[0] == printed[1]
    assert "targets without truth" in printed[0][2]
    assert "obsolete term" in printed[0][2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "work"), [("cafa.cluster", "sorted_into_blocks"), ("engine.cluster", "bytes_of_part")]
)
def test_a_worker_that_is_killed_half_way_changes_no_bit(
    client, files, tmp_path, capsys, small_pieces, expected, module, work
):
    with killed(client, tmp_path / "killed", f"hiermeasures.{module}", work, at=5):
        assert main(command(files, tmp_path / "table.tsv", "--cluster", client.scheduler.address)) == 0
        assert ((tmp_path / "table.tsv").read_bytes(), *capsys.readouterr()) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [("T1 GO:1\n", ", line 1: an annotation is `target term score`"), ("\n\n", ": holds no annotations")],
)
def test_faults_on_a_worker_are_said_in_a_line(client, files, tmp_path, capsys, text, message):
    bad = tmp_path / "bad.tsv"
    bad.write_text(text)
    given = [str(path) for path in (files / "ontology.obo", bad, files / "true.tsv")]
    assert main(["cafa", *given, "--cluster", client.scheduler.address]) == 2
    assert capsys.readouterr().err.startswith(f"hiermeasures: bad.tsv{message}")
