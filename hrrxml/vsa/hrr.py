"""Holographic reduced representations: circular convolution binds symbols.

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
    """n vectors from N(0, 1/d). Their mean squared length is 1; they are not unitary."""
    check_size(n, d)
    return torch.randn(n, d, generator=generator, dtype=dtype, device=device) / math.sqrt(d)


def identity(
    d: int, *, dtype: torch.dtype | None = None, device: torch.device | None = None
) -> Tensor:
    """The identity of binding, bind(x, identity(d)) = x: [1, 0, …, 0]."""
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
    """x† with F(x†) = 1 / F(x) (eq. 2). It is unstable where |F(x)| is small."""
    check_vectors(x)
    spectrum = rfft(x)
    if (spectrum == 0).any():
        raise ValueError("no exact inverse: a Fourier coefficient is zero")
    return irfft(1.0 / spectrum, n=x.shape[-1])


def unbind(s: Tensor, y: Tensor) -> Tensor:
    """y* ⊗ s, circular correlation: the symbol bound to y in s, plus noise."""
    check_vectors(s, y)
    return irfft(rfft(s) * rfft(y).conj(), n=s.shape[-1])


def bundle(xs: Tensor) -> Tensor:
    """A set of symbols as one vector: the sum over dimension −2."""
    check_set(xs)
    return xs.sum(-2)


def project(x: Tensor) -> Tensor:
    """π(x): scale every Fourier coefficient to magnitude 1 (eq. 3).

    A coefficient that is exactly zero has no phase. It gets phase 0 and no gradient.
    """
    check_vectors(x)
    spectrum = rfft(x)
    empty = spectrum == 0
    spectrum = torch.where(empty, torch.ones_like(spectrum), spectrum)
    return irfft(spectrum / spectrum.abs(), n=x.shape[-1])


def orthogonal_unitary(p: Tensor, *, generator: torch.Generator | None = None) -> Tensor:
    """A random unitary m that is exactly orthogonal to the unitary p: (d,).

    ⟨p, m⟩ is the mean of z = F(p)·conj(F(m)) over all d frequencies. So we draw z of
    magnitude 1 in antipodal pairs, such that its sum is zero, and solve for m.
    (The published code projects after Gram-Schmidt, which loses the orthogonality.)
    """
    check_vectors(p)
    if p.ndim > 1 or not torch.allclose(rfft(p).abs(), torch.ones_like(p[0]), atol=1e-4):
        raise ValueError(f"p must be one unitary vector, not {tuple(p.shape)}: project it first")
    d = p.shape[-1]
    z = _unit_phases_summing_to_zero(d, generator).to(p.device)
    m = irfft(rfft(p.double()) * z.conj(), n=d)
    return m.to(p.dtype)


def _unit_phases_summing_to_zero(d: int, generator: torch.Generator | None) -> Tensor:
    """A one-sided spectrum z with |z| = 1 whose two-sided sum is zero.

    The real bins (DC, and Nyquist for even d) are ±1. Each inner bin counts twice, with
    its conjugate, so the cosines of the inner bins must sum to −½ · the sum of the real bins.
    """
    inner = (d - 1) // 2
    sign = torch.randint(2, (1,), generator=generator).double() * 2 - 1
    real_bins = [sign, -sign] if d % 2 == 0 else [sign]
    # Odd d: one or two inner bins share the −sign/2 that cancels DC, so that an even number
    # remains to pair. Even d: DC and Nyquist already cancel.
    lone = (inner - 1) % 2 + 1 if d % 2 else inner % 2
    lone_cosine = -sign / (2 * lone) if d % 2 else torch.zeros(1).double()
    lone_angles = lone_cosine.clamp(-1, 1).acos().expand(lone)
    pairs = (inner - lone) // 2
    angles = torch.rand(pairs, generator=generator).double() * (2 * math.pi)
    angles = torch.cat([lone_angles, angles, angles + math.pi])
    angles = angles[torch.randperm(inner, generator=generator)]
    z = torch.polar(torch.ones(inner).double(), angles)
    return torch.cat([real_bins[0] + 0j, z, *(b + 0j for b in real_bins[1:])])
