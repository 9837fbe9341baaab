"""MEDLINE's citations in XML: predict the MeSH descriptors of an article.

A document is a citation's title and abstract. Its labels are the descriptors of its MeSH headings,
without their qualifiers. A citation without descriptors is left out: nobody has indexed it yet.
Other records, such as books or the numbers of deleted citations, are left out and counted, too.
"""

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder

from hrrxml.data.bags import Bags
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.layouts.find import files
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bar

ROOT, ARTICLE, CITATION = "PubmedArticleSet", "PubmedArticle", "MedlineCitation"
TEXTS = ("Article/ArticleTitle", "Article/Abstract/AbstractText")
DESCRIPTORS = "MeshHeadingList/MeshHeading/DescriptorName"
# Bytes of XML. A .gz may hold a thousand times its size, and an element needs 20 times its own.
LARGEST = 4 * 2**30  # a folder's files: some 24 of MEDLINE's; their texts stay in memory
LARGEST_RECORD = 8 * 2**20  # of pubmed20n0014, it is 51 KB
FOREIGN = "MEDLINE's files do not; fetch the file again, from NLM"
ENTITY = re.compile(rb"&(?!#|(?:amp|apos|gt|lt|quot);)")  # any but those that XML itself has
LONGEST = len(b"&quot;")


def read(folder: Path) -> Corpus:
    """Read every *.xml.gz of a folder. A hash of the text will split the documents."""
    sources = [path for path in files(folder) if path.name.endswith(".xml.gz")]
    if not sources:
        raise UserError(f"{folder}: no *.xml.gz; MEDLINE's files are named so")
    skipped: Counter[str] = Counter()
    names: dict[str, str] = {}  # descriptors: unique identifier → name, the last one given
    documents: list[tuple[str, set[str]]] = []
    for text, descriptors in _described(sources):
        names |= descriptors
        if text and descriptors:
            documents.append((text, set(descriptors)))
        elif text is None:
            skipped["not a citation"] += 1
        else:
            skipped["without a descriptor" if text else "without a text"] += 1
    keys = sorted({key for _, labels in documents for key in labels})
    ids = {key: i for i, key in enumerate(keys)}
    rows = [sorted(ids[key] for key in labels) for _, labels in documents]
    return Corpus(
        train=Documents(Bags.from_lists(rows), texts=[text for text, _ in documents]),
        test=None,
        n_labels=len(keys),
        label_names=[names[key] for key in keys],
        label_keys=keys,
        skipped=dict(skipped),
    )


def _described(sources: Iterable[Path]) -> Iterator[tuple[str | None, dict[str, str]]]:
    """Each record's text and descriptors. The text is None if the record is not one citation."""
    budget = _Budget()
    for source in sources:
        for record in bar(_records(source, budget), desc=f"parse {source.name}"):
            citations = record.findall(CITATION) if record.tag == ARTICLE else []
            if len(citations) == 1:
                yield _text(citations[0]), _descriptors(citations[0], source)
            else:
                yield None, {}


class _Budget:
    """Counts the bytes that were really unpacked."""

    of_all = 0
    of_record = 0

    def spend(self, count: int, source: Path) -> None:
        self.of_all += count
        self.of_record += count
        if self.of_record > LARGEST_RECORD:
            cure = "fetch the file again"
            raise UserError(f"{source}: a record of more than {LARGEST_RECORD} bytes; {cure}")
        if self.of_all > LARGEST:
            cure = "take fewer files, by `unpack` in params.yaml"
            raise UserError(f"{source}: here the files exceed {LARGEST} bytes of XML; {cure}")


class _Unpacked:
    """A file whose bytes are counted as they are read, and searched for entities.

    The parser leaves an unknown entity out of an attribute without a word: `D&x;1` would be D1.
    """

    def __init__(self, file: gzip.GzipFile, budget: _Budget, source: Path) -> None:
        self.file, self.budget, self.source = file, budget, source
        self.rest = b""  # the end of the last piece, which may hold the beginning of an entity

    def read(self, size: int) -> bytes:
        piece = self.file.read(size)
        self.budget.spend(len(piece), self.source)
        text = self.rest + piece
        searched = len(text) - LONGEST if piece else len(text)
        if any(match.start() < searched for match in ENTITY.finditer(text)):
            raise UserError(f"{self.source}: uses an entity; {FOREIGN}")
        self.rest = text[max(0, searched) :]
        return piece


def _records(source: Path, budget: _Budget) -> Iterator[Element]:
    """The children of a file's root, one in memory at a time."""
    # Not above: the library alone, whose command reads other layouts, comes without this package.
    from defusedxml import ElementTree
    from defusedxml.common import DefusedXmlException

    # The files name a DTD, which is not fetched; entities of any kind are refused.
    parser = ElementTree.DefusedXMLParser(target=TreeBuilder())
    parser.parser.AttlistDeclHandler = partial(_refuse_defaults, source)
    try:
        with gzip.open(source) as file:
            unpacked, budget.of_record = _Unpacked(file, budget, source), 0
            events = ElementTree.iterparse(unpacked, events=("start", "end"), parser=parser)
            root = _root(events, source)
            depth = 1
            for event, element in events:
                depth += 1 if event == "start" else -1
                if event == "end" and depth == 1:
                    yield element
                    root.clear()
                    budget.of_record = 0
    except ElementTree.ParseError as error:
        line, column = error.position
        cure = "fetch the file again"
        raise UserError(f"{source}:{line}:{column}: not XML ({error}); {cure}") from error
    except DefusedXmlException as error:
        raise UserError(f"{source}: declares an entity; {FOREIGN}") from error
    except (OSError, EOFError, ValueError, LookupError, zlib.error) as error:
        raise UserError(f"{source}: damaged ({error}); fetch the file again") from error


def _refuse_defaults(source: Path, *_: object) -> None:
    """Refuse declared attributes: a long default would be copied into each element."""
    raise UserError(f"{source}: declares attributes; {FOREIGN}")


def _root(events: Iterator[Any], source: Path) -> Element:
    element: Element = next(events)[1]
    if element.tag != ROOT:
        raise UserError(f"{source}: <{element.tag}> instead of <{ROOT}>; give MEDLINE's files")
    return element


def _text(citation: Element) -> str:
    parts = [part for path in TEXTS for part in citation.iterfind(path)]
    return _plain(" ".join("".join(part.itertext()) for part in parts))


def _descriptors(citation: Element, source: Path) -> dict[str, str]:
    found = {}
    for descriptor in citation.iterfind(DESCRIPTORS):
        key, name = (_plain(given or "") for given in (descriptor.get("UI"), descriptor.text))
        if not key or not name or len(descriptor):
            number = citation.findtext("PMID", "without PMID")
            fault = f"citation {number} has a descriptor without UI or name, or with markup in it"
            raise UserError(f"{source}: {fault}; mend it, or fetch the file again")
        found[key] = name
    return found


def _plain(text: str) -> str:
    """With single spaces."""
    return " ".join(text.split())
