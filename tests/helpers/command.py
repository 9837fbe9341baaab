"""Runs the command `hrrxml` on a small corpus of questions about a kitchen."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ANSWERS = {
    "cast-iron": "iron skillet rust seasoning",
    "bread": "dough yeast crust oven",
    "knives": "blade steel sharpen edge",
    "crème brûlée": "custard torch sugar ramekin",
}
PHRASES = ("how do I treat {} and {}", "what about {} or {}", "my {} hates the {}")


def questions() -> list[tuple[str, list[str]]]:
    """96 texts; the words of a tag occur with that tag alone, and some are also for cleaning."""
    rows = []
    for tag, line in ANSWERS.items():
        words = line.split()
        for first in words:
            for second in words[:2]:
                for i, phrase in enumerate(PHRASES):
                    clean = " soap sponge" if i == 2 else ""
                    rows.append(
                        (phrase.format(first, second) + clean, [tag] + ["cleaning"] * bool(clean))
                    )
    return rows


def write_tsv(path: Path) -> Path:
    path.write_text(
        "".join(f"{text}\t{', '.join(tags)}\n" for text, tags in questions()), encoding="utf-8"
    )
    return path


def hrrxml(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    environment = os.environ | options.pop("env", {})
    words = [sys.executable, "-m", "hrrxml", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, env=environment, timeout=120, **options)
