"""The path of every file; dvc.yaml declares the same paths."""

from pathlib import Path


def download(dataset: str) -> Path:
    """The folder with the unpacked archive."""
    return Path("data/download", dataset)


def points(dataset: str, split: str) -> Path:
    return Path("data/prepared", f"{dataset}-{split}.safetensors")


def names(dataset: str) -> Path:
    """The vocabulary, and the names of the labels."""
    return Path("data/prepared", f"{dataset}-names.json")


def statistics(dataset: str) -> Path:
    return Path("results/datasets", f"{dataset}.json")


def labels(run: str, seed: int) -> Path:
    return Path("data/labels", run, f"{seed}.safetensors")


def model(run: str, seed: int) -> Path:
    return Path("models", run, f"{seed}.safetensors")


def checkpoint(stage: str, run: str, seed: int) -> Path:
    """Not a DVC output: DVC would delete it before a stage resumes."""
    return Path(".checkpoints", stage, run, f"{seed}.safetensors")


def curve(run: str) -> Path:
    return Path("results/curves", f"{run}.csv")


def machine(run: str) -> Path:
    """Describes the machine that trained the run's models."""
    return Path("results/machines", f"{run}.json")


def metrics(run: str) -> Path:
    return Path("results/runs", f"{run}.json")


def examples(run: str) -> Path:
    """What the run's model answers to a few test texts."""
    return Path("results/examples", f"{run}.json")


def outcomes(run: str) -> Path:
    """Which predictions are correct, for every seed and test point."""
    return Path("results/outcomes", f"{run}.safetensors")


def overfitting(run: str) -> Path:
    return Path("results/overfitting", f"{run}.csv")


def peers(dataset: str) -> Path:
    return Path("results/peers", f"{dataset}.json")


def benchmark(name: str) -> Path:
    return Path("results/benchmarks", f"{name}.json")


def by_point(name: str) -> Path:
    """What a benchmark kept of every test point; empty for most benchmarks."""
    return Path("results/by_point", f"{name}.safetensors")


def figure(group: str, name: str) -> Path:
    """`group` is the figure's subject: the runs, a study, or the benchmarks."""
    return Path("plots", group, f"{name}.svg")


METRICS = Path("results/metrics.json")  # P@1 of every run: what `dvc metrics` and `dvc exp` show
SUMMARY = Path("results/summary.json")  # every metric of every run
PAGE = Path("results/report.html")
CAPACITY = Path("results/capacity.csv")
COMPOSITION = Path("results/composition.json")
RESPONSES = Path("results/responses.csv")
THEOREM = Path("results/theorem.csv")
