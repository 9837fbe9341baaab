"""A saved model: a folder without pickle, readable by hand.

    model.safetensors   the learned weights, and the number of points of each label
    model.json          what was chosen and measured
    labels.txt          one JSON value per line: label 0, label 1, …
    vocabulary.txt      one JSON string per line: the word of feature 0, 1, …; only for texts
    README.md           the model card

The label codes are not stored: they follow from the seed and the shape.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

import hrrxml
from hrrxml.data.words import Words
from hrrxml.estimator import card as model_card
from hrrxml.estimator import network, pruning
from hrrxml.estimator.calibration import Calibration
from hrrxml.estimator.fitted import Fitted
from hrrxml.estimator.inputs import Scaling, Texts
from hrrxml.estimator.recipe import Recipe
from hrrxml.estimator.tags import Tags
from hrrxml.runtime.errors import UserError
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
MATRICES = ("head.output.shortcut.weight", "encoder.words.weight", "head.output.weight")


def save(
    classifier: "HolographicClassifier",
    folder: Path,
    *,
    dtype: str,
    prune: float | None,
    card: dict[str, Any],
) -> None:
    if folder.exists() and not is_model(folder) and any(folder.iterdir()):
        raise UserError(f"{folder}: exists and is not a model; choose another folder")
    fitted = classifier.fitted_
    tensors = _tensors(fitted, dtype, prune)
    with replacing_folder(folder) as new:
        write_tensors(new / WEIGHTS, tensors)
        _write_lines(new / LABELS, fitted.tags.names.tolist())
        if fitted.texts is not None and fitted.texts.words is not None:
            _write_lines(new / WORDS, list(fitted.texts.words.vocabulary))
        facts = describe(classifier) | {"dtype": dtype, "prune": prune, "card": card}
        write_json(new / FACTS, facts)
        write_text(new / "README.md", model_card.markdown(facts, card, folder.name))


def is_model(folder: Path) -> bool:
    return (folder / FACTS).is_file() and (folder / WEIGHTS).is_file()


def describe(classifier: "HolographicClassifier") -> dict[str, Any]:
    """Everything about a model but its weights and names, as JSON values."""
    fitted = classifier.fitted_
    parameters = classifier.get_params(deep=False)
    own = None if fitted.texts is None else fitted.texts.kind
    return {
        "format": FORMAT,
        "version": hrrxml.__version__,
        "parameters": parameters | {"vectorizer": None, "random_state": None},
        "inputs": "features" if fitted.texts is None else "texts",
        "vectorizer": own,
        "form": fitted.tags.form,
        "points": fitted.n_points,
        "features": fitted.n_features,
        "labels": len(fitted.tags),
        "scaling": None if fitted.scaling is None else asdict(fitted.scaling),
        "seed": fitted.seed,
        "recipe": asdict(fitted.recipe),
        "tail": fitted.tail,
        "calibration": asdict(fitted.calibration),
        "weights": fitted.model.count_parameters()["network"],
        "validation": classifier.validation_,
        "curve": classifier.curve_,
    }


def load(folder: str | Path, vectorizer: Any = None) -> "HolographicClassifier":
    """Read a model that `save` wrote.

    A model with a vectorizer of the user's own needs it again: the fitted object, or the function.
    """
    from hrrxml.estimator.classifier import HolographicClassifier

    folder = Path(folder)
    facts = _read_facts(folder)
    tensors, _ = read_tensors_and_facts(folder / WEIGHTS, CURE)
    classifier = HolographicClassifier(**facts["parameters"])
    classifier.vectorizer = vectorizer
    try:
        fitted = _fitted(folder, facts, tensors, vectorizer)
    except (KeyError, TypeError, RuntimeError, ValueError) as error:
        raise UserError(f"{folder}: not a whole model ({error}); {CURE}") from error
    classifier.n_features_in_ = fitted.n_features
    classifier._set(fitted)
    classifier.validation_, classifier.curve_ = facts["validation"], facts["curve"]
    return classifier


def _tensors(fitted: Fitted, dtype: str, prune: float | None) -> dict[str, Tensor]:
    if dtype not in ("float16", "bfloat16", "float32"):
        raise UserError(f"dtype is {dtype!r}; choose float16, bfloat16 or float32")
    tensors = {name: value.cpu() for name, value in fitted.model.state_dict().items()}
    tensors |= {
        name: tensors[name].to(getattr(torch, dtype)) for name in MATRICES if name in tensors
    }
    if prune is not None:
        tensors = pruning.prune(tensors, MATRICES[0], prune)
    if fitted.texts is not None and fitted.texts.words is not None:
        tensors["idf"] = fitted.texts.words.idf
    return tensors | {"counts": fitted.counts.int()}


def _fitted(
    folder: Path, facts: dict[str, Any], tensors: dict[str, Tensor], vectorizer: Any
) -> Fitted:
    tags = Tags(_as_array(_read_lines(folder / LABELS)), facts["form"])
    counts = tensors.pop("counts").long()
    if len(tags) != len(counts):
        raise UserError(f"{folder / LABELS}: {len(tags)} labels, not {len(counts)}; {CURE}")
    texts = _texts(folder, facts, tensors.pop("idf", None), vectorizer)
    recipe, seed, n_points = Recipe(**facts["recipe"]), facts["seed"], facts["points"]
    model = network.make(recipe, facts["features"], counts, n_points, seed)
    tensors = pruning.restore(tensors, MATRICES[0])
    model.load_state_dict({name: value.float() for name, value in tensors.items()})
    curve = Calibration(**facts["calibration"])
    scaling = None if facts["scaling"] is None else Scaling(**facts["scaling"])
    rest = (facts["features"], scaling, seed, counts, n_points)
    fitted = Fitted(model, recipe, tags, texts, *rest, calibration=curve)
    return fitted.with_tail(facts["tail"])


def _texts(
    folder: Path, facts: dict[str, Any], idf: Tensor | None, vectorizer: Any
) -> Texts | None:
    if facts["inputs"] == "features":
        return None
    texts = Texts(vectorizer)
    if facts["vectorizer"] != texts.kind:
        needed = facts["vectorizer"]
        cure = "give none" if needed == "words" else "load(folder, vectorizer=…) needs it"
        raise UserError(f"{folder}: trained with the vectorizer {needed!r}; {cure}")
    if idf is not None:
        texts.words = Words(_read_lines(folder / WORDS), idf, vectorizer)
    return texts


def _read_facts(folder: Path) -> dict[str, Any]:
    path = folder / FACTS
    try:
        facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = facts["format"]
    except FileNotFoundError as error:
        raise UserError(f"{folder}: not a model: it has no {FACTS}") from error
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{path}: damaged ({error}); {CURE}") from error
    if version != FORMAT:
        raise UserError(
            f"{folder}: a model of format {version}, and this hrrxml reads {FORMAT}; train it "
            f"again, or install hrrxml {facts.get('version', '')}"
        )
    return facts


def _write_lines(path: Path, values: list[Any]) -> None:
    write_text(path, "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values))


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


def _as_array(names: list[Any]) -> np.ndarray:
    """Numbers as numbers; strings as Python's own, which take less memory than numpy's."""
    if all(isinstance(name, int | float) for name in names):
        return np.asarray(names)
    array = np.empty(len(names), dtype=object)
    array[:] = names
    return array
