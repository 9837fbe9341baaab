"""List the labels that a model takes to be like a label."""

from argparse import ArgumentParser, Namespace

from hrrxml.command import arguments, labels, models, writing

USAGE = "MODEL LABEL [-n N]\n       hrrxml neighbours --run NAME LABEL [-n N]"
EXAMPLE = "  hrrxml neighbours model cast-iron"


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "words", metavar="MODEL LABEL", nargs="+", help="the model's folder, and one of its labels"
    )
    arguments.add_run(parser)
    parser.add_argument("-n", metavar="N", type=arguments.whole(1), default=10, help="labels (10)")


def run(options: Namespace, parser: ArgumentParser) -> None:
    if len(options.words) != (1 if options.run is not None else 2):
        parser.error("give one LABEL; one of several words needs quotes")
    model, (label,) = models.take(options, parser, options.words)
    writing.weights(model.neighbours(labels.find(model, label), n=options.n))
