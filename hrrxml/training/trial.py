"""One run, trained once for each of its seeds, each from its checkpoint if it has one."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from hrrxml import model
from hrrxml.config import params, paths
from hrrxml.config.schema import Params, Run
from hrrxml.data import points
from hrrxml.data.points import Points
from hrrxml.layers.cooccurrence import starting_vectors
from hrrxml.runtime.files import read_facts
from hrrxml.training import checkpoint, distributed, loop, origin
from hrrxml.training.determinism import make_deterministic
from hrrxml.training.loop import Epoch


@dataclass(frozen=True)
class Trial:
    """A run as one stage trains it; both names say where its checkpoints are."""

    stage: str
    name: str
    run: Run
    settings: Params

    def load(self, split: str) -> Points:
        return points.load(paths.points(self.run.dataset, split))

    def fit(
        self,
        train: Points,
        tables: Callable[[int], tuple[Mapping[str, Tensor], str]],
        ranked: Callable[[int], Mapping[str, Points]],
        splits: Iterable[str],
    ) -> Iterator[tuple[int, dict[str, Tensor], list[Epoch]]]:
        """Each seed, its best weights and its curve.

        `tables` are a seed's, with their checksum; `splits` all that the result is of.
        """
        run, settings = self.run, self.settings
        data = [read_facts(paths.points(run.dataset, split))["checksum"] for split in splits]
        here: dict[str, str] = {}
        start = starting_vectors(settings.section(run.encoder), train)
        for seed in settings.train.all_seeds:
            make_deterministic(seed)
            labels, checksum = tables(seed)
            network = model.build(run, settings, train, labels, start)
            here = here or origin.of_process()  # now that all code is loaded
            made_of = origin.of_run(params.of_run(run, settings, seed), [*data, checksum])
            kept = checkpoint.Checkpoint(self._checkpoint(seed), made_of | here)
            rate = settings.section(run.head)
            weights, curve = loop.fit(
                network, train, ranked(seed), settings.train, rate, seed, kept
            )
            yield seed, weights, curve

    def end(self) -> None:
        """All is written: nothing is left to go on from."""
        if distributed.rank() == 0:
            checkpoint.remove(self._checkpoint(seed) for seed in self.settings.train.all_seeds)

    def _checkpoint(self, seed: int) -> Path:
        return paths.checkpoint(self.stage, self.name, seed)
