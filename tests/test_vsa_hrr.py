"""What HRR adds to the common interface: convolution, inverses, projection, p and m."""

import math

import nengo_spa
import pytest
import torch
import torchhd
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.autograd import gradcheck

from hrrxml.vsa import hrr

dims = st.integers(2, 65)
seeds = st.integers(0, 2**31)


def draw(n: int, d: int, seed: int) -> Tensor:
    return hrr.random(n, d, generator=torch.Generator().manual_seed(seed)).double()


def naive_convolution(x: Tensor, y: Tensor) -> Tensor:
    d = len(x)
    out = torch.zeros_like(x)
    for i in range(d):
        for j in range(d):
            out[(i + j) % d] += x[i] * y[j]
    return out


def magnitudes(x: Tensor) -> Tensor:
    return torch.fft.fft(x).abs()


@given(st.integers(2, 24), seeds)
def test_bind_is_circular_convolution(d: int, seed: int) -> None:
    x, y = draw(2, d, seed)
    torch.testing.assert_close(hrr.bind(x, y), naive_convolution(x, y))


@given(dims, seeds)
def test_the_exact_inverse_undoes_binding_and_is_the_pseudo_inverse_of_unitary_vectors(
    d: int, seed: int
) -> None:
    y = draw(1, d, seed)[0]
    one = hrr.identity(d).double()
    unitary = hrr.project(y)
    torch.testing.assert_close(hrr.bind(unitary, hrr.inverse(unitary)), one)
    torch.testing.assert_close(hrr.exact_inverse(unitary), hrr.inverse(unitary))
    if magnitudes(y).min() > 1e-3:
        torch.testing.assert_close(hrr.bind(y, hrr.exact_inverse(y)), one)


@given(dims, seeds)
def test_projection_is_unitary_and_idempotent_and_keeps_norms(d: int, seed: int) -> None:
    x, y = draw(2, d, seed)
    unitary = hrr.project(x)
    torch.testing.assert_close(magnitudes(unitary), torch.ones(d).double())
    torch.testing.assert_close(hrr.project(unitary), unitary)
    torch.testing.assert_close(hrr.bind(unitary, y).norm(), y.norm())


def test_projection_of_empty_bins_has_phase_zero_and_finite_gradient() -> None:
    x = torch.zeros(8, dtype=torch.float64, requires_grad=True)
    projected = hrr.project(x)
    torch.testing.assert_close(projected, hrr.identity(8).double())
    projected.sum().backward()
    assert x.grad is not None
    assert x.grad.isfinite().all()


def test_one_empty_bin_among_others(generator: torch.Generator) -> None:
    spectrum = torch.fft.rfft(hrr.random(1, 8, generator=generator, dtype=torch.float64)[0])
    spectrum[2] = 0
    x = torch.fft.irfft(spectrum, n=8)
    assert torch.fft.rfft(x)[2].abs() < 1e-15
    torch.testing.assert_close(magnitudes(hrr.project(x)), torch.ones(8).double())
    exactly_empty = torch.ones(8).double()
    with pytest.raises(ValueError, match="no exact inverse"):
        hrr.exact_inverse(exactly_empty)


def test_m_needs_one_unitary_p(generator: torch.Generator) -> None:
    with pytest.raises(ValueError, match="project it first"):
        hrr.orthogonal_unitary(hrr.random(1, 16, generator=generator)[0])
    with pytest.raises(ValueError, match="one unitary vector"):
        hrr.orthogonal_unitary(hrr.project(hrr.random(2, 16, generator=generator)))


@given(st.integers(2, 65), seeds)
def test_m_is_unitary_and_orthogonal_to_p(d: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    p = hrr.project(hrr.random(1, d, generator=generator))[0]
    m = hrr.orthogonal_unitary(p, generator=generator)
    assert m.dtype == torch.float32
    assert abs(float(p @ m)) < 1e-6
    torch.testing.assert_close(magnitudes(m), torch.ones(d), atol=1e-6, rtol=0)


@pytest.mark.parametrize("d", [400, 401, 402, 403, 3000])
def test_m_is_exact_at_the_papers_dimensions(d: int, generator: torch.Generator) -> None:
    p = hrr.project(hrr.random(1, d, generator=generator))[0]
    m = hrr.orthogonal_unitary(p, generator=generator)
    assert abs(float(p @ m)) < 1e-6
    torch.testing.assert_close(magnitudes(m), torch.ones(d), atol=1e-6, rtol=0)
    # And it is a random one: what it holds bound to p looks like no fixed kernel.
    other = hrr.orthogonal_unitary(p, generator=generator)
    assert abs(float(m @ other)) < 6 / math.sqrt(d)


@pytest.mark.parametrize("d", [9, 10])
def test_gradient_of_the_projection(generator: torch.Generator, d: int) -> None:
    x = hrr.random(1, d, generator=generator, dtype=torch.float64)[0].requires_grad_()
    assert gradcheck(hrr.project, (x,))


@pytest.mark.parametrize("d", [15, 16])
def test_agrees_with_torchhd(d: int, generator: torch.Generator) -> None:
    x, y = hrr.random(2, d, generator=generator)
    X, Y = x.as_subclass(torchhd.HRRTensor), y.as_subclass(torchhd.HRRTensor)
    torch.testing.assert_close(hrr.bind(x, y), torchhd.bind(X, Y).as_subclass(Tensor))
    torch.testing.assert_close(hrr.inverse(x), torchhd.inverse(X).as_subclass(Tensor))
    torch.testing.assert_close(hrr.exact_inverse(x), X.exact_inverse().as_subclass(Tensor))


@pytest.mark.parametrize("d", [15, 16])
def test_agrees_with_nengo_spa(d: int, generator: torch.Generator) -> None:
    algebra = nengo_spa.algebras.HrrAlgebra()
    x, y = hrr.random(2, d, generator=generator).double()
    bound = algebra.bind(x.numpy(), y.numpy())
    torch.testing.assert_close(hrr.bind(x, y), torch.from_numpy(bound))
    unitary = algebra.make_unitary(x.numpy())
    torch.testing.assert_close(hrr.project(x), torch.from_numpy(unitary))
