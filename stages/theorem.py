"""Fit random label sets at increasing d, and find the smallest sufficient d (GLaS, Theorem 2.1).

python -m stages.theorem    → results/theorem.csv, plots/theorem/theorem.svg
"""

from functools import partial

import pandas as pd

from hrrxml.config import params, paths
from hrrxml.experiments.theorem import experiment, figures
from hrrxml.report.drawing import save
from hrrxml.runtime import command
from hrrxml.runtime.files import write_csv


def main() -> None:
    rows = experiment.run(params.load().theorem)
    write_csv(paths.THEOREM, rows)
    save(partial(figures.figure, pd.DataFrame(rows)), paths.figure("theorem", "theorem"))
    print(f"theorem: {paths.THEOREM}, plots/theorem: {len(rows)} cells")


if __name__ == "__main__":
    command.run(main)
