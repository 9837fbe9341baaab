"""How many bound pairs a bundle can hold (§3.1 and appendix D): Figures 1, 5, 6 and 7."""
