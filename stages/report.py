"""Gather the runs of the suite into metrics, figures and a page.

    python -m stages.report    → results/{metrics,summary}.json, results/report.html,
                                 plots/runs/*.svg

It reads only the results that params.yaml names, and ignores other files in results/. The page also
compares them with the results of the last commit.
"""

from functools import partial

from hrrxml.config import params, paths
from hrrxml.config.schema import Params
from hrrxml.report import change, figures, results, run
from hrrxml.report.drawing import save
from hrrxml.report.results import read_json
from hrrxml.runtime import command
from hrrxml.runtime.files import write_json, write_text


def main() -> None:
    found = read(params.load())
    draw(found)
    write_json(paths.METRICS, results.headline(found.cells))
    write_json(paths.SUMMARY, results.summarise(found.cells))
    write_text(paths.PAGE, run.render(found, change.since_commit(found.cells)))
    print(f"report: {paths.PAGE}: {len(found.cells)} runs")


def read(settings: Params) -> run.Results:
    runs = settings.runs
    datasets = dict.fromkeys(entry.dataset for entry in runs.values())
    return run.Results(
        cells=results.read(runs),
        runs=runs,
        facts={name: read_json(paths.statistics(name), f"prepare@{name}") for name in datasets},
        machines={name: read_json(paths.machine(name), f"train@{name}") for name in runs},
        examples={name: read_json(paths.examples(name), f"evaluate@{name}") for name in runs},
        peers={name: read_json(paths.peers(name), f"peers@{name}") for name in settings.peers},
        followed=results.read_followed(settings.overfitting),
        benchmarks={
            name: read_json(paths.benchmark(name), f"benchmark@{name}")
            for name in settings.benchmarks
        },
    )


def draw(found: run.Results) -> None:
    paths.figure("runs", "").parent.mkdir(parents=True, exist_ok=True)
    for name, drawing in figures.OF_RUNS.items() if found.cells else ():
        save(partial(drawing, found.cells), paths.figure("runs", name))
    if found.followed:
        save(partial(figures.overfitting, found.followed), paths.figure("runs", "overfitting"))


if __name__ == "__main__":
    command.run(main)
