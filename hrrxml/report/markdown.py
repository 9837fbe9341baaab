"""Tables in Markdown."""


def markdown_table(rows: list[list[str]], text: int = 1) -> str:
    """A table whose first row is the header. The first `text` columns align left."""
    rule = ["---"] * text + ["---:"] * (len(rows[0]) - text)
    lines = [rows[0], rule, *rows[1:]]
    return "\n".join("| " + " | ".join(map(_escape, line)) + " |" for line in lines)


def _escape(cell: str) -> str:
    """Escape bars inside a cell, such as those of |cos|."""
    return cell.replace("|", "\\|")
