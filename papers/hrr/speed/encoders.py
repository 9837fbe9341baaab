"""Table 7 and appendix I: how long an epoch takes with a text encoder."""

from collections.abc import Iterator

from hrrxml.report.markdown import markdown_table
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import statement
from papers.hrr.speed.benchmark import Row, Rows, Table, by_shape, span
from papers.published import PUBLISHED
from papers.section import Section

PARTS = ("execution", "optimisation")  # of an epoch
# The CNN's seconds over HRR-CNN's. We have the shape of AmazonCat-13K alone.
TABLE7 = {
    (dataset.replace("12k", "13k"), part): row["cnn"][place] / row["hrr-cnn"][place]
    for dataset, row in PUBLISHED["table7"].items()
    for place, part in enumerate(PARTS)
}


def _by_encoder(measured: Row) -> Rows:
    return {
        f"{shape}, {encoder}": _one_encoder(shape, encoder, row)
        for shape, row in by_shape(measured).items()
        for encoder in ("cnn", "lstm")
    }


def _one_encoder(shape: str, encoder: str, row: Row) -> Row:
    line = row[encoder] | {f"hrr_{key}": value for key, value in row[f"hrr-{encoder}"].items()}
    for part in PARTS:
        line[f"{part}_speed_up"] = row[f"{encoder}_{part}_speed_up"]
        if encoder == "cnn":
            line[f"{part}_published_speed_up"] = TABLE7.get((shape, part))
    return line


TABLE = Table(
    benchmark="encoders",
    paper="HRR",
    place="Table 7",
    title="text encoders, seconds per epoch",
    remark="Synthetic texts of the published shapes. Execution is the forward pass, "
    "optimisation the rest. The paper timed AmazonCat-12K, on other hardware: only "
    "ratios compare.",
    first="dataset and encoder",
    columns="execution, baseline: execution | execution, HRR: hrr_execution | "
    "execution, ratio: execution_speed_up | "
    "execution, ratio, paper: execution_published_speed_up | "
    "optimisation, baseline: optimisation | optimisation, HRR: hrr_optimisation | "
    "optimisation, ratio: optimisation_speed_up | "
    "optimisation, ratio, paper: optimisation_published_speed_up | "
    "words/s, baseline: words_per_second | words/s, HRR: hrr_words_per_second",
    arrange=_by_encoder,
)


def sections(evidence: Evidence) -> list[Section]:
    printed = ("The paper's seconds per epoch, on other hardware:", _printed_seconds())
    return TABLE.section(evidence, *printed)


def _printed_seconds() -> str:
    """The paper's Table 7."""
    rows = [["dataset", *(f"{part}, {model}" for part in PARTS for model in ("CNN", "HRR-CNN"))]]
    for dataset, seconds in PUBLISHED["table7"].items():
        both = zip(seconds["cnn"], seconds["hrr-cnn"], strict=True)
        rows.append([dataset, *(f"{value:g}" for part in both for value in part)])
    return markdown_table(rows)


def _table7(evidence: Evidence) -> Iterator[Check]:
    rows = TABLE.rows(evidence)
    for (dataset, part), paper in TABLE7.items():
        if row := rows.get(f"{dataset}, cnn"):
            ours = row[f"{part}_speed_up"]
            # Within 5% of 1 is neither faster nor slower.
            same = not (max(ours, paper) > 1.05 and min(ours, paper) < 1 / 1.05)
            yield Check(f"{dataset}, {part}", f"{ours:.2f}× (paper {paper:.2f}×)", same)


CLAIMS = (
    statement(
        needs=TABLE.needs,
        place="Table 7, appendix I",
        says="HRR-CNN is faster than the CNN with many labels, and slower to optimise with few",
        published=span(TABLE7.values(), "×"),
        rule="HRR-CNN is not faster (by 5%) where the paper's is slower, nor slower where the "
        "paper's is faster",
        judge=_table7,
    ),
)
