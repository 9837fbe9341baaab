"""Training learns, repeats itself, keeps the best epoch and stops at nonsense."""

import gc
from typing import Any

import pytest
import torch
from helpers.models import (
    HEADS,
    LEARNING_ENCODERS,
    LOSSES,
    TEXT_ENCODERS,
    TRAIN,
    build,
    rate,
    settings_for,
)
from helpers.points import random_points

from hrrxml import model
from hrrxml.config.schema import Params, Train
from hrrxml.data.points import Points
from hrrxml.evaluation.metrics import precision_at_k
from hrrxml.runtime.device import choose_device
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_tensors
from hrrxml.training import loop as training
from hrrxml.training.loop import Training
from hrrxml.training.step import AdaptiveClip, Steps


def fit(
    network: model.Model,
    points: Points,
    epochs: int,
    validation: Points | None = None,
    **changed: Any,
) -> Any:
    ranked = {"validation": validation or points}
    return training.fit(network, points, ranked, settings_for(epochs, **changed), rate(), seed=0)


# What is trained on eq. 5, mse, cannot be decoded.
@pytest.mark.parametrize("loss", [loss for loss in LOSSES if loss != "mse"])
def test_a_tiny_corpus_is_learned_by_heart(settings: Params, corpus: Points, loss: str) -> None:
    _, curve = fit(build(settings, corpus, loss), corpus, epochs=40)
    assert max(row.p1["validation"] for row in curve) == 100


@pytest.mark.parametrize("loss", [*HEADS, "absolute"])
@pytest.mark.parametrize("encoder", TEXT_ENCODERS)
def test_tiny_texts_are_learned_by_heart(
    settings: Params, corpus: Points, encoder: str, loss: str
) -> None:
    """No two of its texts are the same, so that every one can be told from the others."""
    network = build(settings, corpus, loss, encoder=encoder)
    _, curve = fit(network, corpus, epochs=40)
    assert max(row.p1["validation"] for row in curve) == 100
    assert all(row.tokens_per_second > 0 for row in curve)


@pytest.mark.parametrize("encoder", LEARNING_ENCODERS)
@pytest.mark.parametrize(
    "stabiliser",
    [{"clip": 5.0}, {"average_from": 1}, {"precision": "bfloat16"}, {"keep_features": 0.8}],
)
def test_stabilisers_and_mixed_precision(
    settings: Params, corpus: Points, encoder: str, stabiliser: dict[str, Any]
) -> None:
    """They change the weights, and what comes of it can still be learned from."""
    plain, _ = fit(build(settings, corpus, "absolute", encoder=encoder), corpus, 5)
    network = build(settings, corpus, "absolute", encoder=encoder)
    changed, curve = fit(network, corpus, 5, **stabiliser)
    assert set(plain) == set(changed)
    # Five times the greatest norm may never be reached, and texts have no features to leave out.
    if "clip" not in stabiliser and (
        encoder not in TEXT_ENCODERS or "keep_features" not in stabiliser
    ):
        assert not all(torch.equal(plain[name], changed[name]) for name in plain)
    assert all(value.isfinite().all() for value in changed.values())
    assert curve[-1].train_loss < curve[0].train_loss
    build(settings, corpus, "absolute", encoder=encoder).load_state_dict(changed)


@pytest.mark.parametrize("loss", HEADS)
def test_every_head_takes_mixed_precision(settings: Params, corpus: Points, loss: str) -> None:
    weights, curve = fit(build(settings, corpus, loss), corpus, 5, precision="bfloat16")
    assert all(value.isfinite().all() for value in weights.values())
    assert curve[-1].train_loss < curve[0].train_loss


def test_patience_ends_a_training_that_no_longer_gains(settings: Params, corpus: Points) -> None:
    _, curve = fit(build(settings, corpus, "absolute"), corpus, epochs=60, patience=3)
    p1 = [row.p1["validation"] for row in curve]
    best = p1.index(max(p1))
    assert len(curve) == best + 1 + 3 < 60
    _, whole = fit(build(settings, corpus, "absolute"), corpus, epochs=len(curve) + 2)
    assert len(whole) == len(curve) + 2
    assert [row.p1 for row in whole[: len(curve)]] == [row.p1 for row in curve]


def test_the_epoch_can_be_chosen_by_validation_loss(settings: Params, corpus: Points) -> None:
    """The weights of the epoch with the least loss are kept, as the authors' code does."""
    network = build(settings, corpus, "bce")
    learn, held_out = corpus.select(torch.arange(8)), corpus.select(torch.arange(8, len(corpus)))
    weights, curve = fit(network, learn, 30, held_out, epoch_by="loss")
    losses = [row.validation_loss for row in curve]
    assert all(loss is not None for loss in losses)
    assert training.best_epoch(curve).epoch == losses.index(min(losses)) + 1
    network.load_state_dict(weights)
    network.eval()
    with torch.no_grad():
        again = network.loss(held_out).item()
    assert again == pytest.approx(min(losses), rel=1e-5)
    assert "validation_loss" in curve[0].as_dict("{}_p1")


def test_the_curve_watches_learned_markers(settings: Params, corpus: Points) -> None:
    learning = settings.model_copy(
        update={"hrr": settings.hrr.model_copy(update={"learn_pm": True})}
    )
    _, curve = fit(build(learning, corpus, "signed"), corpus, 3)
    assert [set(row.watched) for row in curve] == [{"marker_cosine"}] * 3
    assert abs(curve[0].watched["marker_cosine"]) < 1
    _, fixed = fit(build(settings, corpus, "signed"), corpus, 1)
    assert fixed[0].watched == {}


def test_averaged_weights_are_the_mean_of_what_was_averaged(
    settings: Params, corpus: Points, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    run_epoch = Training.run_epoch

    def keeping(self: Training, *arguments: Any) -> None:
        run_epoch(self, *arguments)
        given = self.steps
        seen.append({name: value.clone() for name, value in given.model.state_dict().items()})
        assert given.result() is (given.model if len(seen) < 3 else given.average.module)

    monkeypatch.setattr(Training, "run_epoch", keeping)
    network = build(settings, corpus, "bce")
    _, curve = fit(network, corpus, 4, average_from=2)
    assert len(curve) == 4
    steps_seen = seen[1:]  # epochs 2, 3 and 4: fewer than 100 steps each
    steps = Steps(network, Train(**TRAIN, average_from=1), rate(1, 1))
    for state in steps_seen:
        network.load_state_dict(state)
        steps._average()
    for name, value in steps.result().state_dict().items():
        mean = torch.stack([state[name] for state in steps_seen]).mean(0)
        torch.testing.assert_close(value, mean)


def test_clipping_follows_the_last_norms() -> None:
    weight = torch.nn.Parameter(torch.zeros(4))
    clip = AdaptiveClip(2.0)

    def norm_after(gradient: float) -> float:
        weight.grad = torch.full((4,), gradient)
        clip([weight])
        return float(weight.grad.norm())

    assert norm_after(0.1) == pytest.approx(0.2)  # nothing before it: not clipped
    assert norm_after(0.05) == pytest.approx(0.1)  # the first norm was infinite, still there
    for _ in range(4):
        norm_after(0.05)
    assert norm_after(5.0) == pytest.approx(2 * 0.2, rel=0.6)  # clipped to twice the greatest
    assert norm_after(0.01) == pytest.approx(0.02)
    norm_after(float("nan"))  # an overflow in float16, say
    for _ in range(6):
        assert norm_after(0.01) == pytest.approx(0.02)


def test_batches_of_texts_are_of_like_length(generator: torch.Generator) -> None:
    points = random_points(400, 30, 12, generator)
    work = torch.randint(1, 100, (400,), generator=generator)
    batches = training.Batches(points, work, 10, generator)
    rows = batches.draw()
    assert sorted(torch.cat(rows).tolist()) == list(range(400))
    spread = torch.stack([work[batch].max() - work[batch].min() for batch in rows]).float()
    assert spread.mean() < 10  # of 99
    lengths = torch.stack([work[batch].float().mean() for batch in rows])
    assert not torch.equal(lengths, lengths.sort().values)  # but in no order
    assert torch.cat(rows).tolist() != torch.cat(batches.draw()).tolist()


@pytest.mark.parametrize("loss", LOSSES)
def test_the_same_seed_gives_the_same_bits(settings: Params, corpus: Points, loss: str) -> None:
    first, _ = fit(build(settings, corpus, loss), corpus, epochs=2)
    second, _ = fit(build(settings, corpus, loss), corpus, epochs=2)
    assert all(torch.equal(first[name], second[name]) for name in first)
    other, _ = fit(build(settings, corpus, loss, seed=1), corpus, epochs=2)
    assert not all(torch.equal(first[name], other[name]) for name in first)


def test_the_best_epoch_is_kept(
    settings: Params, corpus: Points, generator: torch.Generator
) -> None:
    """On labels that cannot be learned the best epoch is chance, and not the last."""
    other = random_points(60, 30, 12, generator)
    network = build(settings, corpus, "bce")
    weights, curve = fit(network, corpus, epochs=8, validation=other)
    best = max(row.p1["validation"] for row in curve)
    assert curve[-1].p1["validation"] < best
    network.load_state_dict(weights)
    truth = other.labels.to_csr(other.n_labels)
    p1 = precision_at_k(truth, network.rank(other, 1).numpy(), 1)[0]
    assert 100 * p1 == pytest.approx(best)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_that_is_no_number_stops_the_run(
    settings: Params, corpus: Points, loss: str
) -> None:
    network = build(settings, corpus, loss)
    with torch.no_grad():
        next(network.parameters()).fill_(float("nan"))
    with pytest.raises(UserError, match="epoch 1/1, batch 1: the loss is nan; lower the learning"):
        fit(network, corpus, epochs=1)


def test_memory_stays_flat_over_epochs(
    settings: Params, corpus: Points, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many tensors are alive at the start of the tenth epoch as of the third."""
    alive = []
    run_epoch = Training.run_epoch

    def counting(*arguments: Any) -> None:
        gc.collect()
        alive.append(sum(issubclass(type(thing), torch.Tensor) for thing in gc.get_objects()))
        run_epoch(*arguments)

    monkeypatch.setattr(Training, "run_epoch", counting)
    fit(build(settings, corpus, "absolute"), corpus, epochs=10)
    assert alive[9] == alive[2]


def test_batches_cover_every_point_once_in_a_new_order(corpus: Points) -> None:
    nothing = torch.zeros(len(corpus))
    batches = training.Batches(corpus, nothing, 16, torch.Generator().manual_seed(0))
    first, second = batches.draw(), batches.draw()
    assert [len(batch) for batch in first] == [16, 16, 8]
    first, second = torch.cat(first).tolist(), torch.cat(second).tolist()
    assert first != second
    assert sorted(first) == sorted(second) == list(range(40))


def test_ranking_fewer_labels_than_asked_for(settings: Params, generator: torch.Generator) -> None:
    points = random_points(5, 9, 3, generator)
    ranking = build(settings, points, "bce").rank(points, 5)
    assert ranking.shape == (5, 5)
    assert (ranking[:, 3:] == -1).all()
    assert (ranking[:, :3].sort().values == torch.arange(3)).all()


def test_a_gpu_that_is_not_there() -> None:
    assert choose_device("cpu") == torch.device("cpu")
    if torch.cuda.is_available():
        assert choose_device("auto") == choose_device("cuda") == torch.device("cuda")
    else:
        assert choose_device("auto") == torch.device("cpu")
        with pytest.raises(UserError, match=r"train\.device"):
            choose_device("cuda")


def test_weights_of_another_shape_are_refused(
    settings: Params, corpus: Points, tmp_path: Any
) -> None:
    path = tmp_path / "model.safetensors"
    write_tensors(path, build(settings, corpus, "bce").state_dict(), labels="these")
    with pytest.raises(UserError, match="not a model for these params"):
        model.load_weights(build(settings, corpus, "absolute"), path, "these")
