"""Show a model's sizes, its settings and its metrics; or list its labels."""

from argparse import ArgumentParser, Namespace

from hrrxml.command import arguments, models, writing

USAGE = "MODEL [--json | --labels]\n       hrrxml info --run NAME [--json | --labels]"
EXAMPLE = "  hrrxml info model"


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("words", metavar="MODEL", nargs="*", help="the model's folder")
    arguments.add_run(parser)
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.add_argument("--labels", action="store_true", help="the labels, one a line")


def run(options: Namespace, parser: ArgumentParser) -> None:
    model, rest = models.take(options, parser, options.words)
    if rest:
        parser.error("give one model")
    if options.labels:
        writing.names(model.classes_)
    else:
        writing.facts(model.describe(), options.json)
