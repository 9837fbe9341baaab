"""A multi-label classifier for texts or sparse features, with scikit-learn's conventions.

clf = hrrxml.HolographicClassifier().fit(texts, tags)
clf.predict(["how do I clean a cast iron pan"], k=5)    # [[("cast-iron", 0.91), …]]
clf.save("model"); hrrxml.load("model")
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data
from torch import Tensor

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.estimator import calibration, explanation, inputs, network, recipe, selection, storage
from hrrxml.estimator.fitted import Fitted, hits
from hrrxml.estimator.tags import Tags, form_of
from hrrxml.runtime import progress
from hrrxml.runtime.errors import InputError
from hrrxml.training.loop import Batches
from hrrxml.training.step import Steps

FEW = 20  # fewer held-out points than this decide nothing: then all points are for training


class HolographicClassifier(ClassifierMixin, BaseEstimator):
    """Learns to tag points with any number of labels, up to millions.

    Each label has a fixed code of `dim` numbers, which is drawn from `random_state` and needs no
    memory. The network predicts a sum of codes, and trains on all labels at once.

    Parameters
    ----------
    dim : outputs of the network; by default as many as there are labels, up to a limit
    hidden : width of two hidden layers beside the linear path from the features; 0 for none. By
        default the held-out points decide
    epochs : passes over the data, at most; training stops when the held-out points no longer gain
    validation : share of the points to hold out. They decide when training stops, how far rare
        labels are favoured, and the probabilities
    vectorizer : how texts become features: None for tf-idf of words, a function from a text to its
        terms, or an object with scikit-learn's `fit_transform` and `transform`
    random_state : seed of the codes, the held-out points and the order of the points
    n_jobs : threads; None for torch's default
    verbose : progress bars: True, False, or None for a terminal alone

    Attributes
    ----------
    classes_ : the labels, by id
    recipe_ : what was chosen for this data
    curve_ : one entry per epoch: loss, held-out P@1 and seconds
    validation_ : metrics of the held-out points, in percent; empty if there were too few
    """

    def __init__(
        self,
        dim: int | None = None,
        *,
        hidden: int | None = None,
        epochs: int | None = None,
        validation: float = 0.1,
        vectorizer: Any = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        self.dim = dim
        self.hidden = hidden
        self.epochs = epochs
        self.validation = validation
        self.vectorizer = vectorizer
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from X: texts, or a sparse or dense matrix of features.

        y has the labels: a list of tags per point, one label per point, or an indicator matrix.
        """
        self._check_parameters()
        draft, features, labels = self._draft(X, y)
        points = draft.points(features, labels, _weights(sample_weight, len(features)))
        train, held_out = self._divide(points, draft.seed)
        draft = _counted(draft, train)
        with self._running(draft.seed):
            best = selection.train_best(
                selection.recipes(train, self._given()),
                lambda chosen: _new_model(draft, chosen),
                train,
                held_out,
                draft.seed,
            )
            fitted = replace(draft, model=best.model, recipe=best.recipe)
            self.validation_: dict[str, float] = {}
            if held_out is not None:
                tail = selection.choose_tail(best.model, held_out, fitted.prior)
                fitted = _calibrated(fitted.with_tail(tail), held_out)
                self.validation_ = fitted.measure(held_out)
        self._set(_counted(fitted, points).with_tail(fitted.tail))
        self.curve_ = [row.as_dict("{}_p1") for row in best.curve]
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Sequence[Any] | None = None, sample_weight: Any = None
    ) -> Self:
        """Take one pass over the given points.

        The first call of an unfitted classifier fixes the vocabulary from X, and the labels from
        `classes` (or from y). `add_labels` adds labels later.
        """
        if not hasattr(self, "fitted_"):
            self._check_parameters()
            draft, features, labels = self._draft(X, y, classes)
            draft = _counted(draft, draft.points(features, labels))
            chosen = selection.recipes(draft.points(features, labels), self._given())[0]
            with self._running(draft.seed):
                model = _new_model(draft, chosen)
            nothing = torch.zeros_like(draft.counts)
            self._set(replace(draft, model=model, recipe=chosen, counts=nothing, n_points=0))
            self.validation_, self.curve_ = {}, []
        points = self._asked(X, y)
        points = replace(points, weights=_weights(sample_weight, len(points)))
        with self._running(self.fitted_.seed):
            self._take_pass(points)
        return self

    def add_labels(self, labels: Iterable[Any]) -> Self:
        """Give new labels the next free codes. All other labels stay as they are."""
        check_is_fitted(self, "fitted_")
        self._set(self.fitted_.extended(list(labels)))
        return self

    def predict(
        self,
        X: Any,
        k: int | None = None,
        threshold: float | None = None,
        among: Iterable[Any] | None = None,
    ) -> Any:
        """The labels of each point.

        With `k`, `threshold` or `among`: pairs (label, probability), best first. `k` is how many at
        most (5 if only `among` is given); `threshold` is the least probability; `among` are the
        labels to choose from. With none of them: labels in the form that y had in `fit`. These are
        the best label for one label per point, else all labels of probability 0.5 or more.
        """
        points = self._asked(X)
        with self._running(self.fitted_.seed):
            if k is None and threshold is None and among is None:
                return self.fitted_.plain(points)
            return self.fitted_.answers(points, k, threshold, among)

    def evaluate(self, X: Any, y: Any) -> dict[str, float]:
        """P@1 … PSnDCG@5 and the calibration errors ECE@1 and ECE@5, all in percent.

        A label that the classifier does not know cannot be found: it counts as missed.
        """
        points = self._asked(X, y, skip_unknown=True)
        with self._running(self.fitted_.seed):
            return self.fitted_.measure(points)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """P@1: the share of points whose best label is right."""
        points = self._asked(X, y, skip_unknown=True)
        with self._running(self.fitted_.seed):
            ranking, _ = self.fitted_.search(points, 1)
        right = hits(ranking, points.labels, points.n_labels)[:, 0]
        return float(np.average(right, weights=sample_weight))

    def explain(self, x: Any, label: Any, n: int = 10) -> list[tuple[Any, float]]:
        """The n features of one point that speak most for a label, or against it.

        Each has the amount by which the label's logit falls if the feature is left out.
        """
        points = self._asked([x] if isinstance(x, str) else x)
        if len(points) != 1:
            raise InputError(f"explain takes one point, not {len(points)}")
        fitted = self.fitted_
        with self._running(fitted.seed):
            ids, effects = explanation.effects(fitted.model, points, fitted.tags.id(label), n)
        names = fitted.texts.names if fitted.texts else range(fitted.n_features)
        return [(names[i], effect) for i, effect in zip(ids, effects, strict=True)]

    def neighbours(self, label: Any, n: int = 10) -> list[tuple[Any, float]]:
        """The n labels that are most similar to a label: the cosine of their feature weights."""
        check_is_fitted(self, "fitted_")
        fitted = self.fitted_
        with self._running(fitted.seed):
            ids, cosines = explanation.neighbours(fitted.model, fitted.tags.id(label), n)
        return list(zip(fitted.tags.names[ids].tolist(), cosines, strict=True))

    def save(
        self,
        folder: str | Path,
        *,
        dtype: str = "float16",
        prune: float | None = None,
        card: dict[str, Any] | None = None,
    ) -> None:
        """Write the model as a folder, which `hrrxml.load` reads.

        `dtype` is that of the weights on disk. `prune` drops this share of the linear path's
        weights, the smallest. `card` adds facts to the model card: name, data, licence, test.
        """
        check_is_fitted(self, "fitted_")
        storage.save(self, Path(folder), dtype=dtype, prune=prune, card=card or {})

    def describe(self) -> dict[str, Any]:
        """Sizes, what was chosen, and the metrics of the held-out points."""
        check_is_fitted(self, "fitted_")
        return storage.describe(self)

    @property
    def classes_(self) -> np.ndarray:
        return self.fitted_.tags.names

    @property
    def recipe_(self) -> recipe.Recipe:
        return self.fitted_.recipe

    def _check_parameters(self) -> None:
        if not 0 <= self.validation < 1:
            raise InputError(f"validation is {self.validation}; it is a share: 0 ≤ validation < 1")
        for name, least in (("dim", 2), ("hidden", 0), ("epochs", 1), ("n_jobs", 1)):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int | np.integer) or value < least):
                raise InputError(f"{name} is {value!r}; it must be a whole number from {least} up")

    def _given(self) -> dict[str, int | None]:
        return {"dim": self.dim, "hidden": self.hidden, "epochs": self.epochs}

    def _draft(
        self, X: Any, y: Any, classes: Sequence[Any] | None = None
    ) -> tuple[Fitted, Bags, Bags]:
        """A model that has yet to be trained, and the features and labels of its points."""
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        texts, scaling = None, None
        if inputs.are_texts(X):
            texts = inputs.Texts(self.vectorizer)
            features = texts.learn(X)
            self.n_features_in_ = len(texts.names)
        else:
            X, y = self._check_matrix(X, y)
            scaling = inputs.Scaling.learn(X)
            features = scaling(X)
        tags = Tags.learn(y, classes)
        labels = _encoded(tags, y, len(features))
        n_features = int(self.n_features_in_)
        nothing = torch.zeros(len(tags), dtype=torch.int64)
        none: Any = None  # set by `fit`
        return (
            Fitted(none, none, tags, texts, n_features, scaling, seed, nothing, 0),
            features,
            labels,
        )

    def _check_matrix(self, X: Any, y: Any) -> tuple[Any, Any]:
        """X and y as scikit-learn checks them. Tags checks labels in its own forms."""
        options: dict[str, Any] = {"accept_sparse": "csr", "dtype": np.float32}
        if y is None or form_of(y) == "single":
            X, y = validate_data(self, X, y, **options)
            check_classification_targets(y)
            return X, y
        return validate_data(self, X, **options), y

    def _divide(self, points: Points, seed: int) -> tuple[Points, Points | None]:
        """Training points, and held-out points if there are enough of them."""
        n = round(len(points) * self.validation)
        if n < FEW:
            return points, None
        order = torch.randperm(len(points), generator=torch.Generator().manual_seed(seed))
        return points.select(order[n:].sort().values), points.select(order[:n].sort().values)

    def _set(self, fitted: Fitted) -> None:
        self.fitted_ = fitted
        self._steps: Steps | None = None  # an optimiser belongs to one model

    def _asked(self, X: Any, y: Any = None, skip_unknown: bool = False) -> Points:
        """Points from what a user asks about, with labels if y is given."""
        check_is_fitted(self, "fitted_")
        fitted = self.fitted_
        if fitted.texts is not None:
            if len(X) and not inputs.are_texts(X):
                raise InputError("the model was trained on texts; give a list of texts")
            features = fitted.texts.features(X)
        elif inputs.are_texts(X):
            raise InputError("the model was trained on features, not on texts; give a matrix")
        else:
            X = validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float32)
            assert fitted.scaling is not None
            features = fitted.scaling(X)
        labels = None if y is None else _encoded(fitted.tags, y, len(features), skip_unknown)
        return fitted.points(features, labels)

    def _take_pass(self, points: Points) -> None:
        fitted = self.fitted_
        settings = fitted.recipe.train(fitted.seed)
        if self._steps is None:
            self._steps = Steps(fitted.model, settings, fitted.recipe.head())
            self._order = torch.Generator().manual_seed(fitted.seed)
        fitted.model.train()
        work = fitted.model.encoder.work(points)
        for rows in Batches(points, work, settings.batch_size, self._order).draw():
            self._steps.take(points.select(rows).to(fitted.model.device))
        counts = fitted.counts + torch.bincount(points.labels.ids, minlength=len(fitted.tags))
        n_points = fitted.n_points + len(points)
        self.fitted_ = replace(fitted, counts=counts, n_points=n_points).with_tail(fitted.tail)

    @contextmanager
    def _running(self, seed: int) -> Iterator[None]:
        """Own random numbers, the chosen number of threads, and progress bars if wanted."""
        threads = torch.get_num_threads()
        with torch.random.fork_rng(), progress.shown(self.verbose):
            torch.manual_seed(seed)
            torch.set_num_threads(self.n_jobs or threads)
            try:
                yield
            finally:
                torch.set_num_threads(threads)

    def __getstate__(self) -> dict[str, Any]:
        """For pickle: without the optimiser, whose generator cannot be pickled."""
        state = dict(super().__getstate__())
        state.pop("_order", None)
        return state | ({"_steps": None} if "_steps" in state else {})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.classifier_tags.multi_label = True
        return tags


def _encoded(tags: Tags, y: Any, n_points: int, skip_unknown: bool = False) -> Bags:
    labels = tags.encode(y, skip_unknown)
    if len(labels) != n_points:
        raise InputError(f"y has labels of {len(labels)} points, but X has {n_points} points")
    return labels


def _counted(fitted: Fitted, points: Points) -> Fitted:
    counts = torch.bincount(points.labels.ids, minlength=points.n_labels)
    return replace(fitted, counts=counts, n_points=len(points))


def _new_model(draft: Fitted, chosen: recipe.Recipe) -> Any:
    return network.make(chosen, draft.n_features, draft.counts, draft.n_points, draft.seed)


def _calibrated(fitted: Fitted, held_out: Points) -> Fitted:
    ranking, scores = fitted.search(held_out, 5)
    right = hits(ranking, held_out.labels, held_out.n_labels)
    return replace(fitted, calibration=calibration.fit(scores, right))


def _weights(sample_weight: Any, n_points: int) -> Tensor | None:
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float32)
    if weights.ndim == 0:
        weights = np.full(n_points, weights)
    if weights.shape != (n_points,):
        raise InputError(f"sample_weight has the shape {weights.shape} for {n_points} points")
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError("sample_weight must have finite numbers from 0 up")
    if not weights.any():
        raise InputError("sample_weight: all weights are zero; leave some points to learn from")
    return torch.from_numpy(weights)
