"""CPU or GPU."""

import os

import torch

from hrrxml.runtime.errors import UserError


def choose_device(name: str) -> torch.device:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda" and not torch.cuda.is_available():
        raise UserError("train.device: cuda, but torch sees no GPU; set it to auto or cpu")
    if name == "cpu":
        return torch.device("cpu")
    gpu = int(os.environ.get("LOCAL_RANK", 0))  # each process of a training has its own GPU
    if gpu >= torch.cuda.device_count():
        raise UserError(
            f"train.processes: {gpu + 1} or more, but there are {torch.cuda.device_count()} GPUs; "
            "lower it"
        )
    torch.cuda.set_device(gpu)
    return torch.device("cuda", gpu)
