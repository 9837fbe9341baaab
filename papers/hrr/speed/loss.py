"""Our closed form of the HRR loss against the appendix's code."""

from papers.evidence import Evidence
from papers.hrr.speed.benchmark import Table
from papers.hrr.speed.target import of, target
from papers.section import Section

TABLE = Table(
    benchmark="loss",
    paper="ours",
    place="benchmark loss",
    title="the HRR loss, forward and backward",
    remark="Ours is a closed form of eq. 6 + |eq. 7|.",
    first="shape",
    columns="d': dim | ours, ms: ours_ms | appendix, ms: appendix_ms | "
    "eq. 6–7 label by label, ms: literal_ms | faster than the appendix: speed_up | "
    "faster than eq. 6–7: literal_speed_up",
)


def sections(evidence: Evidence) -> list[Section]:
    return TABLE.section(evidence)


CLAIMS = (
    target(
        TABLE,
        "Our closed form of the HRR loss is twice as fast as the appendix's code at d' = 3,000",
        of("speed_up", "wiki10-31k", "delicious-200k", "amazon-670k"),
        least=2,
    ),
)
