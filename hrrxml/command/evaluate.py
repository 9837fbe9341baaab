"""Measure a model on texts whose tags are known.

DATA is as for `hrrxml train`; of a folder with train/ and test/, it is test/. The metrics are in
percent: precision at k, its propensity-scored form, and the error of the probabilities.
"""

from argparse import ArgumentParser, Namespace

from hrrxml.command import measuring, models, reading, writing

USAGE = "MODEL DATA [--json]"
EXAMPLE = "  hrrxml evaluate model later-questions.tsv"


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="the model's folder")
    parser.add_argument("data", metavar="DATA", help="texts and their tags; - is standard input")
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def run(options: Namespace, parser: ArgumentParser) -> None:
    model = models.load(options.model)
    data, test = reading.read(options.data)
    writing.facts(measuring.evaluate(model, data if test is None else test), options.json)
