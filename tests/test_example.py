"""Appendix B, as a newcomer runs it: every question gets the right answer."""

import subprocess
import sys

import pytest

from examples import symbols as example

STORIES = {
    example.red_cat_and_blue_dog: {
        "Which animal is red?": "cat",
        "Which animal is blue?": "dog",
        "Which animal is green?": None,
    },
    example.jane_and_joe: {
        "What is the name of the first?": "Jane",
        "How old is the second?": "33",
    },
    example.parts_of_a_dog: {
        "Does a dog have legs?": "legs",
        "Does a dog have eyes, in its head?": "eyes",
        "Does a dog have wings?": None,
    },
}


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("seed", range(5))
def test_the_right_symbol_answers_and_no_other(story, seed: int) -> None:
    answers = story(example.Symbols(seed=seed))
    assert list(answers) == list(STORIES[story])
    for question, right in STORIES[story].items():
        for name, value in answers[question].items():
            assert value == pytest.approx(1 if name == right else 0, abs=0.25), question


def test_the_example_runs_as_a_command() -> None:
    command = [sys.executable, "-m", "examples.symbols"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Does a dog have legs?" in output
