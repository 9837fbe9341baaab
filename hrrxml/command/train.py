"""Learn to tag texts like yours, and save the model.

DATA is a file with one text a line, a tab, and its tags separated by commas; or JSON Lines
({"text": "…", "tags": ["…"]}); or a folder with texts.txt and labels.txt, or with these in train/
and test/; or a file in the Extreme Classification Repository's sparse text. `-` is standard input.
A tag with a comma needs JSON Lines. Blank lines are skipped. A folder's test/ is tested on, unless
--test names other data.
"""

import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hrrxml
from hrrxml.command import arguments, measuring, reading, writing
from hrrxml.estimator import storage
from hrrxml.runtime.errors import InputError, UserError

USAGE = "DATA -o MODEL [options]"
EXAMPLE = "  hrrxml train questions.tsv -o model --test later-questions.tsv"


def configure(parser: ArgumentParser) -> None:
    add, whole = parser.add_argument, arguments.whole
    add("data", metavar="DATA", help="texts and their tags")
    add("-o", "--output", metavar="MODEL", required=True, help="the folder to write")
    add("--dim", metavar="N", type=whole(2), help="numbers in a label's vector")
    add("--epochs", metavar="N", type=whole(1), help="passes over the data")
    add("--hidden", metavar="N", type=whole(0), help="width of the hidden layers; 0 for none")
    add("--seed", metavar="N", type=whole(0), default=0, help="for the same model again (0)")
    add("--jobs", metavar="N", type=whole(1), help="threads")
    add("--keep-tags-with", metavar="N", type=whole(1), default=1, help="examples a tag needs (1)")
    add(
        "--validation",
        metavar="S",
        type=arguments.share,
        help="share held out (a tenth, 2,500 at most)",
    )
    add("--float32", action="store_true", help="save full precision: twice the size")
    add("--prune", metavar="S", type=arguments.prune, help="share of small weights to drop: 0.9")
    add("--test", metavar="DATA", help="measure the model on these, for its card")
    add("--licence", metavar="TEXT", help="the data's licence, for the model's card")
    add("--name", metavar="TEXT", help="the model's name, for its card")
    add("--force", action="store_true", help="replace MODEL, even if it is another folder")
    add("--verbose", action="store_true", help="show progress in a log, too")


def run(options: Namespace, parser: ArgumentParser) -> None:
    output = Path(options.output).resolve()
    _check_output(output, options)
    data, test = _read(options)
    classifier = hrrxml.HolographicClassifier(
        dim=options.dim,
        hidden=options.hidden,
        epochs=options.epochs,
        validation=options.validation,
        random_state=options.seed,
        n_jobs=options.jobs,
        verbose=True if options.verbose else None,
    )
    try:
        classifier.fit(data.inputs, data.labels)
    except InputError as error:
        raise UserError(f"{data.source}: {error}") from error
    _save(classifier, output, options, data, None)  # first: the test data may not fit
    print(f"{options.output}: {len(data):,} texts, {len(data.counts()):,} tags, {_size(output)}")
    if test is not None:
        metrics = measuring.evaluate(classifier, test)
        _save(classifier, output, options, data, metrics)
        writing.facts(metrics, as_json=False)


def _read(options: Namespace) -> tuple[reading.Data, reading.Data | None]:
    data, test = reading.read(options.data)
    if options.test is not None:
        part, own = reading.read(options.test)
        test = part if own is None else own
    before = len(data.counts())
    kept = data.keep_tags_with(options.keep_tags_with)
    if dropped := before - len(kept.counts()):
        print(f"{dropped:,} of {before:,} tags have too few texts: dropped", file=sys.stderr)
    return reading.check(kept), test


def _check_output(output: Path, options: Namespace) -> None:
    """Refuse a place that cannot or should not be written before hours of training."""
    if _is_other(output) and not options.force:
        raise UserError(f"{output}: exists and holds no model; choose another, or --force")
    sources = (options.data, options.test, ".")
    for path in [Path(name).resolve() for name in sources if name not in (None, "-")]:
        if path == output or output in path.parents:
            raise UserError(f"{output}: would be replaced with {path} in it; choose another folder")
    parent = next(folder for folder in output.parents if folder.exists())
    if not (parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)):
        raise UserError(f"{parent}: cannot be written to; choose another place for the model")


def _save(
    classifier: Any, output: Path, options: Namespace, data: reading.Data, metrics: Any
) -> None:
    card = {
        "name": options.name or output.name,
        "licence": options.licence,
        "data": f"{Path(data.source).name}: {len(data):,} texts, {len(data.counts()):,} tags",
        "test": metrics,
    }
    card = {name: value for name, value in card.items() if value is not None}
    dtype = "float32" if options.float32 else "float16"
    with _set_aside(output):
        classifier.save(output, dtype=dtype, prune=options.prune, card=card)


def _is_other(output: Path) -> bool:
    """Whether something is there that is neither a model nor an empty folder."""
    if not output.is_dir():
        return output.exists()
    return not storage.is_model(output) and any(output.iterdir())


@contextmanager
def _set_aside(output: Path) -> Iterator[None]:
    """What the model replaces by force: it is deleted if the block succeeds, else put back."""
    if not _is_other(output):
        yield
        return
    old = output.rename(output.with_name(f".{output.name}.replaced"))
    try:
        yield
    except BaseException:
        old.rename(output)
        raise
    shutil.rmtree(old) if old.is_dir() else old.unlink()


def _size(folder: Path) -> str:
    size = sum(file.stat().st_size for file in folder.iterdir())
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"
