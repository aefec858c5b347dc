"""The bytes of partial results as anyone can make them: other words in them, other bytes, and a check that is right."""

import json
import struct
from hashlib import blake2b
from typing import Any

from hypothesis import strategies as st

HEAD = struct.Struct("<12sH8sII")
CHECK = 16  # bytes at the end


def sealed(content: bytes) -> bytes:
    """Bytes whose check is right."""
    return content + blake2b(content, digest_size=CHECK).digest()


def rewritten(data: bytes, **words: Any) -> bytes:
    """A partial result of which something else is said."""
    magic, version, kind, n_words, n_table = HEAD.unpack_from(data)
    end = HEAD.size + n_words
    said = json.dumps({**json.loads(data[HEAD.size : end]), **words}).encode()
    return sealed(HEAD.pack(magic, version, kind, len(said), n_table) + said + data[end:-CHECK])


def changed(data: bytes) -> st.SearchStrategy[bytes]:
    """A partial result of which a few bytes are others."""

    def with_changes(changes: list[tuple[int, int]]) -> bytes:
        content = bytearray(data[:-CHECK])
        for place, byte in changes:
            content[place] = byte
        return sealed(bytes(content))

    change = st.tuples(st.integers(HEAD.size, len(data) - CHECK - 1), st.integers(0, 255))
    return st.lists(change, min_size=1, max_size=4).map(with_changes)
