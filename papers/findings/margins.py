"""How much of HRR's lead is left once the baseline is trained as well."""

from functools import partial

from matplotlib.figure import Figure

from papers.evidence import Evidence
from papers.finding import Finding, between, judged, require
from papers.hrr import table1
from papers.hrr.table1 import AUTHORS, PAPER, TUNED, Row

TITLE = "Most of HRR's published lead comes from an under-trained baseline"
Pairs = dict[tuple[str, str], dict[str, Row]]  # dataset and encoder → setting → row


def find(evidence: Evidence) -> Finding | None:
    pairs = _both_settings(evidence)
    if ("bibtex", "fc") not in pairs or ("delicious", "fc") not in pairs:
        return None
    bibtex, delicious = pairs["bibtex", "fc"], pairs["delicious", "fc"]
    baseline, hrr = bibtex[AUTHORS].printed("P@1")
    published, text, tuned = (_margin(bibtex[s]) for s in (AUTHORS, PAPER, TUNED))
    left = [share for rows in pairs.values() if (share := _share_left(rows)) is not None]
    large = min(published, text) > (hrr - baseline) / 2
    require(large and tuned < published / 2 and max(left) < 0.5, TITLE)
    raised = [_raised(rows) for (_, encoder), rows in pairs.items() if encoder == "fc"]
    return Finding(
        title=TITLE,
        words=f"On Bibtex, HRR-FC beats FC by {published:.1f} points of P@1 in the setting of the "
        f"authors' code and by {text:.1f} in that of the paper's text (published: "
        f"{hrr - baseline:.1f}). With both models tuned, {tuned:.1f} points remain; on Delicious, "
        f"{_who_leads(delicious[TUNED])}.",
        more=f"Tuning raises P@1 of FC by {between(first for first, _ in raised)} points on "
        f"{len(raised)} datasets, and that of HRR-FC by {between(second for _, second in raised)}. "
        "Wherever a test shows a lead in the authors' setting, less than half of it is left "
        f"({between((100 * share for share in left), 0)}%).",
        evidence="HRR Table 1",
        claims=tuple(
            judged(table1.CLAIMS, begins, evidence)["claim"]
            for begins in ("P@1 of FC and HRR-FC", "HRR-FC improves Bibtex", "HRR-FC's accuracy")
        ),
        figure="finding-margins",
        alt="HRR's margin in P@1 over its baseline, for each dataset and encoder: as published, "
        "in the authors' setting, and with both models tuned, which is smaller almost everywhere",
        draw=partial(draw, pairs),
    )


def _both_settings(evidence: Evidence) -> Pairs:
    """Every dataset and encoder that was run in the published setting and tuned."""
    pairs: Pairs = {}
    for row in table1.rows(evidence):
        pairs.setdefault((row.dataset, row.encoder), {})[row.setting] = row
    return {name: rows for name, rows in pairs.items() if {AUTHORS, PAPER, TUNED} <= set(rows)}


def _margin(row: Row) -> float:
    return row.margin("P@1").gap


def _share_left(rows: dict[str, Row]) -> float | None:
    """Of a lead that a test shows in the published setting, what is left after tuning."""
    before = rows[AUTHORS].margin("P@1")
    return max(0.0, _margin(rows[TUNED]) / before.gap) if before.better else None


def _raised(rows: dict[str, Row]) -> tuple[float, float]:
    """By how much tuning raises P@1 of the baseline, and of HRR."""
    before, after = rows[AUTHORS], rows[TUNED]
    return (
        after.baseline.mean("P@1") - before.baseline.mean("P@1"),
        after.hrr.mean("P@1") - before.hrr.mean("P@1"),
    )


def _who_leads(row: Row) -> str:
    margin = row.margin("P@1")
    if not margin.shows:
        return "no test shows a difference"
    return f"{'HRR-FC' if margin.better else 'FC'} is ahead by {abs(margin.gap):.1f}"


def draw(pairs: Pairs) -> Figure:
    """A line for each dataset and encoder, from the margin in one setting to that in the other."""
    figure = Figure(figsize=(5.4, 3.2), layout="constrained")
    axis = figure.subplots()
    for place, rows in enumerate(reversed(pairs.values())):
        both = [_margin(rows[setting]) for setting in (AUTHORS, TUNED)]
        axis.plot(both, [place, place], color="lightgrey", zorder=1)
        first = place == 0
        axis.scatter(both[0], place, color="C1", label="authors' setting" if first else None)
        axis.scatter(both[1], place, color="C0", marker="s", label="tuned" if first else None)
        if printed := rows[AUTHORS].printed("P@1"):
            axis.scatter(printed[1] - printed[0], place, color="black", marker="x", zorder=3)
    axis.scatter([], [], color="black", marker="x", label="published")
    axis.axvline(0, color="grey", linestyle=":")
    axis.set_yticks(range(len(pairs)), [", ".join(name) for name in reversed(pairs)])
    axis.set_xlabel("HRR's margin in P@1, points")
    axis.legend()
    return figure
