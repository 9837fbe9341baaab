"""Each head's loss and ranking against the formula it is named for, term by term."""

from functools import partial
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from hrrxml import codebook
from hrrxml.config.schema import Params
from hrrxml.config.section import Section
from hrrxml.data.points import Points
from hrrxml.heads import get
from hrrxml.heads.hrr import Settings
from hrrxml.runtime.errors import UserError
from hrrxml.search import exact
from hrrxml.vsa import hrr

WIDTH, DIM = 6, 10


def make(
    name: str, settings: Section, points: Points, width: int = WIDTH
) -> tuple[Any, dict[str, Tensor], Tensor]:
    """A head in float64, its tables, and an encoded batch for it."""
    generator = torch.Generator().manual_seed(1)
    tables = get(name).tables(settings, points, generator)
    torch.manual_seed(2)
    head = get(name)(settings, width, points.n_features, tables).double()
    tables = {
        key: table.double() if table.is_floating_point() else table for key, table in tables.items()
    }
    return head, tables, torch.randn(len(points), width).double()


def make_hrr(settings: Params, points: Points, **changes: Any) -> tuple[Any, dict, Tensor]:
    changed = settings.hrr.model_copy(update={"dim": DIM, **changes})
    return make("hrr", Settings.model_validate(changed.model_dump()), points)


def make_holographic(settings: Params, points: Points, **changes: Any) -> tuple[Any, dict, Tensor]:
    changed = settings.holographic.model_copy(update={"dim": 5, "shortcut": None, **changes})
    return make("holographic", changed, points)


def all_vectors(name: str, tables: dict[str, Tensor], points: Points) -> Tensor:
    """c of every label: (L, d')."""
    return codebook.load(name, tables).vectors(torch.arange(points.n_labels)).detach()


def present(points: Points, row: int) -> list[int]:
    start, stop = points.labels.offsets[row : row + 2]
    return points.labels.ids[start:stop].tolist()


def dense_labels(points: Points) -> Tensor:
    return torch.from_numpy(points.labels.to_csr(points.n_labels).toarray()).double()


def cosine(x: Tensor, y: Tensor) -> Tensor:
    return F.cosine_similarity(x, y, dim=0)


@pytest.mark.parametrize("shortcut", [None, 2.0])
def test_bce_is_binary_cross_entropy(
    settings: Params, points: Points, shortcut: float | None
) -> None:
    changed = settings.bce.model_copy(update={"shortcut": shortcut, "tail": 0.4})
    head, tables, encoded = make("bce", changed, points)
    encoded.requires_grad_()
    logits = head.outputs(encoded, points)
    expected = F.binary_cross_entropy_with_logits(logits, dense_labels(points), reduction="none")
    expected = expected.sum(1).mean()
    found = head.loss(encoded, points)
    torch.testing.assert_close(found, expected)
    inputs = [encoded, head.output.weight, head.output.bias]
    ranked_by = logits - 0.4 * tables["prior"]
    torch.testing.assert_close(head.scores(encoded, points), ranked_by, atol=1e-6, rtol=0)
    found_gradients = torch.autograd.grad(found, inputs)
    torch.testing.assert_close(found_gradients, torch.autograd.grad(expected, inputs))


def test_bce_starts_at_the_labels_shares(settings: Params, points: Points) -> None:
    head, tables, _ = make("bce", settings.bce, points)
    counts = dense_labels(points).sum(0)
    expected = (counts + 1) / (len(points) + 2)
    torch.testing.assert_close(tables["prior"].sigmoid(), expected, atol=1e-6, rtol=0)
    silent, one = torch.zeros(1, WIDTH).double(), points.select(torch.tensor([0]))
    torch.testing.assert_close(head.scores(silent, one)[0], tables["prior"])


@pytest.mark.parametrize("inverse", ["pseudo", "exact"])
@pytest.mark.parametrize("learn_pm", [False, True])
@pytest.mark.parametrize("book", ["circulant", "random", "learned"])
@pytest.mark.parametrize("binding", [True, False])
@pytest.mark.parametrize("projection", [True, False])
@pytest.mark.parametrize("loss", ["absolute", "signed", "reference", "positive"])
def test_hrr_loss_is_the_papers_label_by_label(
    settings: Params,
    points: Points,
    loss: str,
    projection: bool,
    binding: bool,
    book: str,
    learn_pm: bool,
    inverse: str,
) -> None:
    """Value and gradient; with all fixed and unitary this is the form without FFT (§3)."""
    options = {"loss": loss, "projection": projection, "binding": binding, "codebook": book}
    options |= {"inverse": inverse}
    invert = hrr.exact_inverse if inverse == "exact" else hrr.inverse
    head, tables, encoded = make_hrr(settings, points, **options, learn_pm=learn_pm and binding)
    p, m, c = tables["p"], tables["m"], all_vectors(book, tables, points)
    total = torch.zeros(()).double()
    for row, s in enumerate(head.outputs(encoded, points)):
        labels = present(points, row)
        found = hrr.bind(invert(p), s)
        absent = hrr.bind(invert(m), s)
        for label in labels:
            similarity = cosine(found, c[label])
            total += 1 - (similarity.abs() if loss == "reference" else similarity)  # eq. 6
            if loss == "reference":
                total += cosine(absent, c[label]).abs()
        if loss in ("absolute", "signed") and labels:
            overlap = cosine(absent, c[labels].sum(0))  # eq. 7
            total += overlap.abs() if loss == "absolute" else overlap
    expected, inputs = total / len(points), [head.output.weight, head.output.bias]
    ours = head.loss(encoded, points)
    torch.testing.assert_close(ours, expected, atol=1e-6, rtol=1e-6)
    ours = torch.autograd.grad(ours, inputs)
    torch.testing.assert_close(ours, torch.autograd.grad(expected, inputs), atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("book", ["circulant", "random"])
def test_hrr_mse_regresses_on_equation_5(settings: Params, points: Points, book: str) -> None:
    head, tables, encoded = make_hrr(settings, points, loss="mse", codebook=book)
    p, m, c = tables["p"], tables["m"], all_vectors(book, tables, points)
    targets = []
    for row in range(len(points)):
        labels = present(points, row)
        others = [i for i in range(points.n_labels) if i not in labels]
        s = sum(hrr.bind(p, c[i]) for i in labels) + sum(hrr.bind(m, c[i]) for i in others)  # eq. 4
        targets.append(s)
    expected = F.mse_loss(head.outputs(encoded, points), torch.stack(targets))
    torch.testing.assert_close(head.loss(encoded, points), expected, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("book", ["circulant", "random", "learned"])
def test_the_labels_stage_sums_all_label_vectors(
    settings: Params, points: Points, book: str
) -> None:
    """A of eq. 4, for a codebook whose last base is partly used, too."""
    assert points.n_labels % DIM
    _, tables, _ = make_hrr(settings, points, codebook=book)
    expected = sum(all_vectors(book, tables, points))
    torch.testing.assert_close(tables["all_labels"], expected, atol=1e-6, rtol=0)


def test_the_signed_loss_is_solved_by_m_that_undoes_p(settings: Params, points: Points) -> None:
    """With m = −p eq. 7 is least whenever eq. 6 is, whatever the labels; |eq. 7| is largest."""
    losses = {}
    for loss in ("signed", "absolute"):
        head, _, encoded = make_hrr(settings, points, loss=loss, learn_pm=True)
        with torch.no_grad():
            head.m.copy_(-head.p)
            # ŝ = p ⊗ Σ c over the present labels: the answer to p is right.
            answer = hrr.bind(head.p, head.present.bundle(points.labels))
            head.output.forward = partial(_always, answer)
        losses[loss] = head.loss(encoded, points).item()
        assert head.watch() == {"marker_cosine": -1.0}
    labelled = int((points.labels.lengths > 0).sum())
    assert losses["absolute"] - losses["signed"] == pytest.approx(2 * labelled / len(points))


def _always(answer: Tensor, *_: Tensor) -> Tensor:
    return answer


def test_only_learned_markers_are_watched(settings: Params, points: Points) -> None:
    head, _, _ = make_hrr(settings, points)
    assert head.watch() == {}
    head, _, _ = make_hrr(settings, points, learn_pm=True, project_pm=False)
    with torch.no_grad():
        head.m.copy_(2 * head.p + head.m)
    expected = cosine(head.p, head.m).item()
    assert head.watch()["marker_cosine"] == pytest.approx(expected, abs=1e-4)


def test_free_markers_are_not_projected(settings: Params, points: Points) -> None:
    """As in the authors' code: what is learned is used as it is."""
    options = {"learn_pm": True, "loss": "positive", "inverse": "exact"}
    free, tables, encoded = make_hrr(settings, points, **options, project_pm=False)
    tied, _, _ = make_hrr(settings, points, **options, project_pm=True)
    for head in (free, tied):
        with torch.no_grad():
            head.p.copy_(hrr.bind(tables["p"], torch.linspace(1, 2, DIM).double()))
    assert not torch.allclose(free.scores(encoded, points), tied.scores(encoded, points))
    with torch.no_grad():
        tied.p.copy_(hrr.project(free.p))
        free.p.copy_(tied.p)
    torch.testing.assert_close(free.scores(encoded, points), tied.scores(encoded, points))


def test_bce_as_a_mean_is_the_sum_over_the_number_of_labels(
    settings: Params, points: Points
) -> None:
    losses = []
    for reduction in ("sum", "mean"):
        changed = settings.bce.model_copy(update={"reduction": reduction})
        head, _, encoded = make("bce", changed, points)
        losses.append(head.loss(encoded, points))
    torch.testing.assert_close(losses[0], losses[1] * points.n_labels)


@pytest.mark.parametrize("book", ["circulant", "random", "learned"])
@pytest.mark.parametrize("loss", ["absolute", "reference"])
def test_hrr_ranks_by_the_response_to_p(
    settings: Params, points: Points, loss: str, book: str
) -> None:
    head, tables, encoded = make_hrr(settings, points, loss=loss, codebook=book)
    responses = torch.stack(
        [
            torch.stack(
                [cosine(hrr.unbind(s, tables["p"]), c) for c in all_vectors(book, tables, points)]
            )
            for s in head.outputs(encoded, points)
        ]
    )
    responses = responses.abs() if loss == "reference" else responses
    torch.testing.assert_close(head.scores(encoded, points), responses, atol=1e-6, rtol=1e-6)
    best = responses.argsort(dim=1, descending=True)[:, :3]
    assert torch.equal(head.top_k(encoded, points, 3)[0], best)


@pytest.mark.parametrize("book", ["circulant", "random", "learned"])
def test_hrr_tables(settings: Params, points: Points, book: str) -> None:
    _, tables, _ = make_hrr(settings, points, codebook=book)
    unit = torch.ones(DIM).double()
    for vector in (tables["p"], tables["m"], *all_vectors(book, tables, points)):
        torch.testing.assert_close(torch.fft.fft(vector).abs(), unit, atol=1e-6, rtol=0)
    assert abs(float(tables["p"] @ tables["m"])) < 1e-6


def test_hrr_controls(settings: Params, points: Points) -> None:
    _, unbound, _ = make_hrr(settings, points, binding=False)
    assert torch.equal(unbound["p"], hrr.identity(DIM).double())
    _, gaussian, _ = make_hrr(settings, points, projection=False)
    magnitudes = torch.fft.fft(gaussian["bases"]).abs()
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
        settings, points, projection=projection, learn_pm=True, codebook="learned"
    )
    head.loss(encoded, points).backward()
    assert head.p.grad.abs().sum() > 0
    assert head.m.grad.abs().sum() > 0
    (table,) = head.sparse_parameters()
    assert table.grad.is_sparse
    touched = set(points.labels.ids.tolist())
    assert set(table.grad.coalesce().indices()[0].tolist()) == touched
    assert {"p", "m", "present.table"} <= set(head.state_dict())


def test_learned_vectors_go_through_the_projection(settings: Params, points: Points) -> None:
    """Scaling what is learned changes nothing once it is projected."""
    head, _, encoded = make_hrr(settings, points, learn_pm=True, codebook="learned")
    loss, scores = head.loss(encoded, points), head.scores(encoded, points)
    with torch.no_grad():
        for learned in (head.p, head.m, *head.sparse_parameters()):
            learned *= 3.0
    torch.testing.assert_close(head.loss(encoded, points), loss)
    torch.testing.assert_close(head.scores(encoded, points), scores)


@pytest.mark.parametrize("block", [1, 400_000])
@pytest.mark.parametrize("shortcut", [None, 2.0])
def test_holographic_loss_is_cross_entropy_over_all_labels(
    settings: Params,
    points: Points,
    shortcut: float | None,
    block: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Value and every gradient, with 12 labels in three bases of five."""
    monkeypatch.setattr(exact, "BLOCK", block)
    head, tables, encoded = make_holographic(settings, points, shortcut=shortcut)
    with torch.no_grad():
        head.scale.fill_(1.7)
    encoded.requires_grad_()
    c = all_vectors("circulant", tables, points)
    logits = head.scale * head.outputs(encoded, points) @ c.T + head.bias
    scores = logits - settings.holographic.tail * tables["prior"]
    torch.testing.assert_close(head.scores(encoded, points), scores, atol=1e-6, rtol=1e-6)
    loss = F.binary_cross_entropy_with_logits(logits, dense_labels(points), reduction="none")
    expected, found = loss.sum(1).mean(), head.loss(encoded, points)
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=1e-6)
    inputs = [encoded, head.scale, head.bias, head.output.weight, head.output.bias]
    gradients = torch.autograd.grad(found, inputs)
    wanted = torch.autograd.grad(expected, inputs)
    torch.testing.assert_close(gradients, wanted, atol=1e-6, rtol=1e-6)


def test_holographic_ranks_by_score_then_id(settings: Params, points: Points) -> None:
    head, _, encoded = make_holographic(settings, points)
    scores = head.scores(encoded, points)
    expected = scores.argsort(dim=1, descending=True, stable=True)[:, :4]
    assert torch.equal(head.top_k(encoded, points, 4)[0], expected)
    with torch.no_grad():
        head.scale.zero_()
        head.bias.copy_(head.adjustment)
    assert head.top_k(encoded, points, 3)[0].tolist() == [[0, 1, 2]] * len(points)


def test_an_empty_encoder_needs_a_shortcut(settings: Params, points: Points) -> None:
    with pytest.raises(UserError, match="shortcut"):
        make("bce", settings.bce, points, width=0)
    linear = settings.bce.model_copy(update={"shortcut": 1.0, "prior_bias": False})
    head, _, encoded = make("bce", linear, points, width=0)
    with torch.no_grad():
        head.output.shortcut.weight.normal_()
    features = torch.from_numpy(points.features.to_csr(points.n_features).toarray()).double()
    expected = features @ head.output.shortcut.weight + head.output.bias
    torch.testing.assert_close(head.scores(encoded, points), expected)
