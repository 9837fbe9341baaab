"""A saved model: a folder without pickle, readable by hand.

    model.safetensors   the learned weights, and the number of points of each label
    model.json          what was chosen and measured
    labels.txt          one JSON value per line: label 0, label 1, …
    vocabulary.txt      one JSON string per line: the word or pair of feature 0, feature 1, …; for
                        texts, and for tables with named columns
    README.md           the model card

The label codes are not stored: they follow from the seed and the shape.
"""

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from hrrxml.data.pairs import Pairs
from hrrxml.data.words import Words
from hrrxml.estimator import card as model_card
from hrrxml.estimator import checks, network, pruning
from hrrxml.estimator.calibration import Calibration
from hrrxml.estimator.fitted import Fitted
from hrrxml.estimator.inputs import Scaling, Texts
from hrrxml.estimator.origin import Origin
from hrrxml.estimator.recipe import Recipe
from hrrxml.estimator.seen import Seen
from hrrxml.estimator.tags import Tags, as_array
from hrrxml.model import Model
from hrrxml.runtime.errors import InputError, UserError
from hrrxml.runtime.files import (
    read_tensors_and_facts,
    replacing_folder,
    write_json,
    write_tensors,
    write_text,
)

if TYPE_CHECKING:
    from hrrxml.estimator.classifier import HolographicClassifier

FORMAT = 1  # version of the folder: increase it when older folders would be misread
CURE = "copy the model again, or train it again"
WEIGHTS, FACTS, LABELS, WORDS = "model.safetensors", "model.json", "labels.txt", "vocabulary.txt"
CARD = "README.md"
FILES = (WEIGHTS, FACTS, LABELS, WORDS, CARD)
PRUNED = "head.output.shortcut.weight"  # the linear path, which is most of the model
MATRICES = {PRUNED, "encoder.words.weight", "head.output.weight"}


def save(
    classifier: "HolographicClassifier",
    folder: Path,
    *,
    dtype: str,
    prune: float | None,
    card: dict[str, Any],
) -> None:
    folder = folder.resolve()
    _check_place(folder)
    card = classifier.card_ | model_card.check(card)
    fitted = classifier.fitted_
    tensors = _tensors(fitted, dtype, prune)
    facts = describe(classifier) | {"dtype": dtype, "prune": prune, "card": card}
    with replacing_folder(folder) as new:
        write_tensors(new / WEIGHTS, tensors)
        _write_lines(new / LABELS, fitted.tags.names.tolist())
        names = _feature_names(classifier)
        if names is not None:
            _write_lines(new / WORDS, names)
        write_json(new / FACTS, facts)
        write_text(new / CARD, model_card.markdown(facts, card, folder.name))
        shutil.copymode(new / CARD, new / WEIGHTS)  # safetensors lets nobody else read its file
        _keep_other_files(folder, new)


def _check_place(folder: Path) -> None:
    """Refuse to replace anything but a model or an empty folder."""
    if folder.is_file() or (folder.exists() and not is_model(folder) and any(folder.iterdir())):
        raise InputError(f"{folder}: exists and is not a model; choose another folder")


def is_model(folder: Path) -> bool:
    return (folder / FACTS).is_file() and (folder / WEIGHTS).is_file()


def _keep_other_files(folder: Path, new: Path) -> None:
    """Copy what a user has added to a model's folder, such as a licence or `.git`."""
    for path in folder.iterdir() if folder.exists() else ():
        if path.name in FILES:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.copytree(path, new / path.name, symlinks=True)
        else:
            shutil.copy2(path, new / path.name, follow_symlinks=False)


def describe(classifier: "HolographicClassifier") -> dict[str, Any]:
    """Everything about a model but its weights and names, as JSON values."""
    fitted = classifier.fitted_
    scaling = fitted.scaling if fitted.texts is None else fitted.texts.scaling
    return {
        "format": FORMAT,
        "origin": asdict(fitted.origin),
        "parameters": _parameters(classifier),
        "inputs": "features" if fitted.texts is None else "texts",
        "vectorizer": None if fitted.texts is None else fitted.texts.kind,
        "form": fitted.tags.form,
        "points": fitted.seen.n_points,
        "features": fitted.n_features,
        "labels": len(fitted.tags),
        "scaling": None if scaling is None else asdict(scaling),
        "seed": fitted.seed,
        "code": _code(fitted),
        "recipe": asdict(fitted.recipe),
        "tail": fitted.tail,
        "calibration": asdict(fitted.calibration),
        "weights": fitted.model.count_parameters()["network"],
        "validation": classifier.validation_,
        "curve": classifier.curve_,
    }


def _parameters(classifier: "HolographicClassifier") -> dict[str, Any]:
    """What the classifier was made with, without what JSON cannot hold."""
    given = classifier.get_params(deep=False) | {"vectorizer": None}
    given = {name: v.item() if isinstance(v, np.generic) else v for name, v in given.items()}
    is_seed = isinstance(given["random_state"], int)
    return given if is_seed else given | {"random_state": None}


def _code(fitted: Fitted) -> list[float]:
    """The first numbers of the first label's code: `load` compares them with its own."""
    head: Any = fitted.model.head
    code = head.labels.vectors(torch.zeros(1, dtype=torch.int64, device=fitted.model.device))[0]
    return [round(value, 4) for value in code[:4].tolist()]


def load(folder: str | Path, vectorizer: Any = None) -> "HolographicClassifier":
    """Read a model that `save` wrote.

    A model with a vectorizer of the user's own needs it again: the function, or the fitted object,
    which is `vectorizer_` of the classifier that was saved.
    """
    folder = Path(folder)
    facts = _read_facts(folder)
    tensors, _ = read_tensors_and_facts(folder / WEIGHTS, CURE)
    try:
        return _classifier(folder, facts, tensors, vectorizer)
    except (AttributeError, KeyError, TypeError, RuntimeError, ValueError) as error:
        raise UserError(f"{folder}: not a whole model ({error}); {CURE}") from error


def _classifier(
    folder: Path, facts: dict[str, Any], tensors: dict[str, Tensor], vectorizer: Any
) -> "HolographicClassifier":
    from hrrxml.estimator.classifier import HolographicClassifier

    classifier = HolographicClassifier(**facts["parameters"])
    classifier.vectorizer = vectorizer
    with torch.random.fork_rng([]):  # a new network takes random numbers
        classifier._set(_fitted(folder, facts, tensors, vectorizer))
    classifier.n_features_in_ = facts["features"]
    classifier.validation_, classifier.curve_ = facts["validation"], facts["curve"]
    classifier.card_ = facts["card"]
    if facts["inputs"] == "features" and (folder / WORDS).exists():
        classifier.feature_names_in_ = np.array(_read_lines(folder / WORDS), dtype=object)
    return classifier


def _feature_names(classifier: "HolographicClassifier") -> list[str] | None:
    """The words of texts, or the names of a table's columns, if there are any."""
    texts = classifier.fitted_.texts
    if texts is None:
        names = getattr(classifier, "feature_names_in_", None)
        return None if names is None else names.tolist()
    return None if texts.words is None else texts.words.names


def _tensors(fitted: Fitted, dtype: str, prune: float | None) -> dict[str, Tensor]:
    if dtype not in ("float16", "bfloat16", "float32"):
        raise InputError(f"dtype is {dtype!r}; choose float16, bfloat16 or float32")
    tensors = {name: value.cpu() for name, value in fitted.model.state_dict().items()}
    for name in MATRICES & tensors.keys():
        narrow = tensors[name].to(getattr(torch, dtype))
        if narrow.isfinite().all():  # else a weight is too large for the type
            tensors[name] = narrow
    if prune is not None:
        tensors = pruning.prune(tensors, PRUNED, checks.number("prune", prune))
    if fitted.texts is not None and fitted.texts.words is not None:
        tensors["idf"] = fitted.texts.words.idf
    return tensors | {"counts": fitted.seen.counts.int(), "mean": fitted.seen.mean}


def _fitted(
    folder: Path, facts: dict[str, Any], tensors: dict[str, Tensor], vectorizer: Any
) -> Fitted:
    tags = Tags(as_array(_read_lines(folder / LABELS)), facts["form"])
    counts = tensors.pop("counts").long()
    if len(tags) != len(counts):
        raise UserError(f"{folder / LABELS}: {len(tags)} labels, not {len(counts)}; {CURE}")
    texts = _texts(folder, facts, tensors.pop("idf", None), vectorizer)
    recipe, seed = Recipe(**facts["recipe"]), facts["seed"]
    seen = Seen(facts["points"], counts, tensors.pop("mean"))
    if len(seen.mean) != facts["features"]:
        raise UserError(f"{folder}: not a whole model (features of another number); {CURE}")
    model = network.make(recipe, seen, seed)
    _fill(model, pruning.restore(tensors, PRUNED))
    scaling = None if texts is not None else _scaling(facts)
    rest = (facts["features"], scaling, seed, seen, Origin(**facts["origin"]))
    curve = Calibration(**facts["calibration"])
    fitted = Fitted(model, recipe, tags, texts, *rest, calibration=curve)
    if not np.allclose(_code(fitted), facts["code"], atol=1e-3):
        raise UserError(
            f"{folder}: this version of torch draws other label codes than the model has; "
            f"install the torch that it was trained with"
        )
    return fitted.with_tail(facts["tail"])


def _fill(model: Model, tensors: dict[str, Tensor]) -> None:
    """Put the stored weights in place of the initial ones, and hold as few of both as possible."""
    whole = {}
    while tensors:
        name, value = tensors.popitem()
        whole[name] = value.to(torch.float32, copy=True)  # a copy is aligned in memory
    model.load_state_dict(whole, assign=True)


def _scaling(facts: dict[str, Any]) -> Scaling | None:
    return None if facts["scaling"] is None else Scaling(**facts["scaling"])


def _texts(
    folder: Path, facts: dict[str, Any], idf: Tensor | None, vectorizer: Any
) -> Texts | None:
    if facts["inputs"] == "features":
        return None
    texts, needed = Texts(vectorizer), facts["vectorizer"]
    has_words = needed in ("words", "words and pairs")
    if needed != texts.kind and not (has_words and vectorizer is None):
        cure = "give none" if has_words else "load(folder, vectorizer=…) needs it"
        raise UserError(f"{folder}: trained with the vectorizer {needed!r}; {cure}")
    texts.n_features, texts.scaling = facts["features"], _scaling(facts)
    if idf is not None:
        names = _read_lines(folder / WORDS)
        if len(names) != len(idf):
            raise UserError(f"{folder / WORDS}: {len(names)} words, not {len(idf)}; {CURE}")
        texts.words = _words(names, idf, vectorizer, with_pairs=needed == "words and pairs")
    return texts


def _words(names: list[str], idf: Tensor, vectorizer: Any, with_pairs: bool) -> Words:
    """The vocabulary: words, and after them pairs of words with a space between."""
    if not with_pairs:
        return Words(names, idf, vectorizer)
    n_words = next((i for i, name in enumerate(names) if " " in name), len(names))
    return Words(names[:n_words], idf, pairs=Pairs.from_names(names[n_words:], names[:n_words]))


def _read_facts(folder: Path) -> dict[str, Any]:
    path = folder / FACTS
    try:
        facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = facts["format"]
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UserError(f"{folder}: not a model: it has no {FACTS}") from error
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{path}: damaged ({error}); {CURE}") from error
    if version != FORMAT:
        raise UserError(
            f"{folder}: a model of format {version}, and this hrrxml reads {FORMAT}; train it "
            f"again, or install the hrrxml that its README.md names"
        )
    return facts


def _write_lines(path: Path, values: list[Any]) -> None:
    write_text(path, "".join(f"{_as_json(value)}\n" for value in values))


def _as_json(value: Any) -> str:
    """Readable, unless a string has half a character, which UTF-8 cannot write."""
    text = json.dumps(value, ensure_ascii=False)
    is_whole = text.encode(errors="ignore").decode() == text
    return text if is_whole else json.dumps(value)


def _read_lines(path: Path) -> list[Any]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error}); {CURE}") from error
    values = []
    for number, line in enumerate(lines[:-1], start=1):
        try:
            values.append(json.loads(line))
        except ValueError as error:
            raise UserError(f"{path}:{number}: not a JSON value; {CURE}") from error
    return values
