"""Convert texts to token ids and tf-idf features with a vocabulary learned from train."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import torch
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from hrrxml.data.bags import Bags
from hrrxml.data.tokens import FIRST_WORD, UNKNOWN
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bar

analyze = CountVectorizer().build_analyzer()  # lower case, words of two letters and more


class TextFeatures:
    """The words that at least `min_documents` training texts contain.

    Every text is tokenised once: `tokens` gives its word ids, and its tf-idf row is computed
    from these ids. `train` holds the tokens of the training texts.
    """

    def __init__(self, texts: Sequence[str], min_documents: int) -> None:
        seen: defaultdict[str, int] = defaultdict()
        seen.default_factory = seen.__len__  # a new word gets the next number
        numbered = _number(texts, seen.__getitem__)
        documents = np.diff(_count(numbered, len(seen)).tocsc().indptr)  # per word
        self.vocabulary = sorted(word for word, i in seen.items() if documents[i] >= min_documents)
        if not self.vocabulary:
            raise UserError(
                f"text.min_documents: no word is in {min_documents} training texts; lower it"
            )
        self.ids = {word: FIRST_WORD + i for i, word in enumerate(self.vocabulary)}
        final = torch.tensor([self.ids.get(word, UNKNOWN) for word in seen], dtype=torch.int32)
        self.train = Bags(final[numbered.ids], numbered.offsets)
        self.tfidf = TfidfTransformer(sublinear_tf=True).fit(self._count_words(self.train))

    def tokens(self, texts: Sequence[str]) -> Bags:
        """Word ids in reading order; word i of the vocabulary is `FIRST_WORD + i`."""
        return _number(texts, lambda word: self.ids.get(word, UNKNOWN))

    def bag_of_words(self, tokens: Bags) -> Bags:
        """Unit-length tf-idf rows, one feature per vocabulary word."""
        return Bags.from_csr(self.tfidf.transform(self._count_words(tokens)))

    def _count_words(self, tokens: Bags) -> csr_matrix:
        """The count of each vocabulary word in each text: (texts, words)."""
        return _count(tokens, FIRST_WORD + len(self.vocabulary))[:, FIRST_WORD:]


def _number(texts: Sequence[str], number: Callable[[str], int]) -> Bags:
    """The words of each text in reading order, each replaced by its number."""
    ids, offsets = array("i"), array("q", [0])
    for text in bar(texts, desc="tokenise", unit="text"):
        ids.extend(map(number, analyze(text)))
        offsets.append(len(ids))
    # This copies, because torch cannot view an empty buffer.
    return Bags(torch.tensor(np.asarray(ids)), torch.tensor(np.asarray(offsets)))


def _count(bags: Bags, width: int) -> csr_matrix:
    counts = bags.to_csr(width).copy()
    counts.sum_duplicates()
    return counts
