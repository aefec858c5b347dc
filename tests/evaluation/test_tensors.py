"""Real tensors of torch and jax, if they are installed; test_numbered.py has stand-ins for them."""

import pytest

from hiermeasures import Hierarchy, InputError, evaluate

H = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C")])
HOW = {"classes": ["A", "B", "C"], "measures": "hF"}
SCORES = [[2.0, 0.0, 1.0], [0.0, 1.0, 3.0]]
EXPECTED = pytest.approx((1 + 2 / 5) / 2)  # {R, A} against itself, {R, B} against {R, A, C}


@pytest.mark.parametrize("kind", ["float32", "float16", "bfloat16", "float64"])
def test_tensors_of_torch(kind):
    torch = pytest.importorskip("torch", reason="torch is not among what the tests install")
    scores = torch.tensor(SCORES, dtype=getattr(torch, kind), requires_grad=True)
    for true in (
        torch.tensor([0, 1]),
        [torch.tensor(0), torch.tensor(1)],
        torch.eye(3)[:2],
        torch.eye(3)[:2].bool(),
    ):
        assert evaluate(H, true, scores, argmax=True, **HOW)["hF"] == EXPECTED
        assert evaluate(H, true, scores, threshold=1.5, **HOW)["hF"] == EXPECTED
    with pytest.raises(
        InputError, match=r"y_pred is a torch.Tensor that NumPy cannot read .*to_dense"
    ):
        evaluate(H, [0, 1], scores.to_sparse(), argmax=True, **HOW)
    with pytest.raises(InputError, match=r"torch\.Tensor that NumPy"):
        evaluate(H, torch.empty(2, device="meta"), scores, argmax=True, **HOW)


@pytest.mark.parametrize("kind", ["float32", "float16", "bfloat16"])
def test_arrays_of_jax(kind):
    jax = pytest.importorskip("jax.numpy", reason="jax is not among what the tests install")
    scores = jax.array(SCORES, dtype=kind)
    for true in (jax.array([0, 1]), list(jax.array([0, 1])), jax.eye(3)[:2]):
        assert evaluate(H, true, scores, argmax=True, **HOW)["hF"] == EXPECTED
