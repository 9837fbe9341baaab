"""Digests of everything a result depends on: a checkpoint with others is never resumed."""

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch

from hrrxml.training import distributed


def digest_inputs(params: Mapping[str, Any], data: Iterable[str]) -> dict[str, str]:
    """Digests of the params and of the data, given by their checksums."""
    return {
        "params": _digest(json.dumps(params, sort_keys=True).encode()),
        "data": _digest(*(checksum.encode() for checksum in data)),
    }


def digest_environment() -> dict[str, str]:
    """Digests of the code and the machine.

    Call it once, early: a module's file may be edited while the process runs.
    """
    machine = (
        f"torch {torch.__version__}, {torch.get_num_threads()} threads, "
        f"{torch.backends.cpu.get_cpu_capability()}, "
        f"{torch.cuda.get_device_name() if torch.cuda.is_available() else 'no GPU'}"
    )
    machines = distributed.gather_bytes(hashlib.sha256(machine.encode()).digest())
    return {
        "code": _digest(*(path.read_bytes() for path in _loaded_code())),
        "machine": _digest(*machines),
    }


def _loaded_code() -> list[Path]:
    """The files of the project's modules that this process has loaded."""
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == "hrrxml"]
    modules.append(sys.modules["__main__"])
    return sorted(Path(file) for m in modules if (file := getattr(m, "__file__", None)))


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
