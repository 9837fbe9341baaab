"""A classifier's numbers computed the slow way: dense numpy, one code at a time."""

from typing import Any

import numpy as np
from scipy.special import expit


def codes(clf: Any) -> np.ndarray:
    """The code of every label: base b rolled by i places belongs to label b·d + i."""
    bases = clf.fitted_.model.head.labels.bases.numpy().astype(float)
    rolled = [np.roll(base, i) for base in bases for i in range(len(base))]
    return np.array(rolled[: len(clf.classes_)])


def outputs(clf: Any, features: np.ndarray) -> np.ndarray:
    """The network's d' outputs for rows of scaled features: (points, d')."""
    weights = {
        name: value.detach().numpy().astype(float)
        for name, value in clf.fitted_.model.state_dict().items()
    }
    linear = features @ weights["head.output.shortcut.weight"] + weights["head.output.bias"]
    if "encoder.words.weight" not in weights:
        return linear
    hidden = np.maximum(features @ weights["encoder.words.weight"] + weights["encoder.bias"], 0)
    inner = weights["encoder.hidden.1.weight"], weights["encoder.hidden.1.bias"]
    hidden = np.maximum(hidden @ inner[0].T + inner[1], 0)
    return linear + hidden @ weights["head.output.weight"].T


def logits(clf: Any, features: np.ndarray) -> np.ndarray:
    """scale·⟨ŝ, c⟩ + bias for every label: (points, labels)."""
    head = clf.fitted_.model.head
    scale, bias = head.scale.item(), head.bias.detach().numpy().astype(float)
    return scale * outputs(clf, features) @ codes(clf).T + bias


def log_odds(clf: Any, Y: np.ndarray) -> np.ndarray:
    share = (Y.sum(0) + 1) / (len(Y) + 2)
    return np.log(share / (1 - share))


def probabilities(clf: Any, features: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Calibrated probabilities of all labels; Y is the indicator matrix of all training points."""
    fitted = clf.fitted_
    scores = logits(clf, features) - fitted.tail * log_odds(clf, Y)
    curve, behind = fitted.calibration, scores - scores.max(1, keepdims=True)
    return expit(curve.slope * scores + curve.margin * behind + curve.offset)
