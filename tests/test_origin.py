"""What a result depends on, told apart."""

from pathlib import Path

import pytest
import torch

from hrrxml.runtime import files
from hrrxml.training import loop as training
from hrrxml.training import origin


def test_the_origin_names_all_that_matters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.safetensors"
    files.write_tensors(path, {"a": torch.ones(3)})

    def made_of(epochs: int = 3) -> dict[str, str]:
        data = [files.read_facts(path)["checksum"]]
        return origin.digest_inputs({"epochs": epochs}, data) | origin.digest_environment()

    def differing(now: dict[str, str]) -> list[str]:
        return [name for name in before if now[name] != before[name]]

    before = made_of()
    assert set(before) == {"params", "data", "code", "machine"}
    assert differing(made_of()) == []
    assert differing(made_of(epochs=4)) == ["params"]
    files.write_tensors(path, {"a": torch.zeros(3)})
    assert differing(made_of()) == ["data"]
    files.write_tensors(path, {"a": torch.ones(3)})
    module = tmp_path / "edited.py"
    module.write_text("edited = True")
    monkeypatch.setattr(training, "__file__", str(module))
    assert differing(made_of()) == ["code"]
    monkeypatch.undo()
    threads = torch.get_num_threads()
    torch.set_num_threads(threads + 1)
    assert differing(made_of()) == ["machine"]
    torch.set_num_threads(threads)
