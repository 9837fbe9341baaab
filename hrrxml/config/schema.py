"""The schema of params.yaml: one class per section, one field per key.

Only keys that a dataset or a run may omit have a default. The section of an encoder or a head is
the class `Settings` of its module, such as `hrrxml/heads/<name>.py`, and has that module's name.
"""

import math
from functools import cache
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, create_model, model_validator

from hrrxml.config.section import Count, Positive, Section, Seed, Share, part_of
from hrrxml.runtime import registry
from hrrxml.runtime.errors import UserError

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Md5 = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Checksum = Annotated[str, Field(pattern=r"^(sha256:[0-9a-f]{64}|md5:[0-9a-f]{32})$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
# The name of a dataset or run is part of paths. It has no dots: DVC splits keys at dots.
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
Encoder = Annotated[str, part_of("hrrxml.encoders")]
Head = Annotated[str, part_of("hrrxml.heads")]
PARTS = ("hrrxml.encoders", "hrrxml.heads")  # each of their modules has a section of its name


class Source(Section):
    """One place to get an archive from: exactly one of url, drive, pypi and path."""

    url: Annotated[str, Field(pattern=r"^https://\S+$")] | None = None
    drive: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{20,}$")] | None = None  # a file's id
    pypi: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+==[A-Za-z0-9.]+$")] | None = None
    path: Annotated[str, Field(min_length=1)] | None = None  # an archive, or a folder of files
    sha256: Sha256 | None = None
    md5: Md5 | None = None

    @model_validator(mode="after")
    def _has_one_place(self) -> Self:
        if len(self.model_dump(exclude={"sha256", "md5"}, exclude_none=True)) != 1:
            raise ValueError("give one of url, drive, pypi or path")
        if self.pypi and not self.sha256:
            raise ValueError("a package needs its sha256, which identifies its file")
        return self

    @property
    def checksums(self) -> list[str]:
        values = {"sha256": self.sha256, "md5": self.md5}
        return [f"{algorithm}:{value}" for algorithm, value in values.items() if value]

    @property
    def origin(self) -> str:
        """The place as text, for messages."""
        drive = self.drive and f"drive.google.com/{self.drive}"
        return self.url or drive or self.pypi or self.path or ""


class RepositoryLayout(Section):
    kind: Literal["repository"]
    split_column: Annotated[int, Field(ge=0)] | None  # None: published as two files


class PecosLayout(Section):
    kind: Literal["pecos"]


class FolderLayout(Section):
    kind: Literal["folder"]


class MarcLayout(Section):
    kind: Literal["marc"]
    subjects: Literal["facets", "headings"]
    test: Share  # of the records, chosen by a hash of their numbers


class MedlineLayout(Section):
    kind: Literal["medline"]


class WordnetLayout(Section):
    kind: Literal["wordnet"]
    every_synset: bool = False  # labels: all synsets; else only hypernyms of nouns
    min_points: Count
    max_share: Share
    root: Annotated[str, Field(pattern=r"^\d{8}$")] | None


Layout = Annotated[
    RepositoryLayout | PecosLayout | FolderLayout | MarcLayout | MedlineLayout | WordnetLayout,
    Field(discriminator="kind"),
]


class Expected(Section):
    """Statistics the parsed dataset must have; other values mean that it was misread."""

    points: Annotated[list[Count], Field(min_length=1, max_length=2)] | None = None  # train, test
    features: Count | None = None
    labels: Count | None = None
    per_point: Positive | None = None  # mean number of labels


class Propensity(Section):
    a: Positive
    b: Positive


class PaperSettings(Section):
    """The HRR paper's settings for this dataset (§5.1, and its published code)."""

    dim: Count
    batch_size: Count


class Dataset(Section):
    archive: FileName | None = None  # its file name on a mirror
    sources: list[Source]  # tried in this order
    checksums: list[Checksum] = Field(default=[])  # of other versions that a mirror may have
    unpack: list[str] = Field(default=["*"], min_length=1)  # patterns of the files to unpack
    layout: Layout
    expect: Expected = Expected()
    propensity: Propensity
    few: Count | None = None  # labels with at most so many training points are rated apart
    paper: PaperSettings | None = None


class Split(Section):
    validation: Share
    test: Share

    @model_validator(mode="after")
    def _leaves_training_data(self) -> Self:
        if self.validation + self.test >= 1:
            raise ValueError("validation + test must be less than 1, to leave training data")
        return self


class Text(Section):
    min_documents: Count


class Train(Section):
    seed: Seed
    seeds: Count
    epochs: Count
    patience: Count | None
    epoch_by: Literal["precision", "loss"]
    batch_size: Count
    processes: Count
    keep_features: Annotated[float, Field(gt=0, le=1)]
    device: Literal["auto", "cpu", "cuda"]
    precision: Literal["float32", "bfloat16", "float16"]
    clip: Positive | None
    average_from: Count | None

    @property
    def all_seeds(self) -> range:
        """The seeds; one model is trained per seed."""
        return range(self.seed, self.seed + self.seeds)

    @model_validator(mode="after")
    def _averages_something(self) -> Self:
        if self.average_from is not None and self.average_from > self.epochs:
            raise ValueError(f"average_from {self.average_from} is after the last epoch")
        return self


def _is_square(d: int) -> int:
    if math.isqrt(d) ** 2 != d:
        raise ValueError(f"{d} is not a perfect square, which VTB needs")
    return d


def _are_different(values: list[int]) -> list[int]:
    if len(set(values)) < len(values):
        raise ValueError("list each value once")
    return values


# At least 64: the grid ends at n = d/4, and must reach any threshold up to 0.3.
Square = Annotated[int, Field(ge=64), AfterValidator(_is_square)]


class Capacity(Section):
    """The study of how many bound pairs a vector can hold."""

    seed: Seed
    trials: Annotated[int, Field(ge=2)]
    threshold: Annotated[float, Field(gt=0, le=0.3)]
    dims: Annotated[list[Square], Field(min_length=2), AfterValidator(_are_different)]
    response_dim: Square
    most_terms: Count


class Theorem(Section):
    """The study of how many dimensions label vectors need."""

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
    """One cell of the results table; `settings` override values of the sections it uses."""

    dataset: str
    encoder: Encoder
    head: Head
    settings: dict[str, dict[str, object]] = Field(default={})

    @property
    def sections(self) -> tuple[str, str, str]:
        """The sections of params.yaml that this run uses."""
        return ("train", self.encoder, self.head)

    @model_validator(mode="after")
    def _settings_are_used(self) -> Self:
        for section in self.settings:
            if section not in self.sections:
                used = ", ".join(self.sections)
                raise ValueError(f"settings.{section} is not used by this run; it uses {used}")
        return self


class Params(Section):
    """params.yaml without the sections of encoders and heads."""

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
        """The section of this name, such as a head's."""
        return getattr(self, name)


@cache
def full_schema() -> type[Params]:
    """Params with one more section for each encoder and head."""
    sections: dict[str, Any] = {}
    for package in PARTS:
        for name in registry.names(package):
            if name in sections or name in Params.model_fields:
                raise UserError(f"{package}.{name}: params.yaml has another section {name!r}")
            sections[name] = (registry.load(package, name).Settings, ...)
    return create_model("Params", __base__=Params, **sections)
