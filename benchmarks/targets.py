"""What the benchmarks were to reach, judged from what was measured."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

LARGEST = 670_091  # labels, of Amazon-670K


@dataclass(frozen=True)
class Verdict:
    what: str
    measured: float
    least: float | None = None
    most: float | None = None

    @property
    def wanted(self) -> str:
        return f"≥ {self.least:g}" if self.most is None else f"≤ {self.most:g}"

    @property
    def met(self) -> bool:
        if self.most is not None:
            return self.measured <= self.most
        return self.least is not None and self.measured >= self.least


def verdicts(found: Mapping[str, Any]) -> list[Verdict]:
    """One for every target whose benchmark was run."""
    judges = {"step": _step, "loss": _loss, "search": _search, "input": _input}
    return [v for name, judge in judges.items() if name in found for v in judge(found[name])]


def _step(found: Any) -> Iterator[Verdict]:
    wanted = {"delicious-200k": 6.0, "amazon-670k": 10.0}
    for shape, row in found.items():
        what = f"HRR-FC's step against FC's, {shape}"
        yield Verdict(what, row["hrr_speed_up"], least=wanted.get(shape, 1.0))


def _loss(found: Any) -> Iterator[Verdict]:
    for shape, row in found.items():
        if row["dim"] == 3000:
            yield Verdict(f"the loss against the appendix's, {shape}", row["speed_up"], least=2)


def _search(found: Any) -> Iterator[Verdict]:
    for row in found["grid"]:
        if row["labels"] == LARGEST:
            yield Verdict("search of 670,091 against matmul", row["matmul_over_ours"], least=50)
            yield Verdict("the same over topk alone", row["ours_ms"] / row["topk_ms"], most=2)
            yield Verdict("label memory against stored", row["bytes_over_ours"], least=1000)
    alone = found["alone"]
    peak = alone["peak_bytes"] / 1e9
    yield Verdict(f"search of {alone['labels']:,}, peak memory, GB", peak, most=2)


def _input(found: Any) -> Iterator[Verdict]:
    if "wiki10-31k" in found:
        speed_up = found["wiki10-31k"]["speed_up"]
        yield Verdict("the input layer against SparseAdam, wiki10-31k", speed_up, least=4)
