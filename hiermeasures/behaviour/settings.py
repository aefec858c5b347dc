"""Settings under which verdicts are given apart: trees alone or DAGs, the root counted or not,
classes that weigh 1 or differently; and what changes from one to another.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

from hiermeasures.behaviour.search import Behaviour, Progress, Verdict, chosen_measures, study
from hiermeasures.core.options import Options
from hiermeasures.measures import Measure

WEIGHTS = "leaves"  # class weights that differ, where no others are given


@dataclass(frozen=True)
class Setting:
    """One of the eight; the first has DAGs, the root counted, and weights of 1."""

    trees: bool = False
    uncounted: bool = False
    weighted: bool = False

    @classmethod
    def of(cls, options: Options, trees: bool) -> "Setting":
        return cls(trees, options.count_root is False, options.class_weights != "one")

    @property
    def flags(self) -> tuple[bool, bool, bool]:
        return self.trees, self.uncounted, self.weighted

    @property
    def letters(self) -> str:
        """t for trees, r for a root that is not counted, w for weights; empty for the first.

        >>> Setting(trees=True, weighted=True).letters
        'tw'
        """
        return "".join(letter for letter, flag in zip("trw", self.flags, strict=True) if flag)

    @property
    def name(self) -> str:
        return ", ".join(
            (
                "trees" if self.trees else "DAGs and trees",
                f"the root {'not ' if self.uncounted else ''}counted",
                "class weights that differ" if self.weighted else "all weights 1",
            )
        )

    def options(self, given: Options) -> Options:
        """Return the given options under this setting."""
        weighted = given.class_weights != "one"
        values = given.model_dump(exclude_defaults=True) | {
            "count_root": not self.uncounted if self.uncounted else None,
            "class_weights": "one" if not self.weighted else given.class_weights if weighted else WEIGHTS,
        }
        return Options.make(values)

    def less(self, other: "Setting") -> "Setting":
        """Return the switches that differ, as a setting."""
        return Setting(*(a != b for a, b in zip(self.flags, other.flags, strict=True)))


FIRST = Setting()
SETTINGS = tuple(sorted((Setting(*flags) for flags in product((False, True), repeat=3)), key=lambda s: sum(s.flags)))


def survey(
    measures: Iterable[str | Measure] | None = None,
    properties: Iterable[str] | None = None,
    *,
    trees: int = 5,
    dags: int = 4,
    options: Options | None = None,
    deepen: Callable[[Behaviour], Behaviour] = lambda found: found,
    progress: Progress | None = None,
    **how: Any,
) -> dict[Setting, Behaviour]:
    """Return what `study` finds under each setting: on DAGs and trees up to `dags` classes, and on
    trees up to `trees`.

    `how` are `n_jobs` and `stop` of `study`; `deepen` searches what was kept further. Measures that
    do not read the weights of classes are not searched anew for other weights.
    """
    chosen, given = chosen_measures(measures), options or Options.make()
    keys = list(properties) if properties is not None else None
    look: Callable[..., Behaviour] = partial(study, properties=keys, **how)
    found: dict[Setting, Behaviour] = {}
    for k, setting in enumerate(SETTINGS):
        largest, largest_dag = (trees, 0) if setting.trees else (dags, dags)
        wanted = [m for m in chosen if not setting.weighted or "class_weights" in m.options]
        found[setting] = deepen(look(wanted, options=setting.options(given), trees=largest, dags=largest_dag))
        if setting.weighted:
            found[setting] = _with_others(found[setting], found[replace(setting, weighted=False)])
        if progress:
            progress(k + 1, len(SETTINGS))
    return found


def _with_others(searched: Behaviour, same: Behaviour) -> Behaviour:
    """The new verdicts, and the old ones of measures that were not searched again."""
    rows = {
        p: {m: searched.verdicts[p].get(m, verdict) for m, verdict in row.items()} for p, row in same.verdicts.items()
    }
    return replace(searched, verdicts=rows)


def changes(found: Mapping[Setting, Behaviour], prop: str, measure: str, base: Setting = FIRST) -> list[Setting]:
    """Return the smallest sets of switches that turn a cell of `base` from kept to broken or back,
    or to not tested.
    """
    here = _sign(found[base].verdicts[prop][measure])
    turned = [s.less(base) for s in found if _sign(found[s].verdicts[prop][measure]) != here]
    return [
        s for s in sorted(turned, key=SETTINGS.index) if not any(_within(other, s) for other in turned if other != s)
    ]


def _within(one: Setting, other: Setting) -> bool:
    return all(not a or b for a, b in zip(one.flags, other.flags, strict=True))


def _sign(verdict: Verdict) -> str:
    return verdict.mark[0]
