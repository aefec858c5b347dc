"""The papers' figures and tables as data, and the check of every published cell against our values.

`load_cases` reads the figures, `verify` compares. The files are in the folder cases/, and
docs/cases.md describes their format. Claims of the documentation and the rules of which measure to
report are checked here, too. `forensics/` looks for the convention behind a printed number.
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
