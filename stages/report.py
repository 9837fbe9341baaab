"""Report the results of the suite in params.yaml as tables, figures and a page.

    python -m stages.report    → results/{metrics,summary}.json, results/report.{md,html},
                                 plots/runs/*.svg

It reads only the results that params.yaml names, and ignores other files in results/.
"""

from functools import partial

from hrrxml.config import params, paths
from hrrxml.report import figures, page, results, run
from hrrxml.report.drawing import save
from hrrxml.runtime import command
from hrrxml.runtime.files import write_json, write_text


def main() -> None:
    settings = params.load()
    cells = results.read(settings.runs)
    followed = results.read_followed(settings.overfitting)
    peers = {name: results.read_json(paths.peers(name), f"peers@{name}") for name in settings.peers}
    benchmarks = {
        name: results.read_json(paths.benchmark(name), f"benchmark@{name}")
        for name in settings.benchmarks
    }
    paths.figure("runs", "").parent.mkdir(parents=True, exist_ok=True)
    for name, draw in figures.OF_RUNS.items() if cells else ():
        save(partial(draw, cells), paths.figure("runs", name))
    if followed:
        save(partial(figures.overfitting, followed), paths.figure("runs", "overfitting"))
    markdown = run.markdown(cells, peers, followed, benchmarks)
    write_json(paths.METRICS, results.headlines(cells))
    write_json(paths.SUMMARY, results.summarise(cells))
    write_text(paths.REPORT, markdown)
    write_text(paths.PAGE, page.render(markdown, paths.REPORT.parent))
    print(f"report: {paths.PAGE}: {len(cells)} runs")


if __name__ == "__main__":
    command.run(main)
