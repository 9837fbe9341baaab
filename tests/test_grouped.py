"""Labels that co-occur have vectors that agree; all else is as with the holographic head."""

from dataclasses import replace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from hrrxml.codebook.circulant import Codebook
from hrrxml.config.schema import Params
from hrrxml.data.adjacency import adjacency
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.heads import get
from hrrxml.heads.grouped import agreeing_bases, assign_slots
from hrrxml.runtime.errors import UserError

WIDTH = 6


def make(settings: Params, points: Points, **changes: Any) -> tuple[Any, dict[str, Tensor], Tensor]:
    changed = settings.grouped.model_copy(update={"dim": 5, "shortcut": None, **changes})
    tables = get("grouped").tables(changed, points, torch.Generator().manual_seed(1))
    torch.manual_seed(2)
    head = get("grouped")(changed, WIDTH, points.n_features, tables).double()
    return head, tables, torch.randn(len(points), WIDTH).double()


@given(st.integers(2, 40), st.floats(0, 0.95), st.integers(0, 5))
def test_bases_are_unitary(d: int, agreement: float, seed: int) -> None:
    bases = agreeing_bases(3, d, agreement, torch.Generator().manual_seed(seed))
    magnitudes = torch.fft.rfft(bases).abs()
    torch.testing.assert_close(magnitudes, torch.ones_like(magnitudes), atol=1e-4, rtol=0)


@pytest.mark.parametrize("agreement", [0.0, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("d", [2000, 2001])
def test_bases_agree_where_they_are_not_rolled(
    agreement: float, d: int, generator: torch.Generator
) -> None:
    bases = agreeing_bases(6, d, agreement, generator)
    cosines = bases @ bases.T
    apart = ~torch.eye(6, dtype=torch.bool)
    assert (cosines[apart] - agreement).abs().max() < 5 / d**0.5
    rolled = bases @ bases.roll(7, dims=1).T
    assert rolled.abs().max() < 5 / d**0.5


@given(
    st.lists(st.sets(st.integers(0, 10), max_size=4), min_size=1, max_size=20), st.integers(2, 9)
)
def test_every_label_has_a_slot_of_its_own(sets: list[set[int]], d: int) -> None:
    u = adjacency(Bags.from_lists([sorted(row) for row in sets]), 11, "arithmetic")
    assert sorted(assign_slots(u, d).tolist()) == list(range(11))


def test_labels_that_cooccur_share_a_slot() -> None:
    """Ten labels in pairs that always occur together, five slots of two bases."""
    labels = Bags.from_lists([[i, 9 - i] for i in range(5)] * 3)
    slot = assign_slots(adjacency(labels, 10, "arithmetic"), 5)
    for i in range(5):
        assert slot[i] % 5 == slot[9 - i] % 5


def test_loss_and_ranking_are_those_of_its_vectors(settings: Params, points: Points) -> None:
    """Cross-entropy over scale·⟨ŝ, c⟩ + bias, each label with the vector of its own slot."""
    head, tables, encoded = make(settings, points, agreement=0.5, tail=0.3)
    batch = points.select(torch.arange(len(points)))
    double = {name: t.double() if t.is_floating_point() else t for name, t in tables.items()}
    vectors = Codebook(double).vectors(tables["slot"])  # by label
    bias = head.bias[tables["slot"]]
    with torch.no_grad():
        head.scale.fill_(1.7)
    outputs = encoded @ head.output.weight.T + head.output.bias
    logits = 1.7 * outputs @ vectors.T + bias
    truth = torch.from_numpy(batch.labels.to_csr(batch.n_labels).toarray()).double()
    expected = F.binary_cross_entropy_with_logits(logits, truth, reduction="none").sum(1).mean()
    torch.testing.assert_close(head.loss(encoded, batch), expected, rtol=1e-5, atol=1e-5)
    prior = get("bce").tables(settings.bce, points, torch.Generator())["prior"]
    torch.testing.assert_close(bias.float(), prior)
    scores = logits - 0.3 * prior.double()
    torch.testing.assert_close(head.scores(encoded, batch), scores, rtol=1e-5, atol=1e-5)
    assert torch.equal(head.top_k(encoded, batch, 4)[0], scores.topk(4).indices)


def test_nothing_to_group_is_refused(settings: Params, points: Points) -> None:
    with pytest.raises(UserError, match=r"grouped\.dim: with 12 slots for 12 labels"):
        make(settings, points, dim=12)
    make(settings, replace(points, n_labels=13), dim=12)
