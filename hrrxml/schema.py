"""What params.yaml may say: one class per section, one field per key.

No value has a default here; only what a dataset or a run may do without can be left out.

Declarations only. Every value a stage uses is tracked by DVC as a param of that stage,
and nothing here can change one, only refuse it: so this file is no stage's dependency,
and adding a head or a dataset retrains nothing.
"""

import math
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(gt=0, lt=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Md5 = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Checksum = Annotated[str, Field(pattern=r"^(sha256:[0-9a-f]{64}|md5:[0-9a-f]{32})$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
# Of a dataset or a run: part of paths. Without dots, which DVC takes for levels of params.yaml.
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]

Dropout = Annotated[float, Field(ge=0, lt=1)]

EncoderName = Literal["cnn", "fc", "lstm", "none"]
PeerName = Literal["plt", "br", "parabel"]
BenchmarkName = Literal[
    "encoders",
    "growth",
    "inference",
    "input",
    "loss",
    "neighbours",
    "parse",
    "search",
    "sizes",
    "step",
]
HeadName = Literal["bce", "glas", "grouped", "holographic", "hrr"]


class Section(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


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
    checksums: list[Checksum] = []  # of versions that a mirror may have
    unpack: Annotated[list[str], Field(min_length=1)] = ["*"]  # which of the archive's files
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
    vectors: Annotated[str, Field(min_length=1)] | None  # a file in the text format of GloVe


class Train(Section):
    seed: Annotated[int, Field(ge=0)]
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


class NoEncoder(Section):
    """The head's shortcut is all there is."""


class FC(Section):
    hidden: Count
    layers: Count


class TextEncoder(Section):
    """How a text encoder sees words."""

    word_dim: Count
    start: Literal["random", "texts"]
    word_dropout: Dropout
    learn_words: bool
    max_tokens: Count


class CNN(TextEncoder):
    sizes: Annotated[list[Count], Field(min_length=1)]
    filters: Count
    pooling: Literal["dynamic", "flattened"]
    chunks: Count
    bottleneck: Count
    dropout: Dropout

    @model_validator(mode="after")
    def _filters_fit(self) -> Self:
        if max(self.sizes) > self.max_tokens:
            raise ValueError("no size can be larger than max_tokens")
        return self


class LSTM(TextEncoder):
    hidden: Count
    heads: Count
    linear: Annotated[list[Count], Field(min_length=1)]
    dropout: Dropout


class HeadSettings(Section):
    """What every head has."""

    learning_rate: Positive
    decay: Annotated[float, Field(gt=0, le=1)]  # of the rate, after every epoch
    shortcut: Positive | None


class LogisticSettings(HeadSettings):
    """Of a head with a logit for each label."""

    tail: Annotated[float, Field(ge=0, le=1)]


class BCE(LogisticSettings):
    prior_bias: bool


class HRR(HeadSettings):
    dim: Annotated[int, Field(ge=2)]
    loss: Literal["paper", "reference", "positive", "mse"]
    binding: bool
    projection: bool
    inverse: Literal["pseudo", "exact"]
    m: Literal["orthogonal", "projected"]
    codebook: Literal["circulant", "random", "learned"]
    learn_pm: bool

    @model_validator(mode="after")
    def _fixed_is_not_learned(self) -> Self:
        if self.loss == "mse" and (self.codebook == "learned" or self.learn_pm):
            raise ValueError("loss mse has a fixed target: learn neither codebook nor p and m")
        if self.learn_pm and not self.binding:
            raise ValueError("binding false fixes p at the identity: set learn_pm to false")
        return self


class Holographic(LogisticSettings):
    dim: Annotated[int, Field(ge=2)]


Adjacency = Literal["arithmetic", "geometric", "jaccard", "pmi"]


class Grouped(Holographic):
    agreement: Annotated[float, Field(ge=0, lt=1)]
    adjacency: Adjacency


class GLaS(HeadSettings):
    dim: Annotated[int, Field(ge=2)]
    loss: Literal["margin", "mining", "softmax"]
    margin: Positive
    length: Positive
    negatives: Annotated[int, Field(ge=0)] | None
    mined: Count
    regulariser: Literal["none", "spreadout", "gravity", "glas"]
    weight: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    adjacency: Adjacency


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

    seed: Annotated[int, Field(ge=0)]
    trials: Annotated[int, Field(ge=2)]
    threshold: Annotated[float, Field(gt=0, le=0.3)]
    dims: Annotated[list[Square], Field(min_length=2), AfterValidator(_are_different)]
    response_dim: Square
    most_terms: Count


class Theorem(Section):
    """The study of how few dimensions label vectors need."""

    seed: Annotated[int, Field(ge=0)]
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
    """One cell of a table; `settings` overrides sections for this run alone."""

    dataset: str
    encoder: EncoderName
    head: HeadName
    settings: dict[str, dict[str, object]] = Field(default={})

    @model_validator(mode="after")
    def _settings_are_its_own(self) -> Self:
        used = ("train", self.encoder, self.head)
        for section in self.settings:
            if section not in used:
                raise ValueError(f"settings.{section} is not used by it; {', '.join(used)} are")
        return self


class Params(Section):
    suite: list[Name]
    benchmarks: list[BenchmarkName]
    peers: dict[Name, Annotated[list[PeerName], Field(min_length=1)]]
    overfitting: dict[Name, Run]
    runs: dict[Name, Run]
    datasets: dict[Name, Dataset]
    split: Split
    text: Text
    train: Train
    fc: FC
    cnn: CNN
    lstm: LSTM
    none: NoEncoder
    bce: BCE
    hrr: HRR
    holographic: Holographic
    glas: GLaS
    grouped: Grouped
    capacity: Capacity
    theorem: Theorem
