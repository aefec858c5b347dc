"""The bytes of partial results as anyone can make them: other words in them, and a check that is
right.
"""

import json
import struct
from base64 import b64encode
from hashlib import blake2b
from typing import Any

import numpy as np

HEAD = struct.Struct("<12sH16s")


def sealed(content: bytes, version: int = 4) -> bytes:
    """Bytes whose check is right."""
    return HEAD.pack(b"hiermeasures", version, blake2b(content, digest_size=16).digest()) + content


def words_of(data: bytes) -> dict[str, Any]:
    """Return what a partial result says."""
    return json.loads(data[HEAD.size :])


def made_of(words: Any) -> bytes:
    """A partial result that says so."""
    return sealed(json.dumps(words).encode())


def numbers(*given: int) -> str:
    """Numbers as a partial result writes them."""
    return "8" + b64encode(np.array(given, np.uint64).tobytes()).decode()


def rewritten(data: bytes, **words: Any) -> bytes:
    """A partial result of which something else is said; a name with points is a nested field."""
    said = words_of(data)
    for name, value in words.items():
        *within, last = name.split("__")
        place = said
        for key in within:
            place = place[key]
        place[last] = value
    return made_of(said)
