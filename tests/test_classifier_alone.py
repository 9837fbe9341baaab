"""A classifier inside somebody's distributed program: each process asks and learns alone."""

import json
import socket
from pathlib import Path
from typing import Any

import torch
from helpers.command import questions

import hrrxml

TEXTS, TAGS = zip(*questions(), strict=True)
ASKED = ["my iron skillet has rust", "sharpen the blade", "yeast dough", "soap and sponge"]


def _ask(rank: int, port: int, folder: Path) -> None:
    torch.set_num_threads(1)
    address = f"tcp://127.0.0.1:{port}"
    torch.distributed.init_process_group("gloo", address, rank=rank, world_size=2)
    classifier = hrrxml.load(folder / "model")
    if rank == 0:  # alone: the other process does not take part
        classifier.partial_fit(list(TEXTS), list(TAGS))
    answers = classifier.predict(ASKED, k=2)
    (folder / f"{rank}.json").write_text(json.dumps(answers))
    torch.distributed.destroy_process_group()


def test_every_process_has_all_answers(tmp_path: Path) -> None:
    classifier = hrrxml.HolographicClassifier(n_jobs=1).fit(list(TEXTS), list(TAGS))
    classifier.save(tmp_path / "model", dtype="float32")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    start: Any = torch.multiprocessing.spawn  # type: ignore[attr-defined]
    start(_ask, (port, tmp_path), nprocs=2)
    expected = [[label for label, _ in row] for row in classifier.predict(ASKED, k=2)]
    for rank in (0, 1):
        answers = json.loads((tmp_path / f"{rank}.json").read_text())
        found = [[label for label, _ in row] for row in answers]
        assert [row[0] for row in found] == [row[0] for row in expected]
        assert all(len(row) == 2 for row in found)
