"""What a difference over seeds says to a claim: yes, no, or that there are too few seeds to tell.

"It does not show" is no "no": only an interval that leaves no room for what was claimed is.
"""

from hrrxml.report.significance import SAME, Difference


def is_better(gap: Difference, published: float = SAME) -> bool | None:
    """No, if it is worse, or if a gain as large as the published one is ruled out."""
    if gap.shows:
        return gap.gap > 0
    return None if gap.gap + gap.reach >= published else False


def is_worse(gap: Difference, published: float = SAME) -> bool | None:
    if gap.shows:
        return gap.gap < 0
    return None if gap.gap - gap.reach <= -published else False


def is_not_better(gap: Difference) -> bool | None:
    """Yes, if it is worse, or if a gain that matters is ruled out."""
    better = is_better(gap)
    return None if better is None else not better


def is_same(gap: Difference) -> bool | None:
    """Near enough for nobody to care; what is farther apart may be chance."""
    if abs(gap.gap) <= SAME:
        return True
    return False if gap.shows else None
