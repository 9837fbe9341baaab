"""The report as one HTML page without other files and without network access."""

import base64
import re
from collections import Counter
from html import escape
from itertools import pairwise
from os.path import normpath
from pathlib import Path
from string import Template

from markdown_it import MarkdownIt
from markdown_it.token import Token

from hrrxml.runtime.errors import UserError

TEMPLATE = Path(__file__).with_name("page.html")


def render(markdown: str, folder: Path) -> str:
    """Convert a Markdown report to HTML. Paths of figures are relative to `folder`."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("table_open", lambda *_: '<div class="scroll"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    tokens = parser.parse(markdown)
    contents, anchors = [], Counter[str]()
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            anchor = _anchor(inside.content, anchors)
            token.attrSet("id", anchor)
            if token.tag == "h2":
                contents.append(f"- [{inside.content}](#{anchor})")
    for token in tokens:
        for part in token.children or []:
            if part.type == "image":
                _embed(part, folder)
    return Template(TEMPLATE.read_text()).substitute(
        title=escape(next(token.content for token in tokens if token.type == "inline")),
        contents=MarkdownIt("commonmark").render("\n".join(contents)),
        body=parser.renderer.render(tokens, parser.options, {}),
    )


def _anchor(title: str, taken: Counter[str]) -> str:
    """The id of a heading: its words, and a number if an earlier heading has the same words."""
    words = re.sub(r"\W+", "-", title.lower()).strip("-")
    taken[words] += 1
    return words if taken[words] == 1 else f"{words}-{taken[words]}"


def _embed(image: Token, folder: Path) -> None:
    """Replace the path of an image by the SVG itself."""
    path = Path(normpath(folder / str(image.attrs["src"])))
    if not path.exists():
        raise UserError(f"{path}: the report shows this figure; `dvc repro` draws it")
    data = base64.b64encode(path.read_bytes()).decode()
    image.attrSet("src", f"data:image/svg+xml;base64,{data}")
