"""Every claim, in the papers' order."""

from hrrxml.claims import Claim, ablations, accuracy, binding, composition, glas, size

CLAIMS: tuple[Claim, ...] = (
    *binding.CLAIMS,
    *composition.CLAIMS,
    *accuracy.CLAIMS,
    *size.CLAIMS,
    *ablations.CLAIMS,
    *glas.CLAIMS,
)
