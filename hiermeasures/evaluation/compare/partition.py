"""Partitions of a data set: instances in parts, some of them with a share in several parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiermeasures.read.label_rows import distinct

NO_LABEL = "no true label"


@dataclass(frozen=True, eq=False)
class Partition:
    """Instances in parts. `instance[k]` gives `share[k]` of itself to part `part[k]`.

    The shares of an instance add up to 1. `keys` are the names of the parts.
    """

    keys: tuple[Any, ...]
    instance: np.ndarray
    part: np.ndarray
    share: np.ndarray

    def sum(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of the instances' values in each part."""
        weights = self.share * values[self.instance]
        sums: np.ndarray = np.bincount(self.part, weights, minlength=len(self.keys))
        return sums

    @property
    def sizes(self) -> np.ndarray:
        """The number of instances with a share in each part."""
        sizes: np.ndarray = np.bincount(self.part, minlength=len(self.keys))
        return sizes

    def members(self, number: int) -> np.ndarray:
        """Return the instances with a share in a part."""
        members: np.ndarray = self.instance[self.part == number]
        return members


def share_equally(n: int, instance: np.ndarray, part: np.ndarray, keys: Sequence[Any]) -> Partition:
    """Divide `n` instances into parts. An instance in several parts gives each an equal share.

    `part` has numbers of `keys`. Parts without instances are left out. Instances without a part
    are in the part NO_LABEL.

    >>> p = share_equally(3, np.array([0, 0, 0, 1]), np.array([2, 2, 0, 2]), "abc")
    >>> p.keys, p.sum(np.array([1.0, 10.0, 100.0])).tolist()
    (('a', 'c', 'no true label'), [0.5, 10.5, 100.0])
    """
    size = len(keys) + 1
    without = np.flatnonzero(np.bincount(instance, minlength=n) == 0)
    pairs = np.concatenate([instance.astype(np.int64) * size + part, without * size + len(keys)])
    owner, number = np.divmod(distinct(pairs), size)
    used = np.flatnonzero(np.bincount(number, minlength=size))
    compact = np.searchsorted(used, number)
    share = 1.0 / np.bincount(owner, minlength=n)[owner]
    names = tuple(NO_LABEL if k == len(keys) else keys[k] for k in used.tolist())
    return Partition(names, owner, compact, share)
