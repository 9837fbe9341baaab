"""Train one run once per seed; each seed resumes from its checkpoint if it has one."""

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
    """One run in one stage; `stage` and `name` are part of its checkpoints' paths."""

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
        """Yields each seed, its best weights and its curve.

        `tables` returns a seed's label tables and their checksum; `ranked` its splits to rank.
        `splits` names every split the result depends on.
        """
        run, settings = self.run, self.settings
        data = [read_facts(paths.points(run.dataset, split))["checksum"] for split in splits]
        environment: dict[str, str] = {}
        start = starting_vectors(settings.section(run.encoder), train)
        for seed in settings.train.all_seeds:
            make_deterministic(seed)
            labels, checksum = tables(seed)
            network = model.build(run, settings, train, labels, start)
            environment = environment or origin.digest_environment()  # all code is loaded now
            used = params.used_by(run, settings, seed)
            inputs = origin.digest_inputs(used, [*data, checksum])
            saved = checkpoint.Checkpoint(self._checkpoint(seed), inputs | environment)
            rate = settings.section(run.head)
            weights, curve = loop.fit(
                network, train, ranked(seed), settings.train, rate, seed, saved
            )
            yield seed, weights, curve

    def end(self) -> None:
        """Remove the checkpoints, once all results are written."""
        if distributed.rank() == 0:
            checkpoint.remove(self._checkpoint(seed) for seed in self.settings.train.all_seeds)

    def _checkpoint(self, seed: int) -> Path:
        return paths.checkpoint(self.stage, self.name, seed)
