"""The evidence: records of what was measured, and the papers' statements judged by them."""
