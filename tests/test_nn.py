"""Heads for any network: one implementation with the pipeline's, and what torch's users expect."""

import os
import socket
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from scipy.sparse import csr_matrix
from torch import Tensor, nn

import hrrxml
from hrrxml import UserError
from hrrxml.data.label_sets import as_bags
from hrrxml.nn import OutputHead

WIDTH, LABELS, DIM = 6, 23, 8
SETS = [[3, 20], [], [0, 1, 22], [7], [7, 3]]
HEADS = [hrrxml.HolographicHead, hrrxml.HRRHead, hrrxml.GLaSHead]


@pytest.fixture(params=HEADS, ids=lambda kind: kind.__name__)
def kind(request: pytest.FixtureRequest) -> type[OutputHead]:
    return request.param


def make(kind: Any, **options: Any) -> OutputHead:
    torch.manual_seed(1)
    head: OutputHead = kind(WIDTH, LABELS, dim=DIM, **options)
    return head


def hidden(n: int = len(SETS)) -> Tensor:
    return torch.randn(n, WIDTH, generator=torch.Generator().manual_seed(2))


def indicator() -> csr_matrix:
    matrix = np.zeros((len(SETS), LABELS), dtype=np.float32)
    for row, ids in enumerate(SETS):
        matrix[row, ids] = 1
    return csr_matrix(matrix)


def as_torch_csr() -> Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch says that CSR tensors are in beta
        return torch.from_numpy(indicator().toarray()).to_sparse_csr()


def flat() -> tuple[Tensor, Tensor]:
    ids = torch.tensor([i for row in SETS for i in row])
    return ids, torch.tensor([0, 2, 2, 5, 6, 8])


@pytest.mark.parametrize(
    "labels",
    [
        [[20, 3, 3], [], [22, 1, 0], [7], [3, 7]],
        indicator(),
        as_torch_csr(),
        flat(),
        (flat()[0], flat()[1][:-1]),
    ],
    ids=["lists", "scipy", "torch", "offsets", "offsets of EmbeddingBag"],
)
def test_labels_have_many_forms(labels: Any) -> None:
    bags = as_bags(labels, len(SETS), LABELS, torch.device("cpu"))
    rows = [row.tolist() for row in bags.ids.split(bags.lengths.tolist())]
    assert rows == [sorted(row) for row in SETS]
    head = make(hrrxml.HolographicHead)
    assert torch.equal(head.loss(hidden(), labels), head.loss(hidden(), SETS))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([[LABELS]] * 5, f"no label {LABELS}"),
        ([[-1]] * 5, "no label -1"),
        ([[0]] * 4, "labels of 4 points for a batch of 5"),
        ((torch.tensor([1, 2]), torch.tensor([0, 1, 1, 1, 1, 3])), "ascend from 0"),
        (torch.zeros(5, LABELS), "must be CSR"),
    ],
)
def test_wrong_labels_are_refused(labels: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        make(hrrxml.HolographicHead).loss(hidden(), labels)


def test_holographic_loss_is_cross_entropy_over_all_labels() -> None:
    head = make(hrrxml.HolographicHead, train_labels=SETS).double()
    x = hidden().double().requires_grad_()
    truth = torch.from_numpy(indicator().toarray()).double()
    codes = head.head.labels.vectors(torch.arange(LABELS))
    outputs = x @ head.head.output.weight.T + head.head.output.bias
    logits = head.head.scale * outputs @ codes.T + head.head.bias
    losses = F.binary_cross_entropy_with_logits(logits, truth, reduction="none").sum(1)
    torch.testing.assert_close(head.loss(x, SETS), losses.mean())
    weights = torch.tensor([1.0, 0.0, 2.0, 0.5, 3.0], dtype=torch.float64)
    weighted = head.loss(x, SETS, weights)
    torch.testing.assert_close(weighted, (losses * weights).mean())
    expected = torch.autograd.grad((losses * weights).mean(), [x, *head.parameters()])
    torch.testing.assert_close(torch.autograd.grad(weighted, [x, *head.parameters()]), expected)
    assert torch.autograd.gradcheck(lambda x: head.loss(x, SETS), x)


def test_topk_is_the_best_of_all_scores(kind: type[OutputHead]) -> None:
    head = make(kind)
    scores = head.scores(hidden())
    assert scores.shape == (len(SETS), LABELS)
    ids, best = head.topk(hidden(), k=4)
    expected = scores.topk(4)
    assert torch.equal(ids, expected.indices)
    torch.testing.assert_close(best, expected.values)
    assert head.topk(hidden(), k=99)[0].shape == (len(SETS), LABELS)


def test_topk_among_some_labels(kind: type[OutputHead]) -> None:
    head, allowed = make(kind), torch.tensor([2, 9, 21])
    scores = head.scores(hidden())[:, allowed]
    ids, best = head.topk(hidden(), k=3, among=allowed)
    assert torch.equal(ids, allowed[scores.argsort(dim=1, descending=True)])
    torch.testing.assert_close(best, scores.sort(dim=1, descending=True).values)
    with pytest.raises(UserError, match="among"):
        head.topk(hidden(), k=3, among=torch.tensor([LABELS]))


def test_it_learns_with_any_optimiser(kind: type[OutputHead]) -> None:
    torch.manual_seed(1)
    head: OutputHead = kind(WIDTH, LABELS, dim=64)  # type: ignore[call-arg]
    optimiser = torch.optim.AdamW(head.parameters(), lr=0.03)
    for _ in range(150):
        optimiser.zero_grad()
        head.loss(hidden(), SETS).backward()
        optimiser.step()
    best = head.topk(hidden(), 1)[0][:, 0].tolist()
    assert all(best[i] in SETS[i] for i in range(len(SETS)) if SETS[i])


def test_a_state_goes_through_a_file_without_pickle(kind: type[OutputHead], tmp_path: Path) -> None:
    head = make(kind)
    save_file(head.state_dict(), tmp_path / "head.safetensors")
    state = load_file(tmp_path / "head.safetensors")
    torch.manual_seed(99)  # other initial weights
    other: OutputHead = kind(WIDTH, LABELS, dim=DIM)  # type: ignore[call-arg]
    other.load_state_dict(state)
    assert torch.equal(other.scores(hidden()), head.scores(hidden()))
    wrong: OutputHead = kind(WIDTH, LABELS, dim=DIM, seed=1)  # type: ignore[call-arg]
    with pytest.raises(UserError, match="seed is 1 here, but 0 in the saved state"):
        wrong.load_state_dict(state)


def test_a_state_knows_everything_that_decides_scores() -> None:
    state = hrrxml.HRRHead(WIDTH, LABELS, dim=DIM).state_dict()
    for name, value in {"binding": False, "projection": False, "loss": "positive"}.items():
        other = hrrxml.HRRHead(WIDTH, LABELS, dim=DIM, **{name: value})  # type: ignore[arg-type]
        with pytest.raises(UserError, match=f"{name} is {value!r} here, but"):
            other.load_state_dict(state)


def test_a_tail_needs_to_know_which_labels_are_rare() -> None:
    with pytest.raises(UserError, match="tail needs train_labels"):
        hrrxml.HolographicHead(WIDTH, LABELS, dim=DIM, tail=0.5)
    with_tail, without = (
        make(hrrxml.HolographicHead, tail=tail, train_labels=SETS) for tail in (0.5, 0.0)
    )
    prior = with_tail.head.bias.detach()
    gained = with_tail.scores(hidden()) - without.scores(hidden())
    torch.testing.assert_close(gained, (-0.5 * prior).expand(len(SETS), -1), rtol=0, atol=1e-4)


def test_scores_and_ranks_are_exact_under_autocast(kind: type[OutputHead]) -> None:
    head = make(kind)
    expected = head.scores(hidden())
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(head.scores(hidden()), expected)
        assert torch.equal(head.topk(hidden(), 3)[0], expected.topk(3).indices)
    assert not expected.requires_grad


def test_forward_takes_the_weights_of_points() -> None:
    head, weights = make(hrrxml.HolographicHead), torch.arange(len(SETS)).float()
    assert torch.equal(head(hidden(), SETS, weights), head.loss(hidden(), SETS, weights))
    with pytest.raises(UserError, match="HRRHead has no weighted loss"):
        make(hrrxml.HRRHead)(hidden(), SETS, weights)


def test_mixed_precision_is_close(kind: type[OutputHead]) -> None:
    head = make(kind)
    torch.manual_seed(3)
    exact = head.loss(hidden(), SETS)
    torch.manual_seed(3)  # GLaS samples labels
    with torch.autocast("cpu", torch.bfloat16):
        mixed = head.loss(hidden(), SETS)
    assert mixed.dtype == torch.float32
    torch.testing.assert_close(mixed, exact, rtol=0.05, atol=0.05)
    mixed.backward()


@pytest.mark.parametrize(
    ("options", "message"),
    [({"dim": 1}, "dim: "), ({"loss": "cubic"}, "loss: ")],
)
def test_wrong_settings_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        hrrxml.HRRHead(WIDTH, LABELS, **options)
    with pytest.raises(UserError, match="needs train_labels"):
        hrrxml.GLaSHead(WIDTH, LABELS, regulariser="glas")
    with pytest.raises(UserError, match=r"must be \(batch, 6\)"):
        make(hrrxml.HolographicHead).topk(torch.zeros(2, 5), 1)


class Network(nn.Module):
    """A network of someone else's with one of our heads."""

    def __init__(self, kind: Any) -> None:
        super().__init__()
        torch.manual_seed(4)
        self.body = nn.Linear(WIDTH, WIDTH)
        self.head = kind(WIDTH, LABELS, dim=DIM)

    def forward(self, x: Tensor, labels: list[list[int]]) -> Tensor:
        return self.head(self.body(x), labels)


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor")  # both are torch.compile's
@pytest.mark.filterwarnings("ignore:.*should not be instantiated:DeprecationWarning")
def test_a_compiled_network_learns_alike(kind: type[OutputHead]) -> None:
    network = Network(kind)
    gradients = []
    for module in (network, torch.compile(network, backend="aot_eager")):
        network.zero_grad()
        torch.manual_seed(5)  # GLaS samples labels
        module(hidden(), SETS).backward()
        gradients.append([p.grad.clone() for p in network.parameters() if p.grad is not None])
    assert gradients[0]
    torch.testing.assert_close(gradients[1], gradients[0])


def _replica(rank: int, port: int, folder: Path) -> None:
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", rank=rank, world_size=2)
    for kind in (hrrxml.HolographicHead, hrrxml.HRRHead):
        replica = nn.parallel.DistributedDataParallel(Network(kind))
        part = slice(2 * rank, 2 * rank + 2)
        replica(hidden(4)[part], SETS[:4][part]).backward()
        gradients = {n: p.grad for n, p in replica.module.named_parameters()}
        save_file(gradients, folder / f"{kind.__name__}.{rank}")
    torch.distributed.destroy_process_group()


def test_two_processes_train_as_one(tmp_path: Path) -> None:
    """DistributedDataParallel averages the gradients of two halves of a batch."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    start: Any = torch.multiprocessing.spawn  # type: ignore[attr-defined]
    start(_replica, (port, tmp_path), nprocs=2)
    for kind in (hrrxml.HolographicHead, hrrxml.HRRHead):
        network = Network(kind)
        network(hidden(4), SETS[:4]).backward()
        for rank in (0, 1):
            gradients = load_file(tmp_path / f"{kind.__name__}.{rank}")
            for name, parameter in network.named_parameters():
                torch.testing.assert_close(gradients[name], parameter.grad)
