"""Compare the metrics of the runs in params.yaml with those committed in git.

    python -m hrrxml.report.regression HEAD    prints what changed; fails if seeds vary less

Another machine rounds differently, and then training ends as if it had another seed. So the
tolerance of a metric comes from its committed seeds: the largest difference between two means
that Student's t attributes to chance.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from statistics import mean, stdev

from scipy.stats import t

from hrrxml.config import params, paths
from hrrxml.report import results
from hrrxml.report.markdown import markdown_table
from hrrxml.runtime import command
from hrrxml.runtime.errors import UserError

METRICS = ("P@1", "P@5", "PSP@1", "PSP@5", "nDCG@5")
LEVEL = 0.001  # probability that a comparison fails by chance
LEAST = 0.1  # percentage points; the tolerance if all seeds are equal

Metrics = dict[str, list[float]]  # one value for each seed


@dataclass(frozen=True)
class Move:
    run: str
    metric: str
    before: float
    after: float
    tolerance: float

    @property
    def too_far(self) -> bool:
        return abs(self.after - self.before) > self.tolerance


def compare(run: str, committed: Metrics, current: Metrics) -> list[Move]:
    """Compare the seeds that both have. The tolerance uses all committed seeds."""
    seeds = min(len(committed["P@1"]), len(current["P@1"]))
    return [
        Move(
            run,
            metric,
            mean(committed[metric][:seeds]),
            mean(current[metric][:seeds]),
            tolerance(committed[metric], seeds),
        )
        for metric in METRICS
    ]


def tolerance(values: list[float], seeds: int) -> float:
    """The largest difference of two means over `seeds` seeds, given the values of all seeds."""
    if len(values) < 2:
        raise UserError("a tolerance needs at least two committed seeds: raise train.seeds")
    quantile = float(t.ppf(1 - LEVEL / 2, len(values) - 1))
    return max(LEAST, quantile * stdev(values) * (2 / seeds) ** 0.5)


def table(moves: list[Move]) -> str:
    """The metrics that changed, with their difference and tolerance."""
    rows = [["run", "metric", "committed", "now", "difference", "tolerance", "verdict"]]
    for move in moves:
        if move.after != move.before:
            shown = [f"{move.before:.2f}", f"{move.after:.2f}"]
            shown += [f"{move.after - move.before:+.2f}", f"{move.tolerance:.2f}"]
            rows.append([move.run, move.metric, *shown, "moved" if move.too_far else "within"])
    return (
        markdown_table(rows, text=2) if len(rows) > 1 else "nothing moved: all metrics are the same"
    )


def main(revision: str) -> None:
    moves = []
    for name in params.load().runs:
        outcome = results.read_json(paths.metrics(name), f"evaluate@{name}")
        moves += compare(name, _committed(name, revision), outcome["metrics"])
    print(table(moves))
    if failed := [move for move in moves if move.too_far]:
        sys.exit(
            f"error: {len(failed)} of {len(moves)} metrics differ from {revision} more than seeds"
        )


def _committed(name: str, revision: str) -> Metrics:
    path = paths.metrics(name)
    command = ["git", "show", f"{revision}:./{path}"]
    shown = subprocess.run(command, capture_output=True, text=True)
    if shown.returncode:
        raise UserError(f"{path}: not in {revision}; commit it first ({shown.stderr.strip()})")
    metrics: Metrics = json.loads(shown.stdout)["metrics"]
    return metrics


if __name__ == "__main__":
    command.run(main)
