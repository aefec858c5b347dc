"""A metric of torchmetrics gives what one evaluation gives, however its batches are shared out to
processes.
"""

import copy
import doctest
import multiprocessing
import pickle

import pytest

from hiermeasures import Hierarchy, evaluate
from tests.test_meter import bits

WHY = "torch and torchmetrics, some gigabytes, are not among what the tests install"
torch = pytest.importorskip("torch", reason=WHY)
torchmetrics = pytest.importorskip("torchmetrics", reason=WHY)

from hiermeasures.integrations import torchmetrics as module  # noqa: E402
from hiermeasures.integrations.torchmetrics import HierarchicalMetric  # noqa: E402

H = Hierarchy.from_edges([(f"n{(k - 1) // 2}", f"n{k}") for k in range(1, 12)])
NAMES = [f"n{k}" for k in range(12)]
MEASURES = ["hF", "GIE", "F_LCA"]
RANDOM = torch.Generator().manual_seed(3)
TRUE = torch.randint(0, 12, (40,), generator=RANDOM)
SCORES = torch.rand((40, 12), generator=RANDOM)
WHOLE = evaluate(H, TRUE, SCORES, measures=MEASURES, classes=NAMES, argmax=True)


def metric(**settings):
    return HierarchicalMetric(H, measures=MEASURES, classes=NAMES, argmax=True, **settings)


def assert_whole(found):
    assert {key: float(value) for key, value in found.items()} == pytest.approx(WHOLE.values)


def test_its_example_gives_what_it_says():
    assert doctest.testmod(module).failed == 0 < doctest.testmod(module).attempted


@pytest.mark.parametrize("way", ["update", "forward"])
def test_batches_give_what_one_evaluation_gives(way):
    one = metric()
    for k in range(0, 40, 8):
        at_once = getattr(one, way)(SCORES[k : k + 8].requires_grad_(), TRUE[k : k + 8])
        if way == "forward":
            batch = evaluate(
                H, TRUE[k : k + 8], SCORES[k : k + 8], measures="hF", classes=NAMES, argmax=True
            )
            assert float(at_once["hF"]) == pytest.approx(batch["hF"])
    assert_whole(one.compute())
    assert bits(one.report()) == bits(WHOLE)
    one.reset()
    assert len(one.report()) == 0


def test_two_replicas_merged_are_one():
    replicas = [metric(), metric()]
    for k, replica in enumerate(replicas):
        replica.update(SCORES[k::2], TRUE[k::2])
    first, other = (pickle.loads(pickle.dumps(copy.deepcopy(replica))) for replica in replicas)
    first.merge_state(other)
    assert bits(first.report()) == bits(WHOLE)
    assert_whole(first.compute())
    assert len(other.report()) == 20


def _process(rank, size, folder, results):
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/store", rank=rank, world_size=size
    )
    one = metric()
    if rank < size - 1:  # the last one has no batch
        one.update(SCORES[rank :: size - 1], TRUE[rank :: size - 1])
    results.put({key: float(value) for key, value in one.compute().items()})
    results.put(len(one.report()))
    torch.distributed.destroy_process_group()


def test_processes_of_which_one_has_no_batch_give_what_one_gives(tmp_path):
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    started = [
        context.Process(target=_process, args=(rank, 3, tmp_path, results)) for rank in range(3)
    ]
    for process in started:
        process.start()
    found = [results.get(timeout=300) for _ in range(6)]
    for process in started:
        process.join()
    for values in found:
        if isinstance(values, dict):
            assert_whole(values)
    assert sorted(n for n in found if isinstance(n, int)) == [
        0,
        20,
        20,
    ]  # and each has its own again
