"""Files of class weights: what is read, and what is refused with its line."""

import pytest

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.read.weights import read_weights


def test_weights_are_not_negative_and_named_once():
    assert read_weights(b"GO:1\t0.5\nGO:2 3\n\n") == {"GO:1": 0.5, "GO:2": 3.0}
    for text in (b"A\tone\n", b"A\t-1\n", b"A\n", b"A\t1\nA\t2\n", b"A\tnan\n"):
        with pytest.raises(InputError, match="line"):
            read_weights(text)
