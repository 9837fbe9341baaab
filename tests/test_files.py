"""Writes are all or nothing, and equal values are equal bytes."""

from pathlib import Path

import pytest
import torch

from hrrxml.runtime import files
from hrrxml.runtime.errors import UserError


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "value.txt"
    files.write_text(path, "old")

    def killed_halfway() -> None:
        with files.replacing(path) as temporary:
            temporary.write_text("half of the n")
            raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        killed_halfway()
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path, old = tmp_path / "folder", tmp_path / ".folder.old"

    def fill(text: str, *, fail: bool = False) -> None:
        with files.replacing_folder(path) as temporary:
            (temporary / "file").write_text(text)
            if fail:
                raise RuntimeError("killed")

    fill("one")
    with pytest.raises(RuntimeError, match="killed"):
        fill("two", fail=True)
    assert (path / "file").read_text() == "one"
    path.rename(old)  # killed between the two renames
    with pytest.raises(RuntimeError, match="killed"):
        fill("two", fail=True)
    assert (path / "file").read_text() == "one"
    fill("two")
    assert (path / "file").read_text() == "two"
    assert list(tmp_path.iterdir()) == [path]


def test_bytes_do_not_depend_on_the_order_of_insertion(tmp_path: Path) -> None:
    a, b = torch.arange(3), torch.ones(2)
    files.write_tensors(tmp_path / "1", {"a": a, "b": b})
    files.write_tensors(tmp_path / "2", {"b": b, "a": a})
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    files.write_json(tmp_path / "3", {"x": 1, "y": 2})
    files.write_json(tmp_path / "4", {"y": 2, "x": 1})
    assert (tmp_path / "3").read_bytes() == (tmp_path / "4").read_bytes()


def test_damaged_and_missing_tensors(tmp_path: Path) -> None:
    path = tmp_path / "model"
    with pytest.raises(UserError, match="missing; `dvc repro` makes it"):
        files.read_tensors(path)
    files.write_tensors(path, {"a": torch.ones(100)})
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(UserError, match="damaged"):
        files.read_tensors(path)
