"""Fit random label sets at growing d, and see where d suffices; Theorem 2.1 of GLaS.

python -m stages.theorem    → results/theorem.csv, plots/theorem/theorem.svg
"""

from functools import partial

from hrrxml import params, paths, stage
from hrrxml.drawing import save
from hrrxml.files import write_csv
from hrrxml.theorem import experiment, figures


def main() -> None:
    found = experiment.run(params.load().theorem)
    write_csv(paths.THEOREM, found)
    save(partial(figures.figure, found), paths.figure("theorem", "theorem"))
    print(f"theorem: {paths.THEOREM}, plots/theorem: {len(found)} cells")


if __name__ == "__main__":
    stage.run(main)
