"""Word vectors in reading order: the first layer of every text encoder."""

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from hrrxml.config.section import Count, Dropout, Section
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.data.tokens import PADDING
from hrrxml.runtime.errors import UserError

SPREAD = 0.1  # initial standard deviation of the vectors' values


class WordSettings(Section):
    """The keys that the sections of all text encoders share."""

    word_dim: Count
    start: Literal["random", "texts"]
    word_dropout: Dropout
    learn_words: bool
    max_tokens: Count


class Words(nn.Module):
    """The vectors of each text's first `max_tokens` words, padded with zeros."""

    def __init__(self, settings: WordSettings, points: Points, vectors: Tensor | None) -> None:
        super().__init__()
        if points.tokens is None:
            raise UserError("the dataset has features but no texts; use the encoder fc")
        self.settings = settings
        dim = settings.word_dim if vectors is None else vectors.shape[1]
        table = torch.randn(points.n_tokens, dim) * SPREAD
        if vectors is not None:
            # A word without a vector (all zeros) starts at random.
            table = torch.where(vectors.any(1, keepdim=True), vectors, table)
        table[PADDING] = 0  # it stays zero: it has no gradient
        self.table = nn.Parameter(table, requires_grad=settings.learn_words)
        self.dropout = nn.Dropout(settings.word_dropout)

    @property
    def dim(self) -> int:
        return self.table.shape[1]

    def count(self, points: Points) -> Tensor:
        """The number of words read of each text: (points,)."""
        assert points.tokens is not None
        return points.tokens.lengths.clamp(max=self.settings.max_tokens)

    def forward(self, tokens: Bags, at_least: int = 1) -> tuple[Tensor, Tensor]:
        """The vectors (batch, length, dim), and the number of words of each text (batch,)."""
        lengths = tokens.lengths.clamp(max=self.settings.max_tokens)
        width = max(at_least, int(lengths.max()))
        ids = pad(tokens, lengths, width)
        vectors = F.embedding(ids, self.table, PADDING, sparse=self.settings.learn_words)
        return self.dropout(vectors), lengths

    def sparse_parameters(self) -> list[Tensor]:
        return [self.table] if self.settings.learn_words else []


def pad(bags: Bags, lengths: Tensor, width: int) -> Tensor:
    """The first `lengths` ids of each row, then padding: (rows, width)."""
    columns = torch.arange(width, device=lengths.device)
    inside = columns < lengths[:, None]
    where = (bags.offsets[:-1, None] + columns)[inside]
    ids = torch.full_like(inside, PADDING, dtype=torch.int64)
    ids[inside] = bags.ids[where].long()
    return ids
