"""Labels that differ slightly from the names of classes: the differences, and the intended classes.

This module compares names. hiermeasures.evaluation.answers decides how to count an answer that is
not a class.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from os.path import commonprefix

from hiermeasures.hierarchy.errors import InputError, nearest, shown, unknown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.label_notation import RANKS, Notation
from hiermeasures.hierarchy.words import agree, join_words, write_count, write_list

_LOOKED_AT = 2_000  # unknown labels
_QUOTES = str.maketrans({**dict.fromkeys("‘’‚‛`´′", "'"), **dict.fromkeys("“”„‟«»″", '"')})

FORMS: Mapping[str, Callable[[str], str]] = {
    "case": str.casefold,
    "blanks": lambda name: " ".join(name.split()),
    "unicode": lambda name: unicodedata.normalize("NFKC", name),
    "quotes": lambda name: name.translate(_QUOTES).strip("'\""),
    "signs": lambda name: "".join(filter(str.isalnum, name)),
}
"""Functions that remove one kind of difference between names.

`signs` are all characters except letters and digits.
"""


def forms_of(asked: Iterable[str] | bool) -> tuple[str, ...]:
    """Return the names of forms in the order of FORMS. True and "all" mean all forms."""
    if isinstance(asked, bool):
        return tuple(FORMS) if asked else ()
    wanted = [asked] if isinstance(asked, str) else list(asked)
    if wanted == ["all"]:
        return tuple(FORMS)
    for name in wanted:
        if name not in FORMS:
            fault = unknown("normalisation", str(name), FORMS)
            raise InputError(f"{fault}. Use {', '.join(FORMS)} or all")
    return tuple(name for name in FORMS if name in wanted)


def normal(name: str, forms: Iterable[str]) -> str:
    """Return a name without the differences that some forms remove.

    >>> normal("  Rock  ’n’ ROLL ", ["case", "blanks", "quotes"])
    "rock 'n' roll"
    """
    for form in forms:
        name = FORMS[form](name)
    return name


def unique_by(key: Callable[[str], str], names: Iterable[str]) -> dict[str, str]:
    """Return names by their keys. Names that share a key are left out."""
    found: dict[str, str | None] = {}
    for name in names:
        found[key(name)] = None if key(name) in found else name
    return {form: name for form, name in found.items() if form and name is not None}


@dataclass(frozen=True)
class Mismatch:
    """Labels that are not classes, grouped by their difference from a class.

    Attributes
    ----------
    labels : int
        The number of different labels.
    differ : mapping of str to (int, str, str)
        For each kind of difference: the number of labels, a label and its class.
    alike_none : int
        The number of labels that are similar to no class.
    repair : str
        Command-line arguments that make most of the labels match, or "".
    """

    labels: int
    differ: Mapping[str, tuple[int, str, str]]
    alike_none: int
    repair: str = ""

    def __str__(self) -> str:
        return self.describe("label")

    def describe(self, kind: str) -> str:
        """Return the numbers of labels that match a class, and of those that differ, in words."""
        missing = sum(count for count, _, _ in self.differ.values()) + self.alike_none
        known = self.labels - missing
        found = [f"{known:,} {agree(known, 'is')} known"] if known else []
        found += [
            f"{count:,} {agree(count, 'differs', 'differ')} by {how} "
            f"({shown(label, 40)} for {shown(name, 40)})"
            for how, (count, label, name) in self.differ.items()
        ]
        if self.alike_none:
            found.append(f"{self.alike_none:,} {agree(self.alike_none, 'is')} similar to no class")
        return f"of {write_count(self.labels, f'different {kind}')}, {', '.join(found)}"

    @property
    def advice(self) -> str:
        """Advice that makes some labels match, in words for the library and the app, or ""."""
        if not self.repair:
            return ""
        name, value = self.repair.removeprefix("--").split(" ")
        return f"{name} {value.replace(',', ', ')} would make some agree"


class MismatchError(InputError):
    """An error for labels that are not classes. `repair` are arguments that make most match."""

    def __init__(self, message: str, repair: str = "") -> None:
        super().__init__(message)
        self.repair = repair


def meanings(h: Hierarchy, name: str) -> str:
    """Return a message for a name that is the title or the last part of several classes, or "".

    >>> h = Hierarchy.from_paths(["Cat > Tail", "Dog > Tail"])
    >>> meanings(h, "Tail"), meanings(h, "Cat")
    ("'Tail' may mean 2 classes: 'Cat > Tail', 'Dog > Tail'. Write one of these", '')
    """
    end = RANKS.separator + name
    classes = [c for c in h.nodes if h.titles.get(c) == name or c.endswith(end)]
    if len(classes) < 2:
        return ""
    first = write_list([shown(c, 200) for c in classes], 3)
    return f"{shown(name)} may mean {len(classes)} classes: {first}. Write one of these"


_WORDS = {"unicode": "Unicode form", "signs": "separators, dots or other signs"}
_LEVEL, _PREFIX = "levels left out", "a prefix"


def mismatch(
    labels: Collection[str],
    classes: Collection[str],
    last: Callable[[str], str] = str,
    others: Collection[str] = (),
) -> Mismatch:
    """Compare labels with the classes that they may mean.

    Parameters
    ----------
    labels, classes : collection of str
        Only the first 2,000 unknown labels are compared.
    last : callable
        It returns the last part of a path.
    others : collection of str
        Other names of classes.

    Returns
    -------
    Mismatch

    Examples
    --------
    >>> found = mismatch(["Cat", "Dog", "l928"], {"cat", "Dog", "L92.8"})
    >>> print(found)  # doctest: +NORMALIZE_WHITESPACE
    of 3 different labels, 1 is known, 1 differs by case ('Cat' for 'cat'),
    1 differs by case and separators, dots or other signs ('l928' for 'L92.8')
    >>> found.repair
    '--normalise case,signs'
    """
    known = set(classes)
    strange = [label for label in labels if label not in known and label not in others]
    by_form = unique_by(lambda name: normal(name, FORMS), classes)
    by_last = unique_by(last, classes)
    before = commonprefix(strange) if len(strange) > 1 else ""  # noqa: RUF071  # of names, not of paths
    differ: dict[str, tuple[int, str, str]] = {}
    forms: set[str] = set()
    for label in strange[:_LOOKED_AT]:
        if name := by_form.get(normal(label, FORMS)):
            needed = _needed(label, name)
            forms.update(needed)
            how = join_words(_WORDS.get(form, form) for form in needed)
        elif before and label[len(before) :] in known:
            how, name = _PREFIX, label[len(before) :]
        elif name := by_last.get(last(label)):
            how = _LEVEL
        else:
            continue
        count, *example = differ.get(how, (0, label, name))
        differ[how] = (count + 1, example[0], example[1])
    asked = ",".join(form for form in FORMS if form in forms)
    repair = f"--normalise {asked}" if asked else "--unknown nearest" if differ else ""
    return Mismatch(
        len(labels), differ, len(strange) - sum(count for count, _, _ in differ.values()), repair
    )


def _needed(label: str, name: str) -> list[str]:
    """Return the fewest forms that make two names equal. It leaves out the first forms first."""
    needed = list(FORMS)
    for form in FORMS:
        rest = [other for other in needed if other != form]
        if normal(label, rest) == normal(name, rest):
            needed = rest
    return needed


class Matcher:
    """A search for the class that a label means.

    `as_written` finds classes by their names and paths. `repaired` also ignores the differences
    that `forms` remove. `alike` finds the class with the same letters and digits, or the same last
    part.
    """

    def __init__(
        self, hierarchy: Hierarchy, notation: Notation | None, forms: Iterable[str] = ()
    ) -> None:
        self._hierarchy, self._notation, self._forms = hierarchy, notation, tuple(forms)
        self.classes = hierarchy.nodes[hierarchy.virtual_root :]
        self.other_names = hierarchy.other_names
        self._by_form = unique_by(self._normal, self.classes) if self._forms else {}

    def as_written(self, label: str) -> str | None:
        """Return the class with this name or path, or None."""
        h = self._hierarchy
        if label in h and not (h.virtual_root and label == h.root):
            return label
        if self._notation is None or self._notation.fault(label):
            return None
        whole = self._notation.way(label)[-1]
        if whole in h:
            return whole
        *above, last = self._parts(label)  # a taxonomy may name its classes by the last parts
        return last if above and last in h and above[-1] in h.parents(last) else None

    def new_class(self, label: str) -> str | None:
        """Return the name of the new class for a path or code below a known class, or None."""
        if self._notation is None or self._notation.fault(label) or self.deepest(label) is None:
            return None
        return next(reversed(self._notation.way(label)), None)

    def repaired(self, label: str) -> str | None:
        """Return the only class with this name in its normal form, or None."""
        return self._by_form.get(self._normal(label)) if self._forms else None

    def deepest(self, label: str) -> str | None:
        """Return the deepest class on the path to a label, or None."""
        way = self._notation.way(label) if self._notation is not None else ()
        return next(
            (
                found
                for part in reversed(way)
                if (found := self.as_written(part) or self.repaired(part))
            ),
            None,
        )

    def alike(self, label: str) -> str | None:
        """Return the only class with the same letters and digits or the same last part, or None."""
        by_last = self._by_last.get(normal(self.last(label), FORMS))
        return self._by_letters.get(normal(label, FORMS)) or by_last

    def meanings(self, label: str) -> str:
        """Return a message for a label that may mean several classes, or ""."""
        return meanings(self._hierarchy, label)

    def nearest(self, label: str) -> str | None:
        """Return the class with the most similar name, or None if several are equally similar."""
        return nearest(label, self.classes, alone=True)

    def last(self, label: str) -> str:
        """Return the last part of a path, or the label itself."""
        return self._notation.title(label).strip() if self._notation is not None else label

    def contradicts(self, label: str) -> bool:
        """Return whether all parts of a path are classes, but not on one path of the hierarchy."""
        parts = (
            self._parts(label)
            if self._notation is not None and not self._notation.fault(label)
            else []
        )
        return (
            len(parts) > 1
            and all(part in self._lasts for part in parts)
            and self.as_written(label) is None
        )

    def _parts(self, label: str) -> list[str]:
        is_path = (
            self._notation is not None and not self._notation.levels and not self._notation.of_codes
        )
        return self._notation.parts(label) if is_path and self._notation is not None else [label]

    def _normal(self, label: str) -> str:
        return normal(label, self._forms)

    @cached_property
    def _by_letters(self) -> dict[str, str]:
        return unique_by(lambda name: normal(name, FORMS), self.classes)

    @cached_property
    def _by_last(self) -> dict[str, str]:
        return unique_by(lambda name: normal(self.last(name), FORMS), self.classes)

    @cached_property
    def _lasts(self) -> frozenset[str]:
        return frozenset(map(self.last, self.classes))
