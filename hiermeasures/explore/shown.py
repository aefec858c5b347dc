"""One instance on the screen as an immutable value, with the history for undo and redo.

Both are pure values. The session's history is part of the Explorer's model.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypedDict, TypeVar, Unpack

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import DECLARED, Options
from hiermeasures.hierarchy.words import quote_names
from hiermeasures.measures import Explanation, Instance, SideName, explain_instance
from hiermeasures.measures.catalogue import Path
from hiermeasures.measures.lca_solvers import PAGE_WORK

T = TypeVar("T")
LONGEST_HISTORY = 200
DEEPEST = 1_000


def described(instance: Instance, hidden: Collection[str] = ()) -> str:
    """Describe an instance for people who cannot see it, without hidden sides."""
    h, sides = instance.hierarchy, {"true": instance.true, "predicted": instance.predicted}
    words = (
        f"{side}: {'hidden' if side in hidden else quote_names(found) or 'none'}"
        for side, found in sides.items()
    )
    return f"A hierarchy of {len(h):,} classes under {h.root}. {'; '.join(words)}."


class InstancePaths(TypedDict, total=False):
    """Types of the paths of an instance."""

    true_paths: tuple[Path, ...] | None
    predicted_paths: tuple[Path, ...] | None


@dataclass(frozen=True)
class Shown:
    """One instance on the screen.

    `title` and `case` (the key of a library figure) name its `origin`. Without an origin they name
    the person's own hierarchy through all changes. `figure` names a figure of the person's own
    paper, by the paper's token and the figure's name.
    """

    instance: Instance
    title: str
    case: str | None = None
    origin: Instance | None = None
    figure: tuple[str, str] | None = None

    @classmethod
    def make(
        cls,
        hierarchy: Hierarchy,
        true: Iterable[str] = (),
        predicted: Iterable[str] = (),
        *,
        title: str,
        case: str | None = None,
        options: Options | None = None,
        **paths: Unpack[InstancePaths],
    ) -> "Shown":
        """Return an instance to show. `paths` are `true_paths` and `predicted_paths`.

        Without options, class weights come from the hierarchy if it has some. InputError if a class
        is not in the hierarchy.
        """
        both = hierarchy.check(true), hierarchy.check(predicted)
        if options is None:
            options = Options.make(
                class_weights="one" if hierarchy.class_weights is None else "given"
            )
        return cls(Instance(hierarchy, *both, options, **paths), title, case)

    def named(self) -> "Shown":
        """A copy with a title and case that name this instance."""
        return replace(self, origin=self.instance)

    @cached_property
    def changes(self) -> tuple[str, ...]:
        """The differences from the original instance, which title and case name."""
        now, then = self.instance, self.origin
        if then is None or now == then:
            return ()
        parts = {
            "another hierarchy": now.hierarchy != then.hierarchy,
            "other true classes": now.true != then.true,
            "other predicted classes": now.predicted != then.predicted,
            "other paths": (now.true_paths, now.predicted_paths)
            != (then.true_paths, then.predicted_paths),
        }
        if parts["other true classes"] or parts["other predicted classes"]:
            del parts["other paths"]  # these go with their classes
        others = [
            each.title
            for name, each in DECLARED.items()
            if getattr(now.options, name) != getattr(then.options, name)
        ]
        options = (f"other options ({', '.join(others)})",) if others else ()
        return (*(words for words, differ in parts.items() if differ), *options)

    @property
    def changed(self) -> bool:
        """True if title and case no longer name this instance. Only this property decides."""
        return bool(self.changes)

    @property
    def original(self) -> "Shown":
        """The original instance, which title and case name."""
        return (
            replace(self, instance=self.origin)
            if self.origin is not None and self.changed
            else self
        )

    @property
    def hierarchy(self) -> Hierarchy:
        return self.instance.hierarchy

    @property
    def selected(self) -> frozenset[str]:
        return self.instance.true | self.instance.predicted

    @property
    def described(self) -> str:
        return described(self.instance)

    def classes(self, side: SideName) -> frozenset[str]:
        return self.instance.true if side == "true" else self.instance.predicted

    def with_classes(self, side: SideName, labels: Iterable[str]) -> "Shown":
        """Return a copy with other classes on one side. InputError for an unknown class.

        Given paths are dropped with the old classes, and return with the classes of the origin.
        """
        labels = self.hierarchy.check(labels)
        if labels == self.classes(side):
            return self
        instance, origin = self.instance.with_classes(side, labels), self.origin
        if origin is not None and origin.hierarchy == instance.hierarchy:
            if side == "true" and labels == origin.true:
                instance = replace(instance, true_paths=origin.true_paths)
            elif side == "predicted" and labels == origin.predicted:
                instance = replace(instance, predicted_paths=origin.predicted_paths)
        return replace(self, instance=instance)

    def toggled(self, side: SideName, label: str) -> "Shown":
        return self.with_classes(side, self.classes(side) ^ {label})

    def with_options(self, options: Options) -> "Shown":
        """Return a copy with other options.

        InputError if the instance has no values with them, because given paths prevent a cut of the
        hierarchy.
        """
        if options == self.instance.options:
            return self
        changed = replace(self, instance=replace(self.instance, options=options))
        changed.explained()
        return changed

    def shallow(self) -> "Shown":
        """Check the depth and return the instance. InputError if it has more than DEEPEST levels,
        which makes clicks too slow.
        """
        if self.hierarchy.depth > DEEPEST:
            levels = f"{self.hierarchy.depth:,} levels deep; at most {DEEPEST:,} are shown here"
            raise InputError(f"this hierarchy is {levels}")
        return self

    def explained(self) -> Explanation:
        """Return the explanation. It is kept with its structures until `forget`."""
        return self._explanation

    @cached_property
    def _explanation(self) -> Explanation:
        return explain_instance(replace(self.instance, exact_work=PAGE_WORK))

    def forget(self) -> None:
        """Drop the kept explanation. The next request makes a new one."""
        self.__dict__.pop("_explanation", None)


@dataclass(frozen=True)
class History(Generic[T]):
    """The current value, the earlier values (latest last), and the undone values (next last)."""

    present: T
    past: tuple[T, ...] = ()
    future: tuple[T, ...] = ()

    def to(self, shown: T) -> "History[T]":
        """Return the history with a new current value. An equal value is ignored."""
        if shown is self.present:
            return self
        return History(shown, (*self.past, self.present)[-LONGEST_HISTORY:])

    def undo(self) -> "History[T]":
        if not self.past:
            return self
        return History(self.past[-1], self.past[:-1], (*self.future, self.present))

    def redo(self) -> "History[T]":
        if not self.future:
            return self
        return History(self.future[-1], (*self.past, self.present), self.future[:-1])
