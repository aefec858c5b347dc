"""The instance that the Explorer opens with: the first figure, or the instance that `hiermeasures
app` was given.

An instance comes to the app as the arguments of the command line, by the environment. A file is
somebody's own, and yet bounded as an upload is, for the pages are made for that. Links and what is
opened later are the Explorer's.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from hiermeasures.cases.writing import case_in
from hiermeasures.core.errors import InputError
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.options import Options
from hiermeasures.explorer.library import OPENING, figure, instance_of
from hiermeasures.explorer.state import Shown
from hiermeasures.formats import read_hierarchy
from hiermeasures.formats.source import UPLOAD

VARIABLE = "HIERMEASURES_OPENING"  # the environment's name for the arguments


@dataclass(frozen=True)
class Opening:
    """An instance as the command line names it: a file with a hierarchy or a case, or the key of a
    figure; the classes of each side (None: those of the case), and options by name.
    """

    hierarchy: str | None = None
    case: str | None = None
    true: Iterable[str] | None = None
    predicted: Iterable[str] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """The variables that tell the app; none where it opens as ever.

        Raises
        ------
        InputError
            For what cannot be opened: the file, figure, class or option, and the nearest that is
            known.
        """
        if self == Opening():
            return {}
        if self.hierarchy is None and self.case is None:
            raise InputError("classes and options are those of an instance; --hierarchy or --case names it")
        path = None if self.hierarchy is None else str(Path(self.hierarchy).absolute())
        text = json.dumps(asdict(replace(self, hierarchy=path)))
        _read(text)  # and kept: the sessions of this process find it, whatever becomes of the file
        return {VARIABLE: text}

    def opened(self) -> "Opened":
        """The instance; raises InputError."""
        shown, own = self._unchanged()
        if self.true is not None:
            shown = shown.with_classes("true", self.true)
        if self.predicted is not None:
            shown = shown.with_classes("predicted", self.predicted)
        options = shown.instance.options.model_dump(exclude_defaults=True)
        shown = shown.with_options(Options.make({**options, **self.settings}))
        shown.explained()
        return Opened(shown.shallow(), own)

    def _unchanged(self) -> tuple[Shown, tuple[str, ...]]:
        if self.hierarchy is None:
            return figure(self.case or OPENING), ()
        path = Path(self.hierarchy)
        if case := case_in(path):
            return instance_of(case), case.definitions
        return Shown.make(read_hierarchy(path, limits=UPLOAD), title=path.name), ()


@dataclass(frozen=True)
class Opened:
    """The instance that the Explorer opens with, and the definitions of the own measures of a case
    file.
    """

    shown: Shown
    own: tuple[str, ...] = ()


def opened() -> Opened:
    """The instance that every session of this app opens with, read once."""
    return _read(os.environ.get(VARIABLE, "{}"))


def opens_as_ever() -> bool:
    """True where that is the first figure, for which an address needs no word."""
    return VARIABLE not in os.environ


@cache
def _read(text: str) -> Opened:
    return Opening(**json.loads(text)).opened()


# --- what a drawing can start from; random hierarchies are behaviour/random_hierarchies.py's ----


@dataclass(frozen=True)
class Start:
    """A hierarchy to start from: its title, a sentence about it, and how it is made."""

    key: str
    title: str
    about: str
    make: Callable[[], Hierarchy]


def blank() -> Hierarchy:
    """One class, A."""
    return Hierarchy.from_edges([], ["A"])


def binary_tree(depth: int = 3) -> Hierarchy:
    """A tree of two children each, in which the name of a class tells the turns that lead to it.

    >>> binary_tree(1).edges, len(binary_tree(3))
    ((('root', '0'), ('root', '1')), 15)
    """
    edges: list[tuple[str, str]] = []
    layer = [""]
    for _ in range(depth):
        edges += [(turns or "root", turns + turn) for turns in layer for turn in "01"]
        layer = [turns + turn for turns in layer for turn in "01"]
    return Hierarchy.from_edges(edges)


def icd9_364() -> Hierarchy:
    """The family 364 of ICD-9-CM, disorders of iris and ciliary body: codes with one digit after
    the point, and with two.
    """
    codes = {
        "364.0": "0 1 2 3 4 5",
        "364.1": "0 1",
        "364.2": "1 2 3 4",
        "364.3": "",
        "364.4": "1 2",
        "364.5": "1 2 3 4 5 6 7 9",
        "364.6": "0 1 2 3 4",
        "364.7": "0 1 2 3 4 5 6 7",
        "364.8": "1 9",
        "364.9": "",
    }
    return Hierarchy.from_edges(
        [*(("364", code) for code in codes), *((c, c + d) for c, digits in codes.items() for d in digits.split())]
    )


def animals() -> Hierarchy:
    """Animals by kinship and by where they live, so that a penguin has two parents and so has a
    whale.
    """
    return Hierarchy.from_nested(
        {
            "animal": {
                "mammal": {"dog": ["poodle", "terrier"], "cat": None, "bat": None, "whale": ["orca", "blue whale"]},
                "bird": {"owl": None, "eagle": None, "penguin": None},
                "fish": {"shark": None, "salmon": None},
                "swimmer": {"whale": None, "penguin": None, "fish": None},
                "flyer": {"bat": None, "owl": None, "eagle": None},
            }
        }
    )


STARTS: dict[str, Start] = {
    start.key: start
    for start in (
        Start("blank", "Blank root", "One class to add to.", blank),
        Start("binary", "Binary tree", "Fifteen classes on four levels.", binary_tree),
        Start("icd9", "ICD-9 364", "Disorders of the iris, three levels.", icd9_364),
        Start("animals", "Animals", "A DAG: a bat is a mammal and a flyer.", animals),
    )
}
