"""A run of the pipeline reads texts and answers with names; what is missing is named."""

from pathlib import Path

import pytest
import torch
from helpers.project_runs import FC, LABELS, RUNS, TEXT, UNTRAINED, documents, write_project

from hrrxml.config import paths
from hrrxml.estimator.from_run import PROBES, TrainedRun, load_run
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_json


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    write_project(root)
    return root


@pytest.fixture(scope="module", params=RUNS)
def run(request: pytest.FixtureRequest, root: Path) -> TrainedRun:
    return load_run(request.param, root=root)


def test_labels_are_ranked_as_the_model_ranks_them(run: TrainedRun) -> None:
    texts = [*(documents().texts or [])[:9], "nothing known here", ""]
    ranking = run.network.rank(run.words.points(texts, LABELS), 4)
    answers = run.predict(texts, k=4)
    expected = [[run.classes_[i] for i in row] for row in ranking.tolist()]
    assert [[label for label, _ in row] for row in answers] == expected
    assert all(row == sorted(row, key=lambda pair: -pair[1]) for row in answers)
    assert len(run.predict([TEXT], k=99)[0]) == LABELS


def test_a_threshold_and_a_choice_of_labels_restrict_the_answer(run: TrainedRun) -> None:
    (everything,) = run.predict([TEXT], k=None)
    assert len(everything) == LABELS
    least = (everything[2][1] + everything[3][1]) / 2
    (above,) = run.predict([TEXT], k=None, threshold=least)
    assert [label for label, _ in above] == [label for label, _ in everything[:3]]
    chosen = [everything[-1][0], everything[4][0]]
    (some,) = run.predict([TEXT], k=5, among=chosen)
    assert [label for label, _ in some] == chosen[::-1]


def test_an_effect_is_what_the_score_loses_without_the_word(run: TrainedRun) -> None:
    label = run.predict([TEXT], k=1)[0][0][0]
    effects = dict(run.explain(TEXT, label, n=10))
    assert set(effects) == {"word1", "likes", "word2", "and"}  # and not the unknown word

    def score(text: str) -> float:
        return run.predict([text], among=[label])[0][0][1]

    for word, effect in effects.items():
        without = " ".join(other for other in TEXT.split() if other != word)
        assert effect == pytest.approx(score(TEXT) - score(without), abs=1e-5)
    assert max(map(abs, effects.values())) > 0
    assert len(run.explain(TEXT, label, n=2)) == 2
    assert run.explain("unheard of", label) == []


def test_neighbours_are_the_labels_whose_scores_correlate(run: TrainedRun) -> None:
    vocabulary = run.words.vocabulary
    assert len(vocabulary) < PROBES
    rows = [dict(answer) for answer in run.predict(vocabulary, k=None)]
    scores = torch.tensor([[row[label] for label in run.classes_] for row in rows]).double()
    expected = torch.corrcoef((scores - scores.mean(1, keepdim=True)).T)
    for place in (0, 5):
        found = run.neighbours(run.classes_[place], n=LABELS)
        assert len(found) == LABELS - 1
        assert [value for _, value in found] == sorted((v for _, v in found), reverse=True)
        for label, value in found:
            other = run.classes_.tolist().index(label)
            assert value == pytest.approx(expected[place, other].item(), abs=1e-3)


def test_a_run_says_what_it_is(root: Path) -> None:
    facts = load_run(FC, root=root).describe()
    assert (facts["encoder"], facts["head"], facts["labels"]) == ("fc", "holographic", LABELS)
    assert "metrics" not in facts
    write_json(root / paths.metrics(FC), {"metrics": {"P@1": [61.5]}})
    assert load_run(FC, root=root).describe()["metrics"] == {"P@1": 61.5}


def test_names_that_two_labels_share_are_told_apart(root: Path) -> None:
    assert load_run(FC, root=root).classes_[:3].tolist() == ["bank (n0)", "bank (n1)", "label 2"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wordnet-nothing", f"no run 'wordnet-nothing'; its runs are .*{FC}"),
        (UNTRAINED, f"not trained yet .*`dvc repro train@{UNTRAINED}`"),
        ("bibtex-fc", "bibtex has numbered features and no texts"),
    ],
)
def test_a_run_that_cannot_answer_says_why(root: Path, name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_run(name, root=root)


def test_what_is_asked_of_a_run_is_checked(root: Path, tmp_path: Path) -> None:
    run = load_run(FC, root=root)
    assert run.predict([]) == []
    for ask, message in [
        (lambda: run.predict(TEXT), "give a list of texts"),
        (lambda: run.predict([1]), "text 0 is int"),  # type: ignore[list-item]
        (lambda: run.predict([TEXT], k=0), "k is 0"),
        (lambda: run.predict([TEXT], among=["bank"]), "no label 'bank'"),
        (lambda: run.predict([TEXT], among=[]), "among has no labels"),
        (lambda: run.explain(TEXT, "nothing"), "no label 'nothing'"),
        (lambda: run.explain(TEXT, "label 2", n=0), "n is 0"),
        (lambda: run.neighbours("nothing"), "no label 'nothing'"),
        (lambda: run.neighbours("label 2", n=0), "n is 0"),
        (lambda: load_run(FC, seed=7, root=root), "no seed 7; it has"),
        (lambda: load_run(FC, root=tmp_path), r"params\.yaml: cannot be read"),
    ]:
        with pytest.raises(UserError, match=message):
            ask()
