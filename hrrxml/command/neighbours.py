"""List the labels that a model takes to be like a label."""

from argparse import ArgumentParser, Namespace

from hrrxml.command import arguments, labels, models, writing

USAGE = "MODEL LABEL [-n N]"
EXAMPLE = "  hrrxml neighbours model cast-iron"


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="the model's folder")
    parser.add_argument("label", metavar="LABEL", help="one of its labels")
    parser.add_argument("-n", metavar="N", type=arguments.whole(1), default=10, help="labels (10)")


def run(options: Namespace, parser: ArgumentParser) -> None:
    model = models.load(options.model)
    writing.weights(model.neighbours(labels.find(model, options.label), n=options.n))
