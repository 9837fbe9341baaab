"""Atomic writes (a temporary file, then a rename) and verified reads."""

import csv
import hashlib
import json
import os
import platform
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from hrrxml.runtime.errors import UserError

REMAKE = "delete it and `dvc repro`"  # the cure for a damaged file of the pipeline
FORMAT = 1  # version of tensor files: increase it when older files would be misread


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to, which becomes `path` only if the block succeeds.

    The path is in a temporary folder, because safetensors makes temporary files too. A killed
    process leaves this folder behind; the next process that writes `path` removes it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    ours = f".{path.name}.{platform.node()}."  # other machines may write to the same disk
    for leftover in path.parent.iterdir():
        owner = leftover.name.removeprefix(ours)
        if owner.isdigit() and leftover.name != owner and not _is_running(int(owner)):
            shutil.rmtree(leftover, ignore_errors=True)
    folder = path.with_name(f"{ours}{os.getpid()}")
    folder.mkdir(exist_ok=True)
    try:
        yield folder / path.name
        os.replace(folder / path.name, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is another user's
        return True
    return True


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
        temporary.write_text(text, encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    """Sorted and indented, so that equal values are equal bytes and diffs are readable."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True) + "\n")


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """One column per key of the first row; floats rounded to four decimals, None left empty."""
    with replacing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows([_cell(row[name]) for name in rows[0]] for row in rows)


def _cell(value: Any) -> Any:
    return float(np.round(value, 4)) if isinstance(value, float) else value


def write_tensors(
    path: Path, tensors: Mapping[str, Tensor], durable: bool = False, **facts: Any
) -> None:
    """Write a safetensors file: no pickle, no timestamps, memory-mapped when read.

    A checksum and the facts (any JSON values) are stored as one metadata entry, because
    safetensors does not keep several in order. A durable file survives a power cut.
    """
    tensors = {name: tensor.contiguous() for name, tensor in tensors.items()}
    text = json.dumps(facts | {"format": FORMAT}, sort_keys=True)
    metadata = {"hrrxml": json.dumps({"checksum": checksum(tensors, text), "facts": text})}
    with replacing(path) as temporary:
        try:
            save_file(tensors, temporary, metadata=metadata)
        except SafetensorError as error:
            raise _as_os_error(error, path) from error
        if durable:
            _flush(temporary)
    if durable:
        _flush(path.parent)


def _flush(path: Path) -> None:
    """Force a file's contents, or a folder's file names, onto the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a file by `write_tensors`; the checksum is verified."""
    return read_tensors_and_facts(path)[0]


def read_tensors_and_facts(
    path: Path, cure: str = REMAKE
) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors of a file, and its facts with its `checksum`; the checksum is verified.

    `cure` says in an error what to do about a file that is damaged.
    """
    with _opened(path, cure) as file:
        about = _about(file, path, cure)
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if checksum(tensors, about["facts"]) != about["checksum"]:
            raise UserError(f"{path}: damaged (its checksum differs); {cure}")
        return tensors, _facts(about)


def read_facts(path: Path) -> dict[str, Any]:
    """The facts of a file and its `checksum`, unverified: fast for a file of any size."""
    with _opened(path, REMAKE) as file:
        return _facts(_about(file, path, REMAKE))


def checksum(tensors: Mapping[str, Tensor], facts: str = "") -> str:
    """SHA-256 of the facts and of the tensors' names, types, shapes and values."""
    digest = hashlib.sha256(facts.encode())
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        digest.update(f"\n{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


@contextmanager
def _opened(path: Path, cure: str) -> Iterator[Any]:
    try:
        with safe_open(path, framework="pt") as file:
            yield file
    except FileNotFoundError as error:
        cure = "`dvc repro` makes it" if cure == REMAKE else cure
        raise UserError(f"{path}: missing; {cure}") from error
    except (SafetensorError, OSError) as error:
        raise UserError(f"{path}: damaged ({error}); {cure}") from error


def _about(file: Any, path: Path, cure: str) -> dict[str, str]:
    try:
        about: dict[str, str] = json.loads((file.metadata() or {})["hrrxml"])
        version = json.loads(about["facts"])["format"] if about["checksum"] else None
    except (KeyError, TypeError, ValueError):
        version = None
    if version != FORMAT:
        raise UserError(f"{path}: written by another version of hrrxml; {cure}")
    return about


def _facts(about: Mapping[str, str]) -> dict[str, Any]:
    return json.loads(about["facts"]) | {"checksum": about["checksum"]}


def _as_os_error(error: SafetensorError, path: Path) -> OSError:
    """The system's error, whose number safetensors puts into its message."""
    match = re.search(r"os error (\d+)", str(error))
    code = int(match[1]) if match else 0
    return OSError(code, os.strerror(code) if code else str(error), str(path))
