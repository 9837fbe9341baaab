"""Statements about symbols: how they are read, and what they answer."""

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hrrxml.experiments.capacity.composition import VARIANTS
from hrrxml.runtime.errors import UserError
from hrrxml.serve import algebra, messages, statements
from hrrxml.serve.statements import Bound, Bundled, Symbol
from hrrxml.vsa import hrr

DOG = "l * legs + t * tail + h * (e * eyes + n * nose + m * mouth)"
JANE = "first * (name * Jane + age * 30) + second * (name * Joe + age * 33)"


def some_statements() -> st.SearchStrategy[statements.Statement]:
    """Sums of products of sums of products, as the grammar makes them."""
    symbol = st.sampled_from("abcxyz").map(Symbol)

    def grow(inner: st.SearchStrategy[statements.Statement]) -> st.SearchStrategy[Bundled]:
        product = st.lists(inner, min_size=2, max_size=2).map(lambda f: Bound(tuple(f)))
        terms = st.lists(symbol | product, min_size=2, max_size=2)
        return terms.map(lambda terms: Bundled(tuple(terms)))

    return st.recursive(symbol, grow, max_leaves=6)


@given(some_statements())
def test_what_is_written_is_read_again(statement: statements.Statement) -> None:
    assert statements.parse(statements.write(statement)) == statement


@settings(max_examples=40)
@given(some_statements(), st.lists(st.sampled_from("abcxyz"), max_size=2))
def test_right_answers_are_those_that_answer(
    statement: statements.Statement, asked: list[str]
) -> None:
    """The oracle: unitary vectors of so many numbers that noise is small.

    A symbol that is bound to itself, or to its own key, is left out: then noise is not small.
    """
    generator = torch.Generator().manual_seed(0)
    drawn = hrr.project(hrr.random(6, 4096, generator=generator))
    vectors = dict(zip("abcxyz", drawn, strict=True))
    products = statements._products(statement)
    assume(all(max(product.values()) == 1 for product in products))
    assume(len(set(asked)) == len(asked) and len(products) <= 8)
    value = algebra._value(statement, vectors)
    for key in asked:
        value = hrr.bind(hrr.inverse(vectors[key]), value)
    right = statements.answers(statement, asked)
    for name, vector in vectors.items():
        assert (float(vector @ value) > 0.5) == (name in right), name


@pytest.mark.parametrize(
    ("statement", "asked", "right"),
    [
        (DOG, "l", {"legs"}),
        (DOG, "h e", {"eyes"}),
        (DOG, "e", set()),
        (DOG, "", set()),
        (JANE, "first name", {"Jane"}),
        (JANE, "second, age", {"33"}),
        ("red*cat + blue*dog + cow", "", {"cow"}),
        ("a * a", "a", {"a"}),
    ],
)
def test_answers(statement: str, asked: str, right: set[str]) -> None:
    parsed = statements.parse(statement)
    assert statements.answers(parsed, statements.keys(asked, parsed)) == right


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a + ", "the end where a symbol should be"),
        ("a ** b", r"'\*' where a symbol"),
        ("(a + b", "a bracket is not closed"),
        ("a b", "'b' is left over"),
        ("(a b)", "'b' is left over"),
        ("a)", r"'\)' is left over"),
        ("a - b", "'-' cannot stand here"),
        ("(" * 100 + "a" + ")" * 100, "over 8 brackets"),
        ("+".join(f"x{i}" for i in range(25)), "over 24 symbols"),
        ("*".join(["(a + b + c)"] * 4), "over 48 products"),
    ],
)
def test_what_is_no_statement_is_told(text: str, message: str) -> None:
    with pytest.raises(UserError, match=f"statement: {message}"):
        statements.parse(text)


def test_a_question_of_what_is_not_there_is_told() -> None:
    with pytest.raises(UserError, match=r"ask: 'w' is not in the statement; it has l, legs"):
        statements.keys("w", statements.parse(DOG))


def test_an_answer_that_was_also_asked_is_listed() -> None:
    """A symbol that is bound to itself answers with itself."""
    question = messages.Statement(statement="a * a * a * a * a + b * c", ask="a a a a", d=4096)
    (way, *_) = algebra.answer(question).ways
    assert {found.symbol: found.is_right for found in way.responses} == {
        "a": True,
        "b": False,
        "c": False,
        algebra.ABSENT: False,
    }
    assert way.responses[0].middle == pytest.approx(1, abs=0.1)


def responses(ask: str, way: str, **more: int) -> dict[str, messages.Response]:
    question = messages.Statement(statement=DOG, ask=ask, **more)
    ways = {found.name: found for found in algebra.answer(question).ways}
    assert list(ways) == list(VARIANTS)
    return {response.symbol: response for response in ways[way].responses}


def test_the_dog_and_its_legs() -> None:
    """Projection: the right part answers with 1, all others with 0, and the draws agree."""
    for ask, part in (("l", "legs"), ("h e", "eyes")):
        found = responses(ask, "projected", d=2048)
        assert set(found) == {*statements.symbols(statements.parse(DOG)), algebra.ABSENT} - set(
            ask.split()
        )
        for name, response in found.items():
            assert response.is_right == (name == part)
            assert response.middle == pytest.approx(float(response.is_right), abs=0.05)
            assert response.low <= response.middle <= response.high


def test_responses_are_those_of_the_library() -> None:
    """One draw by hand: the oracle binds with sums, not with Fourier transforms."""
    d, draws = 16, algebra.DRAWS
    drawn = hrr.random(draws * 3, d, generator=torch.Generator().manual_seed(0)).chunk(3)
    a, b, absent = drawn  # the statement's symbols, then the one that is not in it
    index = (torch.arange(d)[:, None] - torch.arange(d)) % d
    bound = torch.einsum("nj,nij->ni", a, b[:, index])
    star = torch.cat([a[:, :1], a[:, 1:].flip(1)], 1)
    answer = torch.einsum("nj,nij->ni", star, bound[:, index])
    question = messages.Statement(statement="a * b", ask="a", d=d)
    way = algebra.answer(question).ways[1]
    for response, vector in zip(way.responses, (b, absent), strict=True):
        expected = (vector * answer).sum(1).median()
        assert response.middle == pytest.approx(expected.item(), abs=0.1)


def test_more_pairs_are_more_noise() -> None:
    few, many = (responses("l", "projected", more=more)["tail"] for more in (0, 64))
    assert many.high - many.low > 2 * (few.high - few.low)


def test_the_exact_inverse_is_the_least_reliable() -> None:
    ways = algebra.answer(messages.Statement(statement=DOG, ask="l", d=512)).ways
    right = {way.name: way.right for way in ways}
    assert right["projected"] == 1
    assert right["naive, exact inverse"] < right["naive, pseudo-inverse"] <= right["projected"]
