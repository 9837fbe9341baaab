"""Labels that are added after training: what their first examples teach, and what stays."""

import numpy as np
import pytest
import torch
from helpers.brute import codes

import hrrxml
from hrrxml.estimator.teaching import STRENGTH

TEXTS = ["a red apple", "a green apple", "a red car", "a fast car", "the green tree", "a tall tree"]
TAGS = [["fruit"], ["fruit"], ["car"], ["car"], ["plant"], ["plant"]]
NEW = ["a sour lemon", "lemon juice is sour"]


@pytest.fixture
def classifier() -> hrrxml.HolographicClassifier:
    """Three labels in a base of eight, so that five codes are free and orthogonal to theirs."""
    texts = [f"{text} lemon juice sour" if i == 0 else text for i, text in enumerate(TEXTS * 8)]
    return hrrxml.HolographicClassifier(dim=8).fit(texts, TAGS * 8)


def label_weights(clf: hrrxml.HolographicClassifier) -> np.ndarray:
    """V·c of every label: (features, labels)."""
    weight = clf.fitted_.model.head.output.shortcut.weight.detach().numpy().astype(float)
    return weight @ codes(clf).T


def teach(clf: hrrxml.HolographicClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a label and teach it, without the pass that follows."""
    clf.add_labels(["citrus"])
    monkeypatch.setattr("hrrxml.estimator.classifier.Batches.draw", lambda _: [])
    clf.partial_fit(NEW, [["citrus"]] * 2)


def test_the_weights_of_other_labels_stay(
    classifier: hrrxml.HolographicClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = label_weights(classifier)
    teach(classifier, monkeypatch)
    np.testing.assert_allclose(label_weights(classifier)[:, :3], before, atol=1e-5)


def test_a_new_label_has_the_direction_of_its_examples(
    classifier: hrrxml.HolographicClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths = np.linalg.norm(label_weights(classifier), axis=0)
    words = classifier.fitted_.texts
    features = words.features(NEW).to_csr(words.n_features).toarray().mean(0)
    direction = features - classifier.fitted_.seen.mean.numpy()
    free = codes(classifier.add_labels(["citrus"]))[3]
    weight = classifier.fitted_.model.head.output.shortcut.weight.detach().numpy()
    noise = weight @ free  # what the free code held before
    monkeypatch.setattr("hrrxml.estimator.classifier.Batches.draw", lambda _: [])
    classifier.partial_fit(NEW, [["citrus"]] * 2)
    taught = label_weights(classifier)[:, 3] - noise
    length = STRENGTH * np.median(lengths) * 2 / (2 + 1)  # of two examples
    expected = length * direction / np.linalg.norm(direction)
    np.testing.assert_allclose(taught, expected, atol=1e-4)


def test_two_examples_are_enough_to_be_found(classifier: hrrxml.HolographicClassifier) -> None:
    before = [row[0][0] for row in classifier.predict(TEXTS, k=1)]
    classifier.add_labels(["citrus"]).partial_fit(NEW, [["citrus"]] * 2)
    assert classifier.predict(["a lemon, very sour"], k=1)[0][0][0] == "citrus"
    assert [row[0][0] for row in classifier.predict(TEXTS, k=1)] == before


def test_a_label_is_taught_once(
    classifier: hrrxml.HolographicClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach(classifier, monkeypatch)
    before = label_weights(classifier)
    classifier.partial_fit(NEW, [["citrus"]] * 2)
    np.testing.assert_array_equal(label_weights(classifier), before)
    assert classifier.fitted_.seen.counts.tolist() == [16, 16, 16, 4]


def test_an_interrupted_pass_leaves_nothing_behind(
    classifier: hrrxml.HolographicClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    classifier.add_labels(["citrus"])
    before = {name: v.clone() for name, v in classifier.fitted_.model.state_dict().items()}

    def interrupt(*_: object) -> float:
        raise KeyboardInterrupt

    monkeypatch.setattr("hrrxml.training.step.Steps.take", interrupt)
    with pytest.raises(KeyboardInterrupt):
        classifier.partial_fit(NEW, [["citrus"]] * 2)
    monkeypatch.setattr("hrrxml.training.step.Steps.take", lambda *_: float("nan"))
    with pytest.raises(ValueError, match="the loss is nan; look for very large features"):
        classifier.partial_fit(NEW, [["citrus"]] * 2)
    for name, value in classifier.fitted_.model.state_dict().items():
        assert torch.equal(value, before[name]), name
    assert classifier.fitted_.seen.counts.tolist() == [16, 16, 16, 0]


def test_it_remembers_the_mean_of_all_points(classifier: hrrxml.HolographicClassifier) -> None:
    words = classifier.fitted_.texts
    texts = [f"{text} lemon juice sour" if i == 0 else text for i, text in enumerate(TEXTS * 8)]
    rows = words.features(texts + NEW).to_csr(words.n_features).toarray()
    classifier.add_labels(["citrus"]).partial_fit(NEW, [["citrus"]] * 2)
    torch.testing.assert_close(classifier.fitted_.seen.mean, torch.tensor(rows.mean(0)).float())
