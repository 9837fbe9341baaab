"""The model card: what a model is, what it was trained on, and how good it is."""

from typing import Any

SHOWN = ("P@1", "P@3", "P@5", "PSP@1", "PSP@5", "nDCG@5", "ECE@1", "ECE@5")
BEFORE = ("ECE@1 before calibration", "ECE@5 before calibration")


def markdown(facts: dict[str, Any], card: dict[str, Any], folder: str) -> str:
    """The card as Markdown. `card` has what only the user knows: name, data, licence, test."""
    inputs = "texts" if facts["inputs"] == "texts" else f"rows of {facts['features']:,} features"
    parts = [
        f"# {card.get('name', folder)}",
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
        ("training points", f"{facts['points']:,}"),
        ("features", f"{facts['features']:,}"),
        ("labels", f"{facts['labels']:,}"),
    ]
    return _table(("", ""), rows)


def _quality(facts: dict[str, Any], card: dict[str, Any]) -> str:
    columns = {"held-out points": facts["validation"], "test points": card.get("test", {})}
    columns = {name: metrics for name, metrics in columns.items() if metrics}
    if not columns:
        return "Not measured: there were too few points to hold some out."
    rows = [
        (metric, *(f"{metrics[metric]:.2f}" for metrics in columns.values()))
        for metric in SHOWN + BEFORE
        if all(metric in metrics for metrics in columns.values())
    ]
    note = (
        f"In percent, of one model (seed {facts['seed']}). ECE is the expected calibration error. "
        "The held-out points also chose the epoch, the tail and the probabilities, so their own "
        "metrics are a little too good."
    )
    return f"{_table(('metric', *columns), rows)}\n\n{note}"


def _recipe(facts: dict[str, Any]) -> str:
    chosen = facts["recipe"] | {
        "epochs trained": len(facts["curve"]),
        "tail": facts["tail"],
        "learned weights": f"{facts['weights']:,}",
        "hrrxml": facts["version"],
    }
    return _table(("setting", "value"), list(chosen.items()))


def _use(facts: dict[str, Any], folder: str) -> str:
    asked = '["a text of yours"]' if facts["inputs"] == "texts" else "features"
    needs = facts["vectorizer"] not in (None, "words")
    loaded = f'hrrxml.load("{folder}"{", vectorizer=…" if needs else ""})'
    return f"```python\nimport hrrxml\n\nclf = {loaded}\nclf.predict({asked}, k=5)\n```"


def _table(head: tuple[str, ...], rows: list[Any]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
