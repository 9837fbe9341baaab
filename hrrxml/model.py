"""A model is an encoder and a head."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from hrrxml import encoders, heads
from hrrxml.config.schema import Params, Run
from hrrxml.data.points import Points
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import read_tensors_and_facts
from hrrxml.runtime.progress import bar
from hrrxml.training import distributed

RANKING_SCORES = 2**24  # scores per batch when ranking, at most: 64 MB


class Model(nn.Module):
    def __init__(self, encoder: encoders.Encoder, head: heads.Head, n_labels: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = head
        self.n_labels = n_labels

    def loss(self, batch: Points) -> Tensor:
        """The mean loss over the batch."""
        return self.head.loss(self.encode(batch), batch)

    def encode(self, batch: Points) -> Tensor:
        """One vector per point: (batch, width)."""
        if len(batch) == 0:  # a process without points takes part: the others wait for it
            return next(self.parameters()).new_zeros(0, self.encoder.width)
        encoded: Tensor = self.encoder(batch)
        return encoded

    @torch.no_grad()
    def rank(self, points: Points, k: int) -> Tensor:
        """The k best labels of every point, best first: (points, k), on the CPU.

        Rows are padded with −1 if there are fewer than k labels.
        """
        ranking = torch.full((len(points), k), -1)
        for rows, ids, _ in self.search(points, k):
            ranking[rows, : ids.shape[1]] = ids
        return distributed.maximum(ranking)

    @torch.no_grad()
    def search(
        self, points: Points, k: int, among: Tensor | None = None
    ) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """Yields, a batch at a time, row numbers and the ids and scores of their k best labels.

        `among` (labels,) is true for the labels that may be found. With several processes, each
        yields its own rows.
        """
        self.eval()
        # A batch has texts of similar length, which need little padding.
        order = self.encoder.work(points).argsort(stable=True)
        for rows in bar(order.split(self.ranked_at_once()), desc="rank", unit="batch", leave=False):
            rows = rows.tensor_split(distributed.processes())[distributed.rank()]
            batch = points.select(rows).to(self.device)
            ids, scores = self.head.top_k(self.encode(batch), batch, k, among)
            yield rows, ids.cpu(), scores.cpu()

    def scores(self, batch: Points) -> Tensor:
        """The scores of all labels: (batch, labels)."""
        return self.head.scores(self.encode(batch), batch)

    def ranked_at_once(self) -> int:
        """The number of points per batch when ranking."""
        return max(1, min(self.encoder.most_ranked, RANKING_SCORES // self.n_labels))

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    def count_parameters(self) -> dict[str, int]:
        """The number of trained weights in the output layer and in the network (Table 2)."""
        output = sum(p.numel() for p in self.head.parameters() if p.requires_grad)
        network = sum(p.numel() for p in self.parameters() if p.requires_grad)
        return {"output": output, "network": network}

    def sparse_parameters(self) -> list[Tensor]:
        parts = (self.encoder, self.head, self.head.output)
        return [parameter for part in parts for parameter in part.sparse_parameters()]


def build(
    run: Run,
    params: Params,
    points: Points,
    tables: Mapping[str, Tensor],
    vectors: Tensor | None = None,
) -> Model:
    """A newly initialised model for one run."""
    encoder = encoders.build(run.encoder, params.section(run.encoder), points, vectors)
    settings = params.section(run.head)
    head = heads.get(run.head)(settings, encoder.width, points.n_features, tables)
    return Model(encoder, head, points.n_labels)


def load_weights(model: Model, path: Path, labels: str) -> None:
    """Load weights saved by `train`; `labels` is the checksum of the model's label vectors."""
    weights, facts = read_tensors_and_facts(path)
    if facts.get("labels") != labels:
        raise UserError(f"{path}: trained with other label vectors; run `dvc repro`")
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        cure = "run `dvc repro`"
        raise UserError(f"{path}: not a model for these params ({error}); {cure}") from error
