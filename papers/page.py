"""The study as one HTML page without other files and without network access."""

import re
from collections.abc import Iterable
from functools import partial
from html import escape
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

from markdown_it import MarkdownIt

from hrrxml.runtime.errors import UserError
from papers import ledger
from papers.claim import (
    ELSEWHERE,
    FAILS,
    HOLDS,
    IN_PART,
    KINDS,
    NOT_RUN,
    SEEN,
    SEEN_IN_PART,
    UNDECIDED,
    UNTESTED,
    VERDICTS,
)
from papers.finding import Finding
from papers.ledger import Entry
from papers.section import Section
from papers.study import PAPERS, READING, SUBJECT, TITLE, Part, Study

TEMPLATE = Path(__file__).with_name("page.html")
# The style of each verdict, and of what a check says.
STYLES = {
    HOLDS: "holds",
    IN_PART: "part",
    FAILS: "fails",
    SEEN: "holds",
    SEEN_IN_PART: "part",
    ELSEWHERE: "part",
    UNDECIDED: "open",
    NOT_RUN: "open",
    UNTESTED: "open",
}
CHECKS = {True: ("holds", "✓", "passed"), False: ("fails", "✗", "failed")}
CHECKS_OPEN = ("open", "?", "undecided")
SELECTS = {"paper": PAPERS, "verdict": VERDICTS, "kind": KINDS}


def render(study: Study, folder: Path) -> str:
    """The page. Figures are read from `folder`, as the study's Markdown names them."""
    words = partial(_markdown, folder=folder)
    return Template(TEMPLATE.read_text()).substitute(
        title=escape(TITLE),
        subject=words(SUBJECT),
        findings="\n".join(_finding(study, finding, folder) for finding in study.findings),
        contents="\n".join(_contents(*item) for item in study.parts.items() if item[1]),
        bar="\n".join(_part_link(part) for part, sections in study.parts.items() if sections),
        reading=words(f"{study.coverage}\n\n{READING}"),
        parts="\n".join(_part(study, *item, folder) for item in study.parts.items() if item[1]),
        ledger=words(ledger.introduction(study.entries), label="Verdicts by paper"),
        filters="\n".join(_select(name, values) for name, values in SELECTS.items()),
        claims="\n".join(_claim(study, entry) for entry in study.entries),
        total=len(study.entries),
    )


def _finding(study: Study, finding: Finding, folder: Path) -> str:
    number = study.findings.index(finding) + 1
    section = study.named(finding.evidence)
    claims = _linked_claims(study.entry(claim) for claim in finding.claims)
    return f"""<article class="finding" id="finding-{number}">
<div>
<h3>{number}. {_inline(finding.title)}</h3>
<p>{_inline(finding.words)}</p>
{f"<p>{_inline(finding.more)}</p>" if finding.more else ""}
<p class="evidence">Evidence: <a href="#{section.anchor}">{escape(section.name)}</a></p>
{claims}
</div>
<img src="{_embedded(folder / "figures" / f"{finding.figure}.svg")}" alt="{escape(finding.alt)}">
</article>"""


def _contents(part: Part, sections: list[Section]) -> str:
    links = (f'<li><a href="#{s.anchor}">{escape(s.short_heading)}</a></li>' for s in sections)
    return f"<div><h3>{escape(part.title)}</h3>\n<ul>{''.join(links)}</ul></div>"


def _part(study: Study, part: Part, sections: list[Section], folder: Path) -> str:
    shown = "\n".join(_section(study, section, folder) for section in sections)
    return (
        f'<h2 id="{_part_id(part)}">{escape(part.title)}</h2>\n{_paragraph(part.left_out)}{shown}'
    )


def _part_link(part: Part) -> str:
    return f'<a href="#{_part_id(part)}">{escape(part.title)}</a>'


def _part_id(part: Part) -> str:
    return "part-" + re.sub(r"\W+", "-", part.title.lower())


def _section(study: Study, section: Section, folder: Path) -> str:
    """The tables and figures, and which claims belong to them."""
    body = _markdown(section.body, folder, label=section.heading)
    claims = list(study.entries_of(section))
    count = f"{len(claims)} claim{'s' if len(claims) > 1 else ''} judged by this"
    listed = f"<details><summary>{count}</summary>\n{_linked_claims(claims)}\n</details>"
    return f"""<section aria-labelledby="{section.anchor}">
<h3 id="{section.anchor}">{escape(section.heading)}</h3>
{body}{listed if claims else ""}
</section>"""


def _linked_claims(entries: Iterable[Entry]) -> str:
    """Verdicts, each with a link to its claim in the ledger."""
    items = [
        f'<li>{_badge(entry)} <a href="#{ledger.anchor(entry["claim"])}">'
        f"{escape(entry['claim'])}</a></li>"
        for entry in entries
    ]
    return f'<ul class="verdicts">{"".join(items)}</ul>' if items else ""


def _badge(entry: Entry) -> str:
    """The verdict."""
    return f'<span class="badge {STYLES[entry["verdict"]]}">{entry["verdict"]}</span>'


def _select(name: str, values: Iterable[str]) -> str:
    options = "".join(f"<option>{escape(value)}</option>" for value in values)
    return f"""<label>{name.capitalize()}
<select name="{name}"><option value="">all</option>{options}</select></label>"""


def _claim(study: Study, entry: Entry) -> str:
    """A card. What a filter looks at is in data attributes."""
    data = " ".join(f'data-{name}="{escape(entry[name])}"' for name in SELECTS)
    anchor, home = ledger.anchor(entry["claim"]), study.homes.get(entry["claim"])
    link = f' · evidence: <a href="#{home.anchor}">{escape(home.name)}</a>' if home else ""
    return f"""<article class="claim" id="{anchor}" {data}>
<div>
<h3><a href="#{anchor}">{escape(entry["claim"])}</a></h3>
<p>{_badge(entry)} {escape(entry["paper"])}, {escape(entry["place"])} ·
{escape(entry["kind"])}{link}</p>
</div>
<dl>{_facts(entry)}</dl>
</article>"""


def _facts(entry: Entry) -> str:
    """What was published, by what rule it is judged, and what the checks gave."""
    facts = {"Published": escape(entry["published"])}
    if "needs" in entry:
        facts["Needs"] = _inline(entry["needs"])
    else:
        facts["Rule"] = _inline(entry["rule"])
        facts[f"Checks: {entry['passed']}"] = _checks(entry["ours"])
    if entry.get("remark"):
        facts["Remark"] = _inline(entry["remark"])
    if runs := entry.get("runs"):
        names = ", ".join(f"<code>{escape(run)}</code>" for run in runs)
        facts["Runs"] = f"<details><summary>{len(runs)}</summary>{names}</details>"
    return "\n".join(f"<div><dt>{term}</dt><dd>{fact}</dd></div>" for term, fact in facts.items())


def _checks(checks: list[dict[str, Any]]) -> str:
    items = []
    for check in checks:
        style, mark, words = CHECKS.get(check["passed"], CHECKS_OPEN)
        shown = f"{escape(check['where'])}: {escape(check['figure'])}"
        sign = f'<span class="{style}" role="img" aria-label="{words}">{mark}</span>'
        items.append(f"<li>{sign} {shown}</li>")
    return f"<ul>{''.join(items)}</ul>"


def _paragraph(text: str) -> str:
    return f"<p>{_inline(text)}</p>\n" if text else ""


def _inline(text: str) -> str:
    """One paragraph of Markdown without its <p>."""
    return str(MarkdownIt("commonmark", {"html": False}).renderInline(text))


def _markdown(text: str, folder: Path, label: str = "") -> str:
    """Tables and figures scroll inside a region of their own, which the keyboard reaches."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    region = f'class="scroll" role="region" tabindex="0" aria-label="Table: {escape(label)}"'
    parser.add_render_rule("table_open", lambda *_: f"<div {region}><table>\n")
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    tokens = parser.parse(text)
    for token in tokens:
        if token.type == "th_open":
            token.attrSet("scope", "col")
        for part in token.children or []:
            if part.type == "image":
                part.attrSet("src", _embedded(folder / str(part.attrs["src"])))
    html = str(parser.renderer.render(tokens, parser.options, {}))
    opening = r'<p class="scroll figure" role="region" tabindex="0" aria-label="Figure: \2"><img\1'
    return re.sub(r'<p><img([^>]* alt="([^"]*)")', opening, html)


def _embedded(path: Path) -> str:
    """A figure as a data URI, without what only other programs read."""
    if not path.exists():
        raise UserError(f"{path}: the study shows this figure; `python -m papers` draws it")
    noise = r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>"
    svg = re.sub(noise, "", path.read_text(), flags=re.DOTALL)
    svg = _smaller(re.sub(r"\s+", " ", svg).replace("> <", "><").replace('"', "'"))
    return "data:image/svg+xml," + quote(svg.strip(), safe=" '=:;,/()+*-._~!$@[]")


def _smaller(svg: str) -> str:
    """The same picture: points to two decimals, and no groups that only name their contents."""
    svg = re.sub(r"\b([1-9]\d*\.\d\d)\d+", r"\1", svg)  # not 0.015625: letters are scaled by it
    svg, left = re.sub(r"<g id='[\w.]+'>", "<g>", svg), 1
    while left:
        svg, left = re.subn(r"<g>((?:(?!</?g[ >]).)*)</g>", r"\1", svg)
    return svg
