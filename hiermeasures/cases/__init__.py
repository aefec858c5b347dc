"""The case library: the papers' figures and tables as data, and the check of every published cell
against our values.

`load_cases` gives the figures to open and explain; `verify` compares. The files are in the folder
cases/, their format is described in docs/cases.md.
"""

from typing import TYPE_CHECKING

from hiermeasures.cases.case import Case
from hiermeasures.cases.library import CaseLibrary, Paper, load_cases
from hiermeasures.cases.reading import Fault
from hiermeasures.cases.verification import CheckedCell, Verification, errata_page
from hiermeasures.core.package import lazy_package

if TYPE_CHECKING:
    from hiermeasures.cases.verify import verify

__all__ = [
    "Case",
    "CaseLibrary",
    "CheckedCell",
    "Fault",
    "Paper",
    "Verification",
    "errata_page",
    "load_cases",
    "verify",
]

lazy_package(__name__, {"verify": "verify"})  # what verifies tables needs arrays
