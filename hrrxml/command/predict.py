"""Give texts their tags.

Without TEXT, it reads --input, or standard input: one text a line, or JSON Lines. Each text has one
answer, in order, as soon as its line has arrived. A tab ends a text, so that tagged texts can be
given, too. Texts on the command line are taken as they are.

--format text   cast-iron 0.91, cleaning 0.42
--format jsonl  {"text": "…", "tags": ["cast-iron", …], "probabilities": [0.91, …]}
--format tsv    the number of the text, a label, its probability: a line for each label

The numbers of a --run are its head's scores, not probabilities.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from hrrxml.command import arguments, labels, measuring, models, reading, streams, writing
from hrrxml.runtime.errors import UserError

USAGE = "MODEL [TEXT …] [options]\n       hrrxml predict --run NAME [TEXT …] [options]"
EXAMPLE = """\
  hrrxml predict model "how do I clean a cast iron pan"
  hrrxml predict model -k 3 --format tsv < questions.txt > tags.tsv"""


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("words", metavar="MODEL TEXT", nargs="*", help="the model's folder, then texts")
    arguments.add_run(parser)
    add("--input", metavar="FILE", help="texts, or features; - is standard input")
    add("-k", metavar="N", type=arguments.whole(1), help="labels for each text (5)")
    add("--threshold", metavar="P", type=arguments.number, help="only labels this probable")
    add("--among", metavar="FILE", help="only these labels, one a line")
    add("--format", choices=writing.FORMATS, default="text", help="of the answers (text)")


def run(options: Namespace, parser: ArgumentParser) -> None:
    model, texts = models.take(options, parser, options.words)
    if texts and options.input is not None:
        parser.error("give either TEXT or --input")
    among = None if options.among is None else labels.read(model, options.among)
    k = options.k or (5 if options.threshold is None else None)
    line, number = writing.FORMATS[options.format], 0
    what = "probabilities" if options.run is None else "scores"
    for source, inputs in _inputs(model, texts, options.input or "-"):
        answers = model.predict(inputs, k=k, threshold=options.threshold, among=among)
        rows = enumerate(zip(source, answers, strict=True), start=number + 1)
        sys.stdout.writelines(line(i, text, answer, what) for i, (text, answer) in rows)
        sys.stdout.flush()
        number += len(answers)


def _inputs(model: Any, texts: list[str], name: str) -> Iterator[tuple[list[Any], Any]]:
    """Blocks of texts (None for features), and what the model takes."""
    if texts:
        for text in texts:
            if not streams.is_text(text):
                raise UserError(f"{text!r}: not UTF-8; write it as UTF-8")
        blocks: Iterator[list[str]] = iter([texts])
    elif reading.is_sparse(name):
        features = reading.read_features(name)
        measuring.check_inputs(model, features, name)
        for start in range(0, features.shape[0], reading.AT_ONCE):
            part = features[start : start + reading.AT_ONCE]
            yield [None] * part.shape[0], part
        return
    else:
        blocks = reading.texts(name)
    for block in blocks:
        measuring.check_inputs(model, block, "the input")
        yield block, block
