"""The report's page needs nothing but itself."""

import base64
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hrrxml.report import page
from hrrxml.runtime.errors import UserError

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'
REPORT = """# Title

Some *words*, <script>alert(1)</script>.

## First: a table

| model | P@1 |
| --- | ---: |
| fc | 1.00 ± 0.10 (5) |
| \\|cos\\| | 2.00 |

## Second

![A figure](../plots/f.svg)
"""


class Page(HTMLParser):
    """What a browser would see: tags with their attributes, and whether they match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def of(self, wanted: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.seen if tag == wanted]


@pytest.fixture
def text(tmp_path: Path) -> str:
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots/f.svg").write_text(SVG)
    return page.render(REPORT, tmp_path / "results")


def test_the_page_needs_no_other_file(text: str) -> None:
    seen = Page(text)
    assert seen.open == []
    assert not re.search(r'(src|href)="(?!data:|#)', text)  # nothing is fetched
    assert "@import" not in text
    assert "url(" not in text
    (image,) = seen.of("img")
    assert image["alt"] == "A figure"
    embedded = str(image["src"]).removeprefix("data:image/svg+xml;base64,")
    assert base64.b64decode(embedded).decode() == SVG
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in seen.of("meta")
    assert "color-scheme: light dark" in text


def test_headings_can_be_gone_to_and_tables_scrolled(text: str) -> None:
    seen = Page(text)
    targets = {str(link["href"]) for link in seen.of("a")}
    assert targets == {f"#{heading['id']}" for heading in seen.of("h2")}
    assert len(targets) == 2
    assert '<div class="scroll"><table>' in text
    assert "<td>|cos|</td>" in text


def test_markup_in_the_report_is_text(text: str) -> None:
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


def test_a_missing_figure_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"plots/f\.svg: the report shows this figure"):
        page.render(REPORT, tmp_path / "results")


def test_the_same_report_is_the_same_bytes(text: str, tmp_path: Path) -> None:
    assert page.render(REPORT, tmp_path / "results") == text
