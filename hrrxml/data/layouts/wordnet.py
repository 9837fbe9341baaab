"""WordNet as an extreme multi-label corpus: glosses in, hypernyms out.

A document is a noun synset's gloss. Its labels are its hypernym closure, cut to the
synsets that enough (`min_points`) but not too many (`max_share`) documents carry.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from hrrxml.data.bags import Bags
from hrrxml.data.corpus import Corpus, Documents
from hrrxml.data.layouts.find import find
from hrrxml.data.layouts.lines import lines
from hrrxml.errors import UserError
from hrrxml.progress import bar


@dataclass(frozen=True)
class Synset:
    lemma: str
    gloss: str
    hypernyms: tuple[str, ...]


def read(folder: Path, *, min_points: int, max_share: float, root: str | None) -> Corpus:
    """Documents and label sets of WordNet's nouns, or of those below the synset `root`."""
    source = find(folder, "data.noun")
    synsets = parse(lines(source), source)
    closures = hypernym_closures(synsets, source)
    if root is not None:
        if root not in synsets:
            raise UserError(f"{source}: no noun synset {root}; give its 8-digit offset")
        closures = {key: closure for key, closure in closures.items() if root in closure}
    counts = Counter(label for closure in closures.values() for label in closure)
    most = max_share * len(closures)
    kept = sorted(label for label, count in counts.items() if min_points <= count <= most)
    index = {label: i for i, label in enumerate(kept)}
    labelled = {
        key: sorted(index[label] for label in closure if label in index)
        for key, closure in closures.items()
    }
    points = [key for key, labels in labelled.items() if labels]
    documents = Documents(
        labels=Bags.from_lists([labelled[key] for key in points]),
        texts=[synsets[key].gloss for key in points],
    )
    return Corpus(
        train=documents,
        test=None,
        n_labels=len(kept),
        label_names=[synsets[label].lemma for label in kept],
    )


def parse(text: Sequence[str], source: Path) -> dict[str, Synset]:
    """Parse the `data.noun` format: one synset per line, the licence indented by two spaces."""
    synsets = {}
    for number, line in enumerate(bar(text, desc="parse", unit="line"), start=1):
        if line.startswith("  "):
            continue
        try:
            offset, synset = _parse_line(line)
        except (ValueError, IndexError) as error:
            raise UserError(
                f"{source}:{number}: not a WordNet noun ({error}): {line[:60]!r}"
            ) from error
        synsets[offset] = synset
    for offset, synset in synsets.items():
        for hypernym in synset.hypernyms:
            if hypernym not in synsets:
                raise UserError(f"{source}: synset {offset} has an unknown hypernym {hypernym}")
    return synsets


def _parse_line(line: str) -> tuple[str, Synset]:
    """`offset lexfile type #words (word lexid)… #pointers (symbol offset pos where)… | gloss`."""
    head, gloss = line.split(" | ", maxsplit=1)
    fields = head.split()
    words = int(fields[3], base=16)
    after_words = 4 + 2 * words
    pointers = int(fields[after_words])
    start = after_words + 1
    if len(fields) != start + 4 * pointers:
        raise ValueError(f"{pointers} pointers announced, {len(fields) - start} fields left")
    symbols = fields[start::4]
    targets = fields[start + 1 :: 4]
    # "@" is the hypernym of a class, "@i" that of an instance such as a city or a person.
    hypernyms = tuple(t for s, t in zip(symbols, targets, strict=True) if s in ("@", "@i"))
    return fields[0], Synset(fields[4].replace("_", " "), gloss.strip(), hypernyms)


def hypernym_closures(synsets: dict[str, Synset], source: Path) -> dict[str, frozenset[str]]:
    """All ancestors of each synset, itself left out."""
    graph = TopologicalSorter({key: synset.hypernyms for key, synset in synsets.items()})
    closures: dict[str, frozenset[str]] = {}
    try:
        for key in graph.static_order():  # hypernyms first
            parents = synsets[key].hypernyms
            closures[key] = frozenset(parents).union(*(closures[parent] for parent in parents))
    except CycleError as error:
        cycle = " → ".join(error.args[1])
        raise UserError(f"{source}: a synset is its own hypernym: {cycle}") from error
    return {key: closures[key] for key in synsets}
