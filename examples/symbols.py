"""Symbols as vectors, by example (§1, §3 and appendix B of the paper).

python -m examples.symbols

A sentence such as "a red cat and a blue dog" becomes one vector: bind each adjective to its
noun, and sum the pairs. To ask a question, unbind. The answer is noisy, because all pairs
share the same d numbers, so it is compared with the known symbols.
"""

import torch
from torch import Tensor

from hrrxml.vsa import hrr

DIM = 2048


class Symbols:
    """A random unitary vector for each name, drawn at its first use."""

    def __init__(self, d: int = DIM, seed: int = 0) -> None:
        self.d = d
        self.generator = torch.Generator().manual_seed(seed)
        self.vectors: dict[str, Tensor] = {}

    def __getitem__(self, name: str) -> Tensor:
        if name not in self.vectors:
            drawn = hrr.random(1, self.d, generator=self.generator)[0]
            self.vectors[name] = hrr.project(drawn)
        return self.vectors[name]

    def compare(self, answer: Tensor, names: list[str]) -> dict[str, float]:
        """The similarity of an answer to each named symbol: about 1 or about 0."""
        return {name: round(float(answer @ self[name]), 2) for name in names}


def red_cat_and_blue_dog(symbol: Symbols) -> dict[str, dict[str, float]]:
    """S = red ⊗ cat + blue ⊗ dog."""
    s = hrr.bind(symbol["red"], symbol["cat"]) + hrr.bind(symbol["blue"], symbol["dog"])
    nouns = ["cat", "dog", "cow"]
    return {
        "Which animal is red?": symbol.compare(hrr.unbind(s, symbol["red"]), nouns),
        "Which animal is blue?": symbol.compare(hrr.unbind(s, symbol["blue"]), nouns),
        "Which animal is green?": symbol.compare(hrr.unbind(s, symbol["green"]), nouns),
    }


def jane_and_joe(symbol: Symbols) -> dict[str, dict[str, float]]:
    """S = first ⊗ (name ⊗ Jane + age ⊗ 30) + second ⊗ (name ⊗ Joe + age ⊗ 33)."""

    def person(name: str, age: str) -> Tensor:
        return hrr.bind(symbol["name"], symbol[name]) + hrr.bind(symbol["age"], symbol[age])

    first, second = person("Jane", "30"), person("Joe", "33")
    s = hrr.bind(symbol["first"], first) + hrr.bind(symbol["second"], second)

    def ask(*path: str) -> dict[str, float]:
        answer = s
        for key in path:
            answer = hrr.unbind(answer, symbol[key])
        return symbol.compare(answer, ["Jane", "Joe", "30", "33"])

    return {
        "What is the name of the first?": ask("first", "name"),
        "How old is the second?": ask("second", "age"),
    }


def parts_of_a_dog(symbol: Symbols) -> dict[str, dict[str, float]]:
    """A tree of two levels in one vector (Figures 3 and 4): the head has parts of its own.

    Every part is bound to a key: l is the key of legs, e the key of eyes, and so on.
    """

    def parts(**keyed: Tensor) -> Tensor:
        bound = [hrr.bind(symbol[key], part) for key, part in keyed.items()]
        return hrr.bundle(torch.stack(bound))

    head = parts(e=symbol["eyes"], n=symbol["nose"], o=symbol["mouth"])
    dog = parts(h=head, l=symbol["legs"], t=symbol["tail"], b=symbol["body"])
    everything = ["legs", "tail", "eyes", "wings"]
    under_head = hrr.unbind(dog, symbol["h"])
    return {
        "Does a dog have legs?": symbol.compare(hrr.unbind(dog, symbol["l"]), everything),
        "Does a dog have eyes, in its head?": symbol.compare(
            hrr.unbind(under_head, symbol["e"]), everything
        ),
        "Does a dog have wings?": symbol.compare(hrr.unbind(dog, symbol["w"]), everything),
    }


def main() -> None:
    for story in (red_cat_and_blue_dog, jane_and_joe, parts_of_a_dog):
        print(f"\n{(story.__doc__ or '').splitlines()[0]}")
        for question, answers in story(Symbols()).items():
            shown = "  ".join(f"{name} {value:5.2f}" for name, value in answers.items())
            print(f"  {question:36}{shown}")


if __name__ == "__main__":
    main()
