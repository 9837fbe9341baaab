"""Learn a vocabulary and its document frequencies from the training texts."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import torch

from hrrxml.data.bags import Bags
from hrrxml.data.tokens import UNKNOWN
from hrrxml.data.words import Analyzer, Words, analyze, count, number
from hrrxml.runtime.errors import UserError


class TextFeatures(Words):
    """The words that at least `min_documents` training texts contain.

    Every text is tokenised once: `train` holds the tokens of the training texts.
    """

    def __init__(
        self, texts: Sequence[str], min_documents: int, analyzer: Analyzer = analyze
    ) -> None:
        seen: defaultdict[str, int] = defaultdict()
        seen.default_factory = seen.__len__  # a new word gets the next number
        numbered = number(texts, seen.__getitem__, analyzer)
        documents = np.diff(count(numbered, len(seen)).tocsc().indptr)  # per word
        vocabulary = sorted(word for word, i in seen.items() if documents[i] >= min_documents)
        if not vocabulary:
            raise UserError(
                f"text.min_documents: no word is in {min_documents} training texts; lower it"
            )
        frequency = documents[[seen[word] for word in vocabulary]].astype(np.float32)
        # The idf of scikit-learn, as if one more text contained every word once.
        idf = np.log(np.float32(len(texts) + 1) / (frequency + np.float32(1))) + np.float32(1)
        super().__init__(vocabulary, torch.from_numpy(idf), analyzer)
        final = torch.tensor([self.ids.get(word, UNKNOWN) for word in seen], dtype=torch.int32)
        self.train = Bags(final[numbered.ids], numbered.offsets)
