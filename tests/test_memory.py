"""What is promised about memory, measured in a process of its own."""

import subprocess
import sys

from helpers.project import ROOT

PROGRAM = """
import torch
from hrrxml import Bags, Points
from hrrxml.config import params
from hrrxml.heads import get
changed = {"dim": 3000, "shortcut": None}
settings = params.load().holographic.model_copy(update=changed)
labels = torch.randint(670_091, (64, 5)).tolist()
features = Bags.from_lists([[0]] * 64)
batch = Points(features, None, Bags.from_lists(labels), 1, 0, 670_091)
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
