"""Fill the marked blocks of README.md, docs/findings.md and docs/serve.md from the records.

python -m papers.readme    `<!-- table1 -->` to `<!-- end of table1 -->`, and others

Text outside the markers is not touched.
"""

import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import measured
from hrrxml.runtime import command
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_text
from papers import (
    classifier,
    deviations,
    evidence,
    findings,
    large,
    leaders,
    ledger,
    study,
    tools,
)
from papers.claim import ledger as judge
from papers.evidence import Evidence
from papers.finding import Finding
from papers.findings import search
from papers.hrr import datasets, table1

README, FINDINGS, SERVE = Path("README.md"), Path("docs/findings.md"), Path("docs/serve.md")
WIDTH = 105  # of README's lines
MIRRORED = "† from a mirror, not by pip: [datasets](datasets.md) says who publishes it."
SHOWN = (table1.AUTHORS, table1.PAPER, table1.TUNED)


def main() -> None:
    for path, blocks in make_blocks(evidence.read()).items():
        write_text(path, fill(path.read_text(), blocks, path))
        print(f"{path}: {', '.join(blocks)}")


def make_blocks(recorded: Evidence) -> dict[Path, dict[str, str]]:
    """What belongs between each pair of markers of each file."""
    untouched = recorded.benchmarks.get("classifier", {})
    blocks = {
        README: {
            "minutes": _minutes(_benchmark("door", recorded)),
            "large": _wrapped(large.words(recorded)),
            "findings": "\n".join(_bullets(recorded)),
            "experiment": _experiment(_benchmark("door", recorded)),
        },
        FINDINGS: {
            "table1": _table1(table1.rows(recorded)),
            "leaders": leaders.block(recorded),
            "tools": tools.headline(recorded),
            "claims": ledger.counts(judge(study.claims(), recorded)),
            "search": _wrapped(_find(search, recorded).words),
            "classifier": "\n\n".join(classifier.accuracy(untouched, recorded)),
            "files": "\n\n".join(classifier.files(recorded.benchmarks.get("saved"))),
            "labels": "\n\n".join(classifier.new_labels(recorded.benchmarks.get("new_labels"))),
        },
        SERVE: {"measured": _served(_benchmark("serve", recorded))},
    }
    blocks[FINDINGS] = {name: marked(block) for name, block in blocks[FINDINGS].items()}
    return blocks


def marked(block: str) -> str:
    """With a † in each row of a dataset that came from a mirror, and a last line about it."""
    names = "|".join(map(re.escape, datasets.mirrored()))
    found, number = re.subn(rf"^\| ({names})(?=[, ])", r"| \1 †", block, flags=re.MULTILINE)
    return f"{found}\n\n{MIRRORED}" if number else block


def _minutes(door: Mapping[str, Any]) -> str:
    """How long a newcomer waits."""
    median, machine = door["median"], door["machine"]
    times = {
        "`dvc repro`": f"{median['repro'] / 60:.1f} minutes",
        "the first look": f"{median['first_look']:.0f} seconds",
        "`dvc exp run -S hrr.dim=1500`": f"{median['experiment'] / 60:.1f} minutes",
        "`dvc repro` again": f"{median['nothing_to_do']:.1f} seconds",
    }
    shown = ", ".join(f"{what} {time}" for what, time in times.items())
    clones = len(door["seconds"]["repro"])
    where = f"median of {clones} fresh clones" if clones > 1 else "in one fresh clone"
    return _wrapped(
        f"Measured on {machine['threads']} cores ({machine['cpu']}), download included, {where}: "
        f"{shown}."
    )


def _served(measured: Mapping[str, Any]) -> str:
    """How fast the page is, alone and under load."""
    alone, load, machine = measured["alone"], measured["load"], measured["machine"]
    memory = load["memory_mb"]
    return _wrapped(
        f"Measured on {machine['threads']} cores ({machine['cpu']}) with {measured['labels']:,} "
        f"labels: Chromium shows the page after {measured['first_paint_ms']:.0f} ms, and labels "
        f"come after {alone['predict']['p50_ms']:.0f} ms (median). {load['clients']} clients for "
        f"{load['seconds']:.0f} seconds: {load['requests_per_second']:.0f} requests a second, half "
        f"of them within {load['p50_ms']:.0f} ms and 99% within {load['p99_ms']:.0f} ms, "
        f"{load['errors']} errors; memory went from {memory[0]:.0f} to {memory[-1]:.0f} MB."
    )


def _benchmark(name: str, recorded: Evidence) -> Mapping[str, Any]:
    if name not in recorded.benchmarks:
        raise UserError(f"README needs the benchmark {name}, which is not recorded")
    measured: Mapping[str, Any] = recorded.benchmarks[name]
    return measured


def _experiment(door: Mapping[str, Any]) -> str:
    """The commands of an experiment, and the table that the last one printed."""
    commands = ["$ dvc exp run -S hrr.dim=1500", f"$ {door['show']}"]
    return "\n".join(["```console", *commands, *map(str.rstrip, door["shown"]), "```"])


def _find(module: Any, recorded: Evidence) -> Finding:
    finding: Finding | None = module.find(recorded)
    if finding is None:
        raise UserError(
            f"{module.__name__}: README needs this finding, and its records are missing"
        )
    return finding


def _bullets(recorded: Evidence) -> list[str]:
    """The findings, and what is still different from the authors' code."""
    found = [_find(module, recorded) for module in findings.IN_README]
    said = [f"**{finding.title}.** {finding.words}" for finding in found]
    return [_wrapped(f"- {words}", indent="  ") for words in (*said, deviations.short(recorded))]


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def fill(text: str, blocks: Mapping[str, str], path: Path) -> str:
    """The text with every block in place; `path` is where it comes from, for an error."""
    for name, block in blocks.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        if text.count(start) != 1 or text.count(end) != 1:
            raise UserError(f"{path}: needs `{start.strip()}` and `{end}`, once")
        marked = f"{re.escape(start)}.*?{re.escape(end)}"
        text = re.sub(marked, lambda _, new=f"{start}{block}\n{end}": new, text, flags=re.DOTALL)  # type: ignore[misc]
    return text


def _table1(rows: list[table1.Row]) -> str:
    """A line for each baseline and its HRR model: the paper's, and ours in each setting."""
    lines = [["dataset and encoder", "printed", *SHOWN]]
    settings: dict[tuple[str, str], dict[str, table1.Row]] = {}
    for row in rows:
        settings.setdefault((row.dataset, row.encoder), {})[row.setting] = row
    for (dataset, encoder), by_setting in settings.items():
        ours = [_ours(by_setting.get(setting)) for setting in SHOWN]
        printed = next(iter(by_setting.values())).printed("P@1")
        lines.append([f"{dataset}, {encoder}", _paper(printed), *ours])
    return markdown_table(lines)


def _paper(printed: list[float]) -> str:
    if not printed:
        return "–"
    baseline, hrr = printed
    return f"{baseline:g} → {hrr:g}: {hrr - baseline:+.1f}"


def _ours(row: table1.Row | None) -> str:
    if row is None:
        return "–"
    baseline, hrr = (measured(cell.metrics["P@1"]) for cell in (row.baseline, row.hrr))
    return f"{baseline} → {hrr}: {row.margin('P@1').short}"


if __name__ == "__main__":
    command.run(main)
