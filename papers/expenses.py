"""What accuracy costs: core-seconds, memory and bytes, and all that was measured on a dataset."""

from collections.abc import Sequence

from hrrxml.report.markdown import markdown_table
from papers import pace
from papers.by_group import GROUPS, found_by_group
from papers.contenders import NAMES, SEVERAL, SINGLE, Contender, Field
from papers.finding import listed

SHOWN = ("P@1", "P@5", "PSP@1", "nDCG@5")
REMARK = (
    "Core-seconds of one thread to train, for ours to come to the tool's P@1, and to rank all test "
    "points; the most memory that the process had; megabytes of the saved model. Each pair is ours "
    "and the tool's. "
)
EVERYTHING = (
    "Seconds are core-seconds of one thread; *rank* is for all test points. Memory is the most "
    "that the process had, with all that it imported and read; three of ours are trained one after "
    "the other. Only *ours* counts the making of its features."
)


def beside(known: Sequence[Field]) -> str:
    """Ours beside Parabel, and beside the tool with the best P@1 if that is another."""
    head = ["dataset", "tool", "P@1", "train, s", "to its P@1, s", "rank, s", "memory, MB", "MB"]
    rows = [head]
    for field in known:
        ours = field.contenders[field.ours]
        best = field.best((*SINGLE, *SEVERAL), "P@1")
        tools = [field.contenders.get("parabel"), best]
        for tool in dict.fromkeys(each.key for each in tools if each is not None):
            theirs = field.contenders[tool]
            rows.append([field.dataset, theirs.name, *_pairs(ours, theirs)])
    return markdown_table(rows, text=2)


def _pairs(ours: Contender, theirs: Contender) -> list[str]:
    reached = pace.seconds_to(ours, theirs.mean("P@1"))
    both = (ours, theirs)
    train, rank, memory, size = (
        [each.cost(name) for each in both]
        for name in ("train_seconds", "predict_seconds", "peak_mb", "bytes")
    )
    return [
        " / ".join(f"{each.mean('P@1'):.1f}" for each in both),
        " / ".join(_number(value) for value in train),
        "not reached" if reached is None else _number(reached),
        " / ".join(_number(value) for value in rank),
        " / ".join(f"{value:,.0f}" for value in memory),
        " / ".join(_number(value / 1e6) for value in size),
    ]


def everything(field: Field) -> list[str]:
    about = field.about
    sizes = {name: f"{value:,}" for name, value in about["sizes"].items()}
    words = (
        f"{sizes['points']} points to learn from, {sizes['test_points']} test points, "
        f"{sizes['features']} features, {sizes['labels']} labels. {_groups(field)}"
    )
    if about["features_seconds"]:
        words += f" The features took {about['features_seconds']:.0f} core-seconds."
    for tool, why in field.left_out.items():
        words += f" Left out: {NAMES[tool]}; {why}."
    head = ["model", *SHOWN, *GROUPS, "seeds", "train, s", "rank, s", "memory, MB", "MB"]
    return [words, markdown_table([head, *(_row(field, c) for c in field.contenders.values())])]


def _groups(field: Field) -> str:
    groups = field.about["groups"]
    shown = [
        f"the {name} has {groups[name]['labels']:,} labels"
        + (f" of {groups[name]['least']:,} points or more" if groups[name]["least"] else "")
        for name in GROUPS
    ]
    return f"Of these {listed(shown)}."


def _row(field: Field, each: Contender) -> list[str]:
    shares = found_by_group(field, each)
    return [
        each.name,
        *(f"{each.mean(metric):.2f}" for metric in SHOWN),
        *(f"{shares[name]:.1f}" if name in shares else "–" for name in GROUPS),
        f"{len(each.measured['train_seconds'])}",
        _number(each.cost("train_seconds")),
        _number(each.cost("predict_seconds")),
        f"{each.cost('peak_mb'):,.0f}",
        _number(each.cost("bytes") / 1e6),
    ]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"
