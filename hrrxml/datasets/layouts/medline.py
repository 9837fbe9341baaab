"""MEDLINE's citations in XML: predict the MeSH descriptors of an article.

A document is a citation's title and abstract. Its labels are the descriptors of its MeSH headings,
without their qualifiers. A citation without descriptors is left out: nobody has indexed it yet.
"""

import gzip
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from hrrxml.data.bags import Bags
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.layouts.find import files
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bar

ROOT = "PubmedArticleSet"
CITATION = "MedlineCitation"
TEXTS = ("Article/ArticleTitle", "Article/Abstract/AbstractText")
DESCRIPTORS = "MeshHeadingList/MeshHeading/DescriptorName"


def read(folder: Path) -> Corpus:
    """Read every *.xml.gz of a folder. A hash of the text will split the documents."""
    sources = [path for path in files(folder) if path.name.endswith(".xml.gz")]
    if not sources:
        raise UserError(f"{folder}: no *.xml.gz; MEDLINE's files are named so")
    skipped: Counter[str] = Counter()
    names: dict[str, str] = {}  # descriptors: unique identifier → name, the last one given
    documents: list[tuple[str, set[str]]] = []
    for source in sources:
        for text, descriptors in bar(_citations(source), desc=f"parse {source.name}"):
            names |= descriptors
            if text and descriptors:
                documents.append((text, set(descriptors)))
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


def _citations(source: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The text and the descriptors of each citation, one citation in memory at a time."""
    # Not above: the library alone, whose command reads other layouts, comes without this package.
    from defusedxml import ElementTree
    from defusedxml.common import DefusedXmlException

    try:
        with gzip.open(source) as file:
            # The files name a DTD, which is not fetched; entities of any kind are refused.
            events = ElementTree.iterparse(file, events=("start", "end"), forbid_entities=True)
            root = _root(events, source)
            for event, element in events:
                if event == "end" and element.tag == CITATION:
                    yield _text(element), _descriptors(element, source)
                    root.clear()
    except ElementTree.ParseError as error:
        line, column = error.position
        cure = "fetch the file again"
        raise UserError(f"{source}:{line}:{column}: not XML ({error}); {cure}") from error
    except DefusedXmlException as error:
        raise UserError(f"{source}: declares an entity, which MEDLINE does not; refused") from error
    except (OSError, EOFError, ValueError, LookupError, zlib.error) as error:
        raise UserError(f"{source}: damaged ({error}); fetch the file again") from error


def _root(events: Iterator[Any], source: Path) -> Element:
    element: Element = next(events)[1]
    if element.tag != ROOT:
        raise UserError(f"{source}: <{element.tag}> instead of <{ROOT}>; give MEDLINE's files")
    return element


def _text(citation: Element) -> str:
    parts = [part for path in TEXTS for part in citation.iterfind(path)]
    return " ".join(" ".join("".join(part.itertext()) for part in parts).split())


def _descriptors(citation: Element, source: Path) -> dict[str, str]:
    found = {}
    for descriptor in citation.iterfind(DESCRIPTORS):
        key, name = descriptor.get("UI"), descriptor.text
        if not key or not name:
            number = citation.findtext("PMID")
            raise UserError(f"{source}: citation {number} has a descriptor without UI or name")
        found[key] = name
    return found
