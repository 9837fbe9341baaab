"""Measure how many bound pairs a vector of each algebra holds, and query composed vectors.

python -m stages.capacity    → results/{capacity,responses}.csv, results/composition.json,
                               plots/capacity/*.svg (Figures 1, 5, 6 and 7)
"""

from functools import partial

import pandas as pd

from hrrxml.config import params, paths
from hrrxml.experiments.capacity import averages, composition, expectation, experiment, figures
from hrrxml.report.drawing import save
from hrrxml.runtime import command
from hrrxml.runtime.files import write_csv, write_json


def main() -> None:
    settings = params.load().capacity
    retrieval = experiment.run_retrieval(settings)
    responses = experiment.run_responses(settings)
    write_csv(paths.CAPACITY, retrieval)
    write_csv(paths.RESPONSES, responses)
    means = averages.run(settings.response_dim, settings.most_terms, settings.trials, settings.seed)
    composed = composition.run() | {"averages": means, "expectation": expectation.run()}
    write_json(paths.COMPOSITION, composed)
    errors, answers = pd.DataFrame(retrieval), pd.DataFrame(responses)
    for name, draw in {
        "figure1": partial(figures.figure1, answers),
        "figure5": partial(figures.figure5, errors, settings.threshold),
        "figure6": partial(figures.figure6, errors),
        "figure7": partial(figures.figure7, answers),
    }.items():
        save(draw, paths.figure("capacity", name))
    cells = len(retrieval) + len(responses)
    print(f"capacity: {paths.CAPACITY}, {paths.RESPONSES}, plots/capacity: {cells} cells")


if __name__ == "__main__":
    command.run(main)
