"""Texts to tf-idf features and to token ids, over one vocabulary learned from train."""

from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from hrrxml.data.bags import Bags
from hrrxml.errors import UserError
from hrrxml.progress import bar

UNKNOWN = 1  # token id of a word outside the vocabulary
FIRST_WORD = 2  # token id of the vocabulary's first word; 0 is left for padding


class TextFeatures:
    """Lower-cased words that at least `min_documents` training texts contain."""

    def __init__(self, texts: Sequence[str], min_documents: int) -> None:
        self.vectorizer = TfidfVectorizer(min_df=min_documents, sublinear_tf=True, dtype=np.float32)
        try:
            self.vectorizer.fit(bar(texts, desc="vocabulary", unit="text"))
        except ValueError as error:
            raise UserError(
                f"text.min_documents: no word is in {min_documents} training texts; lower it"
            ) from error
        self.vocabulary: list[str] = self.vectorizer.get_feature_names_out().tolist()

    def bag_of_words(self, texts: Sequence[str]) -> Bags:
        """Unit-length tf-idf rows, one feature per vocabulary word."""
        return Bags.from_csr(self.vectorizer.transform(bar(texts, desc="tf-idf", unit="text")))

    def tokens(self, texts: Sequence[str]) -> Bags:
        """Word ids in reading order; word i of the vocabulary is `FIRST_WORD + i`."""
        analyze = self.vectorizer.build_analyzer()
        ids = {word: FIRST_WORD + i for i, word in enumerate(self.vocabulary)}
        progress = bar(texts, desc="tokens", unit="text")
        return Bags.from_lists([[ids.get(w, UNKNOWN) for w in analyze(text)] for text in progress])
