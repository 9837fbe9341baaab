"""What a finding is: words whose figures are computed from the records, and their evidence.

A finding's module says what it needs the records to show. If they no longer show it, the study
cannot be written until somebody writes the finding again.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from hrrxml.runtime.errors import UserError
from papers.claim import Claim, ledger
from papers.evidence import Evidence


@dataclass(frozen=True, kw_only=True)
class Finding:
    title: str  # a sentence that stands alone
    words: str  # one or two sentences with the figures; README shows them too
    more: str = ""  # what the study adds
    evidence: str  # the name of the section that has the evidence, such as `HRR Table 1`
    claims: tuple[str, ...] = ()  # what the claims say that judge it
    figure: str  # the name of its figure
    alt: str  # what the figure shows, in words
    draw: Callable[[], Figure] | None = None  # None if a section draws the figure


def require(shown: bool, title: str) -> None:
    """Stop if the records no longer show what a finding says."""
    if not shown:
        raise UserError(
            f"finding “{title}”: the records no longer show it; write it again in papers/findings/"
        )


def judged(claims: Iterable[Claim], begins: str, evidence: Evidence) -> dict[str, Any]:
    """The ledger's entry of the one claim that begins so."""
    (claim,) = [claim for claim in claims if claim.says.startswith(begins)]
    (entry,) = ledger([claim], evidence)
    return entry


def listed(items: Sequence[object]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = map(str, items)
    return f"{', '.join(first)} and {last}" if first else last


def between(values: Iterable[float], places: int = 1) -> str:
    """`3.9 to 9.4`, and one figure if both ends are shown alike."""
    ordered = sorted(values)
    least, most = (f"{value:,.{places}f}" for value in (ordered[0], ordered[-1]))
    return least if least == most else f"{least} to {most}"
