"""Predict with a run of the pipeline: any encoder and any head that params.yaml names.

    run = load_run("wordnet-holographic-fc")
    run.predict(["a small domesticated feline"], k=5)

The scores are the head's own. They rank labels, and are not probabilities.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from hrrxml import heads, model
from hrrxml.config import params, paths
from hrrxml.config.schema import Params, Run
from hrrxml.data.bags import Bags
from hrrxml.data.tokens import FIRST_WORD
from hrrxml.datasets import names
from hrrxml.datasets.names import Names
from hrrxml.runtime.device import choose_device
from hrrxml.runtime.errors import UserError
from hrrxml.training import distributed

PROBES = 1000  # words that labels are compared by


def load_run(name: str, seed: int | None = None, root: Path = Path(".")) -> "TrainedRun":
    """The model that `dvc repro` trained for one run and seed; by default the run's first seed."""
    run, settings = _find(name, root)
    seed = _seed(name, settings, seed)
    known = _names(name, run.dataset, root)
    weights, labels = files_of(name, seed, root)
    if not weights.exists() or not labels.exists():
        raise _untrained(name, weights if labels.exists() else labels)
    assert known.words is not None
    tables, checksum = heads.load_tables(labels, known.n_labels)
    sizes = known.words.points([""], known.n_labels)  # a model needs nothing else of its points
    network = model.build(run, settings, sizes, tables)
    model.load_weights(network, weights, checksum)
    network.to(choose_device(settings.train.device)).eval()
    facts = {"run": name, "seed": seed} | _facts(run, settings, root / paths.metrics(name), seed)
    return TrainedRun(network, known, facts)


class TrainedRun:
    """A trained model with the words it reads and the names of its labels."""

    def __init__(self, network: model.Model, known: Names, facts: dict[str, Any]) -> None:
        assert known.words is not None
        self.network = network
        self.words = known.words
        self.classes_ = np.array(known.unique_labels(), dtype=object)
        self._ids = {label: i for i, label in enumerate(self.classes_)}
        self._facts = facts

    def predict(
        self,
        texts: Sequence[str],
        k: int | None = 5,
        threshold: float | None = None,
        among: Iterable[str] | None = None,
    ) -> list[list[tuple[str, float]]]:
        """The k best labels of each text with their scores, best first.

        `threshold` is the least score of a label, and `among` names the labels to choose from.
        With k=None, all labels are ranked.
        """
        _check_texts(texts)
        if k is not None and k < 1:
            raise UserError(f"k is {k}; it must be a whole number from 1 up")
        allowed = None if among is None else self._mask(among)
        k = len(self.classes_) if k is None else min(k, len(self.classes_))
        least = -float("inf") if threshold is None else threshold
        answers: list[list[tuple[str, float]]] = [[] for _ in texts]
        if not texts:
            return answers
        points = self.words.points(texts, len(self.classes_))
        with distributed.alone():
            found = list(self.network.search(points, k, allowed))
        for rows, ids, scores in found:
            for row, best, values in zip(rows.tolist(), ids.tolist(), scores.tolist(), strict=True):
                answers[row] = [
                    (self.classes_[i], value)
                    for i, value in zip(best, values, strict=True)
                    if value >= least and value > -float("inf")
                ]
        return answers

    @torch.no_grad()
    def explain(self, text: str, label: str, n: int = 10) -> list[tuple[str, float]]:
        """The n words with the largest effect on a label's score, and their effects.

        An effect is the amount by which the score falls if all occurrences of the word are left
        out. Words outside the vocabulary are not listed: to the model they are all the same.
        """
        _check_texts([text])
        if n < 1:
            raise UserError(f"n is {n}; it must be a whole number from 1 up")
        column = self._id(label)
        tokens = self.words.tokens([text]).ids
        words = [i for i in tokens.unique().tolist() if i >= FIRST_WORD]
        if not words:
            return []
        whole = self._scores([tokens], column)
        blocks = torch.tensor(words).split(self.network.ranked_at_once())
        others = [self._scores([tokens[tokens != w] for w in block], column) for block in blocks]
        effects = whole - torch.cat(others)  # (words,)
        largest = effects.abs().argsort(descending=True, stable=True)[:n]
        order = largest[effects[largest].argsort(descending=True, stable=True)]
        spelled = [self.words.vocabulary[words[i] - FIRST_WORD] for i in order.tolist()]
        return list(zip(spelled, effects[order].tolist(), strict=True))

    @torch.no_grad()
    def neighbours(self, label: str, n: int = 10) -> list[tuple[str, float]]:
        """The n labels that answer most like a label, and how much: a correlation.

        It is that of two labels' scores over the most frequent words, each a text of its own. A
        word's mean over all labels is taken off, since it says nothing about one of them. So any
        encoder and any head can be asked.
        """
        if n < 1:
            raise UserError(f"n is {n}; it must be a whole number from 1 up")
        column, words = self._id(label), self.words.idf.argsort(stable=True)[:PROBES]
        sums = torch.zeros(3, len(self.classes_), dtype=torch.float64)
        for block in words.split(self.network.ranked_at_once()):
            scores = self._all_scores([word[None] + FIRST_WORD for word in block])
            scores -= scores.mean(1, keepdim=True)  # (words, labels)
            sums += torch.stack([scores.sum(0), scores.square().sum(0), scores[:, column] @ scores])
        mean, square, product = sums / len(words)
        variance = square - mean**2
        deviations = (variance * variance[column]).clamp_min(1e-24).sqrt()
        likeness = (product - mean * mean[column]) / deviations
        likeness[column] = -torch.inf
        best = likeness.topk(min(n, len(likeness) - 1))
        names = self.classes_[best.indices.numpy()]
        return list(zip(names.tolist(), best.values.tolist(), strict=True))

    def describe(self) -> dict[str, Any]:
        """The run, its sizes and settings, and its metrics on the test split if it has any."""
        sizes = {"features": len(self.words.vocabulary), "labels": len(self.classes_)}
        return self._facts | sizes | {"parameters": self.network.count_parameters()}

    def _scores(self, texts: Sequence[Tensor], label: int) -> Tensor:
        """The scores of one label for texts given by their tokens: (texts,)."""
        return self._all_scores(texts)[:, label]

    def _all_scores(self, texts: Sequence[Tensor]) -> Tensor:
        """The scores of all labels for texts given by their tokens: (texts, labels)."""
        tokens = Bags.from_lists([text.tolist() for text in texts])
        n_labels = len(self.classes_)
        points = self.words.label(tokens, Bags.from_lists([[]] * len(texts)), n_labels)
        batch = points.select(torch.arange(len(points))).to(self.network.device)
        with distributed.alone():
            return self.network.scores(batch).cpu()

    def _id(self, label: str) -> int:
        if label not in self._ids:
            raise UserError(f"no label {label!r}; `hrrxml info --labels` lists all of them")
        return self._ids[label]

    def _mask(self, labels: Iterable[str]) -> Tensor:
        """True for the labels of these names: (labels,)."""
        ids = [self._id(label) for label in labels]
        if not ids:
            raise UserError("among has no labels; give one or more")
        mask = torch.zeros(len(self.classes_), dtype=torch.bool, device=self.network.device)
        mask[ids] = True
        return mask


def _find(name: str, root: Path) -> tuple[Run, Params]:
    path = root / params.PATH
    runs = params.load(path).runs
    if name not in runs:
        cure = f"its runs are {', '.join(runs)}" if runs else "it has no runs"
        raise UserError(f"{path}: no run {name!r}; {cure}")
    return params.load_run(name, path)


def files_of(name: str, seed: int | None = None, root: Path = Path(".")) -> tuple[Path, Path]:
    """The trained weights of a run, and its label tables; they need not be there."""
    seed = _seed(name, _find(name, root)[1], seed)
    return root / paths.model(name, seed), root / paths.labels(name, seed)


def _seed(name: str, settings: Params, seed: int | None) -> int:
    """The seed itself if the run has it; its first one for None."""
    seeds = list(settings.train.all_seeds)
    if seed is not None and seed not in seeds:
        raise UserError(f"{name}: no seed {seed}; it has {', '.join(map(str, seeds))}")
    return seeds[0] if seed is None else seed


def _names(run: str, dataset: str, root: Path) -> Names:
    path = root / paths.names(dataset)
    if not path.exists():
        raise _untrained(run, path)
    known = names.load(path)
    if known.words is None:
        raise UserError(
            f"{run}: its dataset {dataset} has numbered features and no texts, so there is no "
            f"vocabulary to read a text with; choose a run on a dataset of texts"
        )
    return known


def _untrained(run: str, missing: Path) -> UserError:
    return UserError(f"{run}: not trained yet ({missing} is missing); run `dvc repro train@{run}`")


def _facts(run: Run, settings: Params, results: Path, seed: int) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "dataset": run.dataset,
        "encoder": run.encoder,
        "head": run.head,
        "inputs": "texts",
        "scores": "the head's own, not probabilities",
        "settings": params.sections_of(run, settings),
    }
    if results.exists():
        place = list(settings.train.all_seeds).index(seed)
        measured = json.loads(results.read_text())["metrics"]
        facts["metrics"] = {name: values[place] for name, values in measured.items()}
    return facts


def _check_texts(texts: Any) -> None:
    if isinstance(texts, str):
        raise UserError("the texts are one string; give a list of texts")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise UserError(f"text {place} is {type(text).__name__}, not a text")
