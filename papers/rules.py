"""What a difference says to a claim: yes, no, or too little to tell.

"No difference shows" is not "no". A rule says no only where an interval rules the claim out. So a
claim is never refuted by noise, and never held up by it either.
"""

from collections.abc import Iterable

from papers.significance import SAME, Difference


def all_of(answers: Iterable[bool | None]) -> bool | None:
    """No if one says no, else yes if all say yes."""
    listed = list(answers)
    return False if False in listed else None if None in listed else True


def is_better(gap: Difference, published: float = SAME) -> bool | None:
    """No if it is worse, or if a gain as large as the published one is ruled out."""
    if gap.shows:
        return gap.gap > 0
    return None if gap.interval[1] >= published else False


def is_worse(gap: Difference, published: float = SAME) -> bool | None:
    """No if it is better, or if a loss as large as the published one is ruled out."""
    if gap.shows:
        return gap.gap < 0
    return None if gap.interval[0] <= -published else False


def is_not_better(gap: Difference) -> bool | None:
    """Yes if it is worse, or if a gain that matters is ruled out."""
    better = is_better(gap)
    return None if better is None else not better


def is_same(gap: Difference) -> bool | None:
    """Two one-sided tests with a margin of one point."""
    return gap.equivalent(SAME)


def is_not_below(gap: Difference) -> bool | None:
    """A one-sided test: not more than one point below."""
    return gap.at_least(-SAME)
