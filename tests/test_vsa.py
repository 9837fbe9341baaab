"""Every algebra: one interface, and the properties each promises."""

import math
from types import ModuleType
from typing import Any

import nengo_spa
import pytest
import torch
import torchhd
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.autograd import gradcheck

from hrrxml import vsa
from hrrxml.runtime.errors import UserError
from hrrxml.vsa import hrr, mapc, vtb

ALGEBRAS = [vsa.get(name) for name in vsa.names()]
seeds = st.integers(0, 2**31)


def dims(algebra: ModuleType) -> st.SearchStrategy[int]:
    """Odd and even; squares for VTB."""
    return st.integers(2, 8).map(lambda s: s * s) if algebra is vtb else st.integers(2, 65)


def draw(algebra: Any, n: int, d: int, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return algebra.random(n, d, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("algebra", ALGEBRAS)
@given(data=st.data(), seed=seeds)
def test_binding_is_bilinear(algebra: Any, data: st.DataObject, seed: int) -> None:
    d = data.draw(dims(algebra))
    x, y, z = draw(algebra, 3, d, seed)
    left = algebra.bind(x + 2 * y, z)
    torch.testing.assert_close(left, algebra.bind(x, z) + 2 * algebra.bind(y, z))
    right = algebra.bind(z, x + 2 * y)
    torch.testing.assert_close(right, algebra.bind(z, x) + 2 * algebra.bind(z, y))


@pytest.mark.parametrize("algebra", ALGEBRAS)
@given(data=st.data(), seed=seeds)
def test_identity_and_unbinding(algebra: Any, data: st.DataObject, seed: int) -> None:
    d = data.draw(dims(algebra))
    x, y = draw(algebra, 2, d, seed)
    torch.testing.assert_close(algebra.bind(x, algebra.identity(d, dtype=torch.float64)), x)
    torch.testing.assert_close(algebra.unbind(x, y), algebra.bind(x, algebra.inverse(y)))
    torch.testing.assert_close(algebra.inverse(algebra.inverse(x)), x)


@pytest.mark.parametrize("algebra", [hrr, mapc])
@given(data=st.data(), seed=seeds)
def test_commutative_and_associative(algebra: Any, data: st.DataObject, seed: int) -> None:
    d = data.draw(dims(algebra))
    x, y, z = draw(algebra, 3, d, seed)
    bind = algebra.bind
    torch.testing.assert_close(bind(x, y), bind(y, x))
    torch.testing.assert_close(bind(bind(x, y), z), bind(x, bind(y, z)))


def test_vtb_is_neither() -> None:
    x, y, z = draw(vtb, 3, 16, 0)
    assert not torch.allclose(vtb.bind(x, y), vtb.bind(y, x))
    assert not torch.allclose(vtb.bind(vtb.bind(x, y), z), vtb.bind(x, vtb.bind(y, z)))


@given(s=st.integers(2, 8), seed=seeds)
def test_orthogonal_vtb_inverts_exactly_and_keeps_norms(s: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    y = vtb.orthogonal(1, s * s, generator=generator, dtype=torch.float64)[0]
    x = draw(vtb, 1, s * s, seed)[0]
    bound = vtb.bind(x, y)
    torch.testing.assert_close(bound.norm(), x.norm())
    torch.testing.assert_close(vtb.unbind(bound, y), x)
    torch.testing.assert_close(y.norm(), torch.tensor(1.0, dtype=torch.float64))


@given(d=st.integers(2, 65), seed=seeds)
def test_mapc_with_signs_inverts_exactly_and_bundles_stay_in_range(d: int, seed: int) -> None:
    x, y = draw(mapc, 2, d, seed)
    torch.testing.assert_close(mapc.unbind(mapc.bind(x, y.sign()), y.sign()), x)
    assert mapc.bundle(draw(mapc, 50, d, seed)).abs().max() <= 1


@pytest.mark.parametrize(("algebra", "norm"), [(hrr, 1), (vtb, 1), (mapc, math.sqrt(10000 / 3))])
def test_length_of_random_vectors(algebra: Any, norm: float) -> None:
    lengths = draw(algebra, 50, 10000, 0).norm(dim=1)
    assert lengths.mean() == pytest.approx(norm, rel=0.02)


@pytest.mark.parametrize("algebra", ALGEBRAS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_batches_broadcast_and_keep_their_type(algebra: Any, dtype: torch.dtype) -> None:
    x = algebra.random(6, 9, dtype=dtype).view(2, 3, 9)
    y = algebra.random(3, 9, dtype=dtype)
    bound = algebra.bind(x, y)
    assert bound.dtype == dtype
    assert bound.shape == (2, 3, 9)
    for i in range(2):
        for j in range(3):
            torch.testing.assert_close(bound[i, j], algebra.bind(x[i, j], y[j]))
    assert algebra.bundle(x).shape == (2, 9)
    torch.testing.assert_close(algebra.unbind(x, y)[1, 2], algebra.unbind(x[1, 2], y[2]))


@pytest.mark.parametrize("algebra", ALGEBRAS)
@pytest.mark.parametrize("d", [9, 16])
def test_gradients_of_binding_and_unbinding_are_right(algebra: Any, d: int) -> None:
    x, y = draw(algebra, 2, d, 0)
    x.requires_grad_()
    y.requires_grad_()
    assert gradcheck(algebra.bind, (x, y))
    assert gradcheck(algebra.unbind, (x, y))


@pytest.mark.parametrize("algebra", ALGEBRAS)
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (torch.ones(3, 16), torch.ones(9), r"differ in dimension: \(3, 16\) and \(9,\)"),
        (torch.ones(3, 16), torch.ones(4, 16), r"not broadcast: \(3, 16\) and \(4, 16\)"),
        (torch.ones(16, dtype=torch.int64), torch.ones(16), "int64 cannot be bound"),
        (
            torch.full((16,), torch.nan),
            torch.ones(16),
            r"NaN or an infinite value: \(16,\) and \(16,\)",
        ),
        (torch.full((16,), torch.inf), torch.ones(16), "infinite"),
        (torch.ones(16), torch.ones(16).double(), "float32 and torch.float64"),
        (torch.ones(16).half(), torch.ones(16).half(), "float16 cannot be bound"),
        (torch.ones(1), torch.ones(1), "at least two dimensions"),
        (torch.tensor(1.0), torch.ones(16), "at least two dimensions"),
    ],
)
def test_mistakes_name_both_shapes(algebra: Any, x: Tensor, y: Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        algebra.bind(x, y)
    with pytest.raises(ValueError, match=message):
        algebra.unbind(x, y)


@pytest.mark.parametrize("algebra", ALGEBRAS)
def test_impossible_sizes(algebra: Any) -> None:
    with pytest.raises(ValueError, match="n = 0"):
        algebra.random(0, 16)
    with pytest.raises(ValueError, match="d = 1"):
        algebra.random(3, 1)
    with pytest.raises(ValueError, match="d = 1"):
        algebra.identity(1)
    with pytest.raises(ValueError, match=r"\(…, n, d\), not \(16,\)"):
        algebra.bundle(torch.ones(16))
    with pytest.raises(ValueError, match=r"\(…, n, d\), not \(0, 16\)"):
        algebra.bundle(torch.ones(0, 16))


def test_vtb_needs_a_square_dimension() -> None:
    for attempt in (
        lambda: vtb.random(2, 15),
        lambda: vtb.orthogonal(2, 15),
        lambda: vtb.identity(15),
        lambda: vtb.inverse(torch.ones(15)),
        lambda: vtb.bind(torch.ones(15), torch.ones(15)),
    ):
        with pytest.raises(ValueError, match=r"d = 15: .* must be a square"):
            attempt()


def test_algebras_are_found_by_name() -> None:
    assert {hrr, mapc, vtb} <= set(ALGEBRAS)
    with pytest.raises(UserError, match=f"no 'hhr'; there are {', '.join(vsa.names())}"):
        vsa.get("hhr")


def test_vtb_agrees_with_torchhd_and_nengo_spa() -> None:
    x, y = draw(vtb, 2, 25, 0)
    X, Y = x.as_subclass(torchhd.VTBTensor), y.as_subclass(torchhd.VTBTensor)
    torch.testing.assert_close(vtb.bind(x, y), torchhd.bind(X, Y).as_subclass(Tensor))
    torch.testing.assert_close(vtb.inverse(x), torchhd.inverse(X).as_subclass(Tensor))
    algebra = nengo_spa.algebras.VtbAlgebra()
    bound = torch.from_numpy(algebra.bind(x.numpy(), y.numpy()))
    torch.testing.assert_close(vtb.bind(x, y), bound)
    sidedness = nengo_spa.algebras.base.ElementSidedness.RIGHT
    one = torch.from_numpy(algebra.identity_element(25, sidedness=sidedness))
    torch.testing.assert_close(vtb.identity(25, dtype=torch.float64), one)
    inverted = torch.from_numpy(algebra.invert(x.numpy(), sidedness=sidedness))
    torch.testing.assert_close(vtb.inverse(x), inverted)


def test_mapc_binds_as_torchhds_map_does() -> None:
    x, y = draw(mapc, 2, 25, 0)
    X, Y = x.as_subclass(torchhd.MAPTensor), y.as_subclass(torchhd.MAPTensor)
    torch.testing.assert_close(mapc.bind(x, y), torchhd.bind(X, Y).as_subclass(Tensor))
    clipped = torch.stack([X, Y]).as_subclass(torchhd.MAPTensor).multibundle().clipping(1)
    torch.testing.assert_close(mapc.bundle(torch.stack([x, y])), clipped.as_subclass(Tensor))
