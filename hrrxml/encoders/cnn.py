"""XML-CNN (Liu et al. 2017): convolutions over words, dynamic max-pooling, a bottleneck."""

from typing import Annotated, Literal, Self

import torch
import torch.nn.functional as F
from pydantic import Field, model_validator
from torch import Tensor, nn

from hrrxml.config.section import Count, Dropout
from hrrxml.data.points import Points
from hrrxml.encoders import base
from hrrxml.layers.words import Words, WordSettings


class Settings(WordSettings):
    sizes: Annotated[list[Count], Field(min_length=1)]
    filters: Count
    pooling: Literal["dynamic", "flattened"]
    chunks: Count
    bottleneck: Count
    dropout: Dropout

    @model_validator(mode="after")
    def _filters_fit(self) -> Self:
        if max(self.sizes) > self.max_tokens:
            raise ValueError("no size can be larger than max_tokens")
        return self


class Encoder(base.Encoder):
    """`pooling: dynamic` is XML-CNN as published. `flattened` is the code of the HRR authors.

    Their fork pads every text to the same length and uses a stride of 2. It flattens the output
    of all filters and pools over pairs of neighbours, which may belong to two filters. It has two
    more layers after the bottleneck.
    """

    most_ranked = 128

    def __init__(self, settings: Settings, points: Points, vectors: Tensor | None) -> None:
        super().__init__()
        self.settings = settings
        self.words = Words(self.settings, points, vectors)
        flattened = self.settings.pooling == "flattened"
        stride = 2 if flattened else 1
        self.convolutions = nn.ModuleList(
            nn.Conv1d(self.words.dim, self.settings.filters, size, stride)
            for size in self.settings.sizes
        )
        self.width = self.settings.bottleneck
        layers: list[nn.Module] = [nn.Linear(self._pooled_width(), self.width), nn.ReLU()]
        for _ in range(2 if flattened else 0):
            layers += [nn.Linear(self.width, self.width), nn.ReLU()]
        self.bottleneck = nn.Sequential(*layers, nn.Dropout(self.settings.dropout))

    def _pooled_width(self) -> int:
        s = self.settings
        if s.pooling == "dynamic":
            return len(s.sizes) * s.filters * s.chunks
        return sum(s.filters * ((s.max_tokens - size) // 2 + 1) - 1 for size in s.sizes)

    def forward(self, batch: Points) -> Tensor:
        assert batch.tokens is not None
        flattened = self.settings.pooling == "flattened"
        at_least = self.settings.max_tokens if flattened else max(self.settings.sizes)
        words, lengths = self.words(batch.tokens, at_least)
        pooled = []
        for size, convolution in zip(self.settings.sizes, self.convolutions, strict=True):
            activations = F.relu(convolution(words.transpose(1, 2)))  # (B, filters, places)
            if flattened:
                pooled.append(F.max_pool1d(activations.flatten(1)[:, None], 2, stride=1)[:, 0])
            else:
                places = lengths.clamp(min=size) - size + 1  # that see no padding
                chunks = dynamic_max_pool(activations, places, self.settings.chunks)
                pooled.append(chunks.flatten(1))
        return self.bottleneck(torch.cat(pooled, dim=1))

    def work(self, points: Points) -> Tensor:
        return self.words.count(points)

    def sparse_parameters(self) -> list[Tensor]:
        return self.words.sparse_parameters()


def dynamic_max_pool(activations: Tensor, places: Tensor, chunks: int) -> Tensor:
    """The maximum in each chunk of the first `places` of each row: (B, filters, chunks).

    For one row without padding it equals AdaptiveMaxPool1d. `activations` must not be negative.
    """
    columns = torch.arange(activations.shape[-1], device=activations.device)
    pooled = []
    for chunk in range(chunks):
        start = places * chunk // chunks
        end = (places * (chunk + 1) + chunks - 1) // chunks
        inside = (columns >= start[:, None]) & (columns < end[:, None])  # (B, places)
        pooled.append(activations.masked_fill(~inside[:, None], 0).amax(-1))
    return torch.stack(pooled, dim=-1)
