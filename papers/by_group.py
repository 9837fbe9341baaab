"""How often frequent labels and rare ones are found: the head, the middle and the tail."""

from collections.abc import Sequence
from statistics import mean

from hrrxml.report.markdown import markdown_table
from papers.contenders import SEVERAL, SINGLE, SIZE, Contender, Field

GROUPS = ("head", "middle", "tail")
REMARK = (
    "R@5 of the *head*, *middle* and *tail*: the share of that group's labels of test points that "
    "are among the first five. The most frequent labels, which hold a third of all that points "
    "have, are the head. One of ours beside the best single tool on that group, and three of ours "
    "beside the best ensemble."
)


def table(known: Sequence[Field]) -> str:
    """R@5 of each group of labels: ours / the best tool's."""
    rows = [["dataset", "models", *GROUPS]]
    for field in known:
        for models, ours, tools in (
            ("one", field.ours, SINGLE),
            ("several", f"{field.ours}-{SIZE}", SEVERAL),
        ):
            here = [field.contenders[key] for key in tools if key in field.contenders]
            if ours in field.contenders and here:
                rows.append([field.dataset, models, *_beside(field, field.contenders[ours], here)])
    return markdown_table(rows, text=2)


def _beside(field: Field, ours: Contender, tools: Sequence[Contender]) -> list[str]:
    own, cells = found_by_group(field, ours), []
    for group in GROUPS:
        if group not in own:
            cells.append("–")
            continue
        best = max(tools, key=lambda tool: found_by_group(field, tool)[group])
        cells.append(f"{own[group]:.1f} / {found_by_group(field, best)[group]:.1f} {best.name}")
    return cells


def found_by_group(field: Field, each: Contender) -> dict[str, float]:
    """R@5 of each group: the share of its labels of test points that are among the first five."""
    shares, groups, most = {}, field.about["groups"], float("inf")
    frequency = each.found.astype("int64") - 1  # −1 where the label is wrong
    for name in GROUPS:
        least, own = groups[name]["least"], groups[name]["test"]
        hits = ((frequency >= least) & (frequency < most)).sum(axis=(1, 2))
        most = least
        if own:
            shares[name] = 100 * mean(hits.tolist()) / own
    return shares
