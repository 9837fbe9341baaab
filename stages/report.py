"""Gather every run of params.yaml, and every dataset prepared, into tables and figures.

python -m stages.report    → results/{metrics,datasets,benchmark}.json, results/report.md,
                           plots/{runs,benchmark}/*.svg
"""

from hrrxml import comparison, figures, params, paths, report, results, stage, suite, text_findings
from hrrxml.bench import figures as speed_figures
from hrrxml.bench import findings as speed
from hrrxml.capacity import findings
from hrrxml.files import read_csv, write_json, write_text
from hrrxml.glas import figures as glas_figures
from hrrxml.glas import findings as glas
from hrrxml.schema import Run
from hrrxml.theorem import findings as theorem


def main() -> None:
    settings = params.load()
    cells = results.read(settings.runs)
    datasets = report.beside_table6(results.read_datasets(settings.datasets))
    capacity = findings.markdown(read_csv(paths.CAPACITY), settings.capacity.threshold)
    write_json(paths.DATASETS, datasets)
    write_json(paths.SUMMARY, results.summarise(cells))
    benchmarks = speed.read()
    write_json(paths.BENCHMARK, benchmarks)
    speed_figures.draw(benchmarks, paths.figure("benchmark", "").parent)
    compared = results.read_done(suite.runs_of("accuracy"))
    peers = results.read_peers(settings.datasets)
    accuracy = comparison.markdown(compared, peers)
    followed = results.read_followed(_runs_of_glas("overfitting"))
    glas_figures.draw(followed, paths.figure("runs", "overfitting"))
    studies = (
        text_findings.markdown(results.read_done(suite.runs_of("text")), peers, datasets),
        glas.markdown(results.read_done(_runs_of_glas("runs")), followed),
        theorem.markdown(read_csv(paths.THEOREM)),
        speed.markdown(benchmarks),
    )
    write_text(paths.REPORT, report.markdown(cells, datasets, capacity, accuracy, *studies))
    for name in figures.NAMES:
        figures.draw(name, cells, paths.figure("runs", name))
    print(f"report: {paths.SUMMARY}, {paths.REPORT}, plots/runs: {len(cells)} runs")


def _runs_of_glas(section: str) -> dict[str, Run]:
    return suite.runs_of("glas", section) | suite.runs_of("glas-large", section)


if __name__ == "__main__":
    stage.run(main)
