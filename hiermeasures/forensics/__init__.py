"""Conventions behind a printed number: the points on which evaluation code differs, and a search for
those that give the number on the same predictions.
"""

from hiermeasures.forensics.protocols import Protocol, protocol, protocols
from hiermeasures.forensics.search import Forensics, forensics

__all__ = ["Forensics", "Protocol", "forensics", "protocol", "protocols"]
