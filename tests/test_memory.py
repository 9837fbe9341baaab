"""What is promised about memory, measured in a process of its own."""

import subprocess
import sys

from conftest import ROOT

PROGRAM = """
import torch
from hrrxml.config import params
from benchmarks.synthetic import make_batches
from benchmarks.shapes import SHAPES
from benchmarks.step import configure
from hrrxml.heads import get
from dataclasses import replace
shape = replace(SHAPES["amazon-670k"], batch=64)
settings, (batch,) = configure(shape).holographic, make_batches(shape, 1)
tables = get("holographic").tables(settings, batch, torch.Generator().manual_seed(0))
head = get("holographic")(settings, 512, batch.n_features, tables)
optimiser = torch.optim.Adam(head.parameters())
head.loss(torch.randn(64, 512), batch).backward()
optimiser.step()
with open("/proc/self/status") as status:  # ru_maxrss would be the parent's, if that is larger
    print(next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM")))
"""


def test_a_step_over_670091_labels_takes_little() -> None:
    """Batch 64, d' = 3000: all logits at once would be 172 MB, and many such are usual."""
    command = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(run.stdout) < 1500  # megabytes, torch itself included; 8000 were allowed
