"""README's example of many labels: the Library of Congress, in one command."""

from statistics import mean

from hrrxml.runtime.errors import UserError
from papers import records
from papers.evidence import Evidence
from papers.tools import JUDGED, NAMES

DATASET, MODEL, TOOL = "loc", "holographic-fc", "parabel"
RUN = f"{DATASET}-{MODEL}"
COMMAND = f"python -m hrrxml.suite library {DATASET} && dvc repro evaluate@{RUN}"


def words(recorded: Evidence) -> str:
    """What it is, the command, the minutes of training, and what comes out."""
    if RUN not in recorded.cells:
        raise UserError(f"README needs the run {RUN}, which is not recorded")
    cell, counted = recorded.cells[RUN], recorded.datasets[DATASET]
    threads = records.read("runs", RUN)["provenance"]["machine"]["threads"]
    minutes = cell.curve["seconds"].sum() / cell.seeds / 60
    tool = recorded.peers[DATASET][TOOL]["metrics"]
    ours, theirs = (
        " / ".join(f"{mean(values[metric]):.1f}" for metric in JUDGED)
        for values in (cell.metrics, tool)
    )
    return (
        f"**Larger:** {sum(counted['points']):,} records of the Library of Congress with "
        f"{counted['labels']:,} subjects: `{COMMAND}` takes "
        f"{minutes:.0f} minutes on {threads} core{'s' if threads > 1 else ''}. "
        f"{' / '.join(JUDGED)} are {ours}; {NAMES[TOOL]}'s are {theirs}. "
        "`python -m hrrxml.suite default` returns."
    )
