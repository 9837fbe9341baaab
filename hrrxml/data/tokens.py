"""Reserved token ids."""

PADDING = 0
UNKNOWN = 1  # a word outside the vocabulary
FIRST_WORD = 2  # the vocabulary's first word
