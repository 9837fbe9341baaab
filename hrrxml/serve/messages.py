"""What the API takes and gives. The OpenAPI description is made of these."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from hrrxml.serve import limits

WORDS = r"\S"  # something that is no space

ModelName = Annotated[str, Field(max_length=1000, description="a name that /api/models lists")]
Label = Annotated[str, Field(min_length=1, max_length=limits.LABEL)]
Labels = Annotated[list[Label], Field(max_length=limits.LABELS)]
Count = Annotated[int, Field(ge=1, le=limits.LABELS)]


class Question(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: ModelName


class Text(Question):
    text: Annotated[str, Field(max_length=limits.TEXT, pattern=WORDS)]
    k: Annotated[Count, Field(description="labels in the answer, at most")] = 8
    among: Annotated[Labels, Field(description="only these labels; empty for all")] = []


class Why(Question):
    text: Annotated[str, Field(max_length=limits.EXPLAINED, pattern=WORDS)]
    label: Label


class Like(Question):
    label: Label
    n: Count = 8


class Statement(BaseModel):
    """Symbols, bound with `*` (or `⊗`) and bundled with `+`."""

    model_config = ConfigDict(extra="forbid")

    statement: Annotated[
        str, Field(max_length=limits.STATEMENT, pattern=WORDS, examples=["l * legs + t * tail"])
    ]
    ask: Annotated[
        str,
        Field(
            max_length=limits.LABEL, description="symbols to unbind, one after the other; or none"
        ),
    ] = ""
    d: Annotated[int, Field(ge=8, le=limits.DIMENSIONS, description="numbers in a vector")] = 256
    more: Annotated[
        int, Field(ge=0, le=limits.MORE_PAIRS, description="pairs of other symbols in the sum")
    ] = 0


class ModelFacts(BaseModel):
    name: str
    kind: str
    labels: int
    words: Annotated[int, Field(description="in the vocabulary")]
    numbers: Literal["probabilities", "scores"]
    precision: Annotated[float | None, Field(description="P@1 in percent, if it was measured")]


class Limits(BaseModel):
    text: int = limits.TEXT
    explained: int = limits.EXPLAINED
    file: int = limits.FILE
    labels: int = limits.LABELS
    dimensions: int = limits.DIMENSIONS
    more_pairs: int = limits.MORE_PAIRS


class Models(BaseModel):
    models: list[ModelFacts]
    limits: Limits


class Guess(BaseModel):
    label: str
    value: Annotated[float, Field(description="a probability; of a run, its head's score")]
    bar: Annotated[float, Field(ge=0, le=1, description="how long to draw it")]


class Guesses(BaseModel):
    guesses: Annotated[list[Guess], Field(description="best first")]


class Part(BaseModel):
    """A piece of the text. Joined, the pieces are the text."""

    text: str
    is_word: bool
    effect: Annotated[
        float | None, Field(description="what the label loses without this word; null if unknown")
    ]


class Explanation(BaseModel):
    parts: list[Part]


class Neighbour(BaseModel):
    label: str
    likeness: Annotated[float, Field(description="from -1 to 1")]


class Neighbours(BaseModel):
    neighbours: list[Neighbour]


class LabelNames(BaseModel):
    labels: list[str]


class Response(BaseModel):
    """The similarity of an answer to a symbol, over many draws of all vectors."""

    symbol: str
    low: Annotated[float, Field(description="a tenth of the draws are below")]
    middle: Annotated[float, Field(description="the median")]
    high: Annotated[float, Field(description="a tenth of the draws are above")]
    is_right: Annotated[bool, Field(description="whether it should be 1 (if not, 0)")]


class Way(BaseModel):
    """One way to draw and to invert symbols."""

    name: str
    right: Annotated[
        float, Field(ge=0, le=1, description="share of draws in which every response is right")
    ]
    responses: list[Response]


class Answers(BaseModel):
    statement: Annotated[str, Field(description="as it was understood")]
    draws: int
    yes: Annotated[float, Field(description="a response above this means yes")]
    ways: list[Way]


class Problem(BaseModel):
    error: Annotated[str, Field(description="what is wrong, and the cure")]
