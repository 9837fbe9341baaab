"""Runs the sessions of a page of documentation: Python's (`>>>`) and the shell's (`$`).

python -m helpers.pages ../docs/classifier.md    in tests/: write what they print now
"""

import doctest
import io
import os
import re
import subprocess
import sys
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"(\d+(?:\.\d+)?)")
SAVED = re.compile(r"[Ss]ave .*?`([^`]+)`:\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    """The language and the text of each block."""
    return FENCED.findall(page.read_text(encoding="utf-8"))


def write_files(page: Path, folder: Path) -> None:
    """Write the files that the page tells its readers to save."""
    for name, content in SAVED.findall(page.read_text(encoding="utf-8")):
        (folder / name).write_text(content, encoding="utf-8")


def run(page: Path) -> str:
    """The page with what its sessions print here and now, in the current folder."""
    text, python = page.read_text(encoding="utf-8"), _Python(page)
    for language, block in blocks(page):
        if language == "pycon":
            text = text.replace(block, python.run(block))
        if language == "console":
            text = text.replace(block, _run_shell(block))
    return text


def agree(one: str, other: str) -> bool:
    """Whether two texts are equal, but for the last digits of numbers: machines differ in them."""
    first, second = NUMBER.split(one), NUMBER.split(other)
    if first[::2] != second[::2]:
        return False
    pairs = zip(map(float, first[1::2]), map(float, second[1::2]), strict=True)
    return all(abs(a - b) <= 0.02 * max(1, abs(a)) for a, b in pairs)


def _run_shell(block: str) -> str:
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{command}\n{_printed(command[2:])}" for command in commands)


def _printed(command: str) -> str:
    """What a command prints. `hrrxml` is the library of this interpreter."""
    code = f'hrrxml() {{ "{sys.executable}" -m hrrxml "$@"; }}\n{command}'
    done = subprocess.run(["bash", "-c", code], capture_output=True, timeout=120)
    return (done.stdout + done.stderr).decode()


class _Python:
    """One interpreter for all sessions of a page."""

    def __init__(self, page: Path) -> None:
        self.page = page
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.runner = _Recorder()

    def run(self, block: str) -> str:
        test = doctest.DocTestParser().get_doctest(
            block, self.names, self.page.name, str(self.page), 0
        )
        self.runner.run(test, clear_globs=False)
        self.names = test.globs
        return _session(test.examples, self.runner)


def _session(examples: list[doctest.Example], runner: "_Recorder") -> str:
    parts = []
    for example in examples:
        first, *rest = example.source.splitlines()
        parts += [f">>> {first}", *(f"... {line}".rstrip() for line in rest)]
        parts += runner.printed[id(example)].splitlines()
    return "\n".join(parts) + "\n"


class _Recorder(doctest.DocTestRunner):
    """Records what each example prints; an error is a traceback's first and last line."""

    def __init__(self) -> None:
        super().__init__(optionflags=doctest.ELLIPSIS)
        self.printed: dict[int, str] = {}

    def report_success(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.printed[id(example)] = example.want

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.printed[id(example)] = got

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, info: Any) -> None:
        name = f"{info[0].__module__}.{info[0].__name__}"
        lines = ["Traceback (most recent call last):", "    ...", f"{name}: {info[1]}"]
        self.printed[id(example)] = "\n".join(lines)


def main(names: list[str]) -> None:
    for page in [Path(name).resolve() for name in names]:
        with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(io.StringIO()):
            for other in page.parent.glob("*.md"):
                write_files(other, Path(folder))
            text = run(page)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(sys.argv[1:])
