"""GLaS's Tables 1 to 4 and Figure 1 (suite `glas`), and what the paper says about them."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from statistics import mean

from matplotlib.figure import Figure

from hrrxml.report.figures import overfitting
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, Followed, by_dataset, measured
from papers.alike import compare
from papers.claim import FIGURE, STATEMENT, Check, Claim, Judge
from papers.evidence import Evidence
from papers.published import PUBLISHED
from papers.rules import all_of, is_better, is_not_below, is_same, is_worse
from papers.section import Section, paragraphs
from papers.significance import SAME, Difference, paired, unpaired
from papers.tools import difference_table, differences, named

PRINTED = PUBLISHED["glas"]
BASE = "glas-fc"
SUITES = ("glas", "glas-large")  # other suites run single variants, such as mining
# Table 1: what is varied, how, its place in published.yaml, and the run.
# Batches and d are a share of the base setting's: the paper's, or ours.
TABLE1 = (
    ("regulariser", "none", ("regulariser", "none"), "glas-none-fc"),
    ("regulariser", "spread-out", ("regulariser", "spreadout"), "glas-spreadout-fc"),
    ("regulariser", "gravity", ("regulariser", "gravity"), "glas-gravity-fc"),
    ("regulariser", "GLaS", ("regulariser", "glas"), BASE),
    ("weight λ", "1", ("weight", "1"), "glas-weight-1-fc"),
    ("weight λ", "10", ("weight", "10"), BASE),
    ("weight λ", "100", ("weight", "100"), "glas-weight-100-fc"),
    ("features kept ρ", "1.0", ("keep", "1.0"), "glas-keep-100-fc"),
    ("features kept ρ", "0.8", ("keep", "0.8"), BASE),
    ("features kept ρ", "0.6", ("keep", "0.6"), "glas-keep-60-fc"),
    ("batch", "a quarter", ("batch", "1024"), "glas-batch-quarter-fc"),
    ("batch", "half", ("batch", "2048"), "glas-batch-half-fc"),
    ("batch", "base", ("batch", "4096"), BASE),
    ("d", "a quarter", ("dim", "256"), "glas-dim-quarter-fc"),
    ("d", "half", ("dim", "512"), "glas-dim-half-fc"),
    ("d", "base", ("dim", "1024"), BASE),
    ("embedding", "linear", ("embedding", "linear"), "glas-linear"),
    ("embedding", "ReLU", ("embedding", "relu"), BASE),
    ("adjacency", "geometric mean", None, "glas-geometric-fc"),
    ("adjacency", "PMI", None, "glas-pmi-fc"),
    ("adjacency", "Jaccard", None, "glas-jaccard-fc"),
    ("adjacency", "arithmetic mean", None, BASE),
    ("loss", "softmax", None, "glas-softmax-fc"),
    ("loss", "mining", None, "glas-mining-fc"),
)
VARIANTS = (BASE, "glas-softmax-fc", "glas-mining-fc")  # losses that the paper mentions
RIVALS = (
    "glas-none-fc",
    "glas-spreadout-fc",
    "glas-gravity-fc",
    "glas-geometric-fc",
)
BATCHES = ("glas-batch-half-fc", "glas-batch-quarter-fc")
TABLE1_REMARK = (
    "P@1 on the test split, mean ± deviation (seeds); the paper's is on AmazonCat-13K, with "
    "batches of 4,096 and d = 1,024. GLaS's row is the base setting: a hinge on the ten worst of "
    "1,000 sampled negatives (mining), on Delicious softmax. Two values do not mean what they mean "
    "in the paper: λ weighs the regulariser against these means, not against eq. 1's sum, and what "
    "input dropout leaves is scaled by 1/ρ. PMI is positive and normalised; the linear embedding "
    "learns at three times the rate. These runs have a fixed number of epochs, and weight "
    "normalisation in the output layer alone. A star marks a difference that a test shows."
)
TABLE2_REMARK = (
    "P@1 after the last epoch (none is chosen) on at most 20,000 points of each split, mean ± "
    "deviation (seeds); the paper's rows are on its datasets. `none` has neither regulariser nor "
    "input dropout (algorithm 1), `glas` has both (algorithm 2)."
)
FIGURE1_REMARK = (
    "P@1 on training and on test points after each epoch, mean over seeds: without regularisation "
    "(`none`, algorithm 1) and with it (`glas`, algorithm 2). The paper's figure is for "
    "AmazonCat-13K without regularisation."
)
TABLES34 = (  # its place, the metric and a title
    ("Table 3", "P", "precision beside other methods"),
    ("Table 4", "PSP", "propensity-scored precision beside other methods"),
)
TABLES34_REMARK = (
    "{metric}@1 / {metric}@3 / {metric}@5. The paper's figures are for its datasets and methods; "
    "on ours, GLaS has the loss that validation prefers (mining or softmax), beside {tools}, each "
    "where it ended in time.{slip}"
)
SLIP = (
    " For AmazonCat-13K and Amazon-670K, the paper's Tables 1 and 2 print a P@1 of 94.21 and "
    "46.32, its Table 3 prints 92.21 and 46.38."
)


def sections(evidence: Evidence) -> list[Section]:
    """Every table that has a run, and Figure 1."""
    made: list[Section] = []
    if cells := _cells(evidence):
        gaps = difference_table(differences(cells, [(BASE, rival) for rival in RIVALS]))
        body = paragraphs([TABLE1_REMARK, _table1(cells), gaps])
        made += [Section("GLaS", "Table 1", "one change at a time", body, ("§3.2",))]
    if evidence.followed:
        figure = "![Training and test P@1 by epoch](figures/glas-figure1.svg)"
        body = paragraphs([FIGURE1_REMARK, figure])
        made += [Section("GLaS", "Figure 1", "training and test accuracy by epoch", body)]
        body = paragraphs([TABLE2_REMARK, _table2(evidence.followed)])
        made += [Section("GLaS", "Table 2", "the generalisation gap", body)]
    for place, metric, title in TABLES34:
        if cells := _beside_tools(evidence):
            tools = named(evidence, [cell.dataset for cell in cells])
            slip = SLIP if metric == "P" else ""
            remark = TABLES34_REMARK.format(metric=metric, tools=tools, slip=slip)
            table = _beside_others(evidence, cells, place.lower().replace(" ", ""), metric)
            made += [Section("GLaS", place, title, paragraphs([remark, table]))]
    return made


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    runs = evidence.followed
    return {"glas-figure1": partial(overfitting, runs)} if runs else {}


def _cells(evidence: Evidence) -> list[Cell]:
    models = {model for *_, model in TABLE1}
    return [cell for cell in evidence.of_suites(*SUITES).values() if cell.model in models]


def _table1(cells: list[Cell]) -> str:
    by_name = {cell.name: measured(cell.metrics["P@1"]) for cell in cells}
    datasets = list(by_dataset(cells))
    rows = [["varied", "value", "paper", *datasets]]
    for varied, value, place, model in TABLE1:
        printed = PRINTED["table1"][place[0]][place[1]] if place else "–"
        ours = [by_name.get(f"{dataset}-{model}", "–") for dataset in datasets]
        rows.append([varied, value, str(printed), *ours])
    return markdown_table(rows, text=2)


def _table2(followed: list[Followed]) -> str:
    rows = [["dataset", "regularisation", "train", "test", "gap"]]
    for dataset, printed in PRINTED["table2"].items():
        for kind, values in printed.items():
            rows.append([f"{dataset}, paper", kind, *(f"{value:.2f}" for value in values)])
    for run in followed:
        ours = (run.last("train"), run.last("test"), run.gaps)
        rows.append([run.dataset, run.model.removeprefix("glas-"), *map(measured, ours)])
    return markdown_table(rows, text=2)


def _beside_others(evidence: Evidence, cells: list[Cell], table: str, metric: str) -> str:
    """GLaS and every other method at k = 1, 3 and 5: the paper's datasets, then ours."""
    metrics = [f"{metric}@{k}" for k in (1, 3, 5)]
    lines: dict[str, dict[str, str]] = {}
    for dataset, printed in PRINTED[table].items():
        lines[f"{dataset}, paper"] = {name: _slashed(row) for name, row in printed.items()}
    for cell in cells:
        lines[cell.dataset] = {"glas": _slashed([cell.mean(each) for each in metrics])}
        for name, tool in evidence.peers[cell.dataset].items():
            lines[cell.dataset][name] = _slashed([mean(tool["metrics"][m]) for m in metrics])
    methods = dict.fromkeys(name for line in lines.values() for name in line)
    rows = [[name, *(line.get(m, "–") for m in methods)] for name, line in lines.items()]
    return markdown_table([["dataset", *methods], *rows])


def _beside_tools(evidence: Evidence) -> list[Cell]:
    """The best variant on each dataset on which other tools were trained."""
    return [cell for cell in _best_variants(evidence) if cell.dataset in evidence.peers]


def _best_variants(evidence: Evidence) -> list[Cell]:
    """For each dataset, the loss that validation prefers."""
    cells = [cell for cell in evidence.of_suites(*SUITES).values() if cell.model in VARIANTS]
    return [max(variants, key=_on_validation) for variants in by_dataset(cells).values()]


def _on_validation(cell: Cell) -> float:
    """The best P@1 on the validation split, mean over seeds."""
    return float(cell.curve.groupby("seed")["validation_p1"].max().mean())


def _slashed(values: list[float]) -> str:
    return " / ".join(f"{value:.2f}" for value in values)


def _overfits(evidence: Evidence) -> Iterator[Check]:
    for run in evidence.followed:
        if run.model == "glas-none":
            train, test = mean(run.last("train")), mean(run.last("test"))
            shown = f"{train:.1f} train, {test:.1f} test"
            yield Check(run.dataset, shown, train >= 98 and train - test >= 5, (run.name,))


def _narrows(evidence: Evidence) -> Iterator[Check]:
    plain = {run.dataset: run for run in evidence.followed if run.model == "glas-none"}
    for run in evidence.followed:
        if run.model == "glas-glas" and run.dataset in plain:
            other = plain[run.dataset]
            narrower = 100 * (1 - mean(run.gaps) / mean(other.gaps))
            gaps = (paired(run.gaps, other.gaps), paired(run.last("test"), other.last("test")))
            shown = f"gap {narrower:+.0f}% narrower ({{0}}), test {{1}}"
            runs = (run.name, other.name)
            yield Check(run.dataset, shown, runs=runs, gaps=gaps, rule=_is_narrower_and_better)


def _is_narrower_and_better(gap: Difference, test: Difference) -> bool | None:
    return all_of((is_worse(gap, -_printed_change(2)), is_better(test, _printed_change(1))))


def _printed_change(column: int) -> float:
    """By regularisation on AmazonCat-13K (Table 2), in train (0), test (1) or their gap (2)."""
    printed = PRINTED["table2"]["amazoncat-13k"]
    return float(printed["glas"][column] - printed["none"][column])


def _printed_gain(ours: str, theirs: str) -> float:
    """One P@1 of Table 1 less another; the base setting's least gain if a run has no row there."""
    printed = {model: PRINTED["table1"][p[0]][p[1]] for _, _, p, model in TABLE1 if p}
    if ours in printed and theirs in printed:
        return float(printed[ours] - printed[theirs])
    return float(min(printed[BASE] - p1 for model, p1 in printed.items() if model != BASE))


def _both(evidence: Evidence, ours: str, theirs: str) -> Iterator[tuple[Cell, Cell]]:
    """Two models' cells on each dataset that has both."""
    for cell in evidence.all_cells:
        other = evidence.cells.get(f"{cell.dataset}-{theirs}")
        if cell.model == ours and other is not None:
            yield cell, other


def _compared(ours: Cell, theirs: Cell, judge: Callable[[Difference], bool | None]) -> Check:
    where = f"{ours.dataset}, {_short(ours.model)} less {_short(theirs.model)}"
    return compare(where, ours, theirs, "P@1", judge)


def _short(model: str) -> str:
    return "base" if model == BASE else model.removeprefix("glas-").removesuffix("-fc")


def _gain(says: str, *pairs: tuple[str, str], place: str = "Table 1", published: str = "") -> Claim:
    """A claim that the first run of each pair is better than the second, wherever both were run."""
    gains = {pair: _printed_gain(*pair) for pair in pairs}

    def judge(evidence: Evidence) -> Iterator[Check]:
        for pair, gain in gains.items():
            for cells in _both(evidence, *pair):
                yield _compared(*cells, partial(is_better, published=gain))

    return Claim(
        paper="GLaS",
        place=place,
        kind=STATEMENT,
        says=says,
        published=published or " and ".join(f"{gain:+.2f}" for gain in gains.values()),
        rule="A test shows a better P@1; no, if a gain as large as the printed one"
        + (f" (the least of Table 1: {min(gains.values()):.2f})" if published else "")
        + " is ruled out",
        judge=judge,
    )


def _batches(evidence: Evidence) -> Iterator[Check]:
    for other in BATCHES:
        for ours, theirs in _both(evidence, BASE, other):
            if theirs.settings["train"]["batch_size"] >= 1000:
                yield _compared(ours, theirs, is_same)


def _over_tools(metric: str) -> Judge:
    def judge(evidence: Evidence) -> Iterator[Check]:
        for cell in _beside_tools(evidence):
            best, values = evidence.best_tool(cell.dataset, metric)
            gap = unpaired(cell.metrics[metric], values)
            shown = f"{{0}} to {best}, of {', '.join(evidence.peers[cell.dataset])}"
            runs = (cell.name,)
            yield Check(cell.dataset, shown, runs=runs, gaps=(gap,), rule=is_not_below)

    return judge


def _latency(evidence: Evidence) -> Iterator[Check]:
    for row in evidence.benchmarks.get("neighbours", {}).get("grid", []):
        limit = 1 if row["labels"] <= 100_000 else 10
        for kind, key in (("around centres", "recall"), ("spread", "spread_recall")):
            recall = row[f"faiss_ivf_{key}"]
            shown = f"{row['faiss_ivf_ms']:.2f} ms, recall {recall:.2f}"
            fast = row["faiss_ivf_ms"] < limit and recall >= 0.9
            yield Check(f"{row['labels']:,} labels {kind}", shown, fast)


def _gains_over_others(table: str) -> dict[str, float]:
    """GLaS's first figure less the best other method's, by dataset, as printed."""
    gains = {}
    for dataset, printed in PRINTED[table].items():
        firsts = {method: values[0] for method, values in printed.items()}
        gains[dataset] = firsts.pop("glas") - max(firsts.values())
    return gains


def _signed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:+.1f}" for value in values)


_NONE, _GLAS = (PRINTED["table2"]["amazoncat-13k"][kind] for kind in ("none", "glas"))
_TABLE3, _TABLE4 = _gains_over_others("table3"), _gains_over_others("table4")

CLAIMS = (
    Claim(
        paper="GLaS",
        place="§2.1, Figure 1",
        kind=STATEMENT,
        says="Embeddings without regularisation fit the training set nearly perfectly, and overfit",
        published=f"{_NONE[0]} train, {_NONE[1]} test",
        rule="Over seeds, mean P@1 is at least 98 on training points and 5 points lower on test "
        "points",
        judge=_overfits,
    ),
    Claim(
        paper="GLaS",
        place="§4, Table 2",
        kind=STATEMENT,
        says="Regularisation narrows the generalisation gap (by over 30% on AmazonCat-13K) and "
        "improves the test accuracy",
        published=f"gap {_NONE[2]} → {_GLAS[2]}, test {_NONE[1]} → {_GLAS[1]}",
        rule="Paired tests over seeds show a narrower gap and a better test accuracy; no, if a "
        "change as large as on AmazonCat-13K is ruled out for either",
        judge=_narrows,
    ),
    _gain("The GLaS regulariser gains over no regulariser", (BASE, "glas-none-fc")),
    _gain(
        "The GLaS regulariser gains over spread-out and over gravity",
        (BASE, "glas-spreadout-fc"),
        (BASE, "glas-gravity-fc"),
    ),
    _gain(
        "The regularisers spread-out and gravity gain over no regulariser",
        ("glas-spreadout-fc", "glas-none-fc"),
        ("glas-gravity-fc", "glas-none-fc"),
    ),
    _gain(
        "A moderate weight of the regulariser is best: λ = 10 over 1 and 100",
        (BASE, "glas-weight-1-fc"),
        (BASE, "glas-weight-100-fc"),
    ),
    _gain(
        "Moderate input dropout is best: ρ = 0.8 over 1.0 and 0.6",
        (BASE, "glas-keep-100-fc"),
        (BASE, "glas-keep-60-fc"),
    ),
    _gain(
        "GLaS is better with all its dimensions than with a half or a quarter of them",
        (BASE, "glas-dim-half-fc"),
        (BASE, "glas-dim-quarter-fc"),
        place="Table 1, §4",
    ),
    Claim(
        paper="GLaS",
        place="Table 1, §4",
        kind=STATEMENT,
        says="Batch sizes in the range of 1000s have no significant impact on GLaS",
        published=" and ".join(f"{_printed_gain(BASE, other):+.2f}" for other in BATCHES)
        + " for the largest",
        rule=f"Two one-sided tests put the paired difference in P@1 within {SAME:g} point",
        judge=_batches,
        needs="batches of 1,000 and more, on data large enough for them (suite glas-large); ours "
        "are 32 to 512",
        testable=False,
    ),
    _gain(
        "A ReLU network is a better embedding than a linear one",
        (BASE, "glas-linear"),
        place="Table 1, §4",
    ),
    _gain(
        "The arithmetic mean of conditional frequencies is a better adjacency than the geometric "
        "mean, PMI or Jaccard",
        (BASE, "glas-geometric-fc"),
        (BASE, "glas-pmi-fc"),
        (BASE, "glas-jaccard-fc"),
        place="§3.2",
        published="slightly, noticeably",
    ),
    _gain(
        "With many labels a point, softmax cross-entropy trains better than the margin loss",
        ("glas-eq1-softmax-fc", "glas-eq1-fc"),
        place="§4",
        published="used for Delicious-200K",
    ),
    _gain(
        "Weight normalisation in each layer improves generalisation",
        ("glas-eq1-fc", "glas-eq1-unnormalised-fc"),
        place="§3.1",
        published="not in numbers",
    ),
    Claim(
        paper="GLaS",
        place="Table 3",
        kind=STATEMENT,
        says="GLaS matches or exceeds all previous methods on four of six datasets",
        published=f"P@1 leads on {sum(gain > 0 for gain in _TABLE3.values())} of {len(_TABLE3)} in "
        "its Table 3",
        rule="On our datasets, a one-sided unpaired test puts P@1 no more than "
        f"{SAME:g} point below the best other tool's",
        judge=_over_tools("P@1"),
    ),
    Claim(
        paper="GLaS",
        place="Table 4",
        kind=STATEMENT,
        says="GLaS's PSP@1 is the best of all methods on four of five datasets",
        published=_signed(_TABLE4.values()),
        rule="On our datasets, a one-sided unpaired test puts PSP@1 no more than "
        f"{SAME:g} point below the best other tool's",
        judge=_over_tools("PSP@1"),
        remark="None of our datasets is among the paper's, and these tools were not trained for "
        "PSP",
    ),
    Claim(
        paper="GLaS",
        place="Table 4, §4",
        kind=FIGURE,
        says="GLaS improves PSP@1 on Amazon-670K by 9.6 points",
        published=_signed([_TABLE4["amazon-670k"]]),
        needs="amazon-670k (suite glas-large) and a GPU",
        testable=False,
    ),
    Claim(
        paper="GLaS",
        place="§4",
        kind=FIGURE,
        says="A query takes less than 1 ms among up to 100,000 labels, and less than 10 ms among "
        "millions",
        published="< 1 and < 10 ms",
        rule="On two cores, an approximate index answers a query in less than 1 or 10 ms, with a "
        "recall of at least 0.9",
        judge=_latency,
        needs="the benchmark `neighbours` (suite speed)",
    ),
)
