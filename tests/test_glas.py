"""GLaS's head against its paper: the losses label by label, the regulariser over all labels."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from hrrxml.config.schema import Params
from hrrxml.data.adjacency import adjacency
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.heads import get, glas

WIDTH = 6


def make(settings: Params, points: Points, **changes: Any) -> tuple[Any, Tensor]:
    """A head in float64, and an encoded batch for it."""
    changed = settings.glas.model_copy(update={"dim": 5, "shortcut": None, **changes})
    changed = glas.Settings.model_validate(changed.model_dump())
    tables = get("glas").tables(changed, points, torch.Generator().manual_seed(1))
    torch.manual_seed(2)
    head = get("glas")(changed, WIDTH, points.n_features, tables).double()
    return head, torch.randn(len(points), WIDTH).double().requires_grad_()


@pytest.fixture
def batch(points: Points) -> Points:
    return points.select(torch.arange(len(points)))


def embedded(head: Any, encoded: Tensor, batch: Points) -> tuple[Tensor, Tensor]:
    """φ of the points that have labels, and all v, from their definitions."""
    weight = head.output.parametrizations.weight
    directions = weight.original / weight.original.norm(dim=1, keepdim=True)
    outputs = encoded @ (weight[0].length * directions).T + head.output.bias
    phi = outputs / outputs.norm(dim=1, keepdim=True)
    v = head.labels.table / head.labels.table.norm(dim=1, keepdim=True)
    return phi[batch.labels.lengths > 0], v


def label_sets(batch: Points) -> list[set[int]]:
    ends = batch.labels.offsets.tolist()
    sets = [set(batch.labels.ids[a:b].tolist()) for a, b in pairwise(ends)]
    return [labels for labels in sets if labels]


@pytest.mark.parametrize("negatives", [None, 0, 4])
@pytest.mark.parametrize("loss", ["margin", "mining", "softmax"])
def test_losses_label_by_label(
    settings: Params,
    batch: Points,
    monkeypatch: pytest.MonkeyPatch,
    loss: str,
    negatives: int | None,
) -> None:
    head, encoded = make(
        settings, batch, loss=loss, regulariser="none", negatives=negatives, mined=3, margin=0.4
    )
    sampled = torch.tensor([max(labels) for labels in label_sets(batch)])
    monkeypatch.setattr(glas, "sample", lambda labels: sampled)
    torch.manual_seed(0)
    drawn = [] if negatives is None else torch.randint(batch.n_labels, (negatives,)).tolist()
    candidates = set(range(batch.n_labels)) if negatives is None else {*sampled.tolist(), *drawn}
    torch.manual_seed(0)
    found = head.loss(encoded, batch)

    phi, v = embedded(head, encoded, batch)
    terms = []
    for x, own, y in zip(phi, label_sets(batch), sampled.tolist(), strict=True):
        others = sorted(candidates - own)
        if loss == "softmax":
            logits = head.length * torch.stack([x @ v[k] for k in [y, *others]])
            terms.append(-logits.log_softmax(0)[0])
            continue
        violations = torch.stack([(x @ v[k] - x @ v[y] + 0.4).clamp(min=0) for k in others])
        if loss == "mining":
            violations = violations.sort(descending=True).values[:3]
        terms.append(violations.sum())
    divisor = 3 * len(terms) if loss == "mining" else len(terms)
    expected = torch.stack(terms).sum() / divisor
    torch.testing.assert_close(found, expected)
    inputs = [encoded, head.labels.table, *(p for p in head.output.parameters())]
    for ours, theirs in zip(
        torch.autograd.grad(found, inputs), torch.autograd.grad(expected, inputs), strict=True
    ):
        torch.testing.assert_close(ours.to_dense() if ours.is_sparse else ours, theirs)


def everything_sampled(points: Points) -> Points:
    """A batch of one label a point, each label once: the stochastic regulariser is then whole."""
    labels = Bags.from_lists([[i] for i in range(points.n_labels)])
    some = points.select(torch.arange(points.n_labels))
    return replace(some, labels=replace(labels, ids=labels.ids.long()))


def regulariser(head: Any, encoded: Tensor, batch: Points) -> Tensor:
    """What the head adds to its loss, over λ."""
    plain = head.settings.model_copy(update={"regulariser": "none"})
    with_it = head.loss(encoded, batch)
    kept, head.settings = head.settings, plain
    without = head.loss(encoded, batch)
    head.settings = kept
    return (with_it - without) / head.settings.weight


@pytest.mark.parametrize("kind", ["glas", "spreadout", "laplacian", "gravity"])
@pytest.mark.parametrize("measure", ["arithmetic", "geometric", "jaccard", "pmi"])
def test_regularisers_are_the_papers_over_all_labels(
    settings: Params, points: Points, kind: str, measure: str
) -> None:
    head, encoded = make(settings, points, regulariser=kind, adjacency=measure, negatives=None)
    batch = everything_sampled(points)
    encoded = encoded[: points.n_labels]
    k = points.n_labels
    found = regulariser(head, encoded, batch)
    phi, v = embedded(head, encoded, batch)
    u = adjacency(points.labels, k, measure).to_csr(k).toarray()
    u = torch.eye(k).double() if kind == "spreadout" else torch.from_numpy(u).double()
    gram = phi @ v.T if kind == "gravity" else v @ v.T - u
    expected = gram.square().sum() / k**2
    if kind == "laplacian":  # eq. 4
        expected = ((v[:, None] - v).square().sum(-1) * u).sum() / k**2
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-7)
    (ours,) = torch.autograd.grad(found, [head.labels.table])
    (theirs,) = torch.autograd.grad(expected, [head.labels.table])
    torch.testing.assert_close(ours.to_dense(), theirs, rtol=1e-4, atol=1e-6)


def test_a_label_sampled_twice_counts_twice(settings: Params, batch: Points) -> None:
    head, encoded = make(settings, batch, regulariser="glas", negatives=None)
    phi, v = embedded(head, encoded, batch)
    sampled = torch.tensor([min(labels) for labels in label_sets(batch)])
    assert len(sampled.unique()) < len(sampled)
    found = head._regularise(phi, v, torch.arange(batch.n_labels), sampled)
    u = torch.from_numpy(
        adjacency(batch.labels, batch.n_labels, head.settings.adjacency)
        .to_csr(batch.n_labels)
        .toarray()
    ).double()
    gram = v[sampled] @ v[sampled].T - u[sampled][:, sampled]
    torch.testing.assert_close(found, gram.square().mean(), rtol=1e-6, atol=1e-7)


def test_laplacian_and_spreadout_are_glas_but_for_a_constant(points: Points) -> None:
    """Eq. 4 + eq. 2 = eq. 3 − (1/K²) Σ (u² − 2u), for any unit vectors."""
    k = points.n_labels
    u = torch.from_numpy(adjacency(points.labels, k, "arithmetic").to_csr(k).toarray()).double()
    for seed in range(3):
        torch.manual_seed(seed)
        v = F.normalize(torch.randn(k, 5).double(), dim=1)
        laplacian = ((v[:, None] - v).square().sum(-1) * u).sum() / k**2
        spreadout = (v @ v.T).square().sum() / k**2
        eq3 = (v @ v.T - u).square().sum() / k**2
        constant = (u.square() - 2 * u).sum() / k**2
        torch.testing.assert_close(laplacian + spreadout, eq3 - constant)


def test_without_cooccurrence_glas_is_spreadout(settings: Params, points: Points) -> None:
    alone = everything_sampled(points)
    losses = []
    for kind in ("glas", "spreadout"):
        head, encoded = make(settings, alone, regulariser=kind, negatives=None)
        losses.append(regulariser(head, encoded, alone))
    torch.testing.assert_close(*losses)


def test_all_vectors_have_unit_length_and_ranking_is_exact(settings: Params, batch: Points) -> None:
    head, encoded = make(settings, batch)
    head.labels.table.data *= torch.rand(batch.n_labels, 1) + 0.5
    phi, v = head._embed(encoded, batch), head.labels.vectors(torch.arange(batch.n_labels))
    torch.testing.assert_close(phi.norm(dim=1), torch.ones(len(batch)).double())
    torch.testing.assert_close(v.norm(dim=1), torch.ones(batch.n_labels).double())
    scores = phi @ v.T
    torch.testing.assert_close(head.scores(encoded, batch), scores)
    assert torch.equal(head.top_k(encoded, batch, 5)[0], scores.topk(5).indices)
    weight = head.output.weight  # one length for all outputs
    torch.testing.assert_close(weight.norm(dim=1), weight.norm(dim=1)[:1].expand(5))


def test_without_an_encoder_the_embedding_is_linear(settings: Params, batch: Points) -> None:
    """Table 1's "linear": φ(x) is the shortcut's V·x, at unit length."""
    changed = settings.glas.model_copy(update={"dim": 5, "shortcut": 1.0})
    tables = get("glas").tables(changed, batch, torch.Generator().manual_seed(1))
    head: Any = get("glas")(changed, 0, batch.n_features, tables)
    torch.nn.init.normal_(head.output.shortcut.weight)
    features = torch.from_numpy(batch.features.to_csr(batch.n_features).toarray())
    linear = features @ head.output.shortcut.weight + head.output.bias
    expected = F.normalize(linear, dim=1) @ F.normalize(head.labels.table, dim=1).T
    torch.testing.assert_close(head.scores(torch.empty(len(batch), 0), batch), expected)


def test_each_of_a_points_labels_is_as_likely() -> None:
    labels = Bags.from_lists([[7], [1, 2, 3, 4]] * 2000)
    torch.manual_seed(0)
    sampled = glas.sample(labels)
    assert set(sampled[::2].tolist()) == {7}
    counts = torch.bincount(sampled[1::2], minlength=5)
    assert counts[0] == 0
    assert (counts[1:] - 500).abs().max() < 80  # four standard deviations


def test_points_without_labels_are_passed_over(settings: Params, batch: Points) -> None:
    head, encoded = make(settings, batch, loss="softmax", regulariser="glas")
    nothing = batch.select(torch.tensor([0]))
    assert not len(nothing.labels.ids)
    assert head.loss(encoded[:1], nothing).item() == 0
    head.loss(encoded, batch).backward()
    assert not encoded.grad[0].any()
    assert encoded.grad[1:].any(1).all()


@pytest.mark.parametrize("kind", ["glas", "spreadout", "laplacian", "gravity"])
def test_large_batches_do_not_overflow_in_half_precision(
    settings: Params, points: Points, kind: str
) -> None:
    """Sums over B² pairs pass float16's 65,504."""
    head, _ = make(settings, points, regulariser=kind)
    many = points.select(torch.arange(1, len(points)).repeat(100))
    with torch.autocast("cpu", torch.float16):
        loss = head.float().loss(torch.randn(len(many), WIDTH), many)
    assert loss.dtype == torch.float32
    assert loss.isfinite()


def test_a_label_never_seen_is_no_division_by_zero(settings: Params, points: Points) -> None:
    """It can be drawn as a negative, and has no neighbours."""
    points = replace(points, n_labels=points.n_labels + 3)
    head, encoded = make(settings, points, regulariser="glas", negatives=50)
    loss = head.loss(encoded, points.select(torch.arange(len(points))))
    loss.backward()
    assert loss.isfinite()
    assert head.labels.table.grad.to_dense().isfinite().all()
    assert all(table.isfinite().all() for table in (head.weights, encoded.grad))


def test_a_step_never_holds_a_number_for_every_pair_of_labels(settings: Params) -> None:
    """300,000 labels: all pairs would take 360 GB."""
    labels = Bags.from_lists([[i, i + 1, 150_000 + i] for i in range(0, 100_000, 1000)])
    features = Bags.from_lists([[0]] * len(labels))
    points = Points(features, None, labels, 1, 0, 300_000).select(torch.arange(len(labels)))
    changed = settings.glas.model_copy(update={"dim": 4, "negatives": 100, "shortcut": None})
    tables = get("glas").tables(changed, points, torch.Generator().manual_seed(0))
    head: Any = get("glas")(changed, 2, 1, tables)
    head.loss(torch.randn(len(points), 2), points).backward()
    assert head.labels.table.grad.is_sparse
    assert len(head.labels.table.grad._indices()[0]) <= 200
