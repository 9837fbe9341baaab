"""Labels that a classifier meets after training: a tenth of them, with 1, 5 and 20 examples each.

The classifier first learns all points without the hidden labels. `add_labels` gives the hidden
labels the next free codes, and one pass of `partial_fit` over their examples teaches them. `recall`
is the share of the test points' hidden labels that are among the best five, and `P@1` is over all
labels. `whole` is a classifier that knew all labels from the start.
"""

import tempfile
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

import hrrxml
from benchmarks import corpora
from benchmarks.corpora import Collection
from hrrxml.runtime.progress import bar

EXAMPLES = (1, 5, 20)
HIDDEN = 0.1  # share of the labels
SEED = 0


def measure(dataset: str = "wordnet") -> dict[str, Any]:
    collection, n_known = _hide(corpora.load(dataset))
    new = range(n_known, collection.labels.shape[1])
    whole = hrrxml.HolographicClassifier().fit(collection.inputs, collection.labels)
    known = collection.labels[:, :n_known]
    before = hrrxml.HolographicClassifier().fit(collection.inputs, known)
    result = {"whole": _judge(whole, collection, n_known)}
    result["before"] = _judge(before, collection, n_known)
    with tempfile.TemporaryDirectory() as folder:
        before.save(folder, dtype="float32")
        for n in bar(EXAMPLES, desc="new labels", unit="size"):
            after = hrrxml.load(folder).add_labels(new)
            rows = _examples(collection.labels, n_known, n)
            after.partial_fit(_rows(collection.inputs, rows), collection.labels[rows])
            result[f"{n} examples"] = _judge(after, collection, n_known) | {"points": len(rows)}
    return result | {"labels": collection.labels.shape[1], "hidden": len(new)}


def _hide(collection: Collection) -> tuple[Collection, int]:
    """The same points with the hidden labels last, and the number of labels before them."""
    often = np.flatnonzero(np.asarray(collection.labels.sum(0)).ravel() >= max(EXAMPLES))
    n_labels = collection.labels.shape[1]
    n_hidden = min(round(HIDDEN * n_labels), len(often))
    hidden = np.random.default_rng(SEED).choice(often, n_hidden, replace=False)
    order = np.concatenate([np.setdiff1d(np.arange(n_labels), hidden), hidden])
    labels, test = (m[:, order].tocsr() for m in (collection.labels, collection.test_labels))
    moved = Collection(collection.inputs, labels, collection.test_inputs, test)
    return moved, n_labels - n_hidden


def _examples(labels: csr_matrix, n_known: int, n: int) -> np.ndarray:
    """Rows with n examples of each hidden label; some rows serve several labels."""
    generator, by_label = np.random.default_rng(SEED), labels[:, n_known:].tocsc()
    chosen = [
        generator.choice(by_label.indices[start:end], n, replace=False)
        for start, end in zip(by_label.indptr[:-1], by_label.indptr[1:], strict=True)
    ]
    return np.unique(np.concatenate(chosen))


def _rows(inputs: Any, rows: np.ndarray) -> Any:
    return [inputs[row] for row in rows] if isinstance(inputs, list) else inputs[rows]


def _judge(classifier: Any, collection: Collection, n_known: int) -> dict[str, float]:
    """Percentages on the test points."""
    answers = classifier.predict(collection.test_inputs, k=5)
    truth = [set(row.indices.tolist()) for row in collection.test_labels]
    first = [row[0][0] in right for row, right in zip(answers, truth, strict=True)]
    wanted = [{label for label in right if label >= n_known} for right in truth]
    found = sum(
        len(right & {label for label, _ in row}) for row, right in zip(answers, wanted, strict=True)
    )
    recall = 100 * found / max(1, sum(map(len, wanted)))
    return {"P@1": round(100 * float(np.mean(first)), 2), "recall": round(recall, 2)}
