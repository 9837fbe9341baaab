"""AttentionXML's BiLSTM with attention (You et al. 2019), without its label tree."""

from itertools import pairwise
from typing import Annotated

import torch
from pydantic import Field
from torch import Tensor, nn

from hrrxml.config.section import Count, Dropout
from hrrxml.data.points import Points
from hrrxml.encoders import base
from hrrxml.layers.words import Words, WordSettings


class Settings(WordSettings):
    hidden: Count
    heads: Count
    linear: Annotated[list[Count], Field(min_length=1)]
    dropout: Dropout


class Encoder(base.Encoder):
    """The mean of attention heads over the word states, then fully connected layers.

    AttentionXML has one head per label and classifies each label with its head. The HRR paper
    uses a fully connected output on the mean of the heads instead (§5.2).
    """

    most_ranked = 128

    def __init__(self, settings: Settings, points: Points, vectors: Tensor | None) -> None:
        super().__init__()
        self.words = Words(settings, points, vectors)
        self.forwards = nn.LSTM(self.words.dim, settings.hidden, batch_first=True)
        self.backwards = nn.LSTM(self.words.dim, settings.hidden, batch_first=True)
        self.start = nn.Parameter(torch.zeros(2, 2, settings.hidden))  # directions, h and c
        self.dropout = nn.Dropout(settings.dropout)
        self.attention = nn.Linear(2 * settings.hidden, settings.heads, bias=False)
        nn.init.xavier_uniform_(self.attention.weight)
        widths = [2 * settings.hidden, *settings.linear]
        layers: list[nn.Module] = []
        for before, after in pairwise(widths):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.linear = nn.Sequential(*layers)
        self.width = widths[-1]

    def forward(self, batch: Points) -> Tensor:
        assert batch.tokens is not None
        words, lengths = self.words(batch.tokens)
        lengths = lengths.clamp(min=1)  # a text without words is read as one padding token
        states = self.dropout(self._states(words, lengths))  # (B, T, 2h)
        columns = torch.arange(states.shape[1], device=states.device)
        outside = columns >= lengths[:, None]  # (B, T)
        scores = self.attention(states).masked_fill(outside[..., None], float("-inf"))
        # The mean of the heads' weighted sums is one sum with the mean of their weights.
        weights = scores.softmax(dim=1).mean(dim=-1)  # (B, T)
        return self.linear((weights[..., None] * states).sum(dim=1))

    def _states(self, words: Tensor, lengths: Tensor) -> Tensor:
        """The states of both directions at every word: (B, T, 2h), undefined after a text's end.

        It does not pack sequences: on a CPU, torch then loops over words, and the gradient takes
        time quadratic in the length. Padding after the end does not change the states before it.
        The backward direction reads each text reversed within its own length.
        """
        backwards = _reverse(words, lengths)
        left = self._run(self.forwards, words, self.start[0])
        right = _reverse(self._run(self.backwards, backwards, self.start[1]), lengths)
        return torch.cat([left, right], dim=-1)

    def _run(self, lstm: nn.LSTM, words: Tensor, start: Tensor) -> Tensor:
        h, c = start[:, None, None].expand(-1, -1, len(words), -1).contiguous()
        with torch.autocast("cpu", enabled=False):  # not every CPU supports a mixed-precision LSTM
            states: Tensor = lstm(words, (h, c))[0]
        return states

    def work(self, points: Points) -> Tensor:
        return self.words.count(points)

    def sparse_parameters(self) -> list[Tensor]:
        return self.words.sparse_parameters()


def _reverse(sequences: Tensor, lengths: Tensor) -> Tensor:
    """Reverse the first `lengths` entries of each row: (B, T, width)."""
    columns = torch.arange(sequences.shape[1], device=sequences.device).expand(len(lengths), -1)
    source = torch.where(columns < lengths[:, None], lengths[:, None] - 1 - columns, columns)
    return sequences.gather(1, source[..., None].expand_as(sequences))
