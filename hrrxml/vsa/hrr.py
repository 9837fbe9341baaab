"""Holographic reduced representations: symbols bound by circular convolution.

Equation numbers are those of "Learning with Holographic Reduced Representations".
"""

import math

import torch
from torch import Tensor
from torch.fft import irfft, rfft

from hrrxml.vsa.base import check_set, check_size, check_vectors


def random(
    n: int,
    d: int,
    *,
    generator: torch.Generator | None = None,
    dtype: torch.dtype | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """n vectors of N(0, 1/d): of unit length on average, not yet unitary."""
    check_size(n, d)
    return torch.randn(n, d, generator=generator, dtype=dtype, device=device) / math.sqrt(d)


def identity(
    d: int, *, dtype: torch.dtype | None = None, device: torch.device | None = None
) -> Tensor:
    """The vector that binding leaves everything unchanged with: [1, 0, …, 0]."""
    check_size(1, d)
    delta = torch.zeros(d, dtype=dtype, device=device)
    delta[0] = 1.0
    return delta


def bind(x: Tensor, y: Tensor) -> Tensor:
    """x ⊗ y, circular convolution (eq. 1): commutative, associative, bilinear."""
    check_vectors(x, y)
    return irfft(rfft(x) * rfft(y), n=x.shape[-1])


def inverse(x: Tensor) -> Tensor:
    """Plate's pseudo-inverse x* = [x1, xd, …, x2]; exact when x is unitary."""
    check_vectors(x)
    return x.flip(-1).roll(1, -1)


def exact_inverse(x: Tensor) -> Tensor:
    """x† with F(x†) = 1 / F(x) (eq. 2); blows up wherever |F(x)| is small."""
    check_vectors(x)
    spectrum = rfft(x)
    if (spectrum == 0).any():
        raise ValueError("no exact inverse: a Fourier coefficient is zero")
    return irfft(1.0 / spectrum, n=x.shape[-1])


def unbind(s: Tensor, y: Tensor) -> Tensor:
    """y* ⊗ s, what was bound to y in s: circular correlation."""
    check_vectors(s, y)
    return irfft(rfft(s) * rfft(y).conj(), n=s.shape[-1])


def bundle(xs: Tensor) -> Tensor:
    """The sum over the last dimension but one: a set of symbols as one vector."""
    check_set(xs)
    return xs.sum(-2)


def project(x: Tensor) -> Tensor:
    """π(x), every Fourier coefficient scaled to magnitude 1 (eq. 3).

    A coefficient that is exactly zero has no phase; it gets phase 0 and no gradient.
    """
    check_vectors(x)
    spectrum = rfft(x)
    empty = spectrum == 0
    spectrum = torch.where(empty, torch.ones_like(spectrum), spectrum)
    return irfft(spectrum / spectrum.abs(), n=x.shape[-1])


def orthogonal_unitary(p: Tensor, *, generator: torch.Generator | None = None) -> Tensor:
    """A random m, unitary like p and exactly orthogonal to it.

    ⟨p, m⟩ is the mean of z = F(p)·conj(F(m)) over all d frequencies. So we draw
    unit-magnitude z whose sum is zero, in antipodal pairs, and solve for m.
    (Projecting after Gram-Schmidt, as the published code does, loses the orthogonality.)
    """
    check_vectors(p)
    if p.ndim > 1 or not torch.allclose(rfft(p).abs(), torch.ones_like(p[0]), atol=1e-4):
        raise ValueError(f"p must be one unitary vector, not {tuple(p.shape)}: project it first")
    d = p.shape[-1]
    z = _unit_phases_summing_to_zero(d, generator).to(p.device)
    m = irfft(rfft(p.double()) * z.conj(), n=d)
    return m.to(p.dtype)


def _unit_phases_summing_to_zero(d: int, generator: torch.Generator | None) -> Tensor:
    """One-sided spectrum z, |z| = 1, whose two-sided sum vanishes.

    The real bins (DC, and Nyquist for even d) are ±1; each of the inner bins counts
    twice, with its conjugate, so their cosines must sum to minus half the real bins.
    """
    inner = (d - 1) // 2
    sign = torch.randint(2, (1,), generator=generator).double() * 2 - 1
    real_bins = [sign, -sign] if d % 2 == 0 else [sign]
    # Odd d: one or two inner bins (whichever leaves an even number to pair) share
    # the −sign/2 that cancels DC. Even d: DC and Nyquist already cancel.
    lone = (inner - 1) % 2 + 1 if d % 2 else inner % 2
    lone_cosine = -sign / (2 * lone) if d % 2 else torch.zeros(1).double()
    lone_angles = lone_cosine.clamp(-1, 1).acos().expand(lone)
    pairs = (inner - lone) // 2
    angles = torch.rand(pairs, generator=generator).double() * (2 * math.pi)
    angles = torch.cat([lone_angles, angles, angles + math.pi])
    angles = angles[torch.randperm(inner, generator=generator)]
    z = torch.polar(torch.ones(inner).double(), angles)
    return torch.cat([real_bins[0] + 0j, z, *(b + 0j for b in real_bins[1:])])
