"""Writing that is all or nothing: a temporary file, then a rename."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from hrrxml.errors import UserError

if TYPE_CHECKING:
    from pandas import DataFrame


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to, which becomes `path` only if the block succeeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The suffix stays last: matplotlib and others choose the format by it.
    temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """An empty folder to fill, which becomes `path` only if the block succeeds."""
    temporary, old = (path.with_name(f".{path.name}.{word}") for word in ("new", "old"))
    if old.exists() and not path.exists():
        old.rename(path)  # a process was killed between the two renames below
    for leftover in (temporary, old):
        shutil.rmtree(leftover, ignore_errors=True)
    temporary.mkdir(parents=True)
    try:
        yield temporary
        if path.is_dir():
            path.rename(old)
        else:
            path.unlink(missing_ok=True)
        temporary.rename(path)
    finally:
        if old.exists() and not path.exists():
            old.rename(path)
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text)


def write_json(path: Path, value: Any) -> None:
    """Sorted and indented, so that equal values are equal bytes and diffs are readable."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True) + "\n")


def write_csv(path: Path, table: "DataFrame") -> None:
    with replacing(path) as temporary:
        table.round(4).to_csv(temporary, index=False)


def read_csv(path: Path) -> "DataFrame":
    from pandas import read_csv  # half a second that most stages can do without

    if not path.exists():
        raise UserError(f"{path}: missing; `dvc repro` makes it")
    return read_csv(path)


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """As safetensors: no pickle, no timestamps, memory-mapped when read."""
    with replacing(path) as temporary:
        save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, temporary)


def read_tensors(path: Path) -> dict[str, Tensor]:
    try:
        return load_file(path)
    except FileNotFoundError as error:
        raise UserError(f"{path}: missing; `dvc repro` makes it") from error
    except (SafetensorError, OSError) as error:
        raise UserError(f"{path}: damaged ({error}); delete it and `dvc repro`") from error
