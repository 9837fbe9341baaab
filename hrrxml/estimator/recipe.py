"""What the classifier chooses for itself, from the size of the data alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hrrxml.config.schema import Train
from hrrxml.data.points import Points
from hrrxml.heads.holographic import Settings as HeadSettings


@dataclass(frozen=True)
class Recipe:
    """Everything that training needs besides the data."""

    dim: int  # d', the number of outputs
    hidden: int  # width of two hidden layers beside the linear path; 0: the linear path alone
    batch_size: int
    learning_rate: float
    shortcut: float  # the linear path's learning rate, as a multiple
    decay: float  # of the learning rate, after every epoch
    keep_features: float  # probability that a step keeps a feature of a point
    epochs: int  # at most
    patience: int  # epochs without a gain on held-out points before training stops

    def train(self, seed: int) -> Train:
        return Train(
            seed=seed,
            seeds=1,
            epochs=self.epochs,
            patience=self.patience,
            epoch_by="precision",
            batch_size=self.batch_size,
            processes=1,
            keep_features=self.keep_features,
            device="auto",
            precision="float32",
            clip=None,
            average_from=None,
        )

    def head(self) -> HeadSettings:
        return HeadSettings(
            dim=self.dim,
            learning_rate=self.learning_rate,
            decay=self.decay,
            shortcut=self.shortcut,
            tail=0.0,  # chosen after training
        )


def choose_for(points: Points, given: Mapping[str, int | None]) -> Recipe:
    """The recipe for these training points; what the user gives is kept."""
    n = max(1, len(points))
    features_per_point, labels_per_point = len(points.features.ids) / n, len(points.labels.ids) / n
    return choose(len(points), points.n_labels, features_per_point, labels_per_point, **given)


def choose(
    n_points: int,
    n_labels: int,
    features_per_point: float,
    labels_per_point: float,
    *,
    dim: int | None = None,
    hidden: int | None = None,
    epochs: int | None = None,
) -> Recipe:
    """The recipe for data of this size; what the user gives is kept.

    The values were chosen on the validation points of Bibtex, Delicious, StackExchange (texts and
    titles), WordNet and WordNet's animals.
    """
    small = n_points < 20_000
    recipe = Recipe(
        # More outputs than labels are pointless: the codes of one base are orthonormal already.
        dim=max(2, min(1000, n_labels + n_labels % 2)),
        # Points with several labels each gain by hidden layers; the others overfit with them.
        hidden=512 if labels_per_point >= 3 else 0,
        batch_size=64 if small else 256,
        learning_rate=2e-3,
        shortcut=4.0 if n_points < 8_000 else 2.0,
        decay=0.85 if small else 0.8,
        keep_features=0.9 if features_per_point > 30 else 0.8,
        epochs=20 if small else 8,
        patience=2,
    )
    if n_points < 1000:  # a few steps in all: small batches, large steps, no decay
        tiny: dict[str, Any] = {
            "batch_size": 8,
            "learning_rate": 5e-3,
            "decay": 1.0,
            "epochs": 30,
            "patience": 5,
        }
        recipe = replace(recipe, hidden=0, keep_features=1.0, **tiny)
    given = {"dim": dim, "hidden": hidden, "epochs": epochs}
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return replace(recipe, **chosen)
