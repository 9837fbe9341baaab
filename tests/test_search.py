"""Exact search returns what sorting all scores would, without ever holding them."""

import subprocess
import sys

import pytest
import torch
from helpers.project import ROOT
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.fft import rfft

from hrrxml import search
from hrrxml.search import exact


def brute_force(queries: Tensor, vectors: Tensor, k: int) -> list[list[int]]:
    scores = (queries @ vectors.T).tolist()
    return [sorted(range(len(row)), key=lambda i, row=row: (-row[i], i))[:k] for row in scores]


def rolled(bases: Tensor, n_labels: int) -> Tensor:
    d = bases.shape[1]
    return torch.stack([bases[i // d].roll(i % d) for i in range(n_labels)])


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.fixture(autouse=True, params=[1, 50, exact.BLOCK])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a block holds: one base or ten labels, or everything."""
    monkeypatch.setattr(exact, "BLOCK", request.param)


@given(n=st.integers(1, 70), d=st.integers(2, 13), k=st.integers(1, 9), rows=st.integers(1, 5))
def test_circulant_equals_brute_force(n: int, d: int, k: int, rows: int) -> None:
    bases, queries = random(-(-n // d), d, seed=n), random(rows, d, seed=1000 + k)
    vectors = rolled(bases, n)
    ids, scores = search.circulant(queries, rfft(bases), n, k)
    assert ids.tolist() == brute_force(queries, vectors, k)
    torch.testing.assert_close(scores, (queries @ vectors.T).gather(1, ids))


@given(n=st.integers(1, 70), k=st.integers(1, 9), data=st.data())
def test_ties_go_to_the_lower_id(n: int, k: int, data: st.DataObject) -> None:
    """Small integers, of which many are equal and all are exact."""
    numbers = st.lists(st.integers(-1, 1), min_size=3 * n, max_size=3 * n)
    vectors = torch.tensor(data.draw(numbers), dtype=torch.float64).view(n, 3)
    queries = torch.tensor([[1.0, 0, 0], [1, 1, 0], [0, 0, 0]], dtype=torch.float64)
    ids, scores = search.flat(queries, vectors, k)
    assert ids.tolist() == brute_force(queries, vectors, k)
    assert torch.equal(scores, (queries @ vectors.T).gather(1, ids))


def test_a_bias_is_added() -> None:
    bases, queries, bias = random(4, 11), random(6, 11, seed=1), random(40, seed=2)
    expected = (queries @ rolled(bases, 40).T + bias).topk(5)
    for ids, scores in (
        search.circulant(queries, rfft(bases), 40, 5, bias),
        search.flat(queries, rolled(bases, 40), 5, bias),
    ):
        assert torch.equal(ids, expected.indices)
        torch.testing.assert_close(scores, expected.values)


def test_a_million_labels_in_little_memory() -> None:
    """Their vectors would take 4 GB, and all scores of 64 queries 256 MB."""
    program = """
import resource, torch
from hrrxml import search
queries, bases = torch.randn(64, 1000), torch.fft.rfft(torch.randn(1000, 1000))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
ids, _ = search.circulant(queries, bases, 1_000_000, 5)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, ids.shape)
"""
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    megabytes, shape = run.stdout.split(maxsplit=1)
    assert int(megabytes) < 100
    assert shape.strip() == "torch.Size([64, 5])"
