"""The stage `report`, writing so slowly that a kill is likely to come in the middle of a file."""

import multiprocessing
import os
import time
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from stages import report

# Each report is a fork of one process that has imported everything.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([__name__])


def start(folder: Path) -> ForkServerProcess:
    process = FORKS.Process(target=_write, args=(folder,))
    process.start()
    return process


def _write(folder: Path) -> None:
    os.chdir(folder)
    draw = Figure.savefig

    def draw_slowly(figure: Figure, path: Path, **options: Any) -> None:
        draw(figure, path, format="svg", **options)
        _write_slowly(path, path.read_text())

    # Of this process alone, which ends with the report.
    Path.write_text = _write_slowly  # type: ignore[assignment,method-assign]
    Figure.savefig = draw_slowly  # type: ignore[assignment,method-assign]
    report.main()


def _write_slowly(path: Path, text: str) -> None:
    with path.open("w") as file:
        for part in (text[: len(text) // 2], text[len(text) // 2 :]):
            file.write(part)
            file.flush()
            time.sleep(0.1)
