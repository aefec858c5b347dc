"""Figures and tables of papers as data, and the check of every published cell.

`load_cases` reads the case files, and `verify` compares their cells with our values. The files are
in the folder cases/. docs/cases.md describes their format. This package also checks the claims of
the documentation and has the rules of the selector. `forensics/` finds the convention behind a
printed number.
"""

from hiermeasures.verify.case import Case
from hiermeasures.verify.checks import verify
from hiermeasures.verify.errata import errata_page
from hiermeasures.verify.library import CaseLibrary, Paper, load_cases
from hiermeasures.verify.reading import Fault
from hiermeasures.verify.verification import CheckedCell, Verification

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
