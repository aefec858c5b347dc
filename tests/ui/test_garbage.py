"""Collections of garbage leave modules out, and nothing else."""

import gc
import weakref

from hiermeasures.ui.garbage import leave_out_modules


class Cycle:
    def __init__(self) -> None:
        self.itself = self


def test_modules_are_left_out_and_later_cycles_are_freed() -> None:
    try:
        leave_out_modules()
        assert gc.get_freeze_count() > 10_000
        cycle = weakref.ref(Cycle())
        gc.collect()
        assert cycle() is None
    finally:
        gc.unfreeze()
