"""Uploads are read in another process: with the same results, and a crash costs one upload."""

import os
import pickle
import signal
import sys
import time
from io import BytesIO
from queue import LifoQueue

import numpy as np
import pytest

from hiermeasures import InputError
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.scores.files import read_raw_probabilities
from hiermeasures.read import read_hierarchy, read_labels
from hiermeasures.read import sandbox as module
from hiermeasures.read.sandbox import _PlainUnpickler, sandboxed
from hiermeasures.verify.library import read_cases

TREE = b"A B\nA C\n"
CASE = b"figure: F\nhierarchy: A>B A>C\ntrue: B\npredicted: C\noptions: {dmax: 5}\n"

linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has the limits of a forked process"
)


def process_of_reader(content: bytes) -> int:
    return os.getpid()


def endless(content: bytes) -> None:
    while True:
        time.sleep(1)


def ended(content: bytes) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def gigabytes(content: bytes) -> int:
    return len(np.ones(10**9))


def bare(content: bytes) -> None:
    raise KeyError("a fault of a reader that nobody thought of")


class TestResults:
    def test_a_hierarchy_is_the_same_and_still_cannot_be_changed(self):
        h = sandboxed(read_hierarchy, TREE)
        assert h == read_hierarchy(TREE)
        with pytest.raises(ValueError, match="read-only"):
            arrays_of(h).parent_ptr[0] = 1

    def test_labels_cases_and_probabilities_are_the_same(self):
        labels = b"id,labels\nx,A|B\ny,\n"
        assert sandboxed(read_labels, labels, name="l.csv") == read_labels(labels, name="l.csv")
        (case,) = sandboxed(read_cases, CASE, "c.yaml")
        assert case.explained["hF"] == read_cases(CASE, "c.yaml")[0].explained["hF"]
        content = b"id,B,C\nx,0.25,0.75\n"
        raw = sandboxed(read_raw_probabilities, content, name="p.csv")
        assert raw.table(read_hierarchy(TREE)).values.tolist() == [[1, 0.25, 0.75]]

    def test_a_refusal_is_the_readers_own_sentence(self):
        with pytest.raises(InputError, match=r"^h\.txt, line 2: .*4 fields"):
            sandboxed(read_hierarchy, b"A B\nA B C D\n", name="h.txt")

    def test_it_is_another_process_and_the_next_upload_needs_no_new_start(self):
        assert sandboxed(process_of_reader, b"") != os.getpid()
        began = time.monotonic()
        for _ in range(5):
            sandboxed(read_hierarchy, TREE)
        assert time.monotonic() - began < 5


class TestFaults:
    @pytest.mark.parametrize("fault", [ended, bare])
    def test_a_reader_that_comes_down_costs_its_upload_and_no_other(self, fault):
        with pytest.raises(InputError, match="its reader crashed"):
            sandboxed(fault, b"")
        assert sandboxed(read_hierarchy, TREE) == read_hierarchy(TREE)

    @linux
    def test_a_reader_that_takes_too_much_memory_is_refused(self):
        with pytest.raises(InputError, match="too much memory"):
            sandboxed(gigabytes, b"")

    def test_a_reader_that_does_not_end_is_stopped(self, monkeypatch):
        sandboxed(read_hierarchy, TREE)
        monkeypatch.setattr(module, "SECONDS", 0.5)
        with pytest.raises(InputError, match="longer than"):
            sandboxed(endless, b"")

    def test_while_all_workers_are_busy_others_are_told(self, monkeypatch):
        monkeypatch.setattr(module, "_free", LifoQueue())
        monkeypatch.setattr(module, "SECONDS", 0.1)
        with pytest.raises(InputError, match="Try again"):
            sandboxed(read_hierarchy, TREE)

    @pytest.mark.parametrize(
        "attack", [os.system, print, eval, pickle.loads, module.subprocess.Popen, ended]
    )
    def test_an_answer_can_hold_data_only(self, attack):
        class Calls:
            def __reduce__(self):
                return attack, ("touch /tmp/nothing-of-this",)

        with pytest.raises(pickle.UnpicklingError):
            _PlainUnpickler(BytesIO(pickle.dumps(Calls()))).load()

    def test_a_name_that_leads_through_our_own_module_is_refused(self):
        with pytest.raises(pickle.UnpicklingError):
            _PlainUnpickler(BytesIO()).find_class("hiermeasures.read.sandbox", "subprocess.Popen")
        with pytest.raises(pickle.UnpicklingError):
            _PlainUnpickler(BytesIO()).find_class("hiermeasures.read.sandbox", "subprocess")
