"""What a training that was cut short goes on from: one file a seed, verified, replaced as a whole.

Checkpoints change nothing of a result, only when it is there. How often they are written is
therefore no param: HRRXML_CHECKPOINT_SECONDS, a minute unless it is set.
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

LEAST_SHARE = 20  # times as long as the last one took to write is trained before the next

State = dict[str, Any]  # nested dicts and lists of tensors, numbers, strings and None


class Checkpoint:
    def __init__(self, path: Path, origin: Mapping[str, str]) -> None:
        """`origin`: by name, all that the result depends on."""
        self.path = path
        self.origin = dict(origin)
        self.every = _seconds(os.environ.get("HRRXML_CHECKPOINT_SECONDS", "60"))
        self.next = monotonic() + self.every
        self.kept = False  # is what is in the file this training's?

    def load(self) -> State | None:
        """What was saved last; None, with a warning, if it is damaged or of anything else."""
        if not self.path.exists():
            return None
        try:
            tensors, facts = read_tensors_and_facts(self.path)
        except UserError as error:
            self._ignore(str(error).removeprefix(f"{self.path}: ").split(";")[0])
            return None
        found = facts.get("origin", {})
        if changed := [name for name in self.origin if found.get(name) != self.origin[name]]:
            self._ignore(f"of other {' and '.join(changed)}")
            return None
        if distributed.rank() == 0:
            print(f"going on from {self.path}", file=sys.stderr)
        state: State = unpack(facts["state"], tensors)
        self.kept = True
        return state

    def _ignore(self, reason: str) -> None:
        if distributed.rank() == 0:
            _warn(f"{self.path}: {reason}: ignored, training anew")

    def keep(self, state: Callable[[], State]) -> None:
        """Save it if it is time, and stop if any of the processes was asked to terminate."""
        stop = distributed.count(int(termination.asked())) > 0
        if stop or monotonic() >= self.next:
            self.save(state)
        if stop:
            distributed.wait_for_all()  # the first one writes
            if distributed.rank() == 0:
                left = f"{self.path} is what to go on from" if self.kept else "nothing was kept"
                print(f"terminated; {left}", file=sys.stderr)
            sys.exit(128 + signal.SIGTERM)

    def save(self, state: Callable[[], State]) -> None:
        """Without it training can go on: a full disk is no reason to lose what there is."""
        if distributed.rank():
            return
        start = monotonic()
        tensors: dict[str, Tensor] = {}
        packed = pack(state(), tensors)
        if damaged := [name for name, tensor in tensors.items() if not _is_finite(tensor)]:
            raise UserError(
                f"{damaged[0]} is no longer finite; lower the learning rate. "
                f"The last good checkpoint, if there is one, is {self.path}"
            )
        try:
            write_tensors(self.path, tensors, durable=True, state=packed, origin=self.origin)
            self.kept = True
        except OSError as error:
            _warn(f"{self.path}: not written ({error.strerror}); training goes on without")
        self.next = monotonic() + max(self.every, LEAST_SHARE * (monotonic() - start))


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise UserError(f"HRRXML_CHECKPOINT_SECONDS: {text!r} is not a number") from error


def remove(paths: Iterable[Path]) -> None:
    """After success; the folders go with the last file."""
    for folder in {path.parent for path in paths}:
        shutil.rmtree(folder, ignore_errors=True)
        for parent in (folder.parent, folder.parent.parent):
            with suppress(OSError):  # there are others in it, or it is gone already
                parent.rmdir()


def pack(state: Any, tensors: dict[str, Tensor], name: str = "state") -> Any:
    """The same as JSON can have it: tensors are moved to `tensors`, by the way to them."""
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
            return tensors[name].clone()  # the file may be replaced: keep nothing mapped
        case {"dict": inner}:
            return {key: unpack(value, tensors) for key, value in inner.items()}
        case list():
            return [unpack(value, tensors) for value in packed]
        case _:
            return packed


def _is_finite(tensor: Tensor) -> bool:
    return not tensor.is_floating_point() or bool(tensor.isfinite().all())


def _warn(words: str) -> None:
    print(f"warning: {words}", file=sys.stderr)
