"""Statements about symbols, such as `l * legs + h * (e * eyes + n * nose)`.

A statement is a symbol, a product or a sum of statements: `*` binds, and `+` bundles.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from hrrxml.runtime.errors import UserError
from hrrxml.serve import limits

TOKEN = re.compile(r"\s*(?:(\w+)|([*⊗+()]))")
Monomial = frozenset[tuple[str, int]]  # symbols bound together, and how often each


@dataclass(frozen=True)
class Symbol:
    name: str


@dataclass(frozen=True)
class Bound:
    factors: tuple["Statement", ...]


@dataclass(frozen=True)
class Bundled:
    terms: tuple["Statement", ...]


Statement = Symbol | Bound | Bundled


def parse(text: str) -> Statement:
    """Read a statement; an error names the place."""
    tokens = list(_tokens(text))
    statement = _sum(tokens, 0)
    if tokens:
        raise UserError(f"statement: {tokens[0]!r} is left over; is a bracket or a sign missing?")
    if len(symbols(statement)) > limits.SYMBOLS:
        raise UserError(f"statement: over {limits.SYMBOLS} symbols; use fewer")
    if _count(statement) > limits.PRODUCTS:
        raise UserError(f"statement: over {limits.PRODUCTS} products; use fewer sums in brackets")
    return statement


def keys(text: str, statement: Statement) -> list[str]:
    """The symbols of a question, in order; the statement must have each."""
    asked, known = re.findall(r"\w+", text), symbols(statement)
    for key in asked:
        if key not in known:
            raise UserError(f"ask: {key[:40]!r} is not in the statement; it has {', '.join(known)}")
    return asked


def symbols(statement: Statement) -> list[str]:
    """Every symbol once, in the order of the statement."""
    if isinstance(statement, Symbol):
        return [statement.name]
    parts = statement.factors if isinstance(statement, Bound) else statement.terms
    return list(dict.fromkeys(name for part in parts for name in symbols(part)))


def write(statement: Statement) -> str:
    """The statement in the paper's notation."""
    if isinstance(statement, Symbol):
        return statement.name
    if isinstance(statement, Bundled):
        return " + ".join(map(write, statement.terms))
    factors = (
        f"({write(factor)})" if isinstance(factor, Bundled) else write(factor)
        for factor in statement.factors
    )
    return " ⊗ ".join(factors)


def answers(statement: Statement, asked: list[str]) -> set[str]:
    """The symbols that should answer: alone with the asked ones in a product of the statement."""
    question, found = Counter(asked), set()
    for monomial in _products(statement):
        rest = monomial - question
        if question <= monomial and rest.total() == 1:
            found |= set(rest)
    return found


def _products(statement: Statement) -> list[Counter[str]]:
    """The statement multiplied out."""
    if isinstance(statement, Symbol):
        return [Counter([statement.name])]
    if isinstance(statement, Bundled):
        return [monomial for term in statement.terms for monomial in _products(term)]
    factors = [_products(factor) for factor in statement.factors]
    return [sum(chosen, Counter()) for chosen in product(*factors)]


def _count(statement: Statement) -> int:
    """How many products there are, multiplied out."""
    if isinstance(statement, Symbol):
        return 1
    if isinstance(statement, Bundled):
        return sum(map(_count, statement.terms))
    return prod(map(_count, statement.factors))


def _tokens(text: str) -> Iterator[str]:
    place, text = 0, text.rstrip()
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            wrong = text[place:].lstrip()[:1]
            raise UserError(f"statement: {wrong!r} cannot stand here; use names, *, +, ( and )")
        yield match[1] or match[2].replace("⊗", "*")
        place = match.end()


def _sum(tokens: list[str], depth: int) -> Statement:
    if depth > limits.DEPTH:
        raise UserError(f"statement: over {limits.DEPTH} brackets inside one another; use fewer")
    terms = [_product(tokens, depth)]
    while tokens and tokens[0] == "+":
        tokens.pop(0)
        terms.append(_product(tokens, depth))
    return terms[0] if len(terms) == 1 else Bundled(tuple(terms))


def _product(tokens: list[str], depth: int) -> Statement:
    factors = [_factor(tokens, depth)]
    while tokens and tokens[0] == "*":
        tokens.pop(0)
        factors.append(_factor(tokens, depth))
    return factors[0] if len(factors) == 1 else Bound(tuple(factors))


def _factor(tokens: list[str], depth: int) -> Statement:
    if not tokens or tokens[0] in ("*", "+", ")"):
        found = f"{tokens[0]!r}" if tokens else "the end"
        raise UserError(f"statement: {found} where a symbol should be; write a name there")
    token = tokens.pop(0)
    if token != "(":
        return Symbol(token)
    inner = _sum(tokens, depth + 1)
    if not tokens:
        raise UserError("statement: a bracket is not closed; write ) where it ends")
    if tokens[0] != ")":
        raise UserError(f"statement: {tokens[0]!r} is left over; is a sign missing?")
    tokens.pop(0)
    return inner
