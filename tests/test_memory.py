"""What is promised about memory, measured in a process of its own."""

import subprocess
import sys

from helpers.project import ROOT

PROGRAM = """
import torch
import hrrxml
head = hrrxml.HolographicHead(in_features=384, n_labels=670_091, dim=3000)
optimiser = torch.optim.Adam(head.parameters())
labels = torch.randint(670_091, (64, 5)).tolist()
for _ in range(2):
    optimiser.zero_grad()
    head.loss(torch.randn(64, 384), labels).backward()
    optimiser.step()
head.topk(torch.randn(64, 384), k=5)
with open("/proc/self/status") as status:  # ru_maxrss would be the parent's, if that is larger
    print(next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM")))
"""


def test_a_step_over_670091_labels_takes_little() -> None:
    """Batch 64, d' = 3000: all logits at once would be 172 MB, and many such are usual."""
    command = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(run.stdout) < 1000  # megabytes, torch itself included
