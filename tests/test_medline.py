"""MEDLINE's XML: read citation by citation, or refused by file and place."""

import gzip
import tracemalloc
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hrrxml.datasets.corpus import Corpus
from hrrxml.datasets.layouts import medline
from hrrxml.runtime.errors import UserError

HEAD = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://example.org/pubmed.dtd">
"""
ARTICLES = """<PubmedArticleSet>
<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID>1</PMID>
  <Article><ArticleTitle>Uptake of <sup>99m</sup>Tc in  the rat.</ArticleTitle>
    <Abstract><AbstractText Label="AIM">To see.</AbstractText>
      <AbstractText>It was &lt; 5 µg.</AbstractText></Abstract></Article>
  <MeshHeadingList>
    <MeshHeading><DescriptorName UI="D2">Rats</DescriptorName>
      <QualifierName UI="Q1">metabolism</QualifierName></MeshHeading>
    <MeshHeading><DescriptorName UI="D1">Animals</DescriptorName></MeshHeading>
    <MeshHeading><DescriptorName UI="D2">Rats</DescriptorName></MeshHeading>
  </MeshHeadingList></MedlineCitation>
  <PubmedData><History/></PubmedData></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>2</PMID>
  <Article><ArticleTitle>Not indexed yet</ArticleTitle></Article></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>3</PMID><Article><ArticleTitle/></Article>
  <MeshHeadingList><MeshHeading><DescriptorName UI="D3">Humans</DescriptorName></MeshHeading>
  </MeshHeadingList></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>4</PMID>
  <Article><ArticleTitle>Всё о крысах 鼠</ArticleTitle></Article>
  <MeshHeadingList><MeshHeading><DescriptorName UI="D2">Rats</DescriptorName></MeshHeading>
  </MeshHeadingList></MedlineCitation></PubmedArticle>
</PubmedArticleSet>
"""
SECOND = ARTICLES.index("<PubmedArticle><MedlineCitation><PMID>2")
OTHERS = """<PubmedBookArticle><BookDocument><PMID>5</PMID></BookDocument></PubmedBookArticle>
<PubmedArticle><PubmedData/></PubmedArticle>
<PubmedArticle><MedlineCitation/><MedlineCitation/></PubmedArticle>
<DeleteCitation><PMID>6</PMID><PMID>7</PMID></DeleteCitation>
"""
MIXED = ARTICLES[:SECOND] + OTHERS + ARTICLES[SECOND:]


def read(folder: Path, text: str, name: str = "a.xml.gz") -> Corpus:
    (folder / name).write_bytes(gzip.compress(text.encode()))
    return medline.read(folder)


def test_documents_are_titles_and_abstracts_and_labels_descriptors(tmp_path: Path) -> None:
    corpus = read(tmp_path, HEAD + ARTICLES)
    assert corpus.train.texts == [
        "Uptake of 99mTc in the rat. To see. It was < 5 µg.",
        "Всё о крысах 鼠",
    ]
    assert (corpus.label_names, corpus.label_keys) == (["Animals", "Rats"], ["D1", "D2"])
    assert corpus.train.labels.to_csr(2).toarray().tolist() == [[1, 1], [0, 1]]
    assert corpus.test is None
    assert corpus.skipped == {"without a descriptor": 1, "without a text": 1}


def test_several_files_are_one_dataset(tmp_path: Path) -> None:
    """A descriptor that was renamed meanwhile is one label."""
    read(tmp_path, ARTICLES)
    corpus = read(tmp_path, ARTICLES.replace(">Rats<", ">Rattus<"), "b.xml.gz")
    assert corpus.label_names == ["Animals", "Rattus"]
    assert len(corpus.train) == 4


@pytest.mark.parametrize("piece", [1, 7, 2**16])
def test_an_entity_in_an_attribute_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    """The parser leaves it out where a DTD is named: D&x;2 and D2 would be one label."""
    given = medline._Unpacked.read
    monkeypatch.setattr(medline._Unpacked, "read", lambda self, _: given(self, piece))
    with pytest.raises(UserError, match=r"a\.xml\.gz: uses an entity"):
        read(tmp_path, HEAD + ARTICLES.replace('UI="D1"', 'UI="D&x;2"'))
    known = 'UI="&quot;D&#49;&amp;&apos;&lt;&gt;"'
    corpus = read(tmp_path, HEAD + ARTICLES.replace('UI="D1"', known))
    assert "\"D1&'<>" in (corpus.label_keys or [])


def test_a_descriptor_with_markup_is_refused(tmp_path: Path) -> None:
    """Its name would be cut at the markup."""
    with pytest.raises(UserError, match=r"citation 1 has a descriptor .* with markup in it"):
        read(tmp_path, HEAD + ARTICLES.replace(">Animals<", ">An<i>im</i>als<"))


def test_only_files_of_medline_are_read(tmp_path: Path) -> None:
    (tmp_path / "notes.gz").write_bytes(b"not gzip")
    assert len(read(tmp_path, ARTICLES).train) == 2


def test_blanks_around_a_descriptor_are_no_part_of_it(tmp_path: Path) -> None:
    corpus = read(tmp_path, ARTICLES.replace('"D1">Animals<', '" D1 ">\n Animals, \t Farm <'))
    assert (corpus.label_names, corpus.label_keys) == (["Animals, Farm", "Rats"], ["D1", "D2"])


def test_what_is_not_one_citation_is_counted(tmp_path: Path) -> None:
    """Children of the root that would vanish otherwise, among them 1 of 4 articles."""
    last = MIXED.rindex("<MedlineCitation>")
    corpus = read(tmp_path, MIXED[:last] + MIXED[last:].replace("MedlineC", "medlineC"))
    assert corpus.train.texts == ["Uptake of 99mTc in the rat. To see. It was < 5 µg."]
    assert corpus.skipped == {"not a citation": 5, "without a descriptor": 1, "without a text": 1}


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))


@pytest.mark.parametrize(
    ("doctype", "text"),
    [
        ('<!DOCTYPE PubmedArticleSet [<!ENTITY x SYSTEM "file:///etc/passwd">]>', "&x;"),
        ('<!DOCTYPE PubmedArticleSet [<!ENTITY x "harmless">]>', "&x;"),
        ('<!DOCTYPE PubmedArticleSet [<!ENTITY x "unused">]>', "none"),
        ('<!DOCTYPE PubmedArticleSet [<!ENTITY % x SYSTEM "https://example.org/">%x;]>', "none"),
        (f'<!DOCTYPE PubmedArticleSet [<!ENTITY l0 "ha">{LAUGHS}]>', "&l9;"),
    ],
)
def test_entities_are_refused(tmp_path: Path, doctype: str, text: str) -> None:
    with pytest.raises(
        UserError, match=r"a\.xml\.gz: (declares|uses) an entity; .* fetch the file again"
    ):
        read(tmp_path, doctype + ARTICLES.replace("Not indexed yet", text))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</Abstract>", "", r"a\.xml\.gz:5:\d+: not XML \(mismatched tag"),
        ("µg", "&micro;g", r"a\.xml\.gz: uses an entity"),
        ("PubmedArticleSet>", "Other>", "<Other> instead of <PubmedArticleSet>"),
        (' UI="D1"', "", "citation 1 has a descriptor without UI or name, or with markup"),
        (' UI="D1"', ' UI=" "', "citation 1 has a descriptor without UI or name, or with markup"),
        (">Animals<", "><", "citation 1 has a descriptor without UI or name, or with markup"),
        (">Animals<", "> \n<", "citation 1 has a descriptor without UI or name, or with markup"),
        ("</PubmedArticleSet>", "", "not XML"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in ARTICLES
    with pytest.raises(UserError, match=message):
        read(tmp_path, ARTICLES.replace(old, new))


def memory_of_reading(folder: Path, text: str) -> int:
    """The most bytes that Python held while it read a file, more than before."""
    (folder / "a.xml.gz").write_bytes(gzip.compress(text.encode()))
    tracemalloc.start()
    try:
        medline.read(folder)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_records_do_not_stay_in_memory(tmp_path: Path) -> None:
    """Whatever they are: a small file may hold a million."""
    records = "<x/>" * 9 + "<PubmedArticle><PubmedData/></PubmedArticle>"
    few, many = (f"<PubmedArticleSet>{records * n}</PubmedArticleSet>" for n in (1000, 8000))
    read(tmp_path, few)  # imports what is imported once
    assert memory_of_reading(tmp_path, many) < 1.5 * memory_of_reading(tmp_path, few)


def test_a_long_default_is_not_copied_into_each_element(tmp_path: Path) -> None:
    default = f'<!DOCTYPE PubmedArticleSet [<!ATTLIST sup a CDATA "{"long " * 1000}">]>'
    with pytest.raises(
        UserError, match=r"a\.xml\.gz: declares attributes; .* fetch the file again"
    ):
        read(tmp_path, default + ARTICLES)


def test_limits_of_what_a_file_unpacks_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They bind what is unpacked, record by record and over all files."""
    once = ARTICLES[:SECOND].removeprefix("<PubmedArticleSet>\n")
    text = f"<PubmedArticleSet>{once * 200}</PubmedArticleSet>"
    monkeypatch.setattr(medline, "LARGEST", 2 * len(text.encode()))
    monkeypatch.setattr(medline, "LARGEST_RECORD", 30_000)
    read(tmp_path, text, "a.xml.gz")
    assert len(read(tmp_path, text, "b.xml.gz").train) == 400
    with pytest.raises(
        UserError, match=r"c\.xml\.gz: here the files exceed \d+ bytes of XML; take"
    ):
        read(tmp_path, text, "c.xml.gz")
    long = f"<PubmedArticleSet>{once.replace('rat', 'r' * 50_000)}</PubmedArticleSet>"
    (tmp_path / "alone").mkdir()
    with pytest.raises(UserError, match=r"d\.xml\.gz: a record of more than 30000 bytes; fetch"):
        read(tmp_path / "alone", long, "d.xml.gz")


@pytest.mark.parametrize("data", [b"", b"not gzip", gzip.compress(ARTICLES.encode())[:-30]])
def test_a_file_that_is_not_whole(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.xml.gz").write_bytes(data)
    with pytest.raises(UserError, match=r"a\.xml\.gz"):
        medline.read(tmp_path)


def test_a_folder_without_citations(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no \*\.xml\.gz"):
        medline.read(tmp_path)


XML = (HEAD + MIXED).encode()
DAMAGE = st.tuples(
    st.integers(0, len(XML)),
    st.integers(0, 9),
    st.one_of(
        st.binary(max_size=3),
        st.sampled_from([b"<", b">", b"&", b"</PubmedArticle>", b"<!ENTITY x 'y'>", b"utf-7"]),
    ),
)


@given(st.lists(DAMAGE, min_size=1, max_size=4), st.booleans())
@settings(max_examples=250)
def test_damaged_citations(
    tmp_path_factory: pytest.TempPathFactory, damages: list[tuple[int, int, bytes]], packed: bool
) -> None:
    """Damage of the text, or of the compressed file, whose checksum then tells.

    They are refused, or each child of the root is a point or counted.
    """
    data = gzip.compress(XML) if packed else XML
    for where, cut, new in damages:
        at = where % len(data)
        data = data[:at] + new + data[at + cut :]
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.mkdir(exist_ok=True)
    (path / "a.xml.gz").write_bytes(data if packed else gzip.compress(data))
    try:
        corpus = medline.read(path)
    except UserError as error:
        assert str(path) in str(error)  # noqa: PT017
        return
    children = len(ElementTree.fromstring(gzip.decompress((path / "a.xml.gz").read_bytes())))
    assert len(corpus.train) + sum(corpus.skipped.values()) == children
