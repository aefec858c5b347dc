"""The case library: the papers' figures and tables as data, and the check of every published cell
against our values.

`load_cases` gives the figures to open and explain; `verify` compares. The files are in the folder
cases/, their format is described in docs/cases.md.
"""

from hiermeasures.verify.case import Case
from hiermeasures.verify.checks import verify
from hiermeasures.verify.library import CaseLibrary, Paper, load_cases
from hiermeasures.verify.reading import Fault
from hiermeasures.verify.verification import CheckedCell, Verification, errata_page

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
