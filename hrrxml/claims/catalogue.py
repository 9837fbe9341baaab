"""Every claim, in the papers' order."""

from hrrxml.claims import Claim, ablations, accuracy, binding, glas, size

CLAIMS: tuple[Claim, ...] = (
    *binding.CLAIMS,
    *accuracy.CLAIMS,
    *size.CLAIMS,
    *ablations.CLAIMS,
    *glas.CLAIMS,
)
