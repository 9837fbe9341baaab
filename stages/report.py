"""Gather every run of params.yaml, and every dataset prepared, into tables and figures.

python -m stages.report    → results/{metrics,datasets,benchmark}.json, results/report.md,
                           plots/{runs,benchmark}/*.svg
"""

from hrrxml import comparison, figures, params, paths, report, results, stage, suite
from hrrxml.bench import figures as speed_figures
from hrrxml.bench import findings as speed
from hrrxml.capacity import findings
from hrrxml.files import read_csv, write_json, write_text


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
    text = report.markdown(cells, datasets, capacity, accuracy)
    write_text(paths.REPORT, f"{text}\n{speed.markdown(benchmarks)}")
    for name in figures.NAMES:
        figures.draw(name, cells, paths.figure("runs", name))
    print(f"report: {paths.SUMMARY}, {paths.REPORT}, plots/runs: {len(cells)} runs")


if __name__ == "__main__":
    stage.run(main)
