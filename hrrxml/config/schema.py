"""What params.yaml may say: one class per section, one field per key.

Nothing has a default here, except what a dataset or a run may leave out. The sections of encoders
and heads are declared beside their code, as `Settings` in `hrrxml/heads/<name>.py`, and are found
by their file's name.
"""

import math
from functools import cache
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, create_model, model_validator

from hrrxml.config.section import Count, Positive, Section, Seed, Share, part_of
from hrrxml.runtime import registry

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Md5 = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Checksum = Annotated[str, Field(pattern=r"^(sha256:[0-9a-f]{64}|md5:[0-9a-f]{32})$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
# A dataset's or a run's name is part of paths. It has no dots: DVC reads them as levels.
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
Encoder = Annotated[str, part_of("hrrxml.encoders")]
Head = Annotated[str, part_of("hrrxml.heads")]
PARTS = ("hrrxml.encoders", "hrrxml.heads")  # each part has a section named like its module


class Source(Section):
    """One place where an archive can be had: exactly one of these."""

    url: Annotated[str, Field(pattern=r"^https://\S+$")] | None = None
    drive: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{20,}$")] | None = None  # a file's id
    pypi: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+==[A-Za-z0-9.]+$")] | None = None
    path: Annotated[str, Field(min_length=1)] | None = None  # an archive, or a folder of files
    sha256: Sha256 | None = None
    md5: Md5 | None = None

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if len(self.model_dump(exclude={"sha256", "md5"}, exclude_none=True)) != 1:
            raise ValueError("give one of url, drive, pypi or path")
        if self.pypi and not self.sha256:
            raise ValueError("a package needs its sha256: it is found by it")
        return self

    @property
    def checksums(self) -> list[str]:
        found = {"sha256": self.sha256, "md5": self.md5}
        return [f"{algorithm}:{value}" for algorithm, value in found.items() if value]

    @property
    def origin(self) -> str:
        """Where that is, in one word."""
        drive = self.drive and f"drive.google.com/{self.drive}"
        return self.url or drive or self.pypi or self.path or ""


class RepositoryLayout(Section):
    kind: Literal["repository"]
    split_column: Annotated[int, Field(ge=0)] | None  # which of the ten splits, where there are


class PecosLayout(Section):
    kind: Literal["pecos"]


class FolderLayout(Section):
    kind: Literal["folder"]


class WordnetLayout(Section):
    kind: Literal["wordnet"]
    every_synset: bool = False  # as a label, verbs and all; else only the hypernyms of nouns
    min_points: Count
    max_share: Share
    root: Annotated[str, Field(pattern=r"^\d{8}$")] | None


Layout = Annotated[
    RepositoryLayout | PecosLayout | FolderLayout | WordnetLayout,
    Field(discriminator="kind"),
]


class Expected(Section):
    """Statistics the parsed dataset must have; anything else means it was misread."""

    points: Annotated[list[Count], Field(min_length=1, max_length=2)] | None = None  # train, test
    features: Count | None = None
    labels: Count | None = None
    per_point: Positive | None = None  # labels, on average


class Propensity(Section):
    a: Positive
    b: Positive


class PaperSettings(Section):
    """What the HRR paper trained this dataset with (§5.1, and its published code)."""

    dim: Count
    batch_size: Count


class Dataset(Section):
    archive: FileName | None = None  # what a mirror calls it
    sources: list[Source]  # tried in this order
    checksums: list[Checksum] = Field(default=[])  # of versions that a mirror may have
    unpack: list[str] = Field(default=["*"], min_length=1)  # which of the archive's files
    layout: Layout
    expect: Expected = Expected()
    propensity: Propensity
    paper: PaperSettings | None = None


class Split(Section):
    validation: Share
    test: Share

    @model_validator(mode="after")
    def _leaves_training_data(self) -> Self:
        if self.validation + self.test >= 1:
            raise ValueError("validation and test together must leave something to train on")
        return self


class Text(Section):
    min_documents: Count


class Train(Section):
    seed: Seed
    seeds: Count
    epochs: Count
    batch_size: Count
    processes: Count
    keep_features: Annotated[float, Field(gt=0, le=1)]
    device: Literal["auto", "cpu", "cuda"]
    precision: Literal["float32", "bfloat16", "float16"]
    clip: Positive | None
    average_from: Count | None

    @property
    def all_seeds(self) -> range:
        """One model is trained for each."""
        return range(self.seed, self.seed + self.seeds)

    @model_validator(mode="after")
    def _averages_something(self) -> Self:
        if self.average_from is not None and self.average_from > self.epochs:
            raise ValueError(f"average_from {self.average_from} is after the last epoch")
        return self


def _is_square(d: int) -> int:
    if math.isqrt(d) ** 2 != d:
        raise ValueError(f"{d} is not a perfect square, as VTB needs it")
    return d


def _are_different(dims: list[int]) -> list[int]:
    if len(set(dims)) < len(dims):
        raise ValueError("each dimension once")
    return dims


# Large enough for the grid, which ends at n = d/4, to pass any threshold up to 0.3.
Square = Annotated[int, Field(ge=64), AfterValidator(_is_square)]


class Capacity(Section):
    """The study of how many bound pairs a vector holds."""

    seed: Seed
    trials: Annotated[int, Field(ge=2)]
    threshold: Annotated[float, Field(gt=0, le=0.3)]
    dims: Annotated[list[Square], Field(min_length=2), AfterValidator(_are_different)]
    response_dim: Square
    most_terms: Count


class Theorem(Section):
    """The study of how few dimensions label vectors need."""

    seed: Seed
    points: Count
    labels: Annotated[
        list[Annotated[int, Field(ge=2)]], Field(min_length=1), AfterValidator(_are_different)
    ]
    sizes: Annotated[list[Count], Field(min_length=1), AfterValidator(_are_different)]
    dims: Annotated[list[Count], Field(min_length=1), AfterValidator(_are_different)]

    @model_validator(mode="after")
    def _leaves_other_labels(self) -> Self:
        if max(self.sizes) >= min(self.labels):
            raise ValueError("every size must be less than every number of labels")
        return self


class Run(Section):
    """One cell of a table. Its `settings` replace values of the sections it uses."""

    dataset: str
    encoder: Encoder
    head: Head
    settings: dict[str, dict[str, object]] = Field(default={})

    @property
    def sections(self) -> tuple[str, str, str]:
        """The sections of params.yaml that this run uses."""
        return ("train", self.encoder, self.head)

    @model_validator(mode="after")
    def _settings_are_its_own(self) -> Self:
        for section in self.settings:
            if section not in self.sections:
                known = ", ".join(self.sections)
                raise ValueError(f"settings.{section} is not used by this run; it uses {known}")
        return self


class Params(Section):
    """The sections that do not depend on which encoders and heads there are."""

    suite: list[Name]
    benchmarks: list[Name]
    peers: dict[Name, Annotated[list[Name], Field(min_length=1)]]
    overfitting: dict[Name, Run]
    runs: dict[Name, Run]
    datasets: dict[Name, Dataset]
    split: Split
    text: Text
    train: Train
    capacity: Capacity
    theorem: Theorem

    def section(self, name: str) -> Any:
        """Any section by its name, such as a head's."""
        return getattr(self, name)


@cache
def whole() -> type[Params]:
    """Params with a section for each encoder and head that has a module."""
    sections = {
        name: (registry.load(package, name).Settings, ...)
        for package in PARTS
        for name in registry.names(package)
    }
    return create_model("Params", __base__=Params, **sections)  # type: ignore[call-overload]
