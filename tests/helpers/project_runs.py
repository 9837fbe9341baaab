"""Runs of the pipeline as its stages leave them behind: small, and not trained."""

from pathlib import Path
from typing import Any

import torch
from ruamel.yaml import YAML

from helpers.models import ALL_HEADS, ENCODERS
from helpers.project import ROOT
from hrrxml import heads, model
from hrrxml.config import params, paths
from hrrxml.config.schema import Split, Text
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.datasets import names
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.names import Names
from hrrxml.datasets.prepare import prepare
from hrrxml.runtime.files import write_tensors

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


def write_project(root: Path) -> None:
    """A project's folder with one run for each encoder and head."""
    write_params(root)
    keys = [f"n{i}" for i in range(LABELS)]
    lemmas = ["bank", "bank", *(f"label {i}" for i in range(2, LABELS))]
    corpus = Corpus(documents(), None, LABELS, label_names=lemmas, label_keys=keys)
    splits, known = prepare(corpus, Split(validation=0.1, test=0.1), Text(min_documents=2))
    names.save(known, root / paths.names(DATASET))
    names.save(Names(159), root / paths.names("bibtex"))
    for name in RUNS:
        write_model(root, name, splits["train"])
