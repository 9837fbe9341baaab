"""Real collections (suite `library`): models and other tools beside each other."""

from hrrxml.report.results import Cell, by_dataset
from papers.alike import difference_or_range
from papers.claim import Claim
from papers.evidence import Evidence
from papers.hrr.datasets import mirrored
from papers.section import Section, paragraphs
from papers.tools import (
    accuracy_table,
    against_tools,
    difference_table,
    differences,
    named,
    tools_of,
)

SUITE = "library"
PAIRS = (
    ("hrr-fc", "fc"),
    ("holographic-fc", "fc"),
    ("holographic-fc", "hrr-fc"),
    ("holographic-fc-500-plain", "hrr-fc-500"),
    ("holographic-fc", "holographic-none"),
    ("grouped-fc", "holographic-fc"),
    ("glas-mining-fc", "holographic-fc"),
)
AGAINST_TOOLS = ("hrr-fc", "holographic-fc")
REMARK = (
    "Collections with raw texts. `docs/datasets.md` describes them, and says who publishes those "
    "that came from a mirror; the others come by pip. Settings are the defaults of `params.yaml` "
    "but for what `suites/library.yaml` names, and none was chosen on a test split. Other tools "
    "have their packages' defaults and learn from the same training split. Numbers in names are "
    "d'; `holographic-none` is the linear path alone, and `plain` has neither that path nor `tail` "
    "nor feature dropout."
)
DIFFERENCES = (
    "Differences of the means; a star marks one that a test over seeds and test points shows. "
    "There is no such test of one seed: there, brackets hold what 95% of other test points would "
    "give. Another seed may differ by more. The points of other tools are not recorded."
)
NO_FC = (
    "FC was not run: its output layer would have {weights:.1f} million weights, and each training "
    "point would need all of them. In its place: {tools}."
)

CLAIMS: tuple[Claim, ...] = ()


def sections(evidence: Evidence) -> list[Section]:
    cells = evidence.of_suite(SUITE)
    if not cells:
        return []
    parts = [REMARK]
    for dataset, group in by_dataset(cells).items():
        table = accuracy_table(group, tools_of(evidence, dataset))
        origin = ", from a mirror" if dataset in mirrored() else ""
        parts += [f"#### {dataset}{origin}", table, _without_fc(evidence, group)]
    headlines = [cell for cell in cells if cell.model in AGAINST_TOOLS]
    rows = [*differences(cells, PAIRS, difference_or_range), *against_tools(evidence, headlines)]
    if rows:
        parts += ["#### Differences, real collections", DIFFERENCES, difference_table(rows)]
    return [Section("ours", "library", "real collections of texts", paragraphs(parts))]


def _without_fc(evidence: Evidence, group: list[Cell]) -> str:
    """Why FC is not among a dataset's models, and what stands in for it."""
    dataset = group[0].dataset
    hidden = [cell.settings["fc"]["hidden"] for cell in group if "fc" in cell.settings]
    ran = any(cell.model == "fc" for cell in group)
    if ran or not hidden or dataset not in evidence.datasets or dataset not in evidence.peers:
        return ""
    counted = evidence.datasets[dataset]
    weights = hidden[0] * counted["labels"] / 1e6
    tools = named(evidence, [dataset])
    return NO_FC.format(weights=weights, tools=tools)
