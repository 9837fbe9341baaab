"""A model as the page asks it: a saved classifier, or a run of the pipeline."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from hrrxml.command import measuring, models
from hrrxml.command.streams import one_line
from hrrxml.data.words import Words
from hrrxml.estimator import storage
from hrrxml.estimator.from_run import files_of, load_run
from hrrxml.runtime.errors import UserError
from hrrxml.serve.errors import Refused

Ranked = list[tuple[str, float]]  # labels with their probabilities or scores, best first
COMPARED = 50_000  # labels to compare with a misspelt one in a moment


@dataclass(frozen=True)
class Served:
    """A loaded model. Its files are watched: it never answers in the place of another one."""

    name: str
    model: Any
    words: Words  # the vocabulary
    files: tuple[Path, ...]
    versions: tuple[Any, ...]
    labels: dict[str, Any]  # as they are shown, and as the model has them
    is_run: bool

    def check_files(self) -> None:
        """An error if the model on disk is gone or another one: the answer would mislead."""
        if _versions(self.files) != self.versions:
            raise Refused(
                410,
                f"model {self.name}: its files were removed or replaced since the server started; "
                "start the server again",
            )

    def predict(self, texts: Sequence[str], k: int, among: Sequence[str]) -> list[Ranked]:
        """The k best labels of each text."""
        allowed = [self.label(name) for name in among] or None
        answers = self.model.predict(list(texts), k=k, among=allowed)
        return [[(one_line(label), float(value)) for label, value in row] for row in answers]

    def rank(self, text: str, k: int, among: Sequence[str]) -> tuple[Ranked, list[float]]:
        """The k best labels of a text, and the length of a bar for each, from 0 to 1.

        The length is the probability. A score has no scale of its own: the best label of all has
        length 1, and the one in the middle of the ranking 0.
        """
        if not self.is_run:
            (best,) = self.predict([text], k, among)
            return best, [chance for _, chance in best]
        allowed = {self.label(name) for name in among}
        (everything,) = self.model.predict([text], k=None)
        best = [pair for pair in everything if pair[0] in allowed or not allowed][:k]
        top, middle = everything[0][1], everything[len(everything) // 2][1]
        spread = max(top - middle, 1e-12)
        return best, [min(1.0, max(0.0, (score - middle) / spread)) for _, score in best]

    def explain(self, text: str, label: str) -> dict[str, float]:
        """The effect of each known word of a text on a label.

        The effect of a pair of words is shared by both.
        """
        n = 2 * len(text) + 1  # more than the text has words and pairs
        effects: defaultdict[str, float] = defaultdict(float)
        for name, effect in self.model.explain(text, self.label(label), n=n):
            words = name.split(" ")
            for word in words:
                effects[word] += effect / len(words)
        return effects

    def neighbours(self, label: str, n: int) -> Ranked:
        found = self.model.neighbours(self.label(label), n=n)
        return [(one_line(other), float(likeness)) for other, likeness in found]

    def find_labels(self, part: str, n: int) -> list[str]:
        """Labels that contain a text; those that begin with it come first."""
        part = part.strip().lower()
        found = [name for name in self.labels if part in name.lower()]
        return sorted(found, key=lambda name: (not name.lower().startswith(part), len(name)))[:n]

    def label(self, name: str) -> Any:
        """The model's own label of this name."""
        if name in self.labels:
            return self.labels[name]
        near = get_close_matches(name, self.labels, 3) if len(self.labels) <= COMPARED else []
        cure = f"choose another, such as {next(iter(self.labels), '')[:60]!r}"
        if near:
            cure = f"did you mean {' or '.join(map(repr, near))}?"
        raise Refused(404, f"model {self.name}: no label {name[:60]!r}; {cure}")

    def facts(self) -> dict[str, Any]:
        """What the page shows of the model."""
        facts = self.model.describe()
        metrics = facts.get("metrics", {}) if self.is_run else facts["validation"]
        return {
            "name": self.name,
            "kind": f"{facts['encoder']}, {facts['head']}" if self.is_run else "classifier",
            "labels": len(self.labels),
            "words": len(self.words.vocabulary),
            "numbers": "scores" if self.is_run else "probabilities",
            "precision": metrics.get("P@1"),
        }


def load(folders: Sequence[str], runs: Sequence[str]) -> dict[str, Served]:
    """Models by name. A folder's last part is its name, or all of it where that is not unique."""
    last = [Path(folder).resolve().name for folder in folders]
    uses = Counter([*last, *runs])
    names = [
        short if uses[short] == 1 else folder for short, folder in zip(last, folders, strict=True)
    ]
    for name, count in Counter([*names, *runs]).items():
        if count > 1:
            raise UserError(f"{name}: named twice; name each model once")
    loaded = [*map(_load_folder, names, folders), *map(_load_run, runs)]
    return {served.name: served for served in loaded}


def _load_folder(name: str, folder: str) -> Served:
    files = tuple(Path(folder, file).absolute() for file in (storage.FACTS, storage.WEIGHTS))
    versions = _versions(files)
    model = models.load(folder)
    if measuring.features_of(model) is not None:
        raise UserError(f"{folder}: takes numbered features, and the page has texts; serve another")
    model.neighbours(model.classes_[0], n=1)  # the first one pays for what is made once
    return _served(name, model, model.fitted_.texts.words, files, versions, is_run=False)


def _load_run(name: str) -> Served:
    files = tuple(path.absolute() for path in files_of(name))
    versions = _versions(files)
    run = load_run(name)
    return _served(name, run, run.words, files, versions, is_run=True)


def _served(
    name: str, model: Any, words: Words, files: tuple[Path, ...], versions: Any, is_run: bool
) -> Served:
    labels = {one_line(label): label for label in model.classes_.tolist()}
    return Served(name, model, words, files, versions, labels, is_run)


def _versions(files: Sequence[Path]) -> tuple[Any, ...]:
    """What changes when a file is replaced; None for one that is missing."""
    found: list[Any] = []
    for file in files:
        try:
            status = file.stat()
        except OSError:
            found.append(None)
        else:
            found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(found)
