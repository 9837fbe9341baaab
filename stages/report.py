"""Gather every run of params.yaml and of the suites into tables, figures and a page.

    python -m stages.report    → results/{metrics,summary,datasets,benchmark}.json,
                                 results/claims.yaml, results/report.{md,html},
                                 plots/{runs,studies,benchmark}/*.svg

What neither names is not read, whatever lies in results/.
"""

from hrrxml import claims, evidence, page, params, paths, report, results, stage
from hrrxml.claims.catalogue import CLAIMS
from hrrxml.files import write_json, write_text
from hrrxml.yaml_text import as_yaml


def main() -> None:
    settings = params.load()
    chosen = results.read(settings.runs)
    found = evidence.read(settings)
    entries = claims.ledger(CLAIMS, found)
    report.draw(chosen, found)
    written = report.markdown(chosen, entries, found, settings.capacity.threshold)
    write_json(paths.METRICS, results.headlines(chosen))
    write_json(paths.SUMMARY, results.summarise(chosen))
    write_json(paths.DATASETS, found.datasets)
    write_json(paths.BENCHMARK, found.benchmarks)
    write_text(paths.CLAIMS, as_yaml(entries))
    write_text(paths.REPORT, written)
    write_text(paths.PAGE, page.render(written, paths.REPORT.parent))
    print(f"report: {paths.PAGE}, {paths.CLAIMS}: {len(found.cells)} runs, {len(entries)} claims")


if __name__ == "__main__":
    stage.run(main)
