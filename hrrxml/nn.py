"""Output layers for any PyTorch network: d' outputs instead of one per label.

    head = hrrxml.HolographicHead(in_features=384, n_labels=670_091, dim=1000)
    loss = head.loss(hidden, labels)         # hidden: (batch, 384); a scalar
    ids, scores = head.topk(hidden, k=5)     # exact, over all labels: (batch, 5) each

`labels` is a list of ids per point, a scipy or torch CSR matrix, or a tuple (ids, offsets). The
label vectors are drawn from `seed`, so a `state_dict` holds only what was learned. These are the
heads that the pipeline trains, without their path from sparse features.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from pydantic import ValidationError
from torch import Tensor, nn

from hrrxml import heads
from hrrxml.data.bags import Bags
from hrrxml.data.label_sets import LabelSets, as_bags
from hrrxml.data.points import Points
from hrrxml.runtime.errors import InputError
from hrrxml.runtime.registry import load
from hrrxml.training import distributed

CPU = torch.device("cpu")
# What the pipeline's optimiser reads; a user of these modules has an optimiser of their own.
UNUSED = {"learning_rate": 1e-3, "decay": 1.0, "shortcut": None}


class OutputHead(nn.Module):
    """A head of the pipeline with ordinary tensors as its inputs."""

    kind: str  # a module of `hrrxml.heads`

    def __init__(
        self,
        in_features: int,
        n_labels: int,
        settings: Mapping[str, Any],
        *,
        seed: int,
        train_labels: LabelSets | None,
    ) -> None:
        super().__init__()
        if in_features < 1 or n_labels < 1:
            raise InputError("in_features and n_labels must be at least 1")
        self.in_features, self.n_labels, self.seed = in_features, n_labels, seed
        self.settings = dict(settings)
        chosen = _checked(self.kind, settings)
        self.dim: int = chosen.dim
        generator = torch.Generator().manual_seed(seed)
        tables = heads.get(self.kind).tables(chosen, self._train(train_labels), generator)
        if train_labels is None and "prior" in tables:
            # One label per point, all alike: every sigmoid starts at 1/L, and the loss near 1.
            tables["prior"] = torch.full((n_labels,), 1 / max(2, n_labels)).logit()
        self.head = heads.get(self.kind)(chosen, in_features, 0, tables)

    def _train(self, labels: LabelSets | None) -> Points:
        """Points without features that have these labels."""
        n_points = 0 if labels is None else _count(labels)
        bags = as_bags([] if labels is None else labels, n_points, self.n_labels, CPU)
        return _points(bags, self.n_labels)

    def loss(self, hidden: Tensor, labels: LabelSets, weights: Tensor | None = None) -> Tensor:
        """The mean loss of a batch, a scalar: `hidden` is (batch, in_features).

        `weights` (batch,) weighs the points; the holographic head alone takes them.
        """
        if weights is not None and self.kind != "holographic":
            raise InputError(f"{type(self).__name__} has no weighted loss; use HolographicHead")
        batch = _points(self._bags(hidden, labels), self.n_labels)
        with distributed.alone():
            return self.head.loss(hidden, replace(batch, weights=weights))

    def forward(self, hidden: Tensor, labels: LabelSets, weights: Tensor | None = None) -> Tensor:
        """The loss. DistributedDataParallel and torch.compile look for it under this name."""
        return self.loss(hidden, labels, weights)

    @torch.no_grad()
    def scores(self, hidden: Tensor) -> Tensor:
        """The scores of all labels, without gradients: (batch, n_labels)."""
        with self._exactly(hidden) as queries:
            return self.head.scores(queries, self._unlabelled(queries))

    @torch.no_grad()
    def topk(self, hidden: Tensor, k: int, among: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Ids and scores of the k best labels, best first: (batch, min(k, n_labels)) each.

        `among` restricts the search to labels: a boolean mask (n_labels,), or ids. Fewer than k
        labels give rows that end in scores of −∞.
        """
        if k < 1:
            raise InputError(f"k is {k}; it must be at least 1")
        mask = None if among is None else self._mask(among, hidden.device)
        with self._exactly(hidden) as queries:
            return self.head.top_k(queries, self._unlabelled(queries), k, mask)

    @contextmanager
    def _exactly(self, hidden: Tensor) -> Iterator[Tensor]:
        """`hidden` in the weights' precision, whatever autocast says: rounding changes ranks."""
        with distributed.alone(), torch.autocast(hidden.device.type, enabled=False):
            yield hidden.to(self.head.output.weight.dtype)

    def _mask(self, among: Tensor, device: torch.device) -> Tensor:
        among = torch.as_tensor(among, device=device)
        if among.dtype == torch.bool:
            return among
        allowed = torch.zeros(self.n_labels, dtype=torch.bool, device=device)
        if len(among) and not 0 <= int(among.min()) <= int(among.max()) < self.n_labels:
            raise InputError(f"among: an id outside 0…{self.n_labels - 1}")
        allowed[among.long()] = True
        return allowed

    def _bags(self, hidden: Tensor, labels: LabelSets) -> Bags:
        if hidden.dim() != 2 or hidden.shape[1] != self.in_features:
            raise InputError(
                f"hidden has the shape {tuple(hidden.shape)}; it must be (batch, "
                f"{self.in_features})"
            )
        return as_bags(labels, len(hidden), self.n_labels, hidden.device)

    def _unlabelled(self, hidden: Tensor) -> Points:
        return _points(self._bags(hidden, [[]] * len(hidden)), self.n_labels)

    @property
    def _identity(self) -> dict[str, Any]:
        """Everything that decides what the weights mean."""
        return {"n_labels": self.n_labels, "seed": self.seed} | self.settings

    def get_extra_state(self) -> Tensor:
        """How the head was built, as the bytes of JSON: safetensors stores tensors alone."""
        return torch.tensor(list(json.dumps(self._identity).encode()), dtype=torch.uint8)

    def set_extra_state(self, state: Tensor) -> None:
        saved = json.loads(bytes(state.tolist()))
        for name, own in self._identity.items():
            if saved.get(name) != own:
                raise InputError(
                    f"{name} is {own!r} here, but {saved.get(name)!r} in the saved state; "
                    f"build the head with {name}={saved.get(name)!r}"
                )

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, n_labels={self.n_labels}, dim={self.dim}"


class HolographicHead(OutputHead):
    """d' outputs, trained by the exact cross-entropy over all labels.

    A label's score is its logit, scale·⟨ŝ, c⟩ + bias, and all logits take O(n_labels · log dim).
    `train_labels`, the labels of the training points, start the biases at the labels' log-odds.
    `tail` subtracts this share of the log-odds in `topk` and `scores`, in favour of rare labels.
    """

    kind = "holographic"

    def __init__(
        self,
        in_features: int,
        n_labels: int,
        dim: int = 1000,
        *,
        tail: float = 0.0,
        seed: int = 0,
        train_labels: LabelSets | None = None,
    ) -> None:
        if tail and train_labels is None:
            raise InputError("tail needs train_labels, where it counts how rare a label is")
        settings = {"dim": dim, "tail": float(tail)}
        super().__init__(in_features, n_labels, settings, seed=seed, train_labels=train_labels)


class HRRHead(OutputHead):
    """The paper's output layer (§4). A label's score is its cosine with the query p* ⊗ ŝ.

    `loss` is `absolute` (eq. 6 + |eq. 7|), `signed` (eq. 6 + eq. 7 as printed), `reference` (the
    authors' code), `positive` (eq. 6 alone) or `mse` (eq. 5). All but `mse` look only at the labels
    that are present, so a step's cost does not grow with n_labels. Eq. 7 as printed is least where
    the response to m is −1, not 0, and costs accuracy at small `dim`.
    """

    kind = "hrr"

    def __init__(
        self,
        in_features: int,
        n_labels: int,
        dim: int = 400,
        *,
        loss: str = "absolute",
        codebook: str = "circulant",
        binding: bool = True,
        projection: bool = True,
        learn_pm: bool = False,
        seed: int = 0,
    ) -> None:
        settings = {
            "dim": dim,
            "loss": loss,
            "codebook": codebook,
            "binding": binding,
            "projection": projection,
            "inverse": "pseudo",
            "m": "orthogonal",
            "learn_pm": learn_pm,
            "project_pm": True,
        }
        super().__init__(in_features, n_labels, settings, seed=seed, train_labels=None)


class GLaSHead(OutputHead):
    """GLaS (Guo et al. 2019): learned label vectors, regularised by label co-occurrence.

    `train_labels`, the labels of the training points, are where co-occurrence is counted. Without
    them the regulariser is `spreadout`. `sparse` gives the label vectors sparse gradients, which
    torch.optim.SparseAdam takes.
    """

    kind = "glas"

    def __init__(
        self,
        in_features: int,
        n_labels: int,
        dim: int = 512,
        *,
        loss: str = "mining",
        margin: float = 0.3,
        negatives: int | None = 1000,
        mined: int = 10,
        length: float = 10.0,
        regulariser: str | None = None,
        weight: float = 10.0,
        adjacency: str = "arithmetic",
        sparse: bool = False,
        seed: int = 0,
        train_labels: LabelSets | None = None,
    ) -> None:
        default = "spreadout" if train_labels is None else "glas"
        settings = {
            "dim": dim,
            "loss": loss,
            "margin": margin,
            "negatives": negatives,
            "mined": mined,
            "length": length,
            "regulariser": regulariser or default,
            "weight": weight,
            "adjacency": adjacency,
        }
        if regulariser == "glas" and train_labels is None:
            raise InputError("regulariser 'glas' needs train_labels, where it counts co-occurrence")
        super().__init__(in_features, n_labels, settings, seed=seed, train_labels=train_labels)
        codebook: Any = self.head.labels
        codebook.sparse = sparse


def _checked(kind: str, settings: Mapping[str, Any]) -> Any:
    """The settings of a head; a wrong value gets an error that names it."""
    try:
        return load("hrrxml.heads", kind).Settings(**UNUSED, **settings)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "settings"
        message = first["msg"].removeprefix("Value error, ")
        raise InputError(f"{where}: {message}; it is {first['input']!r}") from error


def _count(labels: Any) -> int:
    """The number of points that `labels` has."""
    if isinstance(labels, tuple) and isinstance(labels[0], Tensor):
        return len(labels[1]) - 1
    shape = getattr(labels, "shape", None)  # scipy's matrices have no len
    return len(labels) if shape is None else int(shape[0])


def _points(labels: Bags, n_labels: int) -> Points:
    """Points with labels and no features."""
    nothing = Bags(labels.ids.new_empty(0), labels.offsets.new_zeros(len(labels) + 1))
    return Points(nothing, None, labels, n_features=0, n_tokens=0, n_labels=n_labels)
