"""CPU or GPU."""

import torch

from hrrxml.errors import UserError


def choose_device(name: str) -> torch.device:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda" and not torch.cuda.is_available():
        raise UserError("train.device: cuda, but torch sees no GPU; set it to auto or cpu")
    return torch.device(name)
