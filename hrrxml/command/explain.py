"""Say which words of a text spoke for a label.

Each word has a number: by how much the label's logit falls if the word is left out of the text.
"""

from argparse import ArgumentParser, Namespace

from hrrxml.command import arguments, labels, measuring, models, writing

USAGE = "MODEL LABEL TEXT [-n N]\n       hrrxml explain --run NAME LABEL TEXT [-n N]"
EXAMPLE = '  hrrxml explain model cast-iron "how do I clean a cast iron pan"'


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "words", metavar="MODEL LABEL TEXT", nargs="+", help="the model's folder, a label, a text"
    )
    arguments.add_run(parser)
    parser.add_argument("-n", metavar="N", type=arguments.whole(1), default=10, help="words (10)")


def run(options: Namespace, parser: ArgumentParser) -> None:
    expected = 2 if options.run is not None else 3
    if len(options.words) != expected:
        parser.error("give LABEL and TEXT; a text of several words needs quotes")
    model, (label, text) = models.take(options, parser, options.words)
    measuring.check_inputs(model, [text], "TEXT")
    writing.weights(model.explain(text, labels.find(model, label), n=options.n))
