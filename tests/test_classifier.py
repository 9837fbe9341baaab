"""HolographicClassifier's answers are those of a computation by hand, and are repeatable."""

import itertools
from typing import Any

import napkinxc.metrics as oracle
import numpy as np
import pytest
import torch
from helpers import brute
from helpers.command import questions
from scipy.sparse import csr_matrix
from sklearn.datasets import make_multilabel_classification
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import MultiLabelBinarizer, normalize

import hrrxml
from hrrxml import HolographicClassifier
from hrrxml.estimator import explanation, fitted

TEXTS = [text for text, _ in questions()]
TAGS = [tags for _, tags in questions()]
PAN = "my iron skillet has rust and soap"
KNIFE = "sharpen the steel blade"
LABELS = 30


def data() -> tuple[csr_matrix, np.ndarray]:
    """400 points with 40 counts each, and 30 labels; label 7 has no example."""
    X, Y = make_multilabel_classification(
        400, 40, n_classes=LABELS, n_labels=3, sparse=True, length=12, random_state=0
    )
    Y[:, 7] = 0
    return csr_matrix(X), Y


@pytest.fixture(scope="module", params=[0, 16], ids=["linear", "hidden"])
def clf(request: pytest.FixtureRequest) -> HolographicClassifier:
    """Four bases of eight numbers, both kinds of network, and rare labels favoured."""
    X, Y = data()
    clf = HolographicClassifier(dim=8, hidden=request.param, epochs=8).fit(X, Y)
    clf.fitted_ = clf.fitted_.with_tail(0.3)
    return clf


@pytest.fixture(scope="module")
def kitchen() -> HolographicClassifier:
    return HolographicClassifier().fit(TEXTS, TAGS)


def by_hand(clf: HolographicClassifier) -> np.ndarray:
    X, Y = data()
    return brute.probabilities(clf, normalize(X).toarray(), Y)


def as_matrix(answers: list[list[tuple[Any, float]]]) -> np.ndarray:
    """The probabilities of all labels, −1 where a label was not given."""
    matrix = np.full((len(answers), LABELS), -1.0)
    for row, pairs in zip(matrix, answers, strict=True):
        for label, probability in pairs:
            row[label] = probability
    return matrix


# answers


def test_probabilities_are_those_by_hand(clf: HolographicClassifier) -> None:
    answers = clf.predict(data()[0], k=LABELS)
    np.testing.assert_allclose(as_matrix(answers), by_hand(clf), atol=1e-5)
    assert all(len(row) == LABELS for row in answers)
    assert all(a[1] >= b[1] for row in answers for a, b in itertools.pairwise(row))
    assert answers == clf.predict(data()[0], threshold=0)
    assert answers == clf.predict(data()[0], k=10**9)


def test_k_takes_the_first_of_all(clf: HolographicClassifier) -> None:
    everything = clf.predict(data()[0], k=LABELS)
    for k in (1, 5, np.int64(17)):
        answers = clf.predict(data()[0], k=k)
        assert [[label for label, _ in row] for row in answers] == [
            [label for label, _ in row[:k]] for row in everything
        ]
        expected = np.where(as_matrix(answers) < 0, -1, as_matrix(everything))
        np.testing.assert_allclose(as_matrix(answers), expected, atol=1e-6)


@pytest.mark.parametrize("threshold", [0.01, 0.1, 0.5, 0.9, 1])
def test_a_threshold_is_the_least_probability(
    clf: HolographicClassifier, threshold: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitted, "FIRST", 2)  # several rounds
    monkeypatch.setattr(fitted, "AT_ONCE", 50)  # several blocks
    answers, expected = clf.predict(data()[0], threshold=threshold), by_hand(clf)
    assert all(probability >= threshold for row in answers for _, probability in row)
    shown = as_matrix(answers) >= 0
    clear = np.abs(expected - threshold) > 1e-5
    assert (shown == (expected >= threshold))[clear].all()
    limited = clf.predict(data()[0], threshold=threshold, k=2)
    assert [[pair[0] for pair in row] for row in limited] == [
        [pair[0] for pair in row[:2]] for row in answers
    ]


def test_what_is_shown_as_certain_passes_a_threshold_of_one() -> None:
    clf = HolographicClassifier(epochs=1).fit(TEXTS, TAGS)
    bias = clf.fitted_.model.head.bias
    with torch.no_grad():
        bias[0] = 1e4
    (pairs,) = clf.predict([PAN], threshold=1)
    assert pairs == [(clf.classes_[0], 1.0)]


def test_among_restricts_the_search(clf: HolographicClassifier) -> None:
    expected = by_hand(clf)
    for chosen in ([3], [29, 0, 7], range(0, LABELS, 2), np.array([4, 4, 5]), {8, 9}):
        allowed = np.zeros(LABELS, dtype=bool)
        allowed[list(chosen)] = True
        answers = clf.predict(data()[0], k=LABELS, among=chosen)
        np.testing.assert_allclose(as_matrix(answers), np.where(allowed, expected, -1), atol=1e-5)
        assert clf.predict(data()[0], threshold=0, among=chosen) == answers
    assert all(len(row) == 5 for row in clf.predict(data()[0], among=range(9)))


def test_without_options_the_labels_have_the_form_of_y(clf: HolographicClassifier) -> None:
    X, Y = data()
    expected = by_hand(clf) >= 0.5
    assert (clf.predict(X) == expected).all()
    sparse = HolographicClassifier(dim=8, epochs=2).fit(X, csr_matrix(Y)).predict(X)
    assert isinstance(sparse, csr_matrix)
    lists = HolographicClassifier(dim=8, epochs=2).fit(X, [np.flatnonzero(row) for row in Y])
    assert [[*map(int, row)] for row in lists.predict(X)] == [
        [label for label, _ in row] for row in lists.predict(X, threshold=0.5)
    ]
    single = HolographicClassifier(dim=8, epochs=2).fit(X, Y.argmax(1))
    best = [row[0][0] for row in single.predict(X, k=1)]
    assert single.predict(X).tolist() == best


def test_texts_are_weighted_as_scikit_learn_does(kitchen: HolographicClassifier) -> None:
    """Its oracle has the words, and after them the pairs of two texts or more."""
    counts = make_union(CountVectorizer(), CountVectorizer(ngram_range=(2, 2), min_df=2))
    vectorizer = make_pipeline(counts, TfidfTransformer(sublinear_tf=True)).fit(TEXTS)
    Y = MultiLabelBinarizer(classes=kitchen.classes_).fit_transform(TAGS)
    features = vectorizer.transform([PAN, "unheard of", ""]).toarray()
    expected = brute.probabilities(kitchen, features, Y)
    for row, pairs in zip(expected, kitchen.predict([PAN, "unheard of", ""], k=5), strict=True):
        given = [dict(pairs)[label] for label in kitchen.classes_]
        np.testing.assert_allclose(given, row, atol=1e-5)


# explanations


def test_an_effect_is_what_the_logit_loses_without_the_feature(
    clf: HolographicClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explanation, "BLOCK", 3)  # several blocks
    X = data()[0]
    x = normalize(X)[5].toarray()
    whole = brute.logits(clf, x)[0]
    expected = {}
    for feature in np.flatnonzero(x):
        without = x.copy()
        without[0, feature] = 0
        expected[feature] = whole - brute.logits(clf, without)[0]
    for label in (0, 7, 29):
        effects = clf.explain(X[5], label, n=LABELS)
        assert {feature for feature, _ in effects} == set(expected)
        for feature, effect in effects:
            assert effect == pytest.approx(expected[feature][label], abs=1e-5)
        assert effects == sorted(effects, key=lambda pair: -pair[1])
        largest = sorted(effects, key=lambda pair: -abs(pair[1]))[:2]
        assert {pair[0] for pair in clf.explain(X[5], label, n=2)} == {p[0] for p in largest}


def test_words_speak_for_a_label(kitchen: HolographicClassifier) -> None:
    effects = dict(kitchen.explain(PAN, "cast-iron"))
    words = {"my", "iron", "skillet", "rust", "and", "soap"}  # "has" is unknown
    assert set(effects) == words | {"my iron", "rust and"}
    assert min(effects["iron"], effects["skillet"], effects["rust"]) > 0.5
    assert kitchen.explain(["qwertz"], "bread") == []
    assert kitchen.explain("", "bread") == []


def test_a_long_text_is_explained_in_little_memory() -> None:
    words = [f"word{i}" for i in range(60_000)]  # a square of it would take 3.6 GB
    texts = [" ".join(words), "word1 word2"]
    clf = HolographicClassifier(epochs=1, hidden=8).fit(texts, ["a", "b"])
    assert len(clf.explain(texts[0], "a", n=100_000)) == 60_000  # long texts have no pairs


def test_neighbours_have_similar_feature_weights(clf: HolographicClassifier) -> None:
    path = clf.fitted_.model.head.output.shortcut.weight.detach().numpy()
    weights = path @ brute.codes(clf).T  # (features, labels)
    weights /= np.linalg.norm(weights, axis=0)
    expected = weights.T @ weights[:, 3]
    answers = clf.neighbours(3, n=100)
    assert len(answers) == LABELS - 1
    for label, cosine in answers:
        assert cosine == pytest.approx(expected[label], abs=1e-5)
    assert answers == sorted(answers, key=lambda pair: -pair[1])
    assert [label for label, _ in clf.neighbours(3, n=4)] == [label for label, _ in answers[:4]]


def test_neighbours_are_those_of_the_weights_as_they_are_now() -> None:
    """What is kept between two questions is forgotten when the model learns."""
    X, Y = data()
    clf = HolographicClassifier(epochs=1).fit(X, Y)
    before = clf.neighbours(3)
    clf.partial_fit(X, Y)
    clf.add_labels([LABELS])
    path = clf.fitted_.model.head.output.shortcut.weight.detach().numpy()
    weights = path @ brute.codes(clf).T
    weights /= np.linalg.norm(weights, axis=0)
    after = clf.neighbours(3)
    assert after != before
    for label, cosine in after:
        assert cosine == pytest.approx(weights[:, label] @ weights[:, 3], abs=1e-5)


# metrics


def test_metrics_are_napkinxcs(clf: HolographicClassifier) -> None:
    X, Y = data()
    measured = clf.evaluate(X, Y)
    ranking = np.argsort(-by_hand(clf), axis=1)[:, :5].tolist()
    inverse = oracle.Jain_et_al_inverse_propensity(csr_matrix(Y))
    for name, values in {
        "P": oracle.precision_at_k(Y, ranking, k=5),
        "nDCG": oracle.ndcg_at_k(Y, ranking, k=5),
        "PSP": oracle.psprecision_at_k(csr_matrix(Y), ranking, inverse, k=5),
        "PSnDCG": oracle.psndcg_at_k(csr_matrix(Y), ranking, inverse, k=5),
    }.items():
        for k, value in enumerate(values, start=1):
            assert measured[f"{name}@{k}"] == pytest.approx(100 * value, abs=0.006)
    assert clf.score(X, Y) == pytest.approx(measured["P@1"] / 100, abs=1e-4)


def test_an_unknown_label_counts_as_missed(kitchen: HolographicClassifier) -> None:
    tags = [["knives", "unheard of"], ["knives"], ["new"]]
    measured = kitchen.evaluate([KNIFE] * 3, tags)
    names = [*kitchen.classes_, "new", "unheard of"]
    truth = MultiLabelBinarizer(classes=names).fit_transform(tags)
    ranking = [[names.index(label) for label, _ in kitchen.predict([KNIFE], k=5)[0]]] * 3
    assert measured["P@1"] == 66.67
    assert measured["nDCG@3"] == pytest.approx(
        100 * oracle.ndcg_at_k(truth, ranking, k=3)[2], abs=0.006
    )
    assert kitchen.score([KNIFE] * 3, tags) == pytest.approx(2 / 3)
    assert kitchen.score([KNIFE] * 3, tags, sample_weight=[0, 0, 2]) == 0


def test_the_held_out_points_are_measured_and_not_trained_on() -> None:
    X, Y = data()
    first = HolographicClassifier(dim=8, epochs=1).fit(X, Y)
    generator = torch.Generator().manual_seed(first.fitted_.seed)
    held_out = torch.randperm(400, generator=generator)[:40].numpy()
    assert first.evaluate(X[held_out], Y[held_out]) == first.validation_
    Y[held_out, 2] = 1
    second = HolographicClassifier(dim=8, epochs=1).fit(X, Y)
    for name, weights in first.fitted_.model.state_dict().items():
        assert torch.equal(weights, second.fitted_.model.state_dict()[name])
    assert second.validation_ != first.validation_


# learning


def test_it_learns_what_is_there_to_learn(kitchen: HolographicClassifier) -> None:
    assert kitchen.score(TEXTS, TAGS) == 1
    assert kitchen.predict([KNIFE, "unheard of"]) == [["knives"], []]
    (both,) = kitchen.predict(["iron skillet, soap, sponge"])
    assert set(both) == {"cast-iron", "cleaning"}


def test_the_same_seed_gives_the_same_bits(clf: HolographicClassifier) -> None:
    X, Y = data()
    torch.manual_seed(77)  # the user's own random numbers do not matter, and stay as they are
    before = torch.get_rng_state()
    again = HolographicClassifier(dim=8, hidden=clf.hidden, epochs=8).fit(X, Y)
    assert torch.equal(torch.get_rng_state(), before)
    first, second = clf.fitted_.model.state_dict(), again.fitted_.model.state_dict()
    assert all(torch.equal(value, second[name]) for name, value in first.items())
    other = HolographicClassifier(dim=8, epochs=8, random_state=1).fit(X, Y)
    assert other.predict(X, k=3) != again.predict(X, k=3)
    states = [HolographicClassifier(random_state=np.random.RandomState(s)) for s in (5, 5)]
    one, two = (state.set_params(epochs=1, dim=8).fit(X, Y).predict(X, k=2) for state in states)
    assert one == two


def test_threads_are_the_users_again_afterwards() -> None:
    before = torch.get_num_threads()
    for jobs in (1, 2, -1):
        HolographicClassifier(n_jobs=jobs, epochs=1).fit(TEXTS, TAGS)
        assert torch.get_num_threads() == before


def test_weights_of_zero_take_points_away() -> None:
    """A point of weight 0 does not change the loss: its labels are not learned."""
    X = [["iron", "bread"][i % 2] for i in range(60)]
    y = [["cast-iron", "bread"][i % 2] for i in range(60)]
    wrong = [["bread", "cast-iron"][i % 2] for i in range(60)]
    weights = [1] * 60 + [0] * 60
    clf = HolographicClassifier().fit(X + X, y + wrong, sample_weight=weights)
    assert clf.predict(["iron", "bread"]).tolist() == ["cast-iron", "bread"]
    clf = HolographicClassifier().fit(X + X, y + wrong, sample_weight=weights[::-1])
    assert clf.predict(["iron", "bread"]).tolist() == ["bread", "cast-iron"]


def test_it_learns_in_parts() -> None:
    clf = HolographicClassifier()
    labels = ["bread", "cast-iron", "cleaning", "crème brûlée", "knives"]
    for _ in range(30):
        clf.partial_fit(TEXTS[::2], TAGS[::2], classes=[*labels, "storage"])
        clf.partial_fit(iter(TEXTS[1::2]), (set(tags) for tags in TAGS[1::2]))
    assert clf.classes_.tolist() == [*labels, "storage"]
    assert clf.score(TEXTS, TAGS) == 1
    assert clf.fitted_.seen.n_points == 30 * 96
    assert clf.fitted_.seen.counts.tolist() == [720, 720, 960, 720, 720, 0]
    assert clf.validation_ == {}


def test_new_labels_leave_the_others_alone_and_are_learned() -> None:
    clf = HolographicClassifier().fit(TEXTS, TAGS)
    old = clf.classes_.tolist()
    before = clf.predict(TEXTS, k=5), brute.codes(clf)
    clf.add_labels(["grill", "wok", "tandoor", "smoker"])  # these need a second base
    assert clf.classes_.tolist() == [*old, "grill", "wok", "tandoor", "smoker"]
    assert clf.predict(TEXTS, k=5, among=old) == before[0]
    np.testing.assert_array_equal(brute.codes(clf)[:5], before[1])
    assert clf.validation_ == {}
    texts, tags = TEXTS + ["soap iron edge"] * 20, TAGS + [["wok"]] * 20
    for _ in range(20):
        clf.partial_fit(texts, tags)
    assert clf.predict(["soap iron edge"], k=1)[0][0][0] == "wok"
    assert clf.score(TEXTS, TAGS) > 0.95


def test_the_method_is_on_the_front_page() -> None:
    assert hrrxml.HolographicClassifier is HolographicClassifier
