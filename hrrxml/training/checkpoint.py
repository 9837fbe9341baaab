"""Checkpoints, from which an interrupted training resumes: one verified file per seed.

A checkpoint never changes a result. How often it is written is therefore not in params.yaml: the
environment variable HRRXML_CHECKPOINT_SECONDS sets it (60 by default).
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from torch import Tensor

from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import read_tensors_and_facts, write_tensors
from hrrxml.training import distributed, termination

MIN_TRAINING_RATIO = 20  # training between two writes lasts this many times the last write

State = dict[str, Any]  # nested dicts and lists of tensors, numbers, strings and None


class Checkpoint:
    def __init__(self, path: Path, origin: Mapping[str, str]) -> None:
        """`origin`: digests of everything the result depends on, by name."""
        self.path = path
        self.origin = dict(origin)
        self.every = _seconds(os.environ.get("HRRXML_CHECKPOINT_SECONDS", "60"))
        self.next = monotonic() + self.every
        self.resumable = False  # True once the file holds this run's checkpoint

    def load(self) -> State | None:
        """The last saved state; None, with a warning, if it is damaged or of another origin."""
        if not self.path.exists():
            return None
        try:
            tensors, facts = read_tensors_and_facts(self.path)
        except UserError as error:
            self._ignore(str(error).removeprefix(f"{self.path}: ").split(";")[0])
            return None
        saved = facts.get("origin", {})
        if changed := [name for name in self.origin if saved.get(name) != self.origin[name]]:
            self._ignore(f"made with other {' and '.join(changed)}")
            return None
        if distributed.rank() == 0:
            print(f"resuming from {self.path}", file=sys.stderr)
        state: State = unpack(facts["state"], tensors)
        self.resumable = True
        return state

    def _ignore(self, reason: str) -> None:
        if distributed.rank() == 0:
            _warn(f"{self.path}: {reason}: ignored, training from the start")

    def keep(self, state: Callable[[], State]) -> None:
        """Save the state if it is time; exit if any process has received SIGTERM."""
        stop = distributed.count(int(termination.requested())) > 0
        if stop or monotonic() >= self.next:
            self.save(state)
        if stop:
            distributed.wait_for_all()  # the first process writes
            if distributed.rank() == 0:
                resume = f"the next run resumes from {self.path}"
                message = resume if self.resumable else "no checkpoint was written"
                print(f"terminated; {message}", file=sys.stderr)
            sys.exit(128 + signal.SIGTERM)

    def save(self, state: Callable[[], State]) -> None:
        """Write the state. On a full disk, only warn: training can continue without it."""
        if distributed.rank():
            return
        start = monotonic()
        tensors: dict[str, Tensor] = {}
        packed = pack(state(), tensors)
        if damaged := [name for name, tensor in tensors.items() if not _is_finite(tensor)]:
            raise UserError(
                f"{damaged[0]} is no longer finite; lower the learning rate. "
                f"The last good checkpoint, if any, is {self.path}"
            )
        try:
            write_tensors(self.path, tensors, durable=True, state=packed, origin=self.origin)
            self.resumable = True
        except OSError as error:
            _warn(f"{self.path}: not written ({error.strerror}); training continues without it")
        self.next = monotonic() + max(self.every, MIN_TRAINING_RATIO * (monotonic() - start))


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise UserError(f"HRRXML_CHECKPOINT_SECONDS: {text!r} is not a number") from error


def remove(paths: Iterable[Path]) -> None:
    """Remove the checkpoints of a finished run, and their folders where these become empty."""
    for folder in {path.parent for path in paths}:
        shutil.rmtree(folder, ignore_errors=True)
        for parent in (folder.parent, folder.parent.parent):
            with suppress(OSError):  # not empty, or already removed
                parent.rmdir()


def pack(state: Any, tensors: dict[str, Tensor], name: str = "state") -> Any:
    """The state as JSON values; its tensors move to `tensors`, keyed by their path."""
    match state:
        case Tensor():
            tensors[name] = state.detach().cpu()
            return {"tensor": name}
        case dict():
            inner = {key: pack(value, tensors, f"{name}.{key}") for key, value in state.items()}
            return {"dict": inner}
        case list() | tuple():
            return [pack(value, tensors, f"{name}.{i}") for i, value in enumerate(state)]
        case _:
            return state


def unpack(packed: Any, tensors: Mapping[str, Tensor]) -> Any:
    match packed:
        case {"tensor": name}:
            return tensors[name].clone()  # a copy: the mapped file may be replaced
        case {"dict": inner}:
            return {key: unpack(value, tensors) for key, value in inner.items()}
        case list():
            return [unpack(value, tensors) for value in packed]
        case _:
            return packed


def _is_finite(tensor: Tensor) -> bool:
    return not tensor.is_floating_point() or bool(tensor.isfinite().all())


def _warn(message: str) -> None:
    print(f"warning: {message}", file=sys.stderr)
