"""What the study says about who leads, from made-up measurements of which the answer is known."""

from itertools import combinations
from statistics import mean
from typing import Any

import numpy as np
import pytest
from helpers.cells import cell
from helpers.evidence import evidence, shown

from papers import by_group, contenders, leaders, pace
from papers.contenders import Contender, Field
from papers.evidence import Evidence

POINTS = 2000
COSTS = {"train_seconds": 4.0, "predict_seconds": 0.5, "peak_mb": 100, "bytes": 2_000_000}
METRICS = [f"{name}@{k}" for name in ("P", "PSP", "nDCG") for k in range(1, 6)]


def found(seeds: int, right: float, seed: int = 0) -> np.ndarray:
    """A share `right` of all predictions; the labels that are right have 9 points."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random((seeds, POINTS, 5)) < right, 10, 0).astype(np.uint8)


def measured(array: np.ndarray, **more: Any) -> dict[str, Any]:
    values = {name: _means(array, name) for name in METRICS}
    return {"metrics": values} | {name: [v] * len(array) for name, v in COSTS.items()} | more


def _means(array: np.ndarray, metric: str) -> list[float]:
    return truth().share(array, metric).mean(1).tolist()


def truth() -> contenders.Truth:
    """Each point has five labels."""
    labels, rarest = np.full(POINTS, 5), np.full((POINTS, 5), 10)
    return contenders.Truth(labels, rarest, n_points=1000, a=0.55, b=1.5)


def about(**methods: Any) -> dict[str, Any]:
    groups = {"head": (100, 2, 0), "middle": (5, 3, 5 * POINTS), "tail": (0, 4, 0)}
    return {
        "data": "0",
        "sizes": {"points": 1000, "test_points": POINTS, "features": 7, "labels": 9},
        "propensity": {"a": 0.55, "b": 1.5},
        "features_seconds": 3.0,
        "groups": {
            name: {"least": least, "labels": labels, "test": test}
            for name, (least, labels, test) in groups.items()
        },
        "left_out": {"br": "it would take 9 core-minutes"},
        "methods": methods,
    }


@pytest.fixture
def made() -> Evidence:
    """Ours gets 60% right, one tree 50%, Parabel 70%; ours learns in four epochs."""
    ours, tree, three = found(5, 0.6), found(3, 0.5, seed=1), found(1, 0.7, seed=2)
    curve = {"curve": {"held_out_p1": [15.0, 45.0, 60.0, 59.0]}, "tail": 0.1, "recipe": {}}
    choices = [ours[list(chosen)] for chosen in combinations(range(5), 3)]
    together = {m: [mean(_means(choice, m)) for choice in choices] for m in METRICS}
    first = {"train_seconds": [1.0]}
    recipe = about(texts=measured(ours, chosen=[curve] * 5, first=first, ensemble=together))
    rivals = about(**{"parabel-1": measured(tree), "parabel": measured(three)})
    own = truth()
    by_point = {
        "rivals": {
            "toy": {
                "truth.labels": own.labels,
                "truth.rarest": own.rarest,
                "parabel-1": tree,
                "parabel": three,
            }
        },
        "recipe": {"toy": {"texts": ours, "texts-3": ours[:1]}},
    }
    benchmarks = {"rivals": {"datasets": {"toy": rivals}}, "recipe": {"datasets": {"toy": recipe}}}
    return evidence(cell("toy", "fc", 40.0), benchmarks=benchmarks, by_point=by_point)


@pytest.fixture
def field(made: Evidence) -> Field:
    (known,) = contenders.fields(made)
    return known


def test_nothing_is_said_of_what_was_not_measured(made: Evidence) -> None:
    assert shown(leaders, evidence()) == ""
    assert leaders.figures(evidence()) == {}
    assert leaders.block(evidence()) == "Not yet recorded."
    made.benchmarks["recipe"]["datasets"]["toy"]["data"] = "other points"
    assert shown(leaders, made) == ""


def test_wins_and_losses_stand_in_the_same_tables(made: Evidence) -> None:
    text = shown(leaders, made)
    assert text.startswith("### Other tools: who leads, and at what cost")
    one, several = (text.split(f"#### {title}\n")[1].split("####")[0] for title in TITLES)
    agree = "the interval agrees in 7, and a test that counts all cells in 7."
    assert f"Ours leads 7 of 7 cells: {agree} A tool leads 0 of 7 cells" in one
    assert one.count("**+") == 7
    assert one.count("Parabel, one tree") == 7
    assert f"A tool leads 7 of 7 cells: {agree}" in several
    assert several.count("**-") == 7
    assert "Left out: one-versus-all; it would take 9 core-minutes." in text
    assert "The features took 3 core-seconds." in text
    assert "#### " not in leaders.block(made)


TITLES = ("One model against one model", "Three models against ensembles")


def test_costs_of_three_are_three_times_those_of_one(field: Field) -> None:
    one, three = field.contenders["texts"], field.contenders["texts-3"]
    assert three.cost("train_seconds") == 3 * one.cost("train_seconds") == 12
    assert three.cost("peak_mb") == one.cost("peak_mb")


def test_seconds_to_an_accuracy_follow_from_the_held_out_points(field: Field) -> None:
    """One second for the first epoch, and one for each of the three others: four in all."""
    ours = field.contenders["texts"]
    final = ours.mean("P@1")
    shares = {0.2: 1.0, 0.25: 1.0, 0.3: 2.0, 0.75: 2.0, 0.9: 3.0, 1.0: 3.0}
    for share, seconds in shares.items():
        assert pace.seconds_to(ours, share * final - 1e-9) == pytest.approx(seconds), share
    assert pace.seconds_to(ours, final + 1) is None


def test_a_model_that_held_nothing_out_has_no_pace(field: Field) -> None:
    ours = field.contenders["texts"]
    blind = [{"curve": {"held_out_p1": [None, None]}}] * 5
    unknown = Contender("texts", ours.metrics, ours.found, {**ours.measured, "chosen": blind})
    assert pace.course(unknown) is None
    assert pace.seconds_to(unknown, 0.0) is None


def test_labels_are_found_by_group(field: Field) -> None:
    """All right labels have 9 points, as the middle has; head and tail are in no test point."""
    for each in field.contenders.values():
        shares = by_group.found_by_group(field, each)
        assert shares == {"middle": pytest.approx(100 * (each.found > 0).mean())}


def test_groups_of_labels_stand_beside_the_best_tool(made: Evidence, field: Field) -> None:
    ours, tree = (field.contenders[key] for key in ("texts", "parabel-1"))
    shares = " / ".join(f"{100 * (each.found > 0).mean():.1f}" for each in (ours, tree))
    assert f"| toy | one | – | {shares} Parabel, one tree | – |" in shown(leaders, made)


def test_the_interval_of_single_models_counts_seeds_and_points(field: Field) -> None:
    ours, tree = field.contenders["texts"], field.contenders["parabel-1"]
    gap = field.difference(ours, tree, "P@1")
    assert gap.gap == pytest.approx(
        ours.mean("P@1") - mean(tree.metrics["P@1"][i] for i in (0, 1, 2, 0, 1))
    )
    assert (gap.seeds, gap.points) == (5, POINTS)
    assert gap.parts is not None
    assert len(gap.parts) == 2


def test_the_seeds_part_of_choices_of_three_is_that_of_their_seeds() -> None:
    """If a choice counts as the mean of its seeds, it is the error of the seeds' mean."""
    seeds = [60.0, 61.0, 63.0, 59.0, 62.5]
    part = contenders._of_choices([mean(chosen) for chosen in combinations(seeds, 3)])
    assert part is not None
    assert part.squared == pytest.approx(np.var(seeds, ddof=1) / 5)
    assert part.freedom == 4
    assert contenders._of_choices([60.0]) is None


def test_every_contender_and_every_head_is_drawn(made: Evidence) -> None:
    drawn = {name: draw() for name, draw in leaders.figures(made).items()}
    assert set(drawn) == {pace.SECONDS, pace.BYTES}
    for name, figure in drawn.items():
        (axis,) = figure.axes
        assert axis.get_title() == "toy"
        _, labels = axis.get_legend_handles_labels()
        assert labels == ["ours", "three of ours", "Parabel, one tree", "Parabel"], name
    course = drawn[pace.SECONDS].axes[0].lines
    assert len(course) == len(drawn[pace.BYTES].axes[0].lines) + 1
