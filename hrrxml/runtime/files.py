"""Writing that is all or nothing: a temporary file, then a rename. Reading that is verified."""

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

FORMAT = 1  # of files of tensors: raised when an older one would be misread


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to, which becomes `path` only if the block succeeds.

    It lies in a folder of its own, since safetensors has temporary files, too. Whoever is killed
    leaves the folder behind, and the next to write `path` removes it.
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
    except PermissionError:  # it is somebody else's
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
        temporary.write_text(text)


def write_json(path: Path, value: Any) -> None:
    """Sorted and indented, so that equal values are equal bytes and diffs are readable."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True) + "\n")


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """A column for each key of the first row; numbers to four decimals, None as nothing."""
    with replacing(path) as temporary, temporary.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows([_cell(row[name]) for name in rows[0]] for row in rows)


def _cell(value: Any) -> Any:
    return float(np.round(value, 4)) if isinstance(value, float) else value


def write_tensors(
    path: Path, tensors: Mapping[str, Tensor], durable: bool = False, **facts: Any
) -> None:
    """As safetensors: no pickle, no timestamps, memory-mapped when read.

    With them go a checksum and whatever facts are given, as one entry of JSON: safetensors
    does not keep several in order. What is durable survives a power cut from then on.
    """
    tensors = {name: tensor.contiguous() for name, tensor in tensors.items()}
    known = json.dumps(facts | {"format": FORMAT}, sort_keys=True)
    about = {"hrrxml": json.dumps({"checksum": checksum(tensors, known), "facts": known})}
    with replacing(path) as temporary:
        try:
            save_file(tensors, temporary, metadata=about)
        except SafetensorError as error:
            raise _as_os_error(error, path) from error
        if durable:
            _flush(temporary)
    if durable:
        _flush(path.parent)


def _flush(path: Path) -> None:
    """To the disk itself; of a folder, its names."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """What `write_tensors` wrote, every bit of it verified."""
    return read_tensors_and_facts(path)[0]


def read_tensors_and_facts(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The same, with the facts that went with them, and their `checksum`."""
    with _opened(path) as file:
        about = _about(file, path)
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if checksum(tensors, about["facts"]) != about["checksum"]:
            raise UserError(f"{path}: damaged (its checksum differs); delete it and `dvc repro`")
        return tensors, _facts(about)


def read_facts(path: Path) -> dict[str, Any]:
    """The facts alone, unverified, of a file of any size at once."""
    with _opened(path) as file:
        return _facts(_about(file, path))


def checksum(tensors: Mapping[str, Tensor], facts: str = "") -> str:
    """Of names, shapes and contents."""
    digest = hashlib.sha256(facts.encode())
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        digest.update(f"\n{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with safe_open(path, framework="pt") as file:
            yield file
    except FileNotFoundError as error:
        raise UserError(f"{path}: missing; `dvc repro` makes it") from error
    except (SafetensorError, OSError) as error:
        raise UserError(f"{path}: damaged ({error}); delete it and `dvc repro`") from error


def _about(file: Any, path: Path) -> dict[str, str]:
    try:
        about: dict[str, str] = json.loads((file.metadata() or {})["hrrxml"])
        version = json.loads(about["facts"])["format"] if about["checksum"] else None
    except (KeyError, TypeError, ValueError):
        version = None
    if version != FORMAT:
        raise UserError(f"{path}: not of this version of hrrxml; delete it and `dvc repro`")
    return about


def _facts(about: Mapping[str, str]) -> dict[str, Any]:
    return json.loads(about["facts"]) | {"checksum": about["checksum"]}


def _as_os_error(error: SafetensorError, path: Path) -> OSError:
    """safetensors hides in a text what the system said."""
    found = re.search(r"os error (\d+)", str(error))
    code = int(found[1]) if found else 0
    return OSError(code, os.strerror(code) if code else str(error), str(path))
