"""The case library: the papers' figures and tables as data, and the check of every published cell
against our values.

`load_cases` gives the figures to open and explain; `verify` compares. The files are in the folder
cases/, their format is described in docs/cases.md.
"""

from typing import TYPE_CHECKING

from hiermeasures.cases.case import Case
from hiermeasures.cases.checked import CheckedCell
from hiermeasures.cases.library import CaseLibrary, Paper, load_cases
from hiermeasures.cases.reading import Fault
from hiermeasures.core.lazy_package import lazy_package

if TYPE_CHECKING:
    from hiermeasures.cases.errata import errata_page
    from hiermeasures.cases.verification import Verification
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

lazy_package(  # what verifies tables needs arrays
    __name__, {"errata_page": "errata", "Verification": "verification", "verify": "verify"}
)
