"""A Dask cluster of two worker processes gives the bits of one evaluation, also when one of them is
killed half-way.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError

import dask
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from dask import dataframe
from distributed.comm import CommClosedError
from pyarrow import parquet

from hiermeasures import Hierarchy, InputError, evaluate
from tests.browser.conftest import PROJECT
from tests.test_meter import MEASURES, H, bits
from tests.two_workers import killed

pytestmark = pytest.mark.slow
ROWS, GROUP = 12_000, 200


def labels(seed):
    random = np.random.default_rng(seed)
    return [
        sorted(set(random.choice(H.nodes, random.integers(0, 4)).tolist())) for _ in range(ROWS)
    ]


TRUE, PREDICTED = labels(1), labels(2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    columns = {"true": TRUE, "predicted": PREDICTED}
    table = pa.table(
        {name: pa.array(side, pa.list_(pa.string())) for name, side in columns.items()}
    )
    parquet.write_table(table.slice(0, ROWS // 3), folder / "a.parquet", row_group_size=GROUP)
    parquet.write_table(table.slice(ROWS // 3), folder / "b.parquet", row_group_size=GROUP)
    return folder


@pytest.fixture(scope="module")
def expected():
    return bits(evaluate(H, TRUE, PREDICTED, measures=MEASURES, engine="kernels"))


def test_a_folder_of_parquet_files(client, folder, expected):
    seen = []
    report = evaluate(
        H,
        folder,
        measures=MEASURES,
        cluster=client,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert bits(report) == expected
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {total for _, total in seen} == {total for _, total in seen[:1]}
    assert seen[0][1] >= ROWS // GROUP


@pytest.mark.parametrize("partitions", [1, 7])
def test_a_frame_of_lists(client, expected, partitions):
    with dask.config.set({"dataframe.convert-string": False}):
        frame = dataframe.from_pandas(
            pd.DataFrame({"true": TRUE, "predicted": PREDICTED}), npartitions=partitions
        )
        # by the client that there is
        assert bits(evaluate(H, frame, measures=MEASURES)) == expected


def test_a_worker_that_is_killed_half_way_changes_no_bit(client, folder, expected, tmp_path):
    with killed(
        client, tmp_path / "killed", "hiermeasures.evaluation.cluster", "bytes_of_part", at=10
    ):
        assert bits(evaluate(H, folder, measures=MEASURES, cluster=client)) == expected
    # with the one that was started
    assert bits(evaluate(H, folder, measures=MEASURES, cluster=client)) == expected


def test_the_hierarchy_leaves_this_process_once(client, folder, monkeypatch):
    sent = []
    state = Hierarchy.__getstate__
    monkeypatch.setattr(Hierarchy, "__getstate__", lambda self: sent.append(1) or state(self))
    evaluate(H, folder, measures="hF", cluster=client)
    assert len(sent) == 1


def test_faults_are_said_in_a_line(client, folder, tmp_path):
    with pytest.raises(
        InputError, match=r"unknown class 'n\d+' in true, row [\d,]+ of .*\.parquet"
    ):
        evaluate(H.down_to(2), folder, measures="hF", cluster=client)
    frame = dataframe.from_pandas(
        pd.DataFrame({"true": [["n1"]], "predicted": [["n2"]]}), npartitions=1
    )
    with pytest.raises(InputError, match="column had"):
        evaluate(H, frame, measures="hF")
    with pytest.raises(InputError, match=r"'gold'.*: 'true', 'predicted'"):
        evaluate(H, frame, columns=("gold", "predicted"))


def test_a_stop_leaves_no_traceback_and_what_was_finished_is_gone_on_from(tmp_path):
    """Ctrl+C reaches the workers, too, in a terminal: all processes of the command's group."""
    edges, rows = tmp_path / "h.txt", tmp_path / "rows"
    edges.write_text("".join(f"{a} {b}\n" for a, b in H.edges), encoding="utf-8")
    rows.mkdir()
    columns = {"true": TRUE, "predicted": PREDICTED}
    table = pa.table(
        {name: pa.array(side, pa.list_(pa.string())) for name, side in columns.items()}
    )
    for k in range(600):
        parquet.write_table(table.slice(k * 20, 20), rows / f"{k:03}.parquet")
    given = [
        "evaluate",
        f"--hierarchy={edges}",
        f"--parquet={rows}",
        "--measures=hF,SDL",
        "--json",
        "--cluster=local",
    ]
    command = [sys.executable, "-m", "hiermeasures", *given]
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": PROJECT}
    how["env"] = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    with subprocess.Popen(command, start_new_session=True, **how) as process:
        while len(list((tmp_path / "cache").glob("**/*.sums"))) < 3:
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    said = re.fullmatch(
        r"note: predicted: (\d+) finished files are kept\. .*--resume.*\nhiermeasures: stopped\n",
        errors,
    )
    assert said, errors
    assert 3 <= int(said[1]) < 600
    done = subprocess.run([*command, "--resume"], **how)
    expected = evaluate(H, TRUE, PREDICTED, measures=["hF", "SDL"]).values
    assert (json.loads(done.stdout), done.stderr) == (expected, "")
    assert not list((tmp_path / "cache").glob("**/*.sums"))


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (CommClosedError("in <TCP>: Stream is closed"), "cluster broke off.*in <TCP>: Stream"),
        (CancelledError("sum-1"), "cluster broke"),
        (ModuleNotFoundError("No module named 'hiermeasures'"), "a worker lacks"),
    ],
)
def test_what_goes_wrong_between_machines_is_said_in_a_line(
    client, folder, monkeypatch, error, message
):
    def broken_off(*_):
        raise error

    monkeypatch.setattr("hiermeasures.evaluation.cluster._result", broken_off)
    with pytest.raises(InputError, match=message):
        evaluate(H, folder, cluster=client)
