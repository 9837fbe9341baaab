"""The study as Markdown."""

from functools import partial

from hrrxml.report.markdown import markdown_table
from papers import ledger
from papers.finding import Finding
from papers.ledger import Entry
from papers.section import paragraphs, slug
from papers.study import READING, SUBJECT, TITLE, Study

LEDGER = "Ledger: every claim"
MARKS = {True: "", False: " ✗", None: " ?"}


def render(study: Study) -> str:
    parts = [f"# {TITLE}", SUBJECT, "## Findings", *map(partial(_finding, study), study.findings)]
    parts += ["## Contents", *_contents(study), study.coverage, READING]
    for part, sections in study.parts.items():
        if sections:
            parts += [f"## {part.title}", part.left_out]
            parts += [f"### {section.heading}\n\n{section.body}" for section in sections]
    parts += [f"## {LEDGER}", ledger.introduction(study.entries), claims_table(study.entries)]
    return paragraphs(parts) + "\n"


def _finding(study: Study, finding: Finding) -> str:
    number = study.findings.index(finding) + 1
    section = study.named(finding.evidence)
    verdicts = [f"“{c}” **{study.entry(c)['verdict']}**" for c in finding.claims]
    evidence = "; ".join([f"[{section.name}](#{section.anchor})", *verdicts])
    words = f"{finding.words} {finding.more}".strip()
    figure = f"![{finding.alt}](figures/{finding.figure}.svg)"
    return f"### {number}. {finding.title}\n\n{words}\n\nEvidence: {evidence}.\n\n{figure}"


def _contents(study: Study) -> list[str]:
    """A list for each part."""
    lists = []
    for part, sections in study.parts.items():
        lines = [f"- [{section.short_heading}](#{section.anchor})" for section in sections]
        lists += [f"**{part.title}**", "\n".join(lines)] if lines else []
    return [*lists, f"[{LEDGER}](#{slug(LEDGER)})"]


def claims_table(entries: list[Entry]) -> str:
    columns = ("paper", "place", "kind", "claim", "published")
    rows = [[*columns, "verdict", "passed", "ours"]]
    for entry in entries:
        shown = [entry[column] for column in columns]
        rows.append([*shown, f"**{entry['verdict']}**", entry.get("passed", "–"), _ours(entry)])
    return markdown_table(rows, text=len(rows[0]))


def _ours(entry: Entry) -> str:
    if "needs" in entry:
        return f"Needs {entry['needs']}"
    checks = [f"{c['where']}: {c['figure']}{MARKS[c['passed']]}" for c in entry["ours"]]
    parts = (entry["rule"], "; ".join(checks), entry.get("remark"))
    return ". ".join(part for part in parts if part)
