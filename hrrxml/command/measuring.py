"""Measures a model on data."""

from typing import Any

from scipy.sparse import csr_matrix

from hrrxml.command import reading
from hrrxml.runtime.errors import UserError


def evaluate(model: Any, data: reading.Data) -> dict[str, float]:
    """The model's metrics on data that fits it, in percent."""
    if not len(data):
        raise UserError(f"{data.source}: no texts; give some with their tags")
    check_inputs(model, data.inputs, data.source)
    _check_labels(model, data)
    return model.evaluate(data.inputs, data.labels)


def check_inputs(model: Any, inputs: Any, source: str) -> None:
    """An error if the model takes texts and these are features, or the reverse, or too many."""
    width = features_of(model)
    if not isinstance(inputs, csr_matrix):
        if width is not None:
            raise UserError(f"{source}: texts, but the model takes {width} features; give features")
    elif width is None:
        raise UserError(f"{source}: features, but the model takes texts; give texts")
    elif inputs.shape[1] != width:
        raise UserError(
            f"{source}: {inputs.shape[1]} features, but the model takes {width}; "
            f"give the same features (if they are, correct the file's first line)"
        )


def features_of(model: Any) -> int | None:
    """How many features the model takes; None if it takes texts."""
    facts = model.describe()
    return int(facts["features"]) if facts.get("inputs") == "features" else None


def _check_labels(model: Any, data: reading.Data) -> None:
    """An error if numbers stand for labels that the model cannot have."""
    if isinstance(data.labels, csr_matrix) and data.labels.shape[1] != len(model.classes_):
        raise UserError(
            f"{data.source}: {data.labels.shape[1]} labels, but the model has "
            f"{len(model.classes_)}; give data with the same labels"
        )
