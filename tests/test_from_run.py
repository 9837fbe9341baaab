"""A run of the pipeline reads texts and answers with names; what is missing is named."""

from pathlib import Path
from typing import Any

import pytest
import torch
from helpers.models import ALL_HEADS, ENCODERS
from helpers.project import ROOT
from ruamel.yaml import YAML

from hrrxml import heads, model
from hrrxml.config import params, paths
from hrrxml.config.schema import Split, Text
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.datasets import names
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.names import Names
from hrrxml.datasets.prepare import prepare
from hrrxml.estimator.from_run import TrainedRun, load_run
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_json, write_tensors

DATASET = "wordnet-animals"
LABELS = 12
PAIRS = [("fc", head) for head in ALL_HEADS] + [(name, "bce") for name in ENCODERS if name != "fc"]
RUNS = {f"{DATASET}-{head}-{encoder}": (encoder, head) for encoder, head in PAIRS}
FC, UNTRAINED = f"{DATASET}-holographic-fc", f"{DATASET}-untrained"
TEXT = "word1 likes word2 and word2 likes unheard"


def documents(n: int = 200) -> Documents:
    texts = [f"word{i % 7} likes word{i % LABELS} and number{i}" for i in range(n)]
    return Documents(Bags.from_lists([[i % LABELS] for i in range(n)]), texts=texts)


def write_params(root: Path) -> None:
    """The committed params with one run for each encoder and head, all of them small."""
    raw: dict[str, Any] = YAML(typ="safe").load(ROOT / "params.yaml")
    raw["suite"] = [DATASET, "bibtex"]
    raw["runs"] = {
        name: {"dataset": DATASET, "encoder": encoder, "head": head}
        for name, (encoder, head) in RUNS.items()
    }
    raw["runs"][UNTRAINED] = {"dataset": DATASET, "encoder": "fc", "head": "bce"}
    raw["runs"]["bibtex-fc"] = {"dataset": "bibtex", "encoder": "fc", "head": "bce"}
    for head in ALL_HEADS:
        if "dim" in raw[head]:
            raw[head]["dim"] = 11 if head == "grouped" else 16
        if "shortcut" in raw[head]:
            raw[head]["shortcut"] = 1.0  # the encoder `none` has no other path
    raw["train"] |= {"seeds": 1, "device": "cpu"}
    YAML(typ="safe").dump(raw, root / "params.yaml")


def write_model(root: Path, name: str, train: Points) -> None:
    """Label tables and a newly initialised model, as the stages write them."""
    run, settings = params.load_run(name, root / "params.yaml")
    seed = settings.train.seed
    generator = torch.Generator().manual_seed(0)
    tables = heads.get(run.head).tables(settings.section(run.head), train, generator)
    write_tensors(root / paths.labels(name, seed), tables, n_labels=train.n_labels)
    tables, checksum = heads.load_tables(root / paths.labels(name, seed), train.n_labels)
    torch.manual_seed(0)
    network = model.build(run, settings, train, tables)
    for parameter in network.head.parameters():  # some begin with zeros, and would say nothing
        torch.nn.init.normal_(parameter, std=0.1) if parameter.requires_grad else None
    write_tensors(root / paths.model(name, seed), network.state_dict(), labels=checksum)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    write_params(root)
    keys = [f"n{i}" for i in range(LABELS)]
    lemmas = ["bank", "bank", *(f"label {i}" for i in range(2, LABELS))]
    corpus = Corpus(documents(), None, LABELS, label_names=lemmas, label_keys=keys)
    splits, known = prepare(corpus, Split(validation=0.1, test=0.1), Text(min_documents=2))
    names.save(known, root / paths.names(DATASET))
    names.save(Names(159), root / paths.names("bibtex"))
    for name in RUNS:
        write_model(root, name, splits["train"])
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
        (lambda: load_run(FC, seed=7, root=root), "no seed 7; it has"),
        (lambda: load_run(FC, root=tmp_path), r"params\.yaml: cannot be read"),
    ]:
        with pytest.raises(UserError, match=message):
            ask()
