"""Tables in Markdown."""


def markdown_table(rows: list[list[str]]) -> str:
    """The first row is the header; the first column is text, the others numbers."""
    rule = ["---"] + ["---:"] * (len(rows[0]) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], rule, *rows[1:]])
