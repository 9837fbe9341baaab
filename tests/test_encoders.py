"""The sparse encoder computes what a dense network would."""

import pytest
import torch

from hrrxml import encoders
from hrrxml.config.schema import Params
from hrrxml.data.points import Points


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_fc_is_a_stack_of_relu_layers(settings: Params, points: Points, layers: int) -> None:
    changed = settings.fc.model_copy(update={"layers": layers, "hidden": 7})
    encoder = encoders.build("fc", changed, points)
    weights = dict(encoder.named_parameters())
    dense = torch.from_numpy(points.features.to_csr(points.n_features).toarray())
    hidden = torch.relu(dense @ weights["words.weight"] + weights["bias"])
    for layer in range(1, layers):
        weight, bias = (
            weights[f"hidden.{2 * layer - 1}.weight"],
            weights[f"hidden.{2 * layer - 1}.bias"],
        )
        hidden = torch.relu(hidden @ weight.T + bias)
    torch.testing.assert_close(encoder(points), hidden)
    assert encoder.width == 7


def test_fc_updates_only_the_words_of_the_batch(settings: Params, points: Points) -> None:
    encoder = encoders.build("fc", settings.fc, points)
    batch = points.select(torch.tensor([1, 2]))
    encoder(batch).sum().backward()
    (words,) = encoder.sparse_parameters()
    assert words.grad is not None
    assert words.grad.is_sparse
    assert set(words.grad.coalesce().indices()[0].tolist()) == set(batch.features.ids.tolist())
