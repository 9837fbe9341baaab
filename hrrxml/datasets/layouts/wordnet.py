"""WordNet as an extreme multi-label corpus: predict hypernyms from glosses.

A document is the gloss of a noun synset. Its labels are all its direct and indirect hypernyms
that occur in at least `min_points` documents and in at most the share `max_share` of them.

With `every_synset`, verbs, adjectives and adverbs are included, the definition and each example
of a gloss are separate documents, and a synset is also a label of its own documents.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hrrxml.data.bags import Bags
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.layouts.find import find
from hrrxml.datasets.layouts.lines import lines
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bar

# A synset's key is the letter of its part of speech and its offset in that file.
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
BEFORE_EXAMPLES = re.compile(r'\s*[;:,]\s*(?=")')
EXAMPLE = re.compile(r'"([^"]+)"')


@dataclass(frozen=True)
class Synset:
    lemma: str
    gloss: str
    parents: tuple[str, ...]  # keys


def read(
    folder: Path, *, every_synset: bool, min_points: int, max_share: float, root: str | None
) -> Corpus:
    """Read all of WordNet, or only the synsets below the noun synset `root`."""
    synsets: dict[str, Synset] = {}
    for part in PARTS if every_synset else "n":
        source = find(folder, f"data.{PARTS[part]}")
        synsets |= parse(lines(source), source, part)
    closures = {key: ancestors(key, synsets) for key in synsets}
    _refuse_cycles(closures, folder)
    if root is not None:
        if f"n{root}" not in synsets:
            raise UserError(f"{folder}: no noun synset {root}; give its 8-digit offset")
        closures = {key: above for key, above in closures.items() if f"n{root}" in above}
    if every_synset:
        texts = [(text, key) for key in closures for text in split_gloss(synsets[key].gloss)]
        closures = {key: above | {key} for key, above in closures.items()}
    else:
        texts = [(synsets[key].gloss, key) for key in closures]
    return _cut([(text, closures[key]) for text, key in texts], synsets, min_points, max_share)


def _cut(
    documents: Sequence[tuple[str, frozenset[str]]],
    synsets: dict[str, Synset],
    min_points: int,
    max_share: float,
) -> Corpus:
    """Drop labels that are too rare or too common, then documents without labels."""
    counts = Counter(label for _, labels in documents for label in labels)
    most = max_share * len(documents)
    kept = sorted(label for label, count in counts.items() if min_points <= count <= most)
    index = {label: i for i, label in enumerate(kept)}
    labelled = [
        (text, sorted(index[label] for label in labels if label in index))
        for text, labels in documents
    ]
    points = [(text, labels) for text, labels in labelled if labels]
    return Corpus(
        train=Documents(
            labels=Bags.from_lists([labels for _, labels in points]),
            texts=[text for text, _ in points],
        ),
        test=None,
        n_labels=len(kept),
        label_names=[synsets[label].lemma for label in kept],
        label_keys=kept,
    )


def parse(text: Sequence[str], source: Path, part: str) -> dict[str, Synset]:
    """Parse a `data.*` file: one synset per line. Licence lines start with two spaces."""
    synsets = {}
    for number, line in enumerate(bar(text, desc=f"parse {source.name}", unit="line"), start=1):
        if line.startswith("  "):
            continue
        try:
            offset, synset = _parse_line(line, part)
        except (ValueError, IndexError) as error:
            raise UserError(
                f"{source}:{number}: not a WordNet {PARTS[part]} ({error}): {line[:60]!r}"
            ) from error
        synsets[f"{part}{offset}"] = synset
    for key, synset in synsets.items():
        for parent in synset.parents:
            if parent not in synsets:
                raise UserError(f"{source}: synset {key} has an unknown hypernym {parent[1:]}")
    return synsets


def _parse_line(line: str, part: str) -> tuple[str, Synset]:
    """`offset lexfile type #words (word lexid)… #pointers (symbol offset pos where)… | gloss`.

    A verb has `#frames (+ frame word)…` before its gloss.
    """
    head, gloss = line.split(" | ", maxsplit=1)
    fields = head.split()
    words = int(fields[3], base=16)
    after_words = 4 + 2 * words
    pointers = int(fields[after_words])
    start = after_words + 1
    end = start + 4 * pointers
    frames = 1 + 3 * int(fields[end]) if part == "v" else 0
    if len(fields) != end + frames:
        raise ValueError(f"{pointers} pointers expected, {len(fields) - start} fields left")
    # "@" is the hypernym of a class, "@i" the hypernym of an instance such as a city.
    # "&" (similar to) links a satellite adjective (type s) to its head adjective.
    upwards = ("&",) if fields[2] == "s" else ("@", "@i")
    pairs = zip(fields[start:end:4], fields[start + 1 : end : 4], strict=True)
    parents = tuple(f"{part}{target}" for symbol, target in pairs if symbol in upwards)
    return fields[0], Synset(fields[4].replace("_", " "), gloss.strip(), parents)


def ancestors(key: str, synsets: dict[str, Synset]) -> frozenset[str]:
    """All direct and indirect parents. They include the synset itself only if it is on a cycle."""
    above: set[str] = set()
    pending = list(synsets[key].parents)
    while pending:
        parent = pending.pop()
        if parent not in above:
            above.add(parent)
            pending.extend(synsets[parent].parents)
    return frozenset(above)


def _refuse_cycles(closures: dict[str, frozenset[str]], folder: Path) -> None:
    for key, closure in closures.items():
        if key in closure:
            raise UserError(f"{folder}: a synset is its own hypernym: {key}")


def split_gloss(gloss: str) -> list[str]:
    """Split `definition; "example"; "example"` into its unique parts."""
    definition, *quoted = BEFORE_EXAMPLES.split(gloss, maxsplit=1)
    examples = [text.strip() for rest in quoted for text in EXAMPLE.findall(rest)]
    return list(dict.fromkeys(text for text in [definition, *examples] if text))
