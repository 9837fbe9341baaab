"""Tables in Markdown."""


def markdown_table(rows: list[list[str]], text: int = 1) -> str:
    """The first row is the header; the first columns are text, the others numbers."""
    rule = ["---"] * text + ["---:"] * (len(rows[0]) - text)
    lines = [rows[0], rule, *rows[1:]]
    return "\n".join("| " + " | ".join(map(_escape, line)) + " |" for line in lines)


def _escape(cell: str) -> str:
    """A cell may have a bar in it, as |cos| has."""
    return cell.replace("|", "\\|")
