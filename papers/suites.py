"""Say what each suite costs and what to expect, from the records.

    python -m papers.suites    the lines `# Cost:` and `# Expect` of suites/*.yaml; docs/suites.md

A suite's file begins with its title and its command. The lines of this module follow, then
comments by hand. The cost is the recorded seconds of training times the threads.
"""

import textwrap
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from hrrxml import suite
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import with_deviation
from hrrxml.runtime import command
from hrrxml.runtime.files import write_text
from hrrxml.suite import COST, Sections
from papers import evidence, readme, records, verify

TABLE = Path("docs/suites.md")
EXPECT, MORE = "# Expect ", "#   "  # the first line of what to expect, and the lines after it
FEW = 8  # runs of a suite that are all listed; of more, the best one of each dataset is
WIDTH = 100
NO_BREAK = "\N{NO-BREAK SPACE}"


def main() -> None:
    refresh()
    print(f"{suite.FOLDER}/*.yaml, {TABLE}: cost and expectations of {len(suite.names())} suites")


def refresh() -> None:
    """Write the costs and expectations into the suites' files, and the table of all suites."""
    for name in suite.names():
        write_text(suite.path(name), with_header(suite.path(name).read_text(), suite.read(name)))
    write_text(TABLE, readme.fill(TABLE.read_text(), {"suites": table()}, TABLE))


def table() -> str:
    """All suites with their purpose, cost, datasets and command."""
    rows = [["suite", "what for", "cost", "datasets", "command"]]
    for name in suite.names():
        datasets = ", ".join(suite.read(name)["suite"]) or "–"
        do = f"`python -m hrrxml.suite {name} && dvc repro`"
        rows.append([name, *suite.headline(name), datasets, do])
    return markdown_table(rows, text=5)


def with_header(text: str, sections: Sections) -> str:
    """A suite's file with new lines about cost and expectation after its first two."""
    title, do, *rest = text.splitlines()
    while rest and (rest[0].startswith((COST, EXPECT, MORE))):
        rest.pop(0)
    return "\n".join([title, do, f"{COST}{cost(sections)}", *expectation(sections), *rest]) + "\n"


def cost(sections: Sections) -> str:
    """Core-minutes of training; in brackets, what they are and what is missing."""
    runs, recorded = sections["runs"], records.names("runs")
    trained = [name for name in runs if name in recorded]
    if not trained:
        return "never run" if runs else "not timed"
    seconds = sum(_seconds(name) * _seeds(runs[name]) for name in trained)
    compared = [dataset for dataset in sections["peers"] if dataset in records.names("peers")]
    seconds += sum(map(_seconds_of_tools, compared))
    missing = f" for {len(trained)} of {len(runs)} runs" if len(trained) < len(runs) else ""
    followed = len(sections["overfitting"])
    untimed = f"; {followed} runs under `overfitting` were not timed" if followed else ""
    return f"{seconds / 60:.0f} core-minutes (training, as recorded{missing}{untimed})"


def _seconds(run: str) -> float:
    """What one seed of a run took one core."""
    record = records.read("runs", run)
    return verify.seconds(record) * int(record["provenance"]["machine"]["threads"])


def _seeds(run: Sections) -> int:
    return int(run.get("settings", {}).get("train", {}).get("seeds", 1))


def _seconds_of_tools(dataset: str) -> float:
    record = records.read("peers", dataset)
    return float(sum(sum(tool["seconds"]) for tool in record["tools"].values()))


def expectation(sections: Sections) -> list[str]:
    """The lines `# Expect …`; none if nothing is recorded."""
    metrics = {name: records.read("runs", name)["metrics"] for name in _recorded(sections)}
    p1 = {name: values["P@1"] for name, values in metrics.items()}
    if p1:
        return _lines(*_p1(p1, sections))
    if sections["runs"]:
        return []
    if sections["benchmarks"]:
        return _lines("what papers/records/benchmarks/ has", [])
    return _lines(*_capacity())


def _recorded(sections: Sections) -> Iterator[str]:
    known = records.names("runs")
    return (name for name in sections["runs"] if name in known)


def _p1(p1: dict[str, list[float]], sections: Sections) -> tuple[str, list[str]]:
    """P@1 of every run, or of the best run of every dataset."""
    shown, what = list(p1), "P@1: "
    if len(p1) > FEW:
        what = "P@1, for the best run of each dataset: "
        by_dataset: dict[str, list[str]] = {}
        for name in p1:
            by_dataset.setdefault(sections["runs"][name]["dataset"], []).append(name)
        shown = [max(names, key=lambda name: mean(p1[name])) for names in by_dataset.values()]
    return what, [f"{name} {with_deviation(p1[name])}" for name in shown]


def _capacity() -> tuple[str, list[str]]:
    """How many bound pairs a vector holds at the largest d."""
    lines = evidence.read().capacity.values()
    d = max(next(iter(lines)).capacity)
    return f"pairs at d = {d}: ", [f"{line.capacity[d]:.0f} ({line.label})" for line in lines]


def _lines(what: str, items: list[str]) -> list[str]:
    """Comments that are broken between items alone."""
    unbroken = ", ".join(item.replace(" ", NO_BREAK) for item in items)
    lines = textwrap.wrap(
        f"{EXPECT}{what}{unbroken}", WIDTH, subsequent_indent=MORE, break_on_hyphens=False
    )
    return [line.replace(NO_BREAK, " ") for line in lines]


if __name__ == "__main__":
    command.run(main)
