"""Measure how many bound pairs each algebra holds; Figures 1, 5, 6 and 7.

python -m stages.capacity    → results/capacity.csv, results/responses.csv, plots/capacity/*.svg
"""

from functools import partial

from hrrxml import params, paths, stage
from hrrxml.capacity import experiment, figures
from hrrxml.drawing import save
from hrrxml.files import write_csv


def main() -> None:
    settings = params.load().capacity
    retrieval = experiment.run_retrieval(settings)
    responses = experiment.run_responses(settings)
    write_csv(paths.CAPACITY, retrieval)
    write_csv(paths.RESPONSES, responses)
    for name, draw in {
        "figure1": partial(figures.figure1, responses),
        "figure5": partial(figures.figure5, retrieval, settings.threshold),
        "figure6": partial(figures.figure6, retrieval),
        "figure7": partial(figures.figure7, responses),
    }.items():
        save(draw, paths.figure("capacity", name))
    cells = len(retrieval) + len(responses)
    print(f"capacity: {paths.CAPACITY}, {paths.RESPONSES}, plots/capacity: {cells} cells")


if __name__ == "__main__":
    stage.run(main)
