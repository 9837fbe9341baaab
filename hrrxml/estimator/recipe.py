"""What the classifier chooses for itself, from the size of the data alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hrrxml.config.schema import Train
from hrrxml.data.points import Points
from hrrxml.heads.holographic import Settings as HeadSettings

BASES = 48  # a step looks at the labels of so many bases, at most
MANY = 10  # points for each feature, from which on hidden layers are tried
HIDDEN = 512  # their width
SMALL, TINY = 1000, 100  # points


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
    # Models saved by older versions have none of these.
    bases_per_step: int | None = None  # whose labels a step looks at; None: all
    whole_rows: bool = False  # one second moment for each feature
    learn_scale: bool = True

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
            bases_per_step=self.bases_per_step,
            whole_rows=self.whole_rows,
            # A learned scale grows, and with it the size of every step: it overfits early.
            learn_scale=self.learn_scale,
        )


def choose_for(points: Points, given: Mapping[str, int | None]) -> Recipe:
    """The recipe for these training points; what the user gives is kept."""
    features_per_point = len(points.features.ids) / max(1, len(points))
    return choose(len(points), points.n_labels, features_per_point, **given)


def candidates(points: Points, given: Mapping[str, int | None], can_compare: bool) -> list[Recipe]:
    """Recipes of which held-out points choose one.

    Texts and other data of many features are read best by the linear path alone. Where there are
    many points for each feature, hidden layers are tried too.
    """
    linear = choose_for(points, given)
    many = len(points) >= MANY * points.n_features and len(points) >= SMALL
    if not (many and can_compare and given.get("hidden") is None):
        return [linear]
    return [linear, replace(linear, hidden=HIDDEN, keep_features=0.9)]


def choose(
    n_points: int,
    n_labels: int,
    features_per_point: float,
    *,
    dim: int | None = None,
    hidden: int | None = None,
    epochs: int | None = None,
) -> Recipe:
    """The recipe for data of this size; what the user gives is kept.

    The values were chosen by hand on held-out points of this project's datasets. Test figures were
    seen beside them, so these datasets do not show what it reaches on others.
    """
    recipe = Recipe(
        # More outputs than labels are pointless: the codes of one base are orthonormal already.
        dim=max(2, min(1000, n_labels + n_labels % 2)),
        hidden=0,
        batch_size=64 if n_points < 30_000 else 128 if n_points < 60_000 else 256,
        learning_rate=2e-3,
        shortcut=4.0,
        decay=0.8,
        keep_features=0.9 if features_per_point > 30 else 0.8,
        epochs=20 if n_points < 20_000 else 12,
        patience=3 if n_points < 20_000 else 2,
        # A step over all labels takes longest where there are many.
        bases_per_step=BASES,
        whole_rows=True,
        learn_scale=False,
    )
    if n_points < SMALL:  # a few steps in all: small batches, large steps, no decay
        small: dict[str, Any] = {
            "batch_size": 8,
            "learning_rate": 5e-3,
            "decay": 1.0,
            "epochs": 30,
            "patience": 5,
        }
        recipe = replace(recipe, keep_features=1.0, **small)
    if n_points < TINY:
        recipe = replace(recipe, whole_rows=False, learn_scale=True)
    given = {"dim": dim, "hidden": hidden, "epochs": epochs}
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return replace(recipe, **chosen)
