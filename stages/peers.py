"""Train established classifiers on one dataset's bags of words, and rank its test points.

python -m stages.peers bibtex    → results/peers/bibtex.json
"""

from statistics import mean

from hrrxml import peers
from hrrxml.config import params, paths
from hrrxml.runtime import command
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_json


def main(dataset: str) -> None:
    entry, settings = params.load_dataset(dataset)
    if dataset not in settings.peers:
        raise UserError(f"{params.PATH}: peers: no {dataset!r}; list the peers to train on it")
    outcome = peers.compare(dataset, settings.peers[dataset], entry.propensity)
    write_json(paths.peers(dataset), outcome)
    means = {peer: mean(scores["metrics"]["P@1"]) for peer, scores in outcome.items()}
    shown = ", ".join(f"{peer} {value:.2f}" for peer, value in means.items())
    print(f"peers: {paths.peers(dataset)}: mean P@1 {shown}")


if __name__ == "__main__":
    command.run(main)
