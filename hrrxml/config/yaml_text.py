"""Values as YAML text; the order of keys is kept."""

import io
from typing import Any

from ruamel.yaml import YAML


def as_yaml(value: Any) -> str:
    # Pure Python: ruamel.yaml.clib breaks long lines elsewhere.
    yaml, text = YAML(typ="safe", pure=True), io.StringIO()
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    yaml.width = 100
    yaml.dump(value, text)
    return text.getvalue()
