"""The bytes of partial results as anyone can make them: other words or arrays in them, and a check
that is right.
"""

import io
import json
import struct
from hashlib import blake2b
from typing import Any

import numpy as np

HEAD = struct.Struct("<12sH16s")
KINDS = ("report", "cafa")


def sealed(archive: bytes, version: int = 3) -> bytes:
    """Bytes whose check is right."""
    return HEAD.pack(b"hiermeasures", version, blake2b(archive, digest_size=16).digest()) + archive


def arrays_of(data: bytes) -> dict[str, np.ndarray]:
    """All arrays by name; the words are that of the kind."""
    with np.load(io.BytesIO(data[HEAD.size :]), allow_pickle=False) as archive:
        return dict(archive)


def made_of(arrays: dict[str, np.ndarray], save: Any = np.savez) -> bytes:
    """A partial result of these arrays."""
    archive = io.BytesIO()
    save(archive, **arrays)
    return sealed(archive.getvalue())


def words_of(data: bytes) -> dict[str, Any]:
    """Return the JSON head of a partial result, without the arrays."""
    arrays = arrays_of(data)
    return json.loads(arrays[next(kind for kind in KINDS if kind in arrays)].tobytes())["sums"]


def rewritten(data: bytes, **words: Any) -> bytes:
    """A partial result of which something else is said; a name with points is a nested field."""
    arrays, said = arrays_of(data), words_of(data)
    for name, value in words.items():
        *within, last = name.split("__")
        place = said
        for key in within:
            place = place[key]
        place[last] = value
    kind = next(kind for kind in KINDS if kind in arrays)
    text = json.dumps({"sums": said}).encode()
    return made_of({**arrays, kind: np.frombuffer(text, np.uint8)})
