"""Tables in Markdown."""

from typing import Any


def markdown_table(rows: list[list[str]], text: int = 1) -> str:
    """A table whose first row is the header. The first `text` columns align left."""
    rule = ["---"] * text + ["---:"] * (len(rows[0]) - text)
    lines = [rows[0], rule, *rows[1:]]
    return "\n".join("| " + " | ".join(map(_escape, line)) + " |" for line in lines)


def flat_table(measured: Any) -> str:
    """A table of all numbers of a benchmark and their dotted paths."""
    rows = [[path, str(value)] for path, value in flat(measured)]
    return markdown_table([["what", "value"], *rows])


def flat(measured: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """Flatten nested dicts and lists to pairs of a dotted path and a value."""
    if not isinstance(measured, dict | list):
        return [(prefix.removesuffix("."), measured)]
    items = measured.items() if isinstance(measured, dict) else enumerate(measured)
    return [pair for key, value in items for pair in flat(value, f"{prefix}{key}.")]


def _escape(cell: str) -> str:
    """Escape bars inside a cell, such as those of |cos|."""
    return cell.replace("|", "\\|")
