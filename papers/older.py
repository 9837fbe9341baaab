"""What the settings of older records are called today.

A record is never edited. So a setting that was renamed, or that did not exist when the record was
made, gets its present name and the value that the code had then. A record can be read and trained
again in this way.
"""

import copy
from typing import Any

Settings = dict[str, dict[str, Any]]  # section → key → value

# Settings that came later, with the value that says what the code did before.
LATER: Settings = {
    "train": {"patience": None, "epoch_by": "precision"},
    "fc": {"activation": "relu", "update": "rows", "weight_norm": False},
    "bce": {"reduction": "sum", "whole_rows": False},
    "hrr": {"project_pm": True, "whole_rows": False},
    "glas": {"whole_rows": False},
    "holographic": {"whole_rows": False, "bases_per_step": None, "learn_scale": True},
    "grouped": {"whole_rows": False, "bases_per_step": None, "learn_scale": True},
}
LOSSES = {"paper": "signed"}  # eq. 7 as printed, without bars


def current(settings: Settings) -> Settings:
    """A record's settings with today's names, and all of today's keys."""
    known = copy.deepcopy(settings)
    for section, values in LATER.items():
        if section in known:
            known[section] = values | known[section]
    if "hrr" in known:
        known["hrr"]["loss"] = LOSSES.get(known["hrr"]["loss"], known["hrr"]["loss"])
    return known
