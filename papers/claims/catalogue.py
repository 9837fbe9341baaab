"""Every claim, in the papers' order."""

from papers.claims import Claim, ablations, accuracy, binding, composition, controls, glas, size

CLAIMS: tuple[Claim, ...] = (
    *binding.CLAIMS,
    *composition.CLAIMS,
    *accuracy.CLAIMS,
    *controls.CLAIMS,
    *size.CLAIMS,
    *ablations.CLAIMS,
    *glas.CLAIMS,
)
