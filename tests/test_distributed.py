"""Two processes do what one does: the same losses, gradients, weights and rankings."""

import os
import shutil
import socket
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import torch
from helpers.models import CODEBOOKS, LOSSES, TEXT_ENCODERS, build, rate, settings_for
from helpers.points import random_points
from helpers.project import ROOT

from hrrxml import codebook
from hrrxml.codebook import Codebook
from hrrxml.config import params
from hrrxml.data.points import Points
from hrrxml.runtime.device import choose_device
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import read_tensors, write_tensors
from hrrxml.training import distributed
from hrrxml.training import loop as training
from hrrxml.training.checkpoint import Checkpoint
from hrrxml.training.step import Steps

SETTINGS = params.load(ROOT / "params.yaml")
RATE = rate()
Found = dict[str, torch.Tensor]


def in_processes(n: int, names: list[str], folder: Path) -> dict[str, list[Found]]:
    """What each of n processes found in each of the cases, one after another."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    start: Any = torch.multiprocessing.spawn  # type: ignore[attr-defined]
    start(_process, (n, port, names, folder), nprocs=n)
    return {name: [read_tensors(folder / f"{name}.{rank}") for rank in range(n)] for name in names}


def _process(rank: int, n: int, port: int, names: list[str], folder: Path) -> None:
    os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(n)}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    torch.set_num_threads(1)
    with distributed.joined(choose_device("cpu")):
        for name in names:
            work, *arguments = CASES[name]
            write_tensors(folder / f"{name}.{rank}", work(*arguments))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Found]]:
    return in_processes(2, list(CASES), tmp_path_factory.mktemp("two"))


def corpus(n: int = 41) -> Points:
    generator = torch.Generator().manual_seed(0)
    return random_points(n, 30, 12, generator).select(torch.arange(1, n))


def trained(loss: str, encoder: str, epochs: int, changes: dict[str, Any]) -> Found:
    """In double precision, where rounding cannot grow to anything within a few epochs."""
    points = corpus(43)  # five batches of 8, and one of 2
    if encoder in TEXT_ENCODERS:
        quiet = {"dropout": 0.0, "word_dropout": 0.0}
        section = SETTINGS.section(encoder).model_copy(update=quiet)
        network = build(SETTINGS.model_copy(update={encoder: section}), points, loss, 0, encoder)
    else:
        network = build(SETTINGS, points, loss, encoder=encoder)
    ranked = {"train": points, "one": points.select(torch.arange(1))}
    weights, curve = training.fit(
        network.double(), points, ranked, settings_for(epochs, **changes), RATE, seed=0
    )
    losses = torch.tensor([row.train_loss for row in curve])
    accuracy = torch.tensor([list(row.p1.values()) for row in curve])
    return weights | {"losses": losses, "accuracy": accuracy}


def assert_alike(found: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    for one in found:
        assert set(one) == set(expected)
        for name, value in expected.items():
            torch.testing.assert_close(one[name], value, rtol=1e-6, atol=1e-7, msg=name)
            assert torch.equal(one[name], found[0][name]), name  # the processes never part


def noisy(epochs: int, kept: Checkpoint | None = None) -> Found:
    """With dropout, by GLaS's sampled labels."""
    points, settings = corpus(), settings_for(epochs)
    network = build(SETTINGS, points, "glas", encoder="lstm")
    return training.fit(network, points, {"train": points}, settings, RATE, 0, kept)[0]


def codebook_of(kind: str, n_labels: int, d: int) -> Codebook:
    generator = torch.Generator().manual_seed(0)
    tables = codebook.get(kind).tables(n_labels, d, unitary=True, generator=generator)
    return codebook.load(kind, tables)


def searched(kind: str, n_labels: int, d: int, k: int) -> Found:
    queries = torch.randn(7, d, generator=torch.Generator().manual_seed(1))
    rows = torch.arange(7).tensor_split(distributed.processes())[distributed.rank()]
    ids, scores = codebook_of(kind, n_labels, d).top_k(queries[rows], k)
    return {"ids": ids, "scores": scores.detach()}


def tied() -> Found:
    book = codebook.load("random", {"vectors": torch.ones(11, 4)})
    return {"ids": book.top_k(torch.ones(3, 4), 6)[0]}


def exact_loss(n_labels: int) -> Found:
    """The holographic head's loss over all labels of one batch, and its gradients."""
    generator = torch.Generator().manual_seed(0)
    points = random_points(10, 30, n_labels, generator).select(torch.arange(1, 10))
    network = build(SETTINGS, points, "holographic").double()
    part = distributed.part(points)
    loss = network.loss(part)
    loss.backward()
    if distributed.processes() > 1:
        sparse = network.sparse_parameters()
        dense = [p for p in network.parameters() if not any(p is other for other in sparse)]
        distributed.sum_gradients(dense, sparse)
    gradients = {
        name: value.grad.to_dense()
        for name, value in network.named_parameters()
        if value.grad is not None
    }
    total = distributed.total(loss.item())
    return gradients | {"loss": torch.tensor(total)}


def disagreeing() -> Found:
    """Each process has files of its own, of which only the first's hold a checkpoint."""
    points, folder = corpus(), Path(tempfile.mkdtemp())
    kept = Checkpoint(folder / "checkpoint", {})
    row = training.Epoch(1, 0.0, {}, 0.0, None)
    kept.save(lambda: {"best": {}, "curve": [asdict(row)]})  # the first process does
    try:
        network = build(SETTINGS, points, "absolute")
        training.fit(network, points, {"train": points}, settings_for(1), RATE, 0, kept)
    except UserError as error:
        return {"refused": torch.tensor("disk that all machines share" in str(error))}
    finally:
        shutil.rmtree(folder)
    return {"refused": torch.tensor(False)}


class Crash(Exception):
    pass


def noisy_and_resumed(epochs: int) -> Found:
    """As `noisy`, with every process cut short at the seventh batch."""
    os.environ["HRRXML_CHECKPOINT_SECONDS"] = "0"
    folder = Path(tempfile.gettempdir(), f"hrrxml-{os.environ['MASTER_PORT']}")
    kept = Checkpoint(folder / "checkpoint", {})
    take = Steps.take

    def crashing(self: Steps, batch: Points) -> float:
        if self.taken == 7:
            raise Crash
        return take(self, batch)

    Steps.take = crashing  # type: ignore[method-assign]
    try:
        noisy(epochs, kept)
    except Crash:
        distributed.wait_for_all()  # for the first has written by then
    finally:
        Steps.take = take  # type: ignore[method-assign]
    assert (folder / "checkpoint").exists()
    weights = noisy(epochs, kept)
    distributed.wait_for_all()
    if distributed.rank() == 0:
        shutil.rmtree(folder)
    return weights


THIN: dict[str, Any] = {"keep_features": 0.8}
STABLE: dict[str, Any] = {"clip": 5.0, "average_from": 2}
# More labels asked for than a shard has, and a shard that has none, among them
SEARCHES = [(1000, 16, 5), (1001, 16, 5), (1000, 16, 40), (20, 16, 20), (9, 16, 5), (1, 16, 1)]
CASES: dict[str, tuple[Any, ...]] = (
    {f"train {loss}": (trained, loss, "fc", 3, THIN) for loss in LOSSES}
    | {f"train {encoder}": (trained, "absolute", encoder, 3, STABLE) for encoder in TEXT_ENCODERS}
    | {
        f"search {kind} {shape}": (searched, kind, *shape)
        for kind in CODEBOOKS
        for shape in SEARCHES
    }
    # With d' = 64: one base to four
    | {f"exact loss {n_labels}": (exact_loss, n_labels) for n_labels in (12, 64, 65, 200)}
    | {"noisy": (noisy, 2), "noisy again": (noisy, 2), "tied": (tied,)}
    | {"noisy and resumed": (noisy_and_resumed, 2), "disagreeing": (disagreeing,)}
)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith(("train", "exact"))])
def test_two_processes_learn_what_one_does(name: str, two: dict[str, list[Found]]) -> None:
    work, *arguments = CASES[name]
    assert_alike(two[name], work(*arguments))


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("search")])
def test_labels_are_searched_in_shards(name: str, two: dict[str, list[Found]]) -> None:
    work, *arguments = CASES[name]
    expected = work(*arguments)
    assert torch.equal(torch.cat([one["ids"] for one in two[name]]), expected["ids"])
    scores = torch.cat([one["scores"] for one in two[name]])
    torch.testing.assert_close(scores, expected["scores"])


def test_ties_between_shards_go_to_the_lower_id(two: dict[str, list[Found]]) -> None:
    for found in two["tied"]:
        assert found["ids"].tolist() == [[0, 1, 2, 3, 4, 5]] * 3


def test_dropout_is_each_processes_own_and_repeats_itself(two: dict[str, list[Found]]) -> None:
    first, second = two["noisy"]
    assert all(torch.equal(first[name], second[name]) for name in first)
    for again in ("noisy again", "noisy and resumed"):
        assert all(torch.equal(first[name], two[again][0][name]) for name in first)
    alone = noisy(2)
    assert not all(torch.equal(first[name], alone[name]) for name in first)


def test_machines_without_a_common_disk_are_refused(two: dict[str, list[Found]]) -> None:
    assert all(found["refused"] for found in two["disagreeing"])


def test_more_processes_than_points_in_the_last_batch(tmp_path: Path) -> None:
    names = [f"train {loss}" for loss in LOSSES]
    for name, found in in_processes(3, names, tmp_path).items():
        work, *arguments = CASES[name]
        assert_alike(found, work(*arguments))
