"""What the Explorer opens with: the first figure, or the instance that `hiermeasures app` was given.

An instance comes to the app as the arguments of the command line, by the environment. A file is
somebody's own, and yet bounded as an upload is, for the pages are made for that. Links and what is opened later are the
Explorer's.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from hiermeasures.cases.writing import case_in
from hiermeasures.errors import InputError
from hiermeasures.io import read_hierarchy
from hiermeasures.io.source import UPLOAD
from hiermeasures.options import Options
from hiermeasures.ui.library import OPENING, figure, instance_of
from hiermeasures.ui.state import Shown

VARIABLE = "HIERMEASURES_OPENING"  # the environment's name for the arguments


@dataclass(frozen=True)
class Opening:
    """An instance as the command line names it: a file with a hierarchy or a case, or the key of a figure; the classes
    of each side (None: those of the case), and options by name.
    """

    hierarchy: str | None = None
    case: str | None = None
    true: Iterable[str] | None = None
    predicted: Iterable[str] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """What tells the app; nothing where it opens as ever.

        Raises
        ------
        InputError
            For what cannot be opened: the file, figure, class or option, and the nearest that is known.
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
        """The instance of the file or figure, before classes and options are changed, and its own measures."""
        if self.hierarchy is None:
            return figure(self.case or OPENING), ()
        path = Path(self.hierarchy)
        if case := case_in(path):
            return instance_of(case), case.definitions
        return Shown.make(read_hierarchy(path, limits=UPLOAD), title=path.name), ()


@dataclass(frozen=True)
class Opened:
    """What the Explorer opens with, and the definitions of the own measures of a case file."""

    shown: Shown
    own: tuple[str, ...] = ()


def opened() -> Opened:
    """What every session of this app opens with, read once."""
    return _read(os.environ.get(VARIABLE, "{}"))


def opens_as_ever() -> bool:
    """Whether that is the first figure, for which an address needs no word."""
    return VARIABLE not in os.environ


@cache
def _read(text: str) -> Opened:
    return Opening(**json.loads(text)).opened()
