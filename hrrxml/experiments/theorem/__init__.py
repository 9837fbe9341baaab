"""GLaS's Theorem 2.1: how many dimensions label vectors need."""
