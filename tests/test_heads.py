"""Each head's loss and ranking against the formula it is named for, term by term."""

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.heads import Head, get
from hrrxml.schema import BCE, HRR, Params
from hrrxml.vsa import hrr

WIDTH, DIM = 6, 10


def make(name: str, settings: BCE | HRR, points: Points) -> tuple[Head, dict[str, Tensor], Tensor]:
    """A head in float64, its tables, and an encoded batch for it."""
    generator = torch.Generator().manual_seed(1)
    tables = get(name).tables(settings, points, generator)
    torch.manual_seed(2)
    head = get(name)(settings, WIDTH, tables).double()
    tables = {key: table.double() for key, table in tables.items()}
    return head, tables, torch.randn(len(points), WIDTH).double()


def make_hrr(settings: Params, points: Points, **changes: Any) -> tuple[Any, dict, Tensor]:
    changed = settings.hrr.model_copy(update={"dim": DIM, **changes})
    return make("hrr", HRR.model_validate(changed.model_dump()), points)


def present(points: Points, row: int) -> list[int]:
    start, stop = points.labels.offsets[row : row + 2]
    return points.labels.ids[start:stop].tolist()


def cosine(x: Tensor, y: Tensor) -> Tensor:
    return F.cosine_similarity(x, y, dim=0)


def test_bce_is_binary_cross_entropy(settings: Params, points: Points) -> None:
    head, _, encoded = make("bce", settings.bce, points)
    target = torch.from_numpy(points.labels.to_csr(points.n_labels).toarray()).double()
    expected = F.binary_cross_entropy_with_logits(head.scores(encoded), target, reduction="none")
    torch.testing.assert_close(head.loss(encoded, points.labels), expected.sum(1).mean())


def test_bce_starts_at_the_labels_shares(settings: Params, points: Points) -> None:
    head, tables, _ = make("bce", settings.bce, points)
    counts = points.labels.to_csr(points.n_labels).toarray().sum(0)
    expected = torch.from_numpy((counts + 1) / (len(points) + 2)).double()
    torch.testing.assert_close(tables["prior"].sigmoid(), expected, atol=1e-6, rtol=0)
    silent = torch.zeros(1, WIDTH).double()
    torch.testing.assert_close(head.scores(silent)[0], tables["prior"])


@pytest.mark.parametrize("learn", [False, True])
@pytest.mark.parametrize("binding", [True, False])
@pytest.mark.parametrize("projection", [True, False])
@pytest.mark.parametrize("loss", ["paper", "reference", "positive"])
def test_hrr_loss_is_the_papers_label_by_label(
    settings: Params, points: Points, loss: str, projection: bool, binding: bool, learn: bool
) -> None:
    head, tables, encoded = make_hrr(
        settings,
        points,
        loss=loss,
        projection=projection,
        binding=binding,
        learn_pm=learn and binding,
        learn_labels=learn,
    )
    p, m, c = tables["p"], tables["m"], tables["vectors"]
    total = torch.zeros(()).double()
    for row, s in enumerate(head.output(encoded)):
        labels = present(points, row)
        found = hrr.bind(hrr.inverse(p), s)
        absent = hrr.bind(hrr.inverse(m), s)
        for label in labels:
            similarity = cosine(found, c[label])
            total += 1 - (similarity.abs() if loss == "reference" else similarity)  # eq. 6
            if loss == "reference":
                total += cosine(absent, c[label]).abs()
        if loss == "paper" and labels:
            total += cosine(absent, c[labels].sum(0))  # eq. 7
    expected = total / len(points)
    torch.testing.assert_close(head.loss(encoded, points.labels), expected, atol=1e-6, rtol=1e-6)


def test_hrr_mse_regresses_on_equation_5(settings: Params, points: Points) -> None:
    head, tables, encoded = make_hrr(settings, points, loss="mse")
    p, m, c = tables["p"], tables["m"], tables["vectors"]
    targets = []
    for row in range(len(points)):
        labels = present(points, row)
        others = [i for i in range(points.n_labels) if i not in labels]
        s = sum(hrr.bind(p, c[i]) for i in labels) + sum(hrr.bind(m, c[i]) for i in others)  # eq. 4
        targets.append(s)
    expected = F.mse_loss(head.output(encoded), torch.stack(targets))
    torch.testing.assert_close(head.loss(encoded, points.labels), expected, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("loss", ["paper", "reference"])
def test_hrr_ranks_by_the_response_to_p(settings: Params, points: Points, loss: str) -> None:
    head, tables, encoded = make_hrr(settings, points, loss=loss)
    responses = torch.stack(
        [
            torch.stack([cosine(hrr.unbind(s, tables["p"]), c) for c in tables["vectors"]])
            for s in head.output(encoded)
        ]
    )
    responses = responses.abs() if loss == "reference" else responses
    torch.testing.assert_close(head.scores(encoded), responses, atol=1e-6, rtol=1e-6)
    best = responses.argsort(dim=1, descending=True)[:, :3]
    assert torch.equal(head.top_k(encoded, 3), best)


def test_hrr_tables(settings: Params, points: Points) -> None:
    _, tables, _ = make_hrr(settings, points)
    unit = torch.ones(DIM).double()
    for vector in (tables["p"], tables["m"], *tables["vectors"]):
        torch.testing.assert_close(torch.fft.fft(vector).abs(), unit, atol=1e-6, rtol=0)
    assert abs(float(tables["p"] @ tables["m"])) < 1e-6
    torch.testing.assert_close(tables["all_labels"], tables["vectors"].sum(0), atol=1e-6, rtol=0)


def test_hrr_controls(settings: Params, points: Points) -> None:
    _, unbound, _ = make_hrr(settings, points, binding=False)
    assert torch.equal(unbound["p"], hrr.identity(DIM).double())
    _, gaussian, _ = make_hrr(settings, points, projection=False)
    magnitudes = torch.fft.fft(gaussian["vectors"]).abs()
    assert (magnitudes - 1).abs().max() > 0.1
    assert abs(float(gaussian["p"] @ gaussian["m"])) < 1e-6


@pytest.mark.parametrize("projection", [True, False])
def test_hrr_learns_only_what_it_is_told_to(
    settings: Params, points: Points, projection: bool
) -> None:
    fixed, _, _ = make_hrr(settings, points, projection=projection)
    assert {name for name, _ in fixed.named_parameters()} == {"output.weight", "output.bias"}
    assert set(fixed.state_dict()) == {"output.weight", "output.bias"}
    head, _, encoded = make_hrr(
        settings, points, projection=projection, learn_pm=True, learn_labels=True
    )
    head.loss(encoded, points.labels).backward()
    assert head.p.grad.abs().sum() > 0
    assert head.m.grad.abs().sum() > 0
    assert head.vectors.grad.is_sparse
    touched = set(points.labels.ids.tolist())
    assert set(head.vectors.grad.coalesce().indices()[0].tolist()) == touched
    assert {"p", "m", "vectors"} <= set(head.state_dict())


def test_learned_vectors_go_through_the_projection(settings: Params, points: Points) -> None:
    """Scaling what is learned changes nothing once it is projected."""
    head, _, encoded = make_hrr(settings, points, learn_pm=True, learn_labels=True)
    loss, scores = head.loss(encoded, points.labels), head.scores(encoded)
    with torch.no_grad():
        for learned in (head.p, head.m, head.vectors):
            learned *= 3.0
    torch.testing.assert_close(head.loss(encoded, points.labels), loss)
    torch.testing.assert_close(head.scores(encoded), scores)
