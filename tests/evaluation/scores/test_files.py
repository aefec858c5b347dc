"""Files of probabilities: every format gives the same table, and a bad file one plain sentence."""

import io
import zipfile
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hiermeasures import InputError
from hiermeasures.evaluation.scores import read_probabilities
from tests.evaluation.scores.strategies import FIGURE

CLASSES = ["1", "2", "3", "4", "5"]
VALUES = np.array([[0.75, 0.25, 0.2, 0.2, 0.35], [0.9, 0.1, 0.55, 0.0, 0.35]])
IDS = ["x", "y"]


def npz(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def parquet(columns):
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def csv_text(separator=",", ids=True):
    header = separator.join((["id"] if ids else []) + CLASSES)
    lines = [
        separator.join(([name] if ids else []) + [repr(float(v)) for v in row])
        for name, row in zip(IDS, VALUES, strict=True)
    ]
    return "\n".join([header, *lines]) + "\n"


GOOD = {
    "npz": npz(probabilities=VALUES, classes=np.array(CLASSES), ids=np.array(IDS)),
    "npz with bytes": npz(
        probabilities=VALUES, classes=np.array(CLASSES, "S"), ids=np.array(IDS, "S")
    ),
    "parquet": parquet({"id": IDS} | {c: VALUES[:, i] for i, c in enumerate(CLASSES)}),
    "csv": csv_text().encode(),
    "tsv": csv_text("\t").encode(),
    "semicolons": csv_text(";").encode(),
    "byte-order mark and Windows line ends": b"\xef\xbb\xbf"
    + csv_text().replace("\n", "\r\n").encode(),
    "blank lines": csv_text().replace("\n", "\n\n").encode(),
}


@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD.keys())
class TestFormats:
    def test_give_the_same_table(self, content):
        table = read_probabilities(content, FIGURE)
        assert table.ids == ("x", "y")
        assert table.notes == ()
        assert table.values[:, 0].tolist() == [1, 1]
        np.testing.assert_array_equal(table.values[:, [FIGURE.index(c) for c in CLASSES]], VALUES)

    def test_are_read_from_disk_and_from_an_upload_too(self, content, tmp_path):
        path = tmp_path / "probabilities"
        path.write_bytes(content)
        assert (
            read_probabilities(path, FIGURE).ids
            == read_probabilities(str(path), FIGURE).ids
            == ("x", "y")
        )
        with open(path, "rb") as upload:
            assert read_probabilities(upload, FIGURE).ids == ("x", "y")

    def test_a_truncated_file_is_no_traceback(self, content):
        for size in (5, len(content) // 2, len(content) - 3):
            with suppress(InputError):  # what is left of a text file may still be a table
                read_probabilities(content[:size], FIGURE)


class TestMissing:
    def test_ids_are_optional(self):
        assert read_probabilities(csv_text(ids=False).encode(), FIGURE).ids == ("1", "2")
        assert read_probabilities(
            npz(probabilities=VALUES, classes=np.array(CLASSES)), FIGURE
        ).ids == ("1", "2")

    def test_another_column_can_name_the_instances(self):
        assert read_probabilities(b"doc,1,2\na,0.5,0.5\n", FIGURE, id_column="doc").ids == ("a",)


class TestBadFiles:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "the upload: the file is empty"),
            (b"\n\n", "the upload: the file is empty"),
            (b"1,2\n", "probabilities is empty: it has no rows"),
            (b"1,9\n0.5,0.5\n", "class '9'"),
            (b"1,1\n0.5,0.5\n", "named '1'"),
            (b"1,2\n0.5\n", "line 2: 1 cells"),
            (b"id,1,2\na,0.5,0.5\nb,0.5,much\n", "line 3: column '2': 'much'"),
            (b"id,1,2\na,0.5,\n", "line 2: column '2'"),
            (b"id,1,2\na,0.5,nan\n", r"row 1 \(id 'a'\), class '2'"),
            (
                b"id,1,2\na,0.5,1.5\n",
                r"row 1 \(id 'a'\), class '2': the probability 1.5 is not in \[0, 1\]",
            ),
            (b"id,1,2\na,0.5,0.5\na,0.5,0.5\n", "the id 'a'"),
            (b"\xff\xfe1\x00,\x002\x00", "this is UTF-16 text"),
            (b"1,2\n0.5,\x000.5\n", "contains a NUL byte"),
            (b"PK\x03\x04garbage", "NumPy archive"),
            (b"PAR1garbage", "Parquet file"),
            (npz(classes=np.array(CLASSES)), "'probabilities' is missing.*: 'classes'"),
            (npz(probabilities=VALUES), "array 'classes' is missing"),
            (npz(probabilities=VALUES, classes=np.array(CLASSES, dtype=object)), "Python objects"),
            (npz(probabilities=VALUES, classes=np.zeros((2, 2))), "'classes'"),
            (npz(probabilities=VALUES[0], classes=np.array(CLASSES)), "need two dimensions"),
            (
                npz(probabilities=VALUES, classes=np.array(CLASSES[:3])),
                "5 columns, but 3 class names",
            ),
            (parquet({"1": ["a", "b"]}), "column '1' has (large_)?string values"),
            (parquet({"1": [0.5, None]}), "class '1'"),
            (parquet({"id": ["xyz"], "1": [0.5]}).replace(b"xyz", b"x\xd8z"), "Parquet file"),
        ],
    )
    def test_are_one_plain_sentence(self, content, message):
        with pytest.raises(InputError, match=message) as caught:
            read_probabilities(content, FIGURE)
        assert "\n" not in str(caught.value)

    def test_a_file_that_unpacks_to_too_much_is_refused_before_it_does(self):
        out = io.BytesIO()
        with (
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open("probabilities.npy", "w") as inside,
        ):
            np.save(inside, np.zeros((1000, 1250)))
        assert len(out.getvalue()) < 100_000
        # Each of 1.25 million numbers takes 8 bytes in the file's array, and 16 in the float and in
        # the table.
        with pytest.raises(InputError, match="30 MB, but the limit is 1 MB"):
            read_probabilities(out.getvalue(), FIGURE, memory_limit=10**6)

    def test_a_path_that_is_none(self, tmp_path):
        with pytest.raises(InputError, match="there is no such file"):
            read_probabilities(tmp_path / "absent.csv", FIGURE)
        with pytest.raises(InputError, match="a folder, not a file"):
            read_probabilities(tmp_path, FIGURE)
