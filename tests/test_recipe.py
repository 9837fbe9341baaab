"""What the classifier chooses for itself: its rules, and the parts that they are made of."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from helpers import brute
from scipy.sparse import csr_matrix
from sklearn.datasets import make_classification, make_multilabel_classification
from torch.optim import Adam

from hrrxml import HolographicClassifier
from hrrxml.config.schema import Params
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.estimator import inputs, network, recipe, selection, teaching
from hrrxml.estimator.seen import Seen
from hrrxml.evaluation.metrics import ndcg_at_k
from hrrxml.layers.exact_head import ExactHead, _some
from hrrxml.training.row_adam import RowAdam

TEXT = " ".join(f"word{i}" for i in range(40))


def table(n_points: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Points of which hidden layers learn more: each label has several clusters."""
    return make_classification(
        n_points, n_features, n_informative=n_features, n_redundant=0, n_classes=5,
        n_clusters_per_class=3, class_sep=2.0, random_state=0,
    )  # fmt: skip


def points(n_points: int, n_features: int) -> Points:
    empty = Bags.from_lists([[]] * n_points)
    return network.points(empty, empty, n_features, 10)


NOTHING: dict[str, int | None] = {"dim": None, "hidden": None, "epochs": None}


# which recipes are tried


def test_hidden_layers_are_tried_where_there_are_many_points_for_each_feature() -> None:
    def widths(n_points: int, n_features: int, hidden: int | None = None, held: bool = True) -> Any:
        given = NOTHING | {"hidden": hidden}
        return [
            each.hidden for each in recipe.candidates(points(n_points, n_features), given, held)
        ]

    assert widths(2000, 200) == [0, recipe.HIDDEN]
    assert widths(2000, 201) == [0]
    assert widths(recipe.SMALL - 1, 10) == [0]
    assert widths(2000, 200, held=False) == [0]  # nothing could compare them
    assert widths(2000, 200, hidden=7) == [7]
    assert widths(2000, 200, hidden=0) == [0]


def test_held_out_points_keep_the_better_of_both() -> None:
    X, y = table(3000, 8)
    chosen = HolographicClassifier(epochs=6).fit(X, y)
    assert chosen.recipe_.hidden == recipe.HIDDEN
    linear, hidden = (
        HolographicClassifier(epochs=6, hidden=hidden).fit(X, y) for hidden in (0, recipe.HIDDEN)
    )
    best = [max(row["judged"] for row in clf.curve_) for clf in (linear, hidden)]
    assert best[1] > best[0]


def test_d_is_at_most_the_number_of_labels() -> None:
    assert recipe.choose(5000, 50, 10).dim == 50
    assert recipe.choose(5000, 51, 10).dim == 52
    assert recipe.choose(5000, 10**6, 10).dim == 1000


def test_large_data_take_larger_batches_and_a_part_of_the_bases() -> None:
    sizes = [recipe.choose(n, 100, 10).batch_size for n in (500, 5000, 50_000, 500_000)]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == 4
    assert recipe.choose(500_000, 10**6, 10).bases_per_step == recipe.BASES


# pairs of words


@pytest.mark.parametrize(("n_words", "has_pairs"), [(30, True), (31, False)])
def test_only_short_texts_have_pairs(n_words: int, has_pairs: bool) -> None:
    text = " ".join(TEXT.split()[:n_words])
    texts = inputs.Texts()
    texts.learn([text, f"{text} {text}"])  # a word counts once in a text
    assert texts.words is not None
    assert (texts.words.pairs is not None) == has_pairs
    assert texts.kind == ("words and pairs" if has_pairs else "words")


# the optimiser


def test_one_moment_per_row_is_adam_of_the_root_mean_square(generator: torch.Generator) -> None:
    """Dense Adam without a first moment, with each row's mean square instead of its squares."""
    weight = torch.randn(7, 3, generator=generator, dtype=torch.float64).requires_grad_()
    expected, square = weight.detach().clone(), torch.zeros(7, 1, dtype=torch.float64)
    optimiser = RowAdam([{"params": [weight], "whole_rows": True}], lr=0.1)
    for step in range(1, 20):
        g = torch.randn(7, 3, generator=generator, dtype=torch.float64)
        g[torch.rand(7, generator=generator) < 0.5] = 0
        rows = g.abs().sum(1).nonzero()[:, 0]
        weight.grad = torch.sparse_coo_tensor(rows[None], g[rows], g.shape, check_invariants=True)
        optimiser.step()
        square = 0.999 * square + 0.001 * g.square().mean(1, keepdim=True)
        expected -= 0.1 * g / ((square / (1 - 0.999**step)).sqrt() + 1e-8)
        torch.testing.assert_close(weight.detach(), expected)
    assert optimiser.state[weight]["square"].shape == (7, 1)


def test_rows_of_one_weight_are_the_same_either_way() -> None:
    ours, theirs = (torch.ones(4, 1).requires_grad_() for _ in range(2))
    whole, adam = RowAdam([ours], lr=0.1, whole_rows=True), Adam([theirs], 0.1, betas=(0.0, 0.999))
    for _ in range(3):
        theirs.grad = torch.tensor([[1.0], [0], [-2], [0.5]])
        ours.grad = theirs.grad.to_sparse(1)
        whole.step()
        adam.step()
        torch.testing.assert_close(ours, theirs)


# a part of the bases


def exact_head(n_labels: int, **changed: Any) -> tuple[ExactHead, Points]:
    """A head of bases of eight numbers over random features, and four points with labels."""
    chosen = replace(recipe.choose(500, n_labels, 5, dim=8), **changed)
    counts = np.arange(n_labels) + 1
    made = network.make(chosen, Seen(500, torch.from_numpy(counts), torch.zeros(6)), seed=3)
    head = made.head
    assert isinstance(head, ExactHead)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in head.output.parameters():
            parameter.normal_(generator=generator)
    features = Bags.from_csr(csr_matrix(np.random.default_rng(0).normal(size=(4, 6))))
    labels = Bags.from_lists([[0, 1], [5], [], [n_labels - 1]])
    return head, network.points(features, labels, 6, n_labels)


def loss_and_gradient(head: ExactHead, batch: Points) -> tuple[float, torch.Tensor]:
    head.zero_grad()
    loss = head.loss(torch.zeros(len(batch), 0), batch)
    loss.backward()
    gradient = head.output.shortcut.weight.grad
    return loss.item(), torch.cat([gradient.to_dense().flatten(), head.bias.grad])


@pytest.mark.parametrize("n_labels", [32, 27])  # the last base is whole, or not
def test_a_part_of_the_bases_stands_for_all(n_labels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all choices of bases, the mean loss and the mean gradient are the exact ones."""
    whole, batch = exact_head(n_labels, bases_per_step=None)
    some, _ = exact_head(n_labels, bases_per_step=2)
    expected, gradient = loss_and_gradient(whole, batch)
    losses, gradients = [], []
    for chosen in itertools.combinations(range(4), 2):
        order = torch.tensor([*chosen, *(set(range(4)) - set(chosen))])
        monkeypatch.setattr(torch, "randperm", lambda n, order=order: order)
        loss, each = loss_and_gradient(some, batch)
        losses.append(loss)
        gradients.append(each)
    assert np.mean(losses) == pytest.approx(expected, rel=1e-5)
    torch.testing.assert_close(torch.stack(gradients).mean(0), gradient, atol=1e-5, rtol=1e-4)
    assert np.std(losses) > 0.01  # each choice alone is not exact


def test_held_out_points_see_all_bases() -> None:
    whole, batch = exact_head(27, bases_per_step=None)
    some, _ = exact_head(27, bases_per_step=2)
    encoded = torch.zeros(len(batch), 0)
    assert some.eval().loss(encoded, batch).item() == whole.eval().loss(encoded, batch).item()


def test_the_last_base_may_be_short(monkeypatch: pytest.MonkeyPatch) -> None:
    spectra = torch.arange(4)[:, None].expand(4, 5)
    for order, labels in (([3, 0, 1, 2], [*range(8), 24, 25, 26]), ([1, 2, 0, 3], range(8, 24))):
        monkeypatch.setattr(torch, "randperm", lambda n, order=order: torch.tensor(order))
        bias, chosen = _some(torch.arange(27.0), spectra, 2, 8)
        assert bias.tolist() == list(labels)
        assert chosen[:, 0].tolist() == sorted(order[:2])


# the held-out points' choices


def test_tails_are_judged_as_if_each_had_searched_all_labels() -> None:
    X, Y = make_multilabel_classification(300, 40, n_classes=30, sparse=True, random_state=0)
    clf = HolographicClassifier(dim=8, hidden=0, epochs=3).fit(X, Y)
    fitted = clf.fitted_
    held_out = fitted.points(fitted.scaling(X), Bags.from_csr(csr_matrix(Y)))
    found = selection.by_tail(fitted.model, held_out, fitted.prior)
    logits = brute.logits(clf, held_out.features.to_csr(40).toarray())
    for tail, quality in zip(selection.TAILS, found, strict=True):
        ranking = np.argsort(-(logits - tail * fitted.prior.numpy()), axis=1, kind="stable")
        assert quality == pytest.approx(100 * ndcg_at_k(csr_matrix(Y), ranking, 5)[-1], abs=1e-3)
    assert len(set(found)) > 5
    best = selection.choose_tail(fitted.model, held_out, fitted.prior)
    assert found[selection.TAILS.index(best)] == max(found)


def test_the_epoch_that_is_judged_best_is_kept() -> None:
    X, y = table(1500, 8)
    clf = HolographicClassifier(epochs=12, hidden=0).fit(X, y)
    judged = [row["judged"] for row in clf.curve_]
    best = int(np.argmax(judged))
    assert len(judged) in (12, best + 1 + clf.recipe_.patience)
    ended = HolographicClassifier(epochs=best + 1, hidden=0).fit(X, y)
    assert [row["judged"] for row in ended.curve_] == judged[: best + 1]
    states = [each.fitted_.model.state_dict() for each in (clf, ended)]
    assert all(torch.equal(value, states[1][name]) for name, value in states[0].items())


# new labels


def test_more_examples_teach_a_label_more() -> None:
    X, Y = make_multilabel_classification(400, 40, n_classes=20, sparse=True, random_state=0)
    known = np.delete(Y, 3, axis=1)
    clf = HolographicClassifier(hidden=0, epochs=3).fit(X, known).add_labels([99])
    fitted, lengths = clf.fitted_, []
    rows = np.flatnonzero(Y[:, 3])
    for n in (1, 5, 20):
        before = fitted.model.head.output.shortcut.weight.detach().clone()
        features = fitted.scaling(X[rows[:n]])
        examples = fitted.points(features, Bags.from_lists([[19]] * n))
        teaching.teach_unseen(fitted.model, examples, fitted.seen)
        with torch.no_grad():
            code = fitted.model.head.labels.vectors(torch.tensor([19]))[0]
            weight = fitted.model.head.output.shortcut.weight
            lengths.append(float(((weight - before) @ code).norm()))
            weight.copy_(before)
    assert lengths == sorted(lengths)
    assert lengths[2] / lengths[0] == pytest.approx((20 / 21) / (1 / 2), rel=1e-3)


def test_settings_of_older_models_are_read(settings: Params) -> None:
    """A recipe that was saved before these choices existed trains as it did."""
    old = recipe.Recipe(
        dim=8, hidden=0, batch_size=8, learning_rate=0.1, shortcut=2.0, decay=1.0,
        keep_features=1.0, epochs=1, patience=1,
    )  # fmt: skip
    head = old.head()
    assert (head.bases_per_step, head.whole_rows, head.learn_scale) == (None, False, True)
    assert (settings.holographic.whole_rows, settings.holographic.learn_scale) == (False, True)
