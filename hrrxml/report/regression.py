"""Whether metrics have moved: the runs of params.yaml as they are now, against those in git.

    python -m hrrxml.report.regression HEAD    a table of what moved; fails if seeds move less

Another machine rounds otherwise, and a training that rounds otherwise ends like one from another
seed. So the tolerance of a metric is what its committed seeds deviate by: the largest difference
between two means that Student's t leaves to chance.
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
LEVEL = 0.001  # of a comparison failing by chance
LEAST = 0.1  # points, should seeds agree to the last digit

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


def compare(run: str, committed: Metrics, found: Metrics) -> list[Move]:
    """The seeds that both have; the deviation is that of all committed ones."""
    seeds = min(len(committed["P@1"]), len(found["P@1"]))
    return [
        Move(
            run,
            metric,
            mean(committed[metric][:seeds]),
            mean(found[metric][:seeds]),
            tolerance(committed[metric], seeds),
        )
        for metric in METRICS
    ]


def tolerance(values: list[float], seeds: int) -> float:
    """How far apart two means over so many seeds may be, from how far the seeds are apart."""
    if len(values) < 2:
        raise UserError("a tolerance needs two committed seeds at least: raise train.seeds")
    quantile = float(t.ppf(1 - LEVEL / 2, len(values) - 1))
    return max(LEAST, quantile * stdev(values) * (2 / seeds) ** 0.5)


def table(moves: list[Move]) -> str:
    """What is not as it was, by how much, and how much it may."""
    rows = [["run", "metric", "committed", "now", "difference", "tolerance", "verdict"]]
    for move in moves:
        if move.after != move.before:
            figures = [move.before, move.after]
            shown = [f"{figure:.2f}" for figure in figures]
            shown += [f"{move.after - move.before:+.2f}", f"{move.tolerance:.2f}"]
            rows.append([move.run, move.metric, *shown, "moved" if move.too_far else "as seeds do"])
    return (
        markdown_table(rows, text=2) if len(rows) > 1 else "nothing moved: every digit is as it was"
    )


def main(revision: str) -> None:
    moves = []
    for name in params.load().runs:
        outcome = results.read_json(paths.metrics(name), f"evaluate@{name}")
        moves += compare(name, _committed(name, revision), outcome["metrics"])
    print(table(moves))
    if failed := [move for move in moves if move.too_far]:
        sys.exit(
            f"error: {len(failed)} of {len(moves)} metrics are further from {revision} than seeds"
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
