"""One line of input as a text and its tags.

how do I clean a cast iron pan<TAB>cast-iron, cleaning
{"text": "how do I clean a cast iron pan", "tags": ["cast-iron", "cleaning"]}
"""

import json
from typing import Any

from hrrxml.command.streams import is_text
from hrrxml.runtime.errors import UserError


def is_json(line: str) -> bool:
    """Whether a first line shows that the file is JSON Lines."""
    return line.lstrip().startswith("{") and '"text"' in line


def parse(line: str, where: str, as_json: bool) -> tuple[str, list[str]]:
    """The text and its tags, each once; `where` names file and line."""
    text, tags = _parse_json(line, where) if as_json else _parse_tab(line, where)
    return text, list(dict.fromkeys(tags))


def parse_text(line: str, where: str, as_json: bool) -> str:
    """The text alone; a line without tags is as good."""
    return _text(_load(line, where), where) if as_json else line.partition("\t")[0]


def _parse_tab(line: str, where: str) -> tuple[str, list[str]]:
    text, *columns = line.split("\t")
    if len(columns) != 1:
        fault = "no tab" if not columns else f"{len(columns)} tabs"
        raise UserError(
            f"{where}: {fault}; a line is a text, one tab, and its tags separated by commas"
        )
    if not columns[0].strip():
        return text, []
    tags = [tag.strip() for tag in columns[0].split(",")]
    if "" in tags:
        raise UserError(f"{where}: a comma without a tag: {columns[0][:60]!r}; remove the comma")
    return text, tags


def _parse_json(line: str, where: str) -> tuple[str, list[str]]:
    record = _load(line, where)
    text = _text(record, where)
    tags = record["tags"] if "tags" in record else record.get("labels")
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise UserError(f'{where}: needs "tags" (or "labels"), a list of strings')
    tags = [tag.strip() for tag in tags]
    if "" in tags or not all(map(is_text, tags)):
        raise UserError(f"{where}: a tag is empty or has half a character; remove it")
    return text, tags


def _load(line: str, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UserError(
            f"{where}: not JSON ({error}); JSON Lines has one object on each line"
        ) from error
    if not isinstance(record, dict):
        raise UserError(f'{where}: not an object; a line is {{"text": "…", "tags": ["…"]}}')
    return record


def _text(record: dict[str, Any], where: str) -> str:
    text = record.get("text")
    if not isinstance(text, str):
        raise UserError(f'{where}: needs "text", a string')
    if not is_text(text):
        raise UserError(f'{where}: "text" has half a character (a lone surrogate); remove it')
    return text
