"""Training learns, repeats itself, keeps the best epoch and stops at nonsense."""

import gc
from typing import Any

import pytest
import torch
from conftest import random_points

from hrrxml import heads, model, training
from hrrxml.data.points import Points
from hrrxml.device import choose_device
from hrrxml.errors import UserError
from hrrxml.files import write_tensors
from hrrxml.metrics import precision_at_k
from hrrxml.schema import Optimised, Params, Run, Train

LOSSES = ["bce", "paper", "reference", "positive", "mse"]


def build(settings: Params, points: Points, loss: str, seed: int = 0) -> model.Model:
    head: Any = "bce" if loss == "bce" else "hrr"
    if head == "hrr":
        hrr = settings.hrr.model_copy(update={"dim": 64, "loss": loss})
        settings = settings.model_copy(update={"hrr": hrr})
    run = Run(dataset="tiny", encoder="fc", head=head)
    training.make_deterministic(seed)
    generator = torch.Generator().manual_seed(seed)
    tables = heads.get(head).tables(getattr(settings, head), points, generator)
    return model.build(run, settings, points, tables)


def fit(network: model.Model, points: Points, epochs: int, validation: Points | None = None) -> Any:
    settings = Train(seed=0, epochs=epochs, batch_size=8, device="cpu")
    rate = Optimised(learning_rate=1e-2, decay=0.95)
    return training.fit(network, points, validation or points, settings, rate)


@pytest.fixture
def corpus(generator: torch.Generator) -> Points:
    """Points that all have labels, so that every one can be right."""
    return random_points(41, 30, 12, generator).select(torch.arange(1, 41))


@pytest.mark.parametrize("loss", LOSSES[:-1])  # eq. 5 cannot be decoded: mse is to fail
def test_a_tiny_corpus_is_learned_by_heart(settings: Params, corpus: Points, loss: str) -> None:
    _, curve = fit(build(settings, corpus, loss), corpus, epochs=40)
    assert max(row.validation_p1 for row in curve) == 100


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
    best = max(row.validation_p1 for row in curve)
    assert curve[-1].validation_p1 < best
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
    run_epoch = training.run_epoch

    def counting(*arguments: Any) -> float:
        gc.collect()
        alive.append(sum(issubclass(type(thing), torch.Tensor) for thing in gc.get_objects()))
        return run_epoch(*arguments)

    monkeypatch.setattr(training, "run_epoch", counting)
    fit(build(settings, corpus, "paper"), corpus, epochs=10)
    assert alive[9] == alive[2]


def test_batches_cover_every_point_once_in_a_new_order(corpus: Points) -> None:
    batches = training.Batches(corpus, 16, torch.Generator().manual_seed(0))
    assert len(batches) == 3

    def epoch() -> list[list[int]]:
        return [ids for batch in batches for ids in batch.features.to_csr(30).tolil().rows.tolist()]

    first, second = epoch(), epoch()
    everything = corpus.features.to_csr(30).tolil().rows.tolist()
    assert first != second
    assert sorted(first) == sorted(second) == sorted(map(sorted, everything))


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
    write_tensors(path, build(settings, corpus, "bce").state_dict())
    with pytest.raises(UserError, match="not a model for these params"):
        model.load_weights(build(settings, corpus, "paper"), path)
