"""One run, trained once for each of its seeds, each from its checkpoint if it has one."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from hrrxml import checkpoint, distributed, model, params, paths, training
from hrrxml.data import points, vectors
from hrrxml.data.points import Points
from hrrxml.determinism import make_deterministic
from hrrxml.encoders.cooccurrence import starting_vectors
from hrrxml.schema import Params, Run
from hrrxml.training import Epoch


@dataclass(frozen=True)
class Trial:
    """`stage` and `name` are where its checkpoints are, the splits what it reads besides train."""

    stage: str
    name: str
    run: Run
    settings: Params

    def load(self, split: str) -> Points:
        return points.load(paths.points(self.run.dataset, split))

    def fit(
        self,
        train: Points,
        tables: Callable[[int], Mapping[str, Tensor]],
        ranked: Callable[[int], Mapping[str, Points]],
        files: Callable[[int], list[Path]],
    ) -> Iterator[tuple[int, dict[str, Tensor], list[Epoch]]]:
        """Each seed, its best weights and its curve; `files` is all that a seed's result is of."""
        run, settings = self.run, self.settings
        given = vectors.load(paths.vectors(run.dataset))
        start = starting_vectors(getattr(settings, run.encoder), train, given)
        for seed in settings.train.all_seeds:
            make_deterministic(seed)
            network = model.build(run, settings, train, tables(seed), start)
            data = [paths.vectors(run.dataset), *files(seed)]
            origin = checkpoint.origin(params.of_run(run, settings, seed), data)
            kept = checkpoint.Checkpoint(self._checkpoint(seed), origin)
            rate = getattr(settings, run.head)
            weights, curve = training.fit(
                network, train, ranked(seed), settings.train, rate, seed, kept
            )
            yield seed, weights, curve

    def end(self) -> None:
        """All is written: nothing is left to go on from."""
        if distributed.rank() == 0:
            checkpoint.remove(self._checkpoint(seed) for seed in self.settings.train.all_seeds)

    def _checkpoint(self, seed: int) -> Path:
        return paths.checkpoint(self.stage, self.name, seed)
