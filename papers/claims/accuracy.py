"""What the HRR paper says of accuracy: Table 1 (§5.3), and appendices F and G."""

from collections.abc import Callable, Iterator
from statistics import correlation

from hrrxml.report.results import Cell, by_dataset
from papers.claims import Check, Claim
from papers.claims.rules import is_better
from papers.evidence import Evidence
from papers.published import PUBLISHED
from papers.studies import table1
from papers.studies.table1 import NEAR, Row


def _rows(evidence: Evidence, encoder: str | None = None) -> Iterator[Row]:
    """Pairs in the published setting and in the tuned one."""
    for row in table1.rows(evidence.cells):
        if row.setting in ("published", "tuned") and encoder in (None, row.encoder):
            yield row


def _test(row: Row, figure: str, passed: bool | None) -> Check:
    names = (row.baseline.name, row.hrr.name)
    return Check(f"{row.dataset} {row.encoder}, {row.setting}", figure, passed, names)


def _reproduced(*metrics: str, datasets: tuple[str, ...]) -> Callable[[Evidence], Iterator[Check]]:
    """Are the paper's figures met in the published setting, with 768 hidden units or with 512?"""

    def judge(evidence: Evidence) -> Iterator[Check]:
        found: dict[tuple[str, str, float], list[Cell]] = {}
        for row in table1.rows(evidence.cells):
            if row.setting.startswith("published") and _plain(row.dataset) in datasets:
                for metric in metrics:
                    both = zip((row.baseline, row.hrr), row.printed(metric), strict=False)
                    for cell, figure in both:
                        model = cell.name.removesuffix(f"-{row.setting}")
                        found.setdefault((model, metric, figure), []).append(cell)
        for (model, metric, figure), cells in found.items():
            ours = [cell.mean(metric) for cell in cells]
            met = any(abs(mine - figure) <= NEAR for mine in ours)
            shown = f"{' or '.join(f'{mine:.2f}' for mine in ours)} (paper {figure:g})"
            yield Check(f"{model}, {metric}", shown, met, tuple(cell.name for cell in cells))

    return judge


def _plain(dataset: str) -> str:
    return dataset.removesuffix("-text")


def _bibtex(evidence: Evidence) -> Iterator[Check]:
    for row in _rows(evidence):
        if row.dataset == "bibtex":
            ratios = [row.hrr.mean(m) / row.baseline.mean(m) for m in ("P@1", "PSP@1")]
            shown = f"{ratios[0]:.2f}× and {ratios[1]:.2f}×"
            yield _test(row, shown, min(ratios) >= 1.25)


def _with_every_seed(evidence: Evidence) -> Iterator[Check]:
    """Does half of the printed margin on Bibtex come back each time?"""
    printed = PUBLISHED["table1"]["bibtex"]
    margin = printed["hrr-fc"][0] - printed["fc"][0]
    for row in table1.rows(evidence.cells):
        if row.dataset == "bibtex" and row.setting.startswith("published"):
            both = zip(row.hrr.metrics["P@1"], row.baseline.metrics["P@1"], strict=False)
            gains = [ours - theirs for ours, theirs in both]
            shown = f"{min(gains):+.1f} to {max(gains):+.1f} over {len(gains)} seeds"
            yield _test(row, shown, min(gains) >= margin / 2)


def _near_tools(evidence: Evidence) -> Iterator[Check]:
    """P@1 of HRR-FC beside the best tool made for many labels."""
    for dataset in evidence.peers:
        cell = evidence.cells.get(f"{dataset}-hrr-fc")
        if cell is not None:
            best, reached = evidence.best_tool(dataset, "P@1")
            share = cell.mean("P@1") / reached - 1
            yield Check(dataset, f"{share:+.1%} to {best}", share >= -0.05, (cell.name,))


def _not_worse(encoder: str) -> Callable[[Evidence], Iterator[Check]]:
    def judge(evidence: Evidence) -> Iterator[Check]:
        for row in _rows(evidence, encoder):
            margin = row.margin("P@1")
            yield _test(row, margin.short, margin.gap > -1)

    return judge


def _printed_gains(encoder: str) -> list[float]:
    """P@1 of HRR less that of the baseline, by dataset of Table 1."""
    rows = [row for row in PUBLISHED["table1"].values() if encoder in row]
    return [row[f"hrr-{encoder}"][0] - row[encoder][0] for row in rows]


def _shown_gains(encoder: str) -> str:
    return ", ".join(f"{gain:+.1f}".replace("-", "−") for gain in _printed_gains(encoder))


def _better(encoder: str) -> Callable[[Evidence], Iterator[Check]]:
    """Than the baseline; no, if even the least gain that was printed is ruled out."""
    published = min(gain for gain in _printed_gains(encoder) if gain > 0)

    def judge(evidence: Evidence) -> Iterator[Check]:
        for row in _rows(evidence, encoder):
            margin = row.margin("P@1")
            yield _test(row, margin.short, is_better(margin, published))

    return judge


def _mostly(
    shown: Callable[[Row], str], passes: Callable[[Row], bool]
) -> Callable[[Evidence], Iterator[Check]]:
    """One check of all rows: what is said of most of them is to be so of more than half."""

    def judge(evidence: Evidence) -> Iterator[Check]:
        rows = list(_rows(evidence))
        if rows:
            passed = sum(map(passes, rows))
            each = ", ".join(
                f"{row.dataset} {row.encoder} {row.setting} {shown(row)}" for row in rows
            )
            names = [cell.name for row in rows for cell in (row.baseline, row.hrr)]
            figure = f"{passed} of {len(rows)} ({each})"
            yield Check("all rows", figure, passed > len(rows) / 2, tuple(names))

    return judge


def _head_and_tail(row: Row) -> str:
    return f"{row.margin('P@1').short} and {row.margin('PSP@1').short}"


def _trades(row: Row) -> bool:
    return row.margin("P@1").better and row.margin("PSP@1").worse


def _every_k(evidence: Evidence) -> Iterator[Check]:
    for row in _rows(evidence):
        margins = [row.margin(metric) for metric in ("P@1", "P@3", "P@5")]
        same = not (any(m.better for m in margins) and any(m.worse for m in margins))
        yield _test(row, " / ".join(margin.short for margin in margins), same)


def _correlated(evidence: Evidence) -> Iterator[Check]:
    for ours, other in (("P@5", "nDCG@5"), ("PSP@5", "PSnDCG@5")):
        for dataset, cells in by_dataset(evidence.cells.values()).items():
            if len(cells) >= 5:
                r = correlation([c.mean(ours) for c in cells], [c.mean(other) for c in cells])
                names = tuple(cell.name for cell in cells)
                yield Check(f"{dataset}, {ours}", f"{r:.3f}", r >= 0.9, names)


def _other_datasets() -> list[Claim]:
    """The rest of Table 1: judged as soon as suite table1 has been run there."""
    claims = []
    for dataset, models in PUBLISHED["table1"].items():
        if dataset not in ("bibtex", "delicious"):
            figures = ", ".join(
                f"{model} {p1:g} and {psp:g}" for model, (p1, psp) in models.items()
            )
            claims.append(
                Claim(
                    "HRR",
                    "Table 1",
                    f"P@1 and PSP@1 on {dataset}",
                    figures,
                    f"In the published setting, within {NEAR} points",
                    _reproduced("P@1", "PSP@1", datasets=(dataset,)),
                    f"the dataset (registered in params.yaml, not to be had here), `python -m "
                    f"hrrxml.suite table1 {dataset}` (CNNs: its form with texts; LSTMs: suite "
                    "table1-large) and, from 13,000 labels on, a GPU",
                )
            )
    return claims


CLAIMS = (
    Claim(
        "HRR",
        "Table 1",
        "P@1 of FC and HRR-FC on Bibtex and Delicious",
        "46.4 and 60.3; 65.0 and 66.5",
        f"In the published setting, within {NEAR} points, with 768 hidden units, as in the code, "
        "or with 512, as in the paper",
        _reproduced("P@1", datasets=("bibtex", "delicious")),
    ),
    Claim(
        "HRR",
        "Table 1",
        "PSP@1 of the same",
        "32.5 and 45.6; 64.2 and 30.0",
        "The same way",
        _reproduced("PSP@1", datasets=("bibtex", "delicious")),
        remark="64.2 is also Mediamill's figure, and perhaps a slip",
    ),
    Claim(
        "HRR",
        "§5.3",
        "HRR-FC improves Bibtex 1.30 to 1.40×",
        "1.30× P@1, 1.40× PSP@1",
        "At least 1.25× at both P@1 and PSP@1",
        _bibtex,
    ),
    Claim(
        "HRR",
        "§5.3, Table 1",
        "In many cases HRR approaches methods that are more involved, within 5%",
        "HRR-FC on 3 of 8 datasets",
        "P@1 of HRR-FC, tuned, is at most 5% below that of the best of PLT, Parabel and BR",
        _near_tools,
        remark="The paper's are AttentionXML and others, by their own figures",
    ),
    Claim(
        "HRR",
        "appendix G",
        "Spot checks of small datasets like Bibtex consistently returned the large effect",
        "consistently",
        "In the published setting HRR-FC gains at least half of Table 1's margin on Bibtex with "
        "every seed, P@1",
        _with_every_seed,
        remark="A tuned baseline leaves a smaller margin: Table 1",
    ),
    Claim(
        "HRR",
        "§1, §5.3",
        "Accuracy is similar or improved: HRR-FC",
        "up to +30%",
        "P@1 is less than a point below the baseline's",
        _not_worse("fc"),
    ),
    Claim(
        "HRR",
        "Table 1",
        "HRR-CNN improves on the CNN (2 of 4 datasets)",
        _shown_gains("cnn"),
        "P@1 is better by a paired test",
        _better("cnn"),
    ),
    Claim(
        "HRR",
        "Table 1",
        "HRR-LSTM improves on the LSTM (3 of 3 datasets)",
        _shown_gains("lstm"),
        "P@1 is better by a paired test",
        _better("lstm"),
    ),
    Claim(
        "HRR",
        "§5.3",
        "Most PSP@1 show at most one point of decrease",
        "≥ −1",
        "So it is of more than half the rows",
        _mostly(lambda row: row.margin("PSP@1").short, lambda row: row.margin("PSP@1").gap >= -1),
    ),
    Claim(
        "HRR",
        "§5.3",
        "Often better at frequent labels, moderately worse at rare ones",
        "P@1 up, PSP@1 down",
        "P@1 is better and PSP@1 worse, both by a paired test, in more than half the rows",
        _mostly(_head_and_tail, _trades),
    ),
    Claim(
        "HRR",
        "§5.1, appendix F",
        "P@k for k up to 5 tell the same",
        "no result altered",
        "Of the margins of P@1, P@3 and P@5 none is better while another is worse",
        _every_k,
    ),
    Claim(
        "HRR",
        "§5.3",
        "Delicious-200K improves 2.06× in P@1, at 1.52× less PSP@1; Wiki10-31K's CNN 1.24×",
        "2.06×, 1/1.52×, 1.24×",
        "",
        needs="both datasets and a GPU (Table 1 itself gives 10.5 / 6.84 = 1.54×)",
    ),
    Claim(
        "HRR",
        "§5.3",
        "19.9% of Amazon-670K retrieved is nearly 1,000 times what naive HRR could do",
        "≈ 1000×",
        "",
        needs="the dataset and a GPU, and a stated measure",
    ),
    Claim(
        "HRR",
        "appendix F",
        "nDCG@k and P@k are highly correlated, and so are their propensity-scored forms",
        "highly",
        "Over all runs, at k = 5, the correlation is at least 0.9",
        _correlated,
    ),
    *_other_datasets(),
)
