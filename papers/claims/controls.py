"""What the HRR paper says of its method without one of its parts: §2, §4, §5.5, appendix C."""

from collections.abc import Callable, Iterator

from hrrxml.report.significance import SAME, Difference
from papers.claims import Check, Claim
from papers.claims.rules import is_same, is_worse
from papers.evidence import Evidence
from papers.studies import controls


def _guesses(*names: str, codebook: str = "random") -> Callable[[Evidence], Iterator[Check]]:
    """Are controls no better than naming the commonest label?"""

    def judge(evidence: Evidence) -> Iterator[Check]:
        cells = list(evidence.cells.values())
        for name in names:
            for _, control in controls.studied(cells, name, codebook=codebook):
                p1, guess = control.mean("P@1"), evidence.guessing(control.dataset)
                shown = f"{p1:.2f} against {guess:.2f}"
                where = f"{control.dataset}, {name}"
                yield Check(where, shown, p1 <= 1.1 * guess, (control.name,))

    return judge


def _changes(
    name: str, passes: Callable[[Difference], bool | None], *metrics: str
) -> Callable[[Evidence], Iterator[Check]]:
    """What a control changes of each metric."""

    def judge(evidence: Evidence) -> Iterator[Check]:
        for usual, control in controls.studied(list(evidence.cells.values()), name):
            for metric in metrics:
                gap = controls.effect(usual, control, metric)
                where = f"{usual.dataset}, {metric}"
                yield Check(where, gap.short, passes(gap), (usual.name, control.name))

    return judge


CLAIMS = (
    Claim(
        "HRR",
        "§4",
        "Squared error to the target of eq. 5 learns nothing",
        "random guessing",
        "P@1 is at most 1.1 times that of always naming the commonest label",
        _guesses("mse"),
    ),
    Claim(
        "HRR",
        "§2, §5, §5.5",
        "Without the projection nothing is learned",
        "random guessing",
        "P@1 is at most 1.1 times that of always naming the commonest label, with Plate's "
        "pseudo-inverse and with the exact one of eq. 2",
        _guesses("unprojected", "unprojected-exact"),
    ),
    Claim(
        "HRR",
        "appendix C",
        "|cos| in place of the signed cosine gives the same results",
        "the same",
        f"P@1, P@5 and PSP@1 differ by at most {SAME:g} point",
        _changes("absolute", is_same, "P@1", "P@5", "PSP@1"),
    ),
    Claim(
        "HRR",
        "§4",
        "The negative term of the loss works: J_p + J_n, simply added",
        "works",
        "P@1 and P@5 are worse with J_p alone, by a paired test",
        _changes("positive", is_worse, "P@1", "P@5"),
    ),
    Claim(
        "HRR",
        "§5.5",
        "Learned label vectors without the projection end in random guessing",
        "random guessing",
        "P@1 is at most 1.1 times that of always naming the commonest label",
        _guesses("unprojected", codebook="learned"),
    ),
)
