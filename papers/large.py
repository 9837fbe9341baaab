"""README's example of many labels: the Library of Congress, in one command."""

from statistics import mean

from hrrxml.runtime.errors import UserError
from papers import records
from papers.evidence import Evidence
from papers.tools import JUDGED, NAMES

DATASET, MODEL = "loc", "holographic-fc"
RUN = f"{DATASET}-{MODEL}"
COMMAND = f"python -m hrrxml.suite library {DATASET} && dvc repro evaluate@{RUN}"


def words(recorded: Evidence) -> str:
    """What it is, its command, the minutes of training, and its figures beside the best tool's."""
    if RUN not in recorded.cells:
        raise UserError(f"README needs the run {RUN}, which is not recorded")
    cell, counted = recorded.cells[RUN], recorded.datasets[DATASET]
    threads = records.read("runs", RUN)["provenance"]["machine"]["threads"]
    minutes = cell.curve["seconds"].sum() / cell.seeds / 60
    best, _ = recorded.best_tool(DATASET, "P@1")
    ours, theirs = (
        " / ".join(f"{mean(values[metric]):.1f}" for metric in JUDGED)
        for values in (cell.metrics, recorded.peers[DATASET][best]["metrics"])
    )
    seeds = "one seed" if cell.seeds == 1 else f"{cell.seeds} seeds"
    return (
        f"**Larger:** {sum(counted['points']):,} records of the Library of Congress with "
        f"{counted['labels']:,} subjects: `{COMMAND}` trains for "
        f"{minutes:.0f} minutes on {threads} core{'s' if threads > 1 else ''}. "
        f"{' / '.join(JUDGED)} are {ours} ({seeds}); the best tool, {NAMES[best]}, has {theirs}. "
        "`python -m hrrxml.suite default` returns."
    )
