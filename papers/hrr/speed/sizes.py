"""Table 2 and §5.5: parameters of the output layer and of the whole network."""

from collections.abc import Iterator, Mapping
from functools import partial

from papers.claim import Check, Judge
from papers.evidence import Evidence
from papers.hrr import arithmetic
from papers.hrr.speed.benchmark import Row, Rows, Table, by_shape, span
from papers.published import PUBLISHED
from papers.section import Section

TABLE2, TABLE2_NETWORK = PUBLISHED["table2"], PUBLISHED["table2_network"]


def _with_printed(measured: Row) -> Rows:
    return {
        name: {
            **row,
            "published_output_saved": TABLE2.get(name),
            "published_network_saved": TABLE2_NETWORK.get(name),
        }
        for name, row in by_shape(measured).items()
    }


TABLE = Table(
    benchmark="sizes",
    paper="HRR",
    place="Table 2",
    title="parameters saved, percent",
    covers=("§5.5",),
    remark="Parameters of FC and HRR-FC with 2 × 512 hidden units, biases included. The paper "
    "leaves out the datasets with fewer labels than d'.",
    first="dataset",
    columns="d': dim | output: output_saved | output, paper: published_output_saved | "
    "network: network_saved | network, paper: published_network_saved | "
    "FC network: fc_network | HRR-FC network: hrr_network",
    arrange=_with_printed,
)
CONTRADICTION = (
    " The paper's figures for the whole network contradict Table 6 on {names}: its features and "
    "labels give ours."
)


def sections(evidence: Evidence) -> list[Section]:
    names = contradicting(TABLE.rows(evidence))
    note = CONTRADICTION.format(names=", ".join(names)) if names else ""
    return TABLE.section(evidence, note=note)


def contradicting(sizes: Rows) -> list[str]:
    """Datasets whose figure in Table 2 does not follow from Table 6, by more than rounding."""
    both = {name: (sizes[name]["network_saved"], TABLE2_NETWORK.get(name)) for name in sizes}
    return [name for name, (ours, printed) in both.items() if printed and abs(ours - printed) > 1]


def _saved(part: str, published: Mapping[str, float]) -> Judge:
    def check(dataset: str, row: Row) -> tuple[str, bool]:
        ours, printed = row[f"{part}_saved"], published[dataset]
        return f"{ours:.2f}% (paper {printed:g}%)", abs(ours - printed) <= 0.1

    return TABLE.each(check, *published)


def _fewer(_: str, row: Row) -> tuple[str, bool]:
    hrr, fc = row["hrr_network"], row["fc_network"]
    return f"{hrr:,} (FC {fc:,})", hrr < fc


def _table4_sizes(evidence: Evidence) -> Iterator[Check]:
    """Wiki10-31K's networks of Table 4, counted from Table 6."""
    shape = PUBLISHED["table6"]["wiki10-31k"]
    baseline = _parameters(shape["features"], 2, 512, shape["labels"])
    for layers, hidden, dim, _ in PUBLISHED["table4"]["hrr-fc"]:
        size = _parameters(shape["features"], layers, hidden, dim)
        where = f"{layers} × {hidden}, d' = {dim}"
        yield Check(where, f"{size:,} (baseline {baseline:,})", size < baseline)


def _parameters(features: int, layers: int, hidden: int, outputs: int) -> int:
    encoder = (features + 1) * hidden + (layers - 1) * (hidden + 1) * hidden
    return encoder + (hidden + 1) * outputs


_about_sizes = partial(arithmetic, needs=TABLE.needs)

CLAIMS = (
    _about_sizes(
        place="§1, Table 2",
        says="The output layer shrinks by up to 99.55%",
        published=span(TABLE2.values(), "%"),
        rule="Table 6's sizes, 512 hidden units and biases give the percentage within 0.1 points",
        judge=_saved("output", TABLE2),
    ),
    _about_sizes(
        place="§1, Table 2",
        says="The whole network shrinks by up to 42.09%",
        published=span(TABLE2_NETWORK.values(), "%"),
        rule="Table 6's sizes, 2 × 512 hidden units and biases give the percentage within 0.1 "
        "points",
        judge=_saved("network", TABLE2_NETWORK),
        remark="The failing rows contradict Table 6, whatever is trained",
    ),
    _about_sizes(
        place="§5.5",
        says="HRR-FC has fewer parameters than the baseline",
        published="fewer",
        rule="Fewer in the whole network, by Table 6's sizes, 2 × 512 hidden units and biases",
        judge=TABLE.each(_fewer),
        remark="Not where d' exceeds the labels, as on the two smallest datasets",
    ),
    _about_sizes(
        place="§5.5, Table 4",
        says="All larger HRR-FCs of Table 4 have fewer parameters than the initial baseline",
        published="fewer",
        rule="Fewer by Table 6's sizes of Wiki10-31K",
        judge=_table4_sizes,
    ),
)
