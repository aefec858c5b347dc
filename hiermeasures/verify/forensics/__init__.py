"""Find the conventions behind a printed number.

This package lists the choices of evaluation code, called axes. It searches for conventions that
give a printed number on the same predictions.
"""

from hiermeasures.verify.forensics.counts import Scores
from hiermeasures.verify.forensics.grid import Convention
from hiermeasures.verify.forensics.protocols import (
    Caption,
    Protocol,
    caption,
    convention_of,
    protocol,
    protocols,
)
from hiermeasures.verify.forensics.search import Forensics, forensics

__all__ = [
    "Caption",
    "Convention",
    "Forensics",
    "Protocol",
    "Scores",
    "caption",
    "convention_of",
    "forensics",
    "protocol",
    "protocols",
]
