"""A multi-label classifier for texts or sparse features, with scikit-learn's conventions.

clf = hrrxml.HolographicClassifier().fit(texts, tags)
clf.predict(["how do I clean a cast iron pan"], k=5)    # [[(label, probability), …]]
clf.save("model"); hrrxml.load("model")
"""

import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.estimator import (
    checks,
    explanation,
    fitting,
    given_labels,
    inputs,
    network,
    origin,
    recipe,
    storage,
    teaching,
)
from hrrxml.estimator.fitted import Fitted, hits
from hrrxml.estimator.given_labels import GivenLabels
from hrrxml.estimator.seen import Seen
from hrrxml.estimator.tags import Tags
from hrrxml.runtime import progress
from hrrxml.runtime.errors import InputError
from hrrxml.training import distributed
from hrrxml.training.loop import Batches
from hrrxml.training.step import Steps


class HolographicClassifier(ClassifierMixin, BaseEstimator):
    """Learns to tag points with any number of labels.

    Each label has a fixed code of `dim` numbers, which is drawn from `random_state` and needs no
    memory. The network predicts a sum of codes, and trains on all labels at once.

    Parameters
    ----------
    dim : outputs of the network; by default as many as there are labels, up to a limit
    hidden : width of two hidden layers beside the linear path from the features; 0 for none. By
        default they are tried where there are many points for each feature, and held-out points
        decide
    epochs : passes over the data, at most; training stops when the held-out points no longer gain
    validation : share of the points to hold out; by default a tenth, but no more than 2,500 points.
        They are not trained on. They decide when training stops, how far rare labels are favoured,
        and the probabilities. If fewer than 20 of them had labels, none is held out
    vectorizer : how texts become features: None for tf-idf of words and, in short texts, of pairs
        of adjacent words; a function from a text to its terms; or an object with scikit-learn's
        `fit_transform` and `transform`
    random_state : seed of the codes, the held-out points and the order of the points
    n_jobs : threads; −1 for all processors, None for torch's default
    verbose : progress bars: True, False, or None for a terminal alone

    Attributes
    ----------
    classes_ : the labels, by id
    recipe_ : what was chosen for this data
    vectorizer_ : the fitted copy of `vectorizer`
    curve_ : one entry per epoch: the loss, and of the held-out points P@1 and `judged`: nDCG@5 with
        the tail that suits the epoch best
    validation_ : metrics of the held-out points, in percent; empty if none were held out, or if
        `partial_fit` or `add_labels` has changed the model since
    """

    def __init__(
        self,
        dim: int | None = None,
        *,
        hidden: int | None = None,
        epochs: int | None = None,
        validation: float | None = None,
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
        `sample_weight` weighs the points in the loss, and nowhere else.
        """
        with self._all_or_nothing(), progress.shown(self.verbose):
            self._check_parameters()
            draft, features, labels = self._draft(X, y)
            points = draft.points(features, labels, checks.weights(sample_weight, len(features)))
            with self._training(draft.seed):
                learned = fitting.learn(draft, points, self._given(), self.validation)
            self._set(learned.fitted)
            self.card_: dict[str, Any] = {}  # what a user has stated about the model
            self.validation_, self.curve_ = learned.validation, learned.curve
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Iterable[Any] | None = None, sample_weight: Any = None
    ) -> Self:
        """Take one pass over the given points.

        The first call of an unfitted classifier fixes the vocabulary from X, and the labels from
        `classes` (or from y). `add_labels` adds labels later; their first examples teach them at
        once, before the pass. The probabilities stay calibrated as
        they were: by `fit`, or not at all.
        """
        with self._all_or_nothing(), progress.shown(self.verbose):
            X, y = checks.listed("X", X), given_labels.plain(y)
            if not hasattr(self, "fitted_"):
                self._begin(X, y, classes)
            points = self._labelled(X, given_labels.read(y))
            points = replace(points, weights=checks.weights(sample_weight, len(points)))
            with self._training(self.fitted_.seed):
                self._take_pass(points)
            self._forget_metrics()
        return self

    def add_labels(self, labels: Iterable[Any]) -> Self:
        """Give new labels the next free codes. All other labels stay as they are."""
        check_is_fitted(self, "fitted_")
        added = checks.labels("labels", labels)
        with self._training(self.fitted_.seed):
            self._set(self.fitted_.extended(added))
        self._forget_metrics()
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
        with self._asking():
            if k is None and threshold is None and among is None:
                return self.fitted_.plain(points)
            return self.fitted_.answers(points, k, threshold, among)

    def evaluate(self, X: Any, y: Any) -> dict[str, float]:
        """P@1 … PSnDCG@5 and the calibration errors ECE@1 and ECE@5, all in percent.

        A label that the classifier does not know cannot be found: it counts as missed.
        """
        points, truth = self._judged(X, y)
        with self._asking():
            return self.fitted_.measure(points, truth)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """P@1: the share of points whose best label is right."""
        points, truth = self._judged(X, y)
        with self._asking():
            ranking, _ = self.fitted_.search(points, 1)
        weights = checks.weights(sample_weight, len(points))
        return float(np.average(hits(ranking, truth)[:, 0], weights=weights))

    def explain(self, x: Any, label: Any, n: int = 10) -> list[tuple[Any, float]]:
        """The n features of one point that speak most for a label, or against it.

        Each has the amount by which the label's logit falls if the feature is left out, and the
        other features keep their weights.
        """
        n = checks.whole("n", n, 1)
        points = self._asked([x] if isinstance(x, str) else x)
        if len(points) != 1:
            raise InputError(f"explain takes one point, not {len(points)}")
        fitted = self.fitted_
        with self._asking():
            ids, effects = explanation.effects(fitted.model, points, fitted.tags.id(label), n)
        columns = getattr(self, "feature_names_in_", range(fitted.n_features))
        names = columns if fitted.texts is None else fitted.texts.names
        return [(names[i], effect) for i, effect in zip(ids, effects, strict=True)]

    def neighbours(self, label: Any, n: int = 10) -> list[tuple[Any, float]]:
        """The n labels that are most similar to a label: the cosine of their feature weights."""
        check_is_fitted(self, "fitted_")
        n, fitted = checks.whole("n", n, 1), self.fitted_
        with self._asking():
            place, lengths = fitted.tags.id(label), fitted.lengths
            ids, cosines = explanation.neighbours(fitted.model, place, n, lengths)
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
        weights, the smallest. `card` adds facts to the model card: name, data, licence, test. A
        model in the folder is replaced, and a failure leaves it as it was.
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

    @property
    def vectorizer_(self) -> Any:
        return None if self.fitted_.texts is None else self.fitted_.texts.vectorizer

    def _check_parameters(self) -> None:
        share = self.validation
        if share is not None and not 0 <= checks.number("validation", share) < 1:
            raise InputError(f"validation is {self.validation}; it is a share: 0 ≤ validation < 1")
        for name, least in (("dim", 2), ("hidden", 0), ("epochs", 1)):
            if getattr(self, name) is not None:
                checks.whole(name, getattr(self, name), least)
        if self.n_jobs is not None and self.n_jobs != -1:
            checks.whole("n_jobs", self.n_jobs, 1)
        made = self.vectorizer
        is_object = hasattr(made, "transform") and hasattr(made, "fit_transform")
        if isinstance(made, type) or not (made is None or is_object or callable(made)):
            raise InputError(
                f"vectorizer is {made!r}; give a function from a text to its terms, or an object "
                "with fit_transform and transform"
            )

    def _given(self) -> dict[str, int | None]:
        given = {"dim": self.dim, "hidden": self.hidden, "epochs": self.epochs}
        return {name: None if value is None else int(value) for name, value in given.items()}

    def _draft(
        self, X: Any, y: Any, classes: Iterable[Any] | None = None
    ) -> tuple[Fitted, Bags, Bags]:
        """A model that has yet to be trained, and the features and labels of its points."""
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        X = checks.listed("X", X)
        if isinstance(X, list | tuple) and not X:
            raise InputError("X is empty; give at least one point")
        are_texts, texts, scaling = inputs.are_texts(X), None, None
        if not are_texts:
            X, y = self._check_matrix(X, y)
        labels = given_labels.read(y)
        tags = Tags.learn(labels, classes)
        encoded = _encoded(tags, labels, len(X) if are_texts else X.shape[0])
        if are_texts:
            texts = inputs.Texts(self.vectorizer)
            features = texts.learn(X)
            self.n_features_in_ = texts.n_features
        else:
            scaling = inputs.Scaling.learn(X)
            features = scaling(X)
        n_features = int(self.n_features_in_)
        seen = Seen.nothing(len(tags), n_features)
        none: Any = None  # set by `fit`
        rest = (n_features, scaling, seed, seen, origin.this_library())
        return Fitted(none, none, tags, texts, *rest), features, encoded

    def _check_matrix(self, X: Any, y: Any) -> tuple[Any, Any]:
        """X, and y with one label per point, as scikit-learn checks them."""
        options: dict[str, Any] = {"accept_sparse": "csr", "dtype": np.float32}
        y = None if y is None else given_labels.plain(y)
        if isinstance(y, list) or (isinstance(y, np.ndarray) and y.dtype.kind == "O"):
            given_labels.read(y).check()  # numpy would make strings of all, if one is a string
        if y is None or given_labels.form_of(y) == "single":
            return validate_data(self, X, y, **options)
        return validate_data(self, X, **options), y

    def _begin(self, X: Any, y: Any, classes: Iterable[Any] | None) -> None:
        """A model that knows its vocabulary and its labels, and nothing else."""
        self._check_parameters()
        draft, features, labels = self._draft(X, y, classes)
        points = draft.points(features, labels)
        chosen = recipe.choose_for(points, self._given())
        with self._training(draft.seed):
            model = network.make(chosen, draft.seen.plus(points), draft.seed)
        self._set(replace(draft, model=model, recipe=chosen))
        self.card_, self.validation_, self.curve_ = {}, {}, []

    def _set(self, fitted: Fitted) -> None:
        self.fitted_ = fitted
        self._steps: Steps | None = None  # an optimiser belongs to one model

    def _forget_metrics(self) -> None:
        """The model has changed since it was measured."""
        self.validation_ = {}
        self.card_ = {name: value for name, value in self.card_.items() if name != "test"}

    def _asked(self, X: Any) -> Points:
        """Points from what a user asks about, without labels."""
        check_is_fitted(self, "fitted_")
        fitted, X = self.fitted_, checks.listed("X", X)
        if fitted.texts is not None:
            is_empty = isinstance(X, list | tuple) and not X
            if not is_empty and not inputs.are_texts(X):
                raise InputError("the model was trained on texts; give a list of texts")
            with progress.shown(self.verbose):
                return fitted.points(fitted.texts.features(X))
        if inputs.are_texts(X):
            raise InputError("the model was trained on features, not on texts; give a matrix")
        options: dict[str, Any] = {"accept_sparse": "csr", "dtype": np.float32}
        X = validate_data(self, X, reset=False, ensure_min_samples=0, **options)
        assert fitted.scaling is not None
        return fitted.points(fitted.scaling(X))

    def _labelled(self, X: Any, labels: GivenLabels) -> Points:
        """Points with labels that the classifier knows."""
        points = self._asked(X)
        return replace(points, labels=_encoded(self.fitted_.tags, labels, len(points)))

    def _judged(self, X: Any, y: Any) -> tuple[Points, Any]:
        """Points, and the indicator matrix of their labels, known and unknown."""
        points, labels = self._asked(X), given_labels.read(y)
        tags = self.fitted_.tags.with_unknown(labels)
        truth = _encoded(tags, labels, len(points)).to_csr(len(tags))
        if len(points) == 0:
            raise InputError("there are no points to measure on; give some")
        return points, truth

    def _take_pass(self, points: Points) -> None:
        fitted = self.fitted_
        before = {name: value.clone() for name, value in fitted.model.state_dict().items()}
        try:
            self._take_steps(fitted, points)
        except BaseException:  # an interrupted pass leaves nothing behind
            fitted.model.load_state_dict(before)
            self._steps = None
            raise
        self.fitted_ = replace(fitted, seen=fitted.seen.plus(points)).with_tail(fitted.tail)

    def _take_steps(self, fitted: Fitted, points: Points) -> None:
        teaching.teach_unseen(fitted.model, points, fitted.seen)
        settings = fitted.recipe.train(fitted.seed)
        if self._steps is None:
            self._steps = Steps(fitted.model, settings, fitted.recipe.head())
            self._order = torch.Generator().manual_seed(fitted.seed)
        fitted.model.train()
        work = fitted.model.encoder.work(points)
        batches = Batches(points, work, settings.batch_size, self._order).draw()
        for rows in progress.bar(batches, desc="partial fit", unit="batch", leave=False):
            loss = self._steps.take(points.select(rows).to(fitted.model.device))
            if not math.isfinite(loss):
                raise InputError(f"the loss is {loss}; look for very large features or weights")

    @contextmanager
    def _training(self, seed: int) -> Iterator[None]:
        """As `_asking`, with random numbers of its own."""
        devices = [torch.cuda.current_device()] if torch.cuda.is_available() else []
        with torch.random.fork_rng(devices), self._asking():
            torch.manual_seed(seed)
            yield

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """The chosen number of threads, progress bars if wanted, and no other process's help."""
        threads = torch.get_num_threads()
        with distributed.alone(), progress.shown(self.verbose):
            all_cores = os.cpu_count() or 1
            torch.set_num_threads(all_cores if self.n_jobs == -1 else int(self.n_jobs or threads))
            try:
                yield
            finally:
                torch.set_num_threads(threads)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """A block that fails leaves the classifier as it was, fitted or not.

        Only a pass of `partial_fit` that is interrupted leaves some of its steps behind.
        """
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

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


def _encoded(tags: Tags, labels: GivenLabels, n_points: int) -> Bags:
    if len(labels) != n_points:
        raise InputError(f"y has labels of {len(labels)} points, but X has {n_points} points")
    return tags.encode(labels)
