"""Whether metrics have moved: a run trained again, against its record.

Another machine rounds differently, and a training that rounds differently ends like one with
another seed. So the tolerance of a metric is what its recorded seeds deviate by: the largest
difference between two means that Student's t leaves to chance.
"""

from statistics import mean, stdev

from scipy.stats import t

from hrrxml.report.change import Move
from hrrxml.report.markdown import markdown_table
from hrrxml.runtime.errors import UserError

METRICS = ("P@1", "P@5", "PSP@1", "PSP@5", "nDCG@5")
LEVEL = 0.001  # probability that a comparison fails by chance
LEAST = 0.1  # percentage points; the tolerance if all seeds are equal

Metrics = dict[str, list[float]]  # one value for each seed


def compare(run: str, recorded: Metrics, current: Metrics) -> list[Move]:
    """Compare the seeds that both have. The tolerance uses all recorded seeds."""
    seeds = min(len(recorded["P@1"]), len(current["P@1"]))
    return [
        Move(
            run,
            metric,
            mean(recorded[metric][:seeds]),
            mean(current[metric][:seeds]),
            tolerance(recorded[metric], seeds),
        )
        for metric in METRICS
    ]


def tolerance(values: list[float], seeds: int) -> float:
    """The largest difference of two means over `seeds` seeds, given the values of all seeds."""
    if len(values) < 2:
        raise UserError("a tolerance needs at least two recorded seeds")
    quantile = float(t.ppf(1 - LEVEL / 2, len(values) - 1))
    return max(LEAST, quantile * stdev(values) * (2 / seeds) ** 0.5)


def table(moves: list[Move]) -> str:
    """The metrics that changed, with their difference and tolerance."""
    rows = [["run", "metric", "record", "now", "difference", "tolerance", "verdict"]]
    for move in moves:
        if move.after != move.before:
            shown = [f"{move.before:.2f}", f"{move.after:.2f}"]
            shown += [f"{move.difference:+.2f}", f"{move.tolerance:.2f}"]
            rows.append([move.run, move.metric, *shown, "moved" if move.too_far else "within"])
    return (
        markdown_table(rows, text=2) if len(rows) > 1 else "nothing moved: all metrics are the same"
    )
