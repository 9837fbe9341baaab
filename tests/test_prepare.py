"""The stage `prepare`: what it leaves out is in its statistics and on its last line."""

import gzip
import json
from pathlib import Path

import pytest
from helpers.project import ROOT
from ruamel.yaml import YAML

from hrrxml.config import paths
from stages import prepare as stage

CITATION = """<PubmedArticle><MedlineCitation><PMID>{0}</PMID>
<Article><ArticleTitle>{1}</ArticleTitle></Article>
<MeshHeadingList><MeshHeading>{2}</MeshHeading></MeshHeadingList></MedlineCitation></PubmedArticle>
"""
RATS = '<DescriptorName UI="D2">Rats</DescriptorName>'


def prepare(folder: Path, records: list[str]) -> None:
    """Run the stage on a file of MEDLINE with these records, whatever `expect` says."""
    raw = YAML(typ="safe").load(ROOT / "params.yaml")
    raw["datasets"]["medline"]["expect"] = {}
    with Path("params.yaml").open("w") as file:
        YAML().dump(raw, file)
    source = folder / paths.download("medline") / "a.xml.gz"
    source.parent.mkdir(parents=True)
    text = f"<PubmedArticleSet>{''.join(records)}</PubmedArticleSet>"
    source.write_bytes(gzip.compress(text.encode()))
    stage.main("medline")


def test_what_is_left_out_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    good = [CITATION.format(i, f"Of {i} rats", RATS) for i in range(50)]
    bad = [CITATION.format(50, "Not indexed", ""), CITATION.format(51, " ", RATS), "<x/>", "<x/>"]
    prepare(tmp_path, [*good, *bad])
    counted = json.loads(paths.statistics("medline").read_text())
    assert counted["points"] == [50]
    assert counted["skipped"] == {
        "without a descriptor": 1, "without a text": 1, "not a citation": 2,
    }  # fmt: skip
    assert capsys.readouterr().out.endswith(
        " 1 labels; skipped: 1 without a descriptor, 1 without a text, 2 not a citation\n"
    )


def test_nothing_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path, [CITATION.format(i, f"Of {i} rats", RATS) for i in range(50)])
    assert "skipped" not in json.loads(paths.statistics("medline").read_text())
    assert capsys.readouterr().out.endswith(" 1 labels\n")
