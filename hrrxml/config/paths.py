"""Where every file is; dvc.yaml declares the same paths."""

from pathlib import Path


def download(dataset: str) -> Path:
    """A folder: the archive, unpacked."""
    return Path("data/download", dataset)


def points(dataset: str, split: str) -> Path:
    return Path("data/prepared", f"{dataset}-{split}.safetensors")


def statistics(dataset: str) -> Path:
    return Path("results/datasets", f"{dataset}.json")


def labels(run: str, seed: int) -> Path:
    return Path("data/labels", run, f"{seed}.safetensors")


def model(run: str, seed: int) -> Path:
    return Path("models", run, f"{seed}.safetensors")


def checkpoint(stage: str, run: str, seed: int) -> Path:
    """None of DVC's: it would delete what is to be gone on from."""
    return Path(".checkpoints", stage, run, f"{seed}.safetensors")


def curve(run: str) -> Path:
    return Path("results/curves", f"{run}.csv")


def machine(run: str) -> Path:
    """What trained the run's models."""
    return Path("results/machines", f"{run}.json")


def metrics(run: str) -> Path:
    return Path("results/runs", f"{run}.json")


def overfitting(run: str) -> Path:
    return Path("results/overfitting", f"{run}.csv")


def peers(dataset: str) -> Path:
    return Path("results/peers", f"{dataset}.json")


def benchmark(name: str) -> Path:
    return Path("results/benchmarks", f"{name}.json")


def figure(group: str, name: str) -> Path:
    """`group` is what the figure is of: the runs, a study, or the benchmarks."""
    return Path("plots", group, f"{name}.svg")


METRICS = Path("results/metrics.json")  # what DVC shows of an experiment
SUMMARY = Path("results/summary.json")  # all metrics
REPORT = Path("results/report.md")
PAGE = Path("results/report.html")  # the same
CAPACITY = Path("results/capacity.csv")
COMPOSITION = Path("results/composition.json")
RESPONSES = Path("results/responses.csv")
THEOREM = Path("results/theorem.csv")
