"""The case library: the papers' figures and tables as data, and the check of every published cell against our values.

`load_cases` gives the figures to open and explain; `verify` compares. The files are in the folder cases/, their format is
described in docs/cases.md.
"""

from hiermeasures.cases.library import Case, CaseLibrary, Paper, load_cases
from hiermeasures.cases.reading import Fault

__all__ = ["Case", "CaseLibrary", "Fault", "Paper", "load_cases"]
