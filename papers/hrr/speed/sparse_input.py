"""Our sparse input layer against PyTorch's."""

from papers.evidence import Evidence
from papers.hrr.speed.benchmark import Table
from papers.hrr.speed.target import of, target
from papers.section import Section

TABLE = Table(
    benchmark="input",
    paper="ours",
    place="benchmark input",
    title="the sparse input layer",
    remark="Forward, backward and update.",
    first="shape",
    columns="batch: batch | ours, ms: ours_ms | EmbeddingBag + SparseAdam, ms: sparse_adam_ms "
    "| faster: speed_up",
)


def sections(evidence: Evidence) -> list[Section]:
    return TABLE.section(evidence)


CLAIMS = (
    target(
        TABLE,
        "The sparse input layer is 4 times as fast as EmbeddingBag with SparseAdam on "
        "Wiki10-31K's shape",
        of("speed_up", "wiki10-31k"),
        least=4,
    ),
)
