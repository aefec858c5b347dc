"""Files are written whole or not at all, whatever happens, and a fault names the file."""

import errno
import os

import pytest

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.read.source import replacing, save


@pytest.mark.parametrize("name", ["out.csv", "a" * 100 + "out.csv"], ids=["short", "long"])
def test_a_full_disk_is_reported_with_the_file(tmp_path, name):
    target = tmp_path / name
    with pytest.raises(InputError, match="space left"), replacing(target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert list(tmp_path.iterdir()) == []


def test_the_longest_name_that_a_folder_takes_can_be_written(tmp_path):
    target = tmp_path / ("🌳" * 62 + ".csv")  # 252 bytes of 255
    save("whole", target)
    assert target.read_text() == "whole"


def test_a_fault_of_what_is_written_stays_what_it_is(tmp_path):
    with pytest.raises(InputError, match=r"^no place for it$"), replacing(tmp_path / "out.csv"):
        raise InputError("no place for it")
    assert list(tmp_path.iterdir()) == []
