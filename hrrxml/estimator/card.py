"""The model card: what a model is, what it was trained on, and how good it is."""

import json
from typing import Any

from hrrxml.estimator.origin import Origin
from hrrxml.runtime.errors import InputError

SHOWN = ("P@1", "P@3", "P@5", "PSP@1", "PSP@5", "nDCG@5", "ECE@1", "ECE@5")
BEFORE = ("ECE@1 before calibration", "ECE@5 before calibration")
STATED = ("name", "data", "licence")  # what only the user knows, as text


def check(card: dict[str, Any]) -> dict[str, Any]:
    """What a user states about a model: name, data and licence as text, and metrics as `test`."""
    for name, value in card.items():
        if name not in (*STATED, "test"):
            raise InputError(f"card has no {name!r}; it may have {', '.join(STATED)} and test")
        if not isinstance(value, str if name in STATED else dict):
            what = "a text" if name in STATED else "the result of `evaluate`"
            raise InputError(f"card: {name} must be {what}")
    return card


def markdown(facts: dict[str, Any], card: dict[str, Any], folder: str) -> str:
    """The card as Markdown."""
    inputs = "texts" if facts["inputs"] == "texts" else f"rows of {facts['features']:,} features"
    parts = [
        f"# {_one_line(card.get('name', folder))}",
        f"A multi-label classifier: it tags {inputs} with {facts['labels']:,} labels.",
        "## Data",
        _data(facts, card),
        "## Quality",
        _quality(facts, card),
        "## How it was made",
        _recipe(facts),
        "## Use it",
        _use(facts, folder),
    ]
    return "\n\n".join(parts) + "\n"


def _data(facts: dict[str, Any], card: dict[str, Any]) -> str:
    rows = [
        ("data", card.get("data", "not stated")),
        ("licence of the data", card.get("licence", "not stated")),
        ("points", f"{facts['points']:,}"),
        ("features", f"{facts['features']:,}"),
        ("labels", f"{facts['labels']:,}"),
    ]
    return _table(("", ""), rows)


def _quality(facts: dict[str, Any], card: dict[str, Any]) -> str:
    columns = {"held-out points": facts["validation"], "test points": card.get("test", {})}
    columns = {name: metrics for name, metrics in columns.items() if metrics}
    if not columns:
        return "Not measured: no points were held out, or the model has learned more since."
    rows = [
        (metric, *(f"{metrics[metric]:.2f}" for metrics in columns.values()))
        for metric in SHOWN + BEFORE
        if all(metric in metrics for metrics in columns.values())
    ]
    given = facts["parameters"]["random_state"]
    seed = f"seed {facts['seed']}" if given is None else f"random_state {given}"
    notes = [f"In percent, of one model ({seed}). ECE is the expected calibration error."]
    if facts["validation"]:
        notes.append(
            "The held-out points were not trained on, but chose the epoch, the tail and the "
            "probabilities, so their own metrics are a little too good."
        )
    if facts["prune"] is not None:
        notes.append("All metrics are of the model before its small weights were dropped.")
    return f"{_table(('metric', *columns), rows)}\n\n{' '.join(notes)}"


def _recipe(facts: dict[str, Any]) -> str:
    curve = facts["calibration"]
    terms = (
        f"{curve['slope']:.4g} · score {curve['margin']:+.4g} · (score − best score) "
        f"{curve['offset']:+.4g}"
    )
    chosen = facts["recipe"] | {
        "epochs trained": len(facts["curve"]),
        "tail": facts["tail"],
        "probability": f"sigmoid({terms})",
        "learned weights": f"{facts['weights']:,}",
        "weights on disk": facts["dtype"],
        "share of the linear path dropped": facts["prune"] or "none",
        "hrrxml": Origin(**facts["origin"]),
    }
    return _table(("setting", "value"), list(chosen.items()))


def _use(facts: dict[str, Any], folder: str) -> str:
    asked = '["a text of yours"]' if facts["inputs"] == "texts" else "features"
    needs = facts["vectorizer"] not in (None, "words", "words and pairs")
    place = json.dumps(folder, ensure_ascii=False)
    loaded = f"hrrxml.load({place}{', vectorizer=…' if needs else ''})"
    return f"```python\nimport hrrxml\n\nclf = {loaded}\nclf.predict({asked}, k=5)\n```"


def _table(head: tuple[str, ...], rows: list[Any]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(value: Any) -> str:
    return _one_line(str(value)).replace("|", "\\|")


def _one_line(text: str) -> str:
    return " ".join(text.split())
