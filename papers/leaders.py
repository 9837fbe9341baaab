"""Who leads on each dataset, and at what cost: ours, with no setting touched, or another tool."""

from collections.abc import Callable, Sequence
from functools import partial
from statistics import mean

from matplotlib.figure import Figure

from hrrxml.report.markdown import markdown_table
from papers import pace
from papers.claim import Claim
from papers.contenders import NAMES, SEVERAL, SINGLE, SIZE, Contender, Field, fields
from papers.evidence import Evidence
from papers.finding import listed
from papers.section import Section, paragraphs
from papers.significance import Difference

JUDGED = ("P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5", "nDCG@5")
SHOWN = ("P@1", "P@5", "PSP@1", "nDCG@5")
GROUPS = ("head", "middle", "tail")
REMARK = (
    "All learn from the train and validation points and rank the same test points; ours holds out "
    "some of its points itself. No setting is touched: neither of ours, nor of the tools but for "
    "the modes that their packages document (Bonsai's trees, three PLTs, one tree). The tools read "
    "tf-idf of words, or the dataset's own features; *ours* reads the texts where there are any, "
    "and *same features* what the tools read. Parabel and Bonsai have three trees each: they stand "
    "beside three seeds of ours, which rank by the mean of their probabilities."
)
READING = (
    "Each cell has the gap of ours over the best of the tools by that metric, with its name. A gap "
    "below 0 means that the tool leads. Brackets have the 95% interval over test points and seeds; "
    "**bold** gaps are shown by a test that counts all cells of the table. PSP's interval takes "
    "the best possible gains as given."
)
EVERYTHING = (
    "R@5 of the *head*, *middle* and *tail*: the share of that group's labels of test points that "
    "are among the first five. The most frequent labels, which hold a third of all that "
    "points have, are the head. Seconds are core-seconds of one thread; *rank* is for all test "
    "points. Memory is the most that the process had, with all that it imported and read; three "
    "of ours are trained one after the other. Only *ours* counts the making of its features."
)
COSTS = (
    "Core-seconds of one thread to train, for ours to come to the tool's P@1, and to rank all test "
    "points; the most memory that the process had; megabytes of the saved model. Each pair is ours "
    "and the tool's. "
)

CLAIMS: tuple[Claim, ...] = ()


def sections(evidence: Evidence) -> list[Section]:
    known = fields(evidence)
    if not known:
        return []
    parts = [REMARK, READING]
    for title, rows in comparisons(known).items():
        parts += [f"#### {title}", *_lead(rows)]
    parts += ["#### Costs", COSTS + pace.HOW, costs(known)]
    parts += [
        pace.DRAWN,
        f"![P@1 against core-seconds](figures/{pace.SECONDS}.svg)",
        f"![P@1 against bytes](figures/{pace.BYTES}.svg)",
        EVERYTHING,
    ]
    for field in known:
        parts += [f"#### All that was measured on {field.dataset}", *_everything(field)]
    return [Section("ours", "other tools", "who leads, and at what cost", paragraphs(parts))]


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    known = fields(evidence)
    if not known:
        return {}
    return {
        pace.SECONDS: partial(pace.draw, known, evidence, "train_seconds"),
        pace.BYTES: partial(pace.draw, known, evidence, "bytes"),
    }


def block(evidence: Evidence) -> str:
    """For docs/findings.md: one against one, three against ensembles, and the costs."""
    known = fields(evidence)
    if not known:
        return "Not yet recorded."
    parts = [REMARK, READING]
    for title, rows in comparisons(known).items():
        parts += [f"**{title}**", *_lead(rows)] if "same features" not in title else []
    return paragraphs([*parts, COSTS + pace.HOW, costs(known)])


Rows = dict[str, list[tuple[Difference, Contender] | None]]  # dataset → one for each metric


def comparisons(known: Sequence[Field]) -> dict[str, Rows]:
    """Title → what is compared."""
    one, several, every = SINGLE, SEVERAL, (*SINGLE, *SEVERAL)
    return {
        "One model against one model": _rows(known, one, lambda field: field.ours),
        "Three models against ensembles": _rows(
            known, several, lambda field: f"{field.ours}-{SIZE}"
        ),
        "One of ours against the best of all tools": _rows(known, every, lambda field: field.ours),
        "One model against one model, same features": _rows(known, one, lambda _: "features"),
    }


def _rows(known: Sequence[Field], tools: Sequence[str], ours: Callable[[Field], str]) -> Rows:
    return {
        field.dataset: [_gap(field, ours(field), tools, metric) for metric in JUDGED]
        for field in known
        if ours(field) in field.contenders
    }


def _gap(
    field: Field, ours: str, tools: Sequence[str], metric: str
) -> tuple[Difference, Contender] | None:
    tool = field.best(tools, metric)
    if tool is None:
        return None
    return field.difference(field.contenders[ours], tool, metric), tool


def _lead(rows: Rows) -> list[str]:
    """How many cells ours leads, how many a tool leads, and the table."""
    gaps = [gap for row in rows.values() for gap in row if gap is not None]
    if not gaps:
        return []
    words = f"{_count('Ours leads', gaps, 1)}. {_count('A tool leads', gaps, -1)}."
    table = [["dataset", *JUDGED]]
    for dataset, row in rows.items():
        table.append([dataset, *(_cell(gap, len(gaps)) for gap in row)])
    return [words, markdown_table(table)]


def _count(who: str, gaps: Sequence[tuple[Difference, Contender]], sign: int) -> str:
    """`Ours leads 5 of 7 cells: the interval agrees in 4, and a test over all cells in 3`."""
    ahead = [gap for gap, _ in gaps if sign * gap.gap > 0]
    agree, shown = (sum(gap.among(n).shows for gap in ahead) for n in (1, len(gaps)))
    return (
        f"{who} {len(ahead)} of {len(gaps)} cells: the interval agrees in {agree}, and a test "
        f"that counts all cells in {shown}"
    )


def _cell(gap: tuple[Difference, Contender] | None, tests: int) -> str:
    if gap is None:
        return "–"
    difference, tool = gap
    shown = f"{difference.gap:+.2f}"
    shown = f"**{shown}**" if difference.among(tests).shows else shown
    low, high = difference.interval
    brackets = f" [{low:+.2f}, {high:+.2f}]" if difference.parts else ""
    return f"{shown}{brackets} {tool.name}"


def costs(known: Sequence[Field]) -> str:
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


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _everything(field: Field) -> list[str]:
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
