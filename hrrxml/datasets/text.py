"""Learn a vocabulary and its document frequencies from the training texts."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import torch

from hrrxml.data.bags import Bags
from hrrxml.data.pairs import Pairs
from hrrxml.data.tokens import FIRST_WORD, UNKNOWN
from hrrxml.data.words import Analyzer, Words, analyze, count, number
from hrrxml.runtime.errors import UserError


class TextFeatures(Words):
    """The words that at least `min_documents` training texts contain.

    `most_pairs` adds pairs of adjacent words, as many at most, if the texts are short: of `short`
    different words or fewer on average. Every text is tokenised once: `train` holds the tokens of
    the training texts.
    """

    def __init__(
        self,
        texts: Sequence[str],
        min_documents: int,
        analyzer: Analyzer = analyze,
        most_pairs: int = 0,
        short: float = np.inf,
    ) -> None:
        seen: defaultdict[str, int] = defaultdict()
        seen.default_factory = seen.__len__  # a new word gets the next number
        numbered = number(texts, seen.__getitem__, analyzer)
        counts = count(numbered, len(seen))
        documents = np.diff(counts.tocsc().indptr)  # per word
        vocabulary = sorted(word for word, i in seen.items() if documents[i] >= min_documents)
        if not vocabulary:
            raise UserError(
                f"text.min_documents: no word is in {min_documents} training texts; lower it"
            )
        ids = {word: FIRST_WORD + i for i, word in enumerate(vocabulary)}
        final = torch.tensor([ids.get(word, UNKNOWN) for word in seen], dtype=torch.int32)
        self.train = Bags(final[numbered.ids], numbered.offsets)
        idf, pairs = _idf(documents[[seen[word] for word in vocabulary]], len(texts)), None
        if most_pairs and counts.nnz <= short * len(texts):
            least = max(2, min_documents)  # a pair of one text alone teaches nothing
            pairs, documents = Pairs.learn(self.train, len(vocabulary), least, most_pairs)
            idf = np.concatenate([idf, _idf(documents, len(texts))])
        super().__init__(vocabulary, torch.from_numpy(idf), analyzer, pairs)


def _idf(documents: np.ndarray, n_texts: int) -> np.ndarray:
    """The idf of scikit-learn, as if one more text contained every feature once."""
    frequency = documents.astype(np.float32)
    return np.log(np.float32(n_texts + 1) / (frequency + np.float32(1))) + np.float32(1)
