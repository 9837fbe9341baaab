"""The machine that computed a result: processor, threads and package versions."""

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

PACKAGES = ("numpy", "scikit-learn", "scipy", "torch")  # their versions can change a result


def describe() -> dict[str, Any]:
    """JSON values to store beside a result."""
    return {
        "cpu": _processor(),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
