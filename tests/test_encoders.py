"""The sparse encoder computes what a dense network would."""

import pytest
import torch
import torch.nn.functional as F
from pydantic import ValidationError

from hrrxml import encoders
from hrrxml.config.schema import Params
from hrrxml.data.points import Points
from hrrxml.encoders.fc import Settings


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


def test_fc_of_the_authors_code_has_leaky_relu_and_updates_all_words(
    settings: Params, points: Points
) -> None:
    changed = settings.fc.model_copy(
        update={"activation": "leaky_relu", "update": "all", "hidden": 7}
    )
    encoder = encoders.build("fc", changed, points)
    weights = dict(encoder.named_parameters())
    dense = torch.from_numpy(points.features.to_csr(points.n_features).toarray())
    hidden = F.leaky_relu(dense @ weights["words.weight"] + weights["bias"], 0.01)
    hidden = F.leaky_relu(hidden @ weights["hidden.1.weight"].T + weights["hidden.1.bias"], 0.01)
    torch.testing.assert_close(encoder(points), hidden)
    assert encoder.sparse_parameters() == []
    encoder(points.select(torch.tensor([1, 2]))).sum().backward()
    assert not weights["words.weight"].grad.is_sparse


def test_weight_normalisation_gives_each_layer_one_length(settings: Params, points: Points) -> None:
    """GLaS §3.1: every output has a direction of its own, and the layer's learned length."""
    changed = settings.fc.model_copy(update={"weight_norm": True, "update": "all", "hidden": 7})
    encoder = encoders.build("fc", changed, points)
    lengths = encoder.words.weight.norm(dim=0)
    torch.testing.assert_close(lengths, lengths[:1].expand(7))
    lengths = encoder.hidden[1].weight.norm(dim=1)
    torch.testing.assert_close(lengths, lengths[:1].expand(7))
    encoder(points).sum().backward()
    learned = {name: p.grad for name, p in encoder.named_parameters()}
    scalars = [grad for grad in learned.values() if grad.ndim == 0]
    assert len(scalars) == 2
    assert all(grad.abs() > 0 for grad in scalars)


def test_weight_normalisation_needs_all_rows(settings: Params) -> None:
    wrong = settings.fc.model_dump() | {"weight_norm": True, "update": "rows"}
    with pytest.raises(ValidationError, match="set update to all"):
        Settings.model_validate(wrong)
