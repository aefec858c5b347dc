"""A command, and the app, that is stopped in its first seconds, or whose standard streams are
closed, full or pipes, says so in plain words or nothing at all.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from .browser.conftest import PROJECT, free_port

HIERARCHY, TRUE, PREDICTED = "A B\nA C\nB D\n", "id,labels\n1,D\n2,C\n", "id,labels\n1,D\n2,B\n"
# What the installed script does, which says by a byte that the interpreter has started.
STARTED = (
    "import os, sys; from hiermeasures.__main__ import main; os.write({}, b'.'); sys.exit(main())"
)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    written = {}
    for name, text in {"h.txt": HIERARCHY, "true.csv": TRUE, "predicted.csv": PREDICTED}.items():
        written[name] = tmp_path / name
        written[name].write_text(text)
    return written


def shell(command: str, **variables: Any) -> "subprocess.CompletedProcess[str]":
    """Run a line of bash in which `hm` is the command."""
    line = f'hm() {{ "{sys.executable}" -m hiermeasures "$@"; }}; {command}'
    surroundings = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, cwd=PROJECT, env=surroundings
    )


def stopped(number: signal.Signals, after: float, *command: object) -> tuple[int, str]:
    """The status and the errors of a command that gets a signal so many seconds after its start."""
    reading, writing = os.pipe()
    code = [sys.executable, "-c", STARTED.format(writing), *map(str, command)]
    with subprocess.Popen(
        code,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[writing],
        cwd=PROJECT,
    ) as process:
        os.close(writing)
        assert os.read(reading, 1)
        os.close(reading)
        time.sleep(after)
        process.send_signal(number)
        try:
            errors = process.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return process.returncode, errors


def quiet(number: signal.Signals, status: int, errors: str) -> bool:
    """Return True if a command ended as a shell expects, or before the signal; no traceback."""
    said = errors.replace("hiermeasures: stopped\n", "")
    return (
        status in (0, 128 + number, -number) and "Traceback" not in said and "Exception" not in said
    )


@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_what_is_closed_is_not_missed(closed, files):
    done = shell(f"hm score {files['h.txt']} --true D --predicted C {closed}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_is_full_is_said_and_where_nothing_can_be_said_the_status_says_it():
    done = shell("hm info >/dev/full")
    assert (done.returncode, done.stderr) == (
        2,
        "hiermeasures: the output: No space left on device\n",
    )
    for command in ("info >/dev/full 2>/dev/full", "nothing 2>&-"):
        done = shell(f"hm {command}")
        assert (done.returncode, done.stdout) == (2, "")  # a message is no output


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_ends_it():
    done = shell("set -o pipefail; hm verify | head -n 1")
    assert (done.returncode, len(done.stdout.splitlines()), done.stderr) == (0, 1, "")


@pytest.mark.parametrize("predicted", ["<(cat {})", "- < {}"])
def test_a_pipe_is_read_like_a_file(predicted, files):
    sides = f"--hierarchy {files['h.txt']} --true {files['true.csv']}"
    done = shell(
        f"hm evaluate --json --measures hF {sides} --predicted "
        f"{predicted.format(files['predicted.csv'])}"
    )
    assert (done.returncode, json.loads(done.stdout)) == (0, {"hF": 0.75})


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_stopped_at_once_leaves_no_traceback(number):
    for after in (0.01, 0.1, 0.3):
        status, errors = stopped(number, after, "info")
        assert quiet(number, status, errors), (after, status, errors)


STOPPED = """
import signal, sys, types
from hiermeasures.__main__ import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored in the background
def command():
    try:
        {body}
    except BaseException:  # as Python does where the exception comes while a class is made or a lock is released
        raise RuntimeError
    print("the command went on")
sys.modules["hiermeasures.cli"] = types.SimpleNamespace(main=command)
sys.exit(main())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("body", ["import signalled", "signal.raise_signal(int(sys.argv[1]))"])
def test_a_signal_ends_it_while_a_module_is_imported_and_where_python_makes_another_error_of_it(
    body, number, tmp_path
):
    (tmp_path / "signalled.py").write_text(f"import signal\nsignal.raise_signal({int(number)})\n")
    code = [sys.executable, "-c", STOPPED.format(body=body), str(int(number))]
    path = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(code, capture_output=True, text=True, cwd=PROJECT, timeout=60, env=path)
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("command", [("behaviour",), ("find", "F_LCA > 2")])
def test_a_search_ends_at_once(command):
    """It would take minutes; threads are in the middle of large hierarchies."""
    began = time.monotonic()
    status, errors = stopped(signal.SIGINT, 6.0, *command, "--trees", "8", "--dags", "6")
    assert (status, errors) == (130, "hiermeasures: stopped\n")
    assert time.monotonic() - began < 6.0 + 3.0  # with the start of Python, on a busy machine


def test_a_second_signal_ends_it_whatever_it_is_doing():
    body = "import hiermeasures.__main__ as m\n        m._raised.append(2)\n        signal.raise_signal(signal.SIGINT)"
    code = [sys.executable, "-c", STOPPED.format(body=body), "2"]
    done = subprocess.run(code, capture_output=True, text=True, cwd=PROJECT, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_little_is_imported_before_signals_are_handled():
    """Until then Python answers Ctrl+C with a traceback of its own."""
    code = "import sys; import hiermeasures.__main__; print(*sys.modules)"
    command = [sys.executable, "-S", "-c", code]
    path = {**os.environ, "PYTHONPATH": str(PROJECT)}
    loaded = subprocess.run(
        command, capture_output=True, text=True, env=path, check=True
    ).stdout.split()
    assert not {"subprocess", "dataclasses", "importlib.resources", "tempfile", "inspect"} & set(
        loaded
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("command", "seconds", "times"),
    [("info", 0.8, 20), ("verify", 5.0, 12), ("evaluate", 3.0, 20), ("app", 5.0, 20)],
)
def test_the_first_seconds_of_a_command(number, command, seconds, times, files):
    rng = random.Random(f"{command} {number}")
    evaluated = [
        "--hierarchy",
        files["h.txt"],
        "--true",
        files["true.csv"],
        "--predicted",
        files["predicted.csv"],
    ]
    for _ in range(times):
        more = {"evaluate": evaluated, "app": ["--port", free_port()]}.get(command, [])
        after = rng.uniform(0.01, seconds)
        status, errors = stopped(number, after, command, *more)
        assert quiet(number, status, errors), (after, status, errors)
