"""Made-up files of results/, as the stages write them."""

from typing import Any

from helpers.cells import NAMES
from hrrxml.config import paths
from hrrxml.config.schema import Run
from hrrxml.runtime import files

CURVE = """epoch,train_loss,validation_p1,seconds,tokens_per_second,seed
1,2.0,40.0,1.5,,0
2,1.0,50.0,1.7,,0
3,0.9,45.0,1.6,,0
"""
RUNS = {
    "bibtex-fc": Run(dataset="bibtex", encoder="fc", head="bce"),
    "bibtex-hrr-fc": Run(dataset="bibtex", encoder="fc", head="hrr"),
    "bibtex-glas-fc": Run(dataset="bibtex", encoder="fc", head="glas"),
}
SIZES = {"bce": 81567, "hrr": 8974, "glas": 163134}  # of the output layers
MACHINE: dict[str, Any] = {"cpu": "Z80", "gpu": None, "threads": 1, "packages": {"torch": "2.13"}}


def write(**p1: list[float]) -> None:
    """Everything the report reads, in the current folder; `fc=[60.0]` is P@1 of each seed.

    The other metrics lie one point below each other.
    """
    facts = {"points": [100, 50], "features": 7, "labels": 159, "labels_per_point": 2.4}
    facts |= {"commonest_labels": [["physics", 15], ["maths", 9]]}
    files.write_json(paths.statistics("bibtex"), facts)
    for name, run in RUNS.items():
        values = p1.get(run.head, [60.0])
        metrics = {m: [value - place for value in values] for place, m in enumerate(NAMES)}
        settings = {"train": {"epochs": 3}, "fc": {"hidden": 512}, run.head: {"dim": 400}}
        outcome = {"metrics": metrics, "settings": settings, "test_points": 2515}
        outcome["parameters"] = {"output": SIZES[run.head], "network": 10**6}
        files.write_json(paths.metrics(name), outcome)
        files.write_json(paths.machine(name), MACHINE)
        files.write_text(paths.curve(name), CURVE)
        files.write_json(paths.examples(name), [example(run.head)])


def example(head: str) -> dict[str, Any]:
    right = head == "hrr"
    predicted = [["physics", right], ["<b>maths</b>", False]]
    return {"text": "energy & mass", "labels": ["physics"], "predicted": predicted}
