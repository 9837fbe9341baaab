"""Gather every run of params.yaml into one table and the figures.

python -m stages.report    → results/metrics.json, results/report.md, plots/*.svg
"""

from hrrxml import figures, params, paths, report, results, stage
from hrrxml.files import write_json, write_text


def main() -> None:
    cells = results.read(params.load().runs)
    write_json(paths.SUMMARY, results.summarise(cells))
    write_text(paths.REPORT, report.markdown(cells, figures.NAMES))
    for name in figures.NAMES:
        figures.draw(name, cells, paths.figure(name))
    print(f"report: {paths.SUMMARY}, {paths.REPORT}, {paths.figure('*')}: {len(cells)} runs")


if __name__ == "__main__":
    stage.run(main)
