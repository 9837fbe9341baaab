"""Answers on standard output."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from hrrxml.command.streams import one_line

ESCAPES = {ord(end): json.dumps(end)[1:-1] for end in "\x85\u2028\u2029"}  # some end lines here
Answer = Sequence[tuple[Any, float]]  # labels with their probabilities, best first


def text(number: int, source: str | None, answer: Answer, what: str) -> str:
    """`cast-iron 0.91, cleaning 0.42`: one line for each text."""
    return ", ".join(f"{one_line(label)} {chance:.2f}" for label, chance in answer) + "\n"


def tsv(number: int, source: str | None, answer: Answer, what: str) -> str:
    """The number of the text, a label and its probability: one line for each label."""
    return "".join(f"{number}\t{one_line(label)}\t{chance:.6f}\n" for label, chance in answer)


def jsonl(number: int, source: str | None, answer: Answer, what: str) -> str:
    """One object for each text, with the names of training data; `what` names the numbers."""
    record: dict[str, Any] = {"row": number} if source is None else {"text": source}
    record["tags"] = [str(label) for label, _ in answer]
    record[what] = [round(float(chance), 6) for _, chance in answer]
    return json.dumps(record, ensure_ascii=False).translate(ESCAPES) + "\n"


FORMATS: dict[str, Callable[[int, str | None, Answer, str], str]] = {
    "text": text,
    "jsonl": jsonl,
    "tsv": tsv,
}


def weights(answer: Answer) -> None:
    """Print words or labels with their weights, in two columns."""
    width = max((len(str(name)) for name, _ in answer), default=0)
    for name, weight in answer:
        print(f"{one_line(name):<{width}}  {weight:+.2f}")


def names(values: Iterable[Any]) -> None:
    """Print one name a line."""
    sys.stdout.writelines(f"{one_line(value)}\n" for value in values)


def facts(values: Mapping[str, Any], as_json: bool, indent: str = "") -> None:
    """Print names and values, in two columns or as JSON."""
    if as_json:
        json.dump(values, sys.stdout, indent=2, ensure_ascii=False, default=_simple)
        print()
        return
    width = max((len(str(name)) for name in values), default=0)
    for name, value in values.items():
        if isinstance(value, Mapping):
            print(f"{indent}{name}")
            facts(value, False, indent + "  ")
        else:
            print(f"{indent}{name:<{width}}  {_shown(value)}")


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) >= 0.1 or value == 0 else f"{value:.3g}"
    if isinstance(value, list):
        return f"{len(value)} entries (--json shows them)"
    return "–" if value is None else one_line(value)


def _simple(value: Any) -> Any:
    """A number of numpy as Python's own; anything else as text."""
    return value.item() if hasattr(value, "item") else str(value)
