"""What a composed vector answers, with each way to draw and to invert symbols (appendix B)."""

import torch
from torch import Tensor

from hrrxml.experiments.capacity.composition import VARIANTS, YES
from hrrxml.serve import messages, statements
from hrrxml.serve.statements import Bundled, Statement, Symbol
from hrrxml.vsa import hrr

DRAWS = 40
ABSENT = "(absent)"  # a symbol that is not in the statement, as the wings of a dog


def answer(question: messages.Statement) -> messages.Answers:
    """The responses to a question, with every way and over DRAWS draws of all vectors."""
    statement = statements.parse(question.statement)
    asked = statements.keys(question.ask, statement)
    right = statements.answers(statement, asked)
    return messages.Answers(
        statement=statements.write(statement),
        draws=DRAWS,
        yes=YES,
        ways=[
            _judge(way, _respond(way, question, statement, asked), asked, right) for way in VARIANTS
        ],
    )


def _respond(
    way: str, question: messages.Statement, statement: Statement, asked: list[str]
) -> dict[str, Tensor]:
    """The similarity of the answer to each symbol: (draws,) each."""
    prepare, inverse = VARIANTS[way]
    generator = torch.Generator().manual_seed(0)  # the same draws with every way

    def draw(n: int) -> tuple[Tensor, ...]:
        return prepare(hrr.random(n * DRAWS, question.d, generator=generator)).chunk(n)

    names = [*statements.symbols(statement), ABSENT]
    vectors = dict(zip(names, draw(len(names)), strict=True))  # (draws, d) each
    answered = _value(statement, vectors)
    for _ in range(question.more):
        answered = answered + hrr.bind(*draw(2))
    for key in asked:
        answered = hrr.bind(inverse(vectors[key]), answered)
    return {name: (vectors[name] * answered).sum(1) for name in names}


def _value(statement: Statement, vectors: dict[str, Tensor]) -> Tensor:
    """The vector of a statement, in each draw: (draws, d)."""
    if isinstance(statement, Symbol):
        return vectors[statement.name]
    if isinstance(statement, Bundled):
        terms = [_value(term, vectors) for term in statement.terms]
        return hrr.bundle(torch.stack(terms, -2))
    first, *rest = (_value(factor, vectors) for factor in statement.factors)
    for factor in rest:
        first = hrr.bind(first, factor)
    return first


def _judge(
    way: str, responses: dict[str, Tensor], asked: list[str], right: set[str]
) -> messages.Way:
    """The spread of each response, and how often all of them say what they should.

    A symbol that was asked for is left out, unless it is also an answer.
    """
    judged = {
        name: found for name, found in responses.items() if name in right or name not in asked
    }
    told = [(response > YES) == (name in right) for name, response in judged.items()]
    return messages.Way(
        name=way,
        right=torch.stack(told).all(0).float().mean().item(),
        responses=[_summary(name, response, name in right) for name, response in judged.items()],
    )


def _summary(name: str, response: Tensor, is_right: bool) -> messages.Response:
    low, middle, high = response.quantile(torch.tensor([0.1, 0.5, 0.9])).tolist()
    return messages.Response(symbol=name, low=low, middle=middle, high=high, is_right=is_right)
