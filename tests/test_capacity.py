"""The capacity study: against a naive loop, against theory, and by hand."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from hrrxml.config.schema import Capacity
from hrrxml.experiments.capacity import (
    averages,
    blocks,
    composition,
    expectation,
    experiment,
    figures,
    lines,
    theory,
)
from hrrxml.experiments.capacity.variants import VARIANTS, Variant, by_variant, circulant
from hrrxml.runtime.errors import UserError
from hrrxml.vsa import hrr, vtb

SMALL = Capacity(seed=0, trials=4, threshold=0.03, dims=[64, 100], response_dim=64, most_terms=256)
BY_LABEL = {variant.label: variant for variant in VARIANTS}
NOISY_AS_PREDICTED = [variant for variant in VARIANTS if variant.predictable]


def ids(variant: Any) -> str:
    return variant.label if isinstance(variant, Variant) else str(variant)


@pytest.mark.parametrize("variant", VARIANTS, ids=ids)
def test_errors_equal_a_naive_count(variant: Variant) -> None:
    n, d, trials = 7, 16, 3
    found = experiment.retrieval_errors(variant, n, d, trials, seed=5)
    generator = torch.Generator().manual_seed(5)
    symbols = variant.symbols(trials, 2 * n, d, generator)
    keys = variant.keys(trials, n, d, generator)
    for trial in range(trials):
        x, z, y = symbols[trial, :n], symbols[trial, n:], keys[trial]
        s = variant.bundle(torch.stack([variant.bind(x[i], y[i]) for i in range(n)]))
        wrong = 0
        for i in range(n):
            answer = variant.unbind(s, y[i])
            similar = [float(torch.cosine_similarity(answer, v, dim=0)) for v in (x[i], *z)]
            wrong += similar[0] < max(similar[1:])
        assert float(found[trial]) == pytest.approx(wrong / n)


@pytest.mark.parametrize("variant", VARIANTS, ids=ids)
def test_a_single_pair_answers_one(variant: Variant) -> None:
    present, absent = experiment.responses(variant, 1, 1024, trials=20, seed=0)
    assert float(present.mean()) == pytest.approx(1, abs=0.05)
    assert float(absent.median()) == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize("variant", NOISY_AS_PREDICTED, ids=ids)
def test_responses_deviate_by_the_root_of_n_over_d(variant: Variant) -> None:
    n, d = 512, 256
    present, absent = experiment.responses(variant, n, d, trials=20, seed=0)
    predicted = float(theory.response_deviation(np.array(n), d))
    assert float(absent.std()) == pytest.approx(predicted, rel=0.1)
    assert float(present.std()) == pytest.approx(predicted, rel=0.1)
    assert float(present.mean()) == pytest.approx(1, abs=0.15)


def test_a_unitary_pair_adds_no_noise_of_its_own() -> None:
    present, absent = experiment.responses(BY_LABEL["hrr, projected"], 4, 256, 100, seed=0)
    assert float(present.std()) == pytest.approx(math.sqrt(3 / 256), rel=0.1)
    assert float(absent.std()) == pytest.approx(math.sqrt(4 / 256), rel=0.1)


@pytest.mark.parametrize("n", [8, 16, 32, 64])
def test_errors_of_projected_hrr_are_as_predicted(n: int) -> None:
    projected = BY_LABEL["hrr, projected"]
    errors = experiment.retrieval_errors(projected, n, 256, trials=4000 // n, seed=0)
    spread = float(errors.std()) / math.sqrt(len(errors))
    assert float(errors.mean()) == pytest.approx(
        float(theory.retrieval_error(np.array([n]), 256)[0]), abs=4 * spread + 0.003
    )


def test_the_exact_inverse_is_the_one_that_fails() -> None:
    """At d = 256 and 16 pairs; the prototype measured 52, 3.2 and 2.4 percent."""
    errors = {
        name: float(experiment.retrieval_errors(BY_LABEL[name], 16, 256, 100, 0).mean())
        for name in ("hrr, exact inverse", "hrr, pseudo-inverse", "hrr, projected")
    }
    assert errors["hrr, exact inverse"] > 0.4
    assert 0.005 < errors["hrr, projected"] < errors["hrr, pseudo-inverse"] < 0.05


def test_circulant_symbols_are_orthonormal_rotations(generator: torch.Generator) -> None:
    (symbols,) = circulant(1, 16, 16, generator)
    torch.testing.assert_close(symbols @ symbols.T, torch.eye(16), atol=1e-5, rtol=0)
    (many,) = circulant(1, 40, 16, generator)
    assert len({tuple(row.round(decimals=4).tolist()) for row in many}) == 40
    shape = sorted(many[0].tolist())
    same_base = [row for row in many if np.allclose(sorted(row.tolist()), shape, atol=1e-5)]
    assert 1 < len(same_base) <= 16


def test_powers_of_root_two() -> None:
    assert experiment.powers_of_root_two(16) == [1, 2, 3, 4, 6, 8, 11, 16]
    assert experiment.powers_of_root_two(15) == [1, 2, 3, 4, 6, 8, 11]


def test_capacity_is_where_errors_first_pass_the_threshold() -> None:
    errors = pd.DataFrame({"n": [1, 2, 4, 8, 16], "error_mean": [0, 0.02, 0.04, 0.01, 0.5]})
    assert lines.capacity(errors, 0.03) == pytest.approx(2 * math.sqrt(2))
    assert lines.capacity(errors, 0.02) == pytest.approx(2)
    with pytest.raises(UserError, match=r"capacity\.threshold: .* at n = 1 already"):
        lines.capacity(errors.iloc[2:], 0.03)
    with pytest.raises(ValueError, match=r"stay below 0\.6 up to n = 16"):
        lines.capacity(errors, 0.6)


def test_fitted_exponents() -> None:
    """Errors that set in at n > d / 16 for every variant give capacity ∝ d."""
    rows = [
        {
            "algebra": variant.algebra,
            "variant": variant.name,
            "d": d,
            "n": n,
            "error_mean": 0.0 if n <= d / 16 else 0.5,
        }
        for variant in VARIANTS
        for d in (64, 256, 1024)
        for n in experiment.powers_of_root_two(d)
    ]
    for line in lines.lines(pd.DataFrame(rows), 0.03):
        assert line.capacity[1024] == pytest.approx(16 * line.capacity[64], rel=0.05)
        assert 4 <= line.capacity[64] < 6
        assert line.exponent == pytest.approx(1, abs=0.02)


def test_tables_and_figures() -> None:
    retrieval = pd.DataFrame(experiment.run_retrieval(SMALL))
    assert list(retrieval) == ["algebra", "variant", "d", "n", "error_mean", "error_std", "trials"]
    assert retrieval["error_mean"].between(0, 1).all()
    assert set(retrieval["trials"]) >= {1000, 250}
    responses = pd.DataFrame(experiment.run_responses(SMALL))
    assert len(responses) == len(VARIANTS) * 9
    held = {line.label: line.capacity for line in lines.lines(retrieval, 0.03)}
    figure5, figure6 = figures.figure5(retrieval, 0.03), figures.figure6(retrieval)
    drawn = {line.get_label(): line.get_ydata() for line in figure5.axes[0].lines}
    for label, capacity in held.items():
        (mine,) = [y for name, y in drawn.items() if str(name).startswith(f"{label}:")]
        assert list(mine) == list(capacity.values())
    for figure in (figures.figure1(responses), figures.figure7(responses)):
        for axis, (variant, mine) in zip(figure.axes, by_variant(responses), strict=True):
            assert axis.get_title() == variant.label
            shown = mine[mine["n"].isin(axis.lines[0].get_xdata())]
            assert list(axis.lines[0].get_ydata()) == list(shown["present_mean"])
    errors = {line.get_label(): line.get_ydata() for line in figure6.axes[0].lines}
    assert set(errors) == {*held, "predicted"}


def test_what_composed_vectors_answer() -> None:
    """Projected dogs say what they have; eq. 11's noise has the variances of its derivation."""
    found = composition.run()
    assert set(found["dogs"]) == set(composition.VARIANTS)
    dog = found["dogs"]["projected"]["256"]
    assert dog["legs by l"] > 0.99
    assert dog["wings by l"] < 0.01
    assert dog["eyes by h and e"] > 0.99
    assert dog["eyes by e"] < 0.01
    for d in composition.DIMS:
        assert found["noise"][str(d)]["xi"] == pytest.approx(2 / d, rel=0.1)
        assert found["noise"][str(d)]["product"] == pytest.approx(1 / d**2, rel=0.1)


def test_theory_at_its_ends() -> None:
    assert theory.retrieval_error(np.array([1]), 256) == pytest.approx(0, abs=1e-12)
    assert theory.retrieval_error(np.array([2]), 10**9) == pytest.approx(0, abs=1e-12)
    # All noise: the one present is the loudest of n + 1 by chance alone.
    assert theory.retrieval_error(np.array([9]), 1)[0] == pytest.approx(0.9, abs=0.15)


def test_a_block_diagonal_matrix_binds_as_vtb_does(generator: torch.Generator) -> None:
    x, y = torch.randn(2, 3, 25, generator=generator)
    torch.testing.assert_close(blocks.bind(x, y), vtb.bind(x, y))
    kept = {name: composition.bytes_kept(bind, 64) for name, bind in composition.BINDINGS.items()}
    assert kept["vtb, blocks"] > 4 * 64 * 64 > 4 * kept["hrr"] > 4 * kept["vtb"]


def test_mean_responses_from_bundles_are_those_of_every_query() -> None:
    n, d, seed = averages.FIRST, 16, 3
    generator = torch.Generator().manual_seed(seed)
    (present, absent) = averages.means([n], d, generator)[0].tolist()
    generator.manual_seed(seed)
    pairs = [[hrr.project(hrr.random(n, d, generator=generator)) for _ in "xy"] for _ in range(2)]
    (x, y), (other, key) = pairs
    s = hrr.bundle(hrr.bind(x, y))
    assert present == pytest.approx(float((x * hrr.unbind(s, y)).sum(1).mean()), rel=1e-4)
    assert absent == pytest.approx(float((other * hrr.unbind(s, key)).sum(1).mean()), abs=1e-4)


def test_mean_responses_of_many_pairs_stay_near_one_and_zero() -> None:
    means = averages.run(d=64, most_terms=4096, trials=8, seed=0)
    assert list(means) == ["2048", "4096"]
    for row in means.values():
        assert row["present_mean"] == pytest.approx(1, abs=5 * row["present_error"])
        assert row["absent_mean"] == pytest.approx(0, abs=5 * row["absent_error"])
        # The length of a sum of many vectors: ‖S‖² / n deviates by √(2/d), whatever n is.
        assert row["present_error"] == pytest.approx(math.sqrt(2 / 64 / 8), rel=0.7)


def test_the_exact_inverses_noise_is_that_of_eq_12() -> None:
    generator = torch.Generator().manual_seed(0)
    (a0, a1), (b0, b1), (c0, c1) = (
        hrr.random(50, 2, generator=generator, dtype=torch.float64).T for _ in range(3)
    )
    printed = (a0 * b0 * c0 - a0 * b1 * c1 - a1 * b0 * c1 + a1 * b1 * c0) / (c0**2 - c1**2)
    torch.testing.assert_close(expectation.errors("exact inverse", 50), printed)


def test_means_settle_only_where_there_is_an_expectation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectation, "DRAWS", (100, 1600))
    for way, by_draws in expectation.run().items():
        few, many = by_draws["100"], by_draws["1600"]
        assert many["median"] == pytest.approx(few["median"] / 4, rel=0.4)  # 1/√draws
        if way == "exact inverse":
            assert many["mean"] > few["mean"] / 2
        else:
            assert many["mean"] == pytest.approx(few["mean"] / 4, rel=0.4)
