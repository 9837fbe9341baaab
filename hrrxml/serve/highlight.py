"""A text in pieces: its words with their effects, and what is between them."""

from collections.abc import Mapping

from hrrxml.data.words import WORD
from hrrxml.serve.messages import Part


def parts(text: str, effects: Mapping[str, float]) -> list[Part]:
    """The pieces of a text. `effects` has an entry for each word that the model knows.

    The model reads words in lower case. A few letters are longer there, so that each letter of the
    lower case needs its place in the text.
    """
    places = [place for place, letter in enumerate(text) for _ in letter.lower()]
    pieces, end = [], 0
    for match in WORD.finditer(text.lower()):
        start, stop = places[match.start()], places[match.end() - 1] + 1
        if start < end:  # two words in lower case, of one letter in the text
            continue
        if start > end:
            pieces.append(Part(text=text[end:start], is_word=False, effect=None))
        effect = effects.get(match.group())
        pieces.append(Part(text=text[start:stop], is_word=True, effect=effect))
        end = stop
    if end < len(text):
        pieces.append(Part(text=text[end:], is_word=False, effect=None))
    return pieces
