"""Types of values in params.yaml, and the base class of its sections."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from hrrxml.runtime import registry

Count = Annotated[int, Field(ge=1)]
Dimension = Annotated[int, Field(ge=2)]  # of a vector that represents a symbol
Seed = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(gt=0, lt=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Dropout = Annotated[float, Field(ge=0, lt=1)]


class Section(BaseModel):
    """A section of params.yaml: one field per key, no unknown keys, no type conversion."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def part_of(package: str) -> AfterValidator:
    """A validator for a field that names a part (a module) of a package, such as a head."""

    def check(name: str) -> str:
        known = registry.names(package)
        if name not in known:
            kind = package.rpartition(".")[2]
            raise ValueError(f"no {name!r} in {kind}; there are {', '.join(known)}")
        return name

    return AfterValidator(check)
