"""Gather every run of params.yaml, and every dataset prepared, into tables and figures.

python -m stages.report    → results/{metrics,datasets}.json, results/report.md, plots/runs/*.svg
"""

from hrrxml import figures, params, paths, report, results, stage
from hrrxml.capacity import findings
from hrrxml.files import read_csv, write_json, write_text


def main() -> None:
    settings = params.load()
    cells = results.read(settings.runs)
    datasets = report.beside_table6(results.read_datasets(settings.datasets))
    capacity = findings.markdown(read_csv(paths.CAPACITY), settings.capacity.threshold)
    write_json(paths.DATASETS, datasets)
    write_json(paths.SUMMARY, results.summarise(cells))
    write_text(paths.REPORT, report.markdown(cells, datasets, capacity))
    for name in figures.NAMES:
        figures.draw(name, cells, paths.figure("runs", name))
    print(f"report: {paths.SUMMARY}, {paths.REPORT}, plots/runs: {len(cells)} runs")


if __name__ == "__main__":
    stage.run(main)
