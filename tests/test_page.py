"""The page about a run fits one screen, needs nothing but itself, and anyone can read it."""

import json
import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from helpers.browser import Browser, chromium
from helpers.project import ROOT
from helpers.results import RUNS, write

from hrrxml import suite
from hrrxml.config import paths
from hrrxml.config.schema import Run
from hrrxml.report import change, figures, results
from hrrxml.report import run as report
from hrrxml.report.change import Changes, Move
from hrrxml.report.drawing import save
from hrrxml.report.results import Cell
from hrrxml.report.run import Results
from papers import records

WIDTHS = (360, 720, 1300, 1920)
UNCHANGED = Changes("abc1234", [], {}, {}, {}, [], [])
TEXT = "medium sized … of small trees or shrubs with edible fruit and white flowers in early spring"
LABELS = ["woody plant", "vascular plant", "angiosperm", "tree", "rosid dicot family"]


def draw(cells: list[Cell]) -> None:
    for name, drawing in figures.OF_RUNS.items():
        save(partial(drawing, cells), paths.figure("runs", name))


def small() -> Results:
    """Three made-up runs."""
    write(bce=[60.0], hrr=[65.0], glas=[60.5])
    cells = results.read(RUNS)
    facts = {"bibtex": json.loads(paths.statistics("bibtex").read_text())}
    read: Any = {
        kind: {name: json.loads(path(name).read_text()) for name in RUNS}
        for kind, path in (("machines", paths.machine), ("examples", paths.examples))
    }
    return Results(cells, RUNS, facts, peers={}, followed=[], benchmarks={}, **read)


def default(seeds: int = 1) -> Results:
    """The default suite, with the first seeds of every record."""
    runs = {name: Run.model_validate(run) for name, run in suite.read("default")["runs"].items()}
    cells = []
    for name in runs:
        record = records.read("runs", name)
        curve = pd.DataFrame(record["curve"])
        metrics = {metric: values[:seeds] for metric, values in record["metrics"].items()}
        cells.append(
            Cell(
                record["dataset"],
                name.removeprefix("wordnet-"),
                metrics,
                None,
                record["parameters"],
                record["settings"],
                curve[curve["seed"] < seeds],
                test_points=8027,
            )
        )
    machine = {"cpu": "Intel(R) Xeon(R) Platinum 8480+ CPU @ 2.00GHz", "gpu": None, "threads": 2}
    answer = {"text": TEXT, "labels": LABELS, "predicted": [[label, True] for label in LABELS]}
    return Results(
        cells,
        runs,
        facts={"wordnet": records.read("datasets", "wordnet")["counted"]},
        machines=dict.fromkeys(runs, machine),
        examples=dict.fromkeys(runs, [answer] * 3),
        peers={},
        followed=[],
        benchmarks={},
    )


def write_page(folder: Path, seeds: int) -> Path:
    """The page of the default suite, whose metrics have all moved since the commit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        found = default(seeds)
        patch.chdir(folder)
        draw(found.cells)
        moves = [Move(name, "P@1", 65.0, 55.5, 2.4) for name in found.runs]
        settings = {"hrr.dim: 400 → 1500": ["wordnet-hrr-fc", "wordnet-hrr-cnn"]}
        text = report.render(found, Changes("abc1234", moves, settings, {}, {}, [], []))
        (folder / "report.html").write_text(text, encoding="utf-8")
    return folder / "report.html"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(tmp_path_factory.mktemp("page"), seeds=1)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    found = small()
    draw(found.cells)
    return report.render(found, UNCHANGED)


def test_the_first_screen_has_everything(browser: Browser, page: Path) -> None:
    browser.open(page, 1300, 900)
    assert browser.run("document.querySelector('.screen').getBoundingClientRect().bottom") <= 900
    shown = browser.run("document.querySelector('.screen').innerText")
    for words in ("holographic-fc", "What that means", "hrr.dim: 400 → 1500", "65.00 → 55.50", "✓"):
        assert words in shown
    drawn = browser.run("[...document.querySelectorAll('.screen img')].map(i => i.naturalWidth)")
    assert len(drawn) == 2
    assert min(drawn) > 100


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_cut_off(browser: Browser, page: Path, width: int) -> None:
    """Details may be scrolled, with the keyboard too; the first table may not need it."""
    browser.open(page, width)
    window = "document.documentElement"
    assert browser.run(f"{window}.scrollWidth <= {window}.clientWidth")
    outside = browser.run(
        "[...document.querySelectorAll('main *')].filter(e => !e.closest('.scroll') && "
        f"e.getBoundingClientRect().right > {window}.clientWidth).map(e => e.outerHTML)"
    )
    assert outside == []
    first = "document.querySelector('.models .scroll')"
    assert browser.run(f"{first}.scrollWidth <= {first}.clientWidth")
    regions = "[...document.querySelectorAll('.scroll')]"
    assert browser.run(f"{regions}.every(e => e.tabIndex == 0 || e.scrollWidth <= e.clientWidth)")


def test_deviations_over_seeds_are_not_cut_off(browser: Browser, tmp_path: Path) -> None:
    browser.open(write_page(tmp_path, seeds=5), 1300)
    first = "document.querySelector('.models .scroll')"
    assert browser.run(f"{first}.innerText.includes('±')")
    assert browser.run(f"{first}.scrollWidth <= {first}.clientWidth")


def test_the_browser_asks_for_nothing_else(browser: Browser, page: Path) -> None:
    browser.requests.clear()
    browser.open(page, 1300)
    asked = [address for address in browser.requests if not address.startswith("data:")]
    assert asked == [page.as_uri()]


def test_light_and_dark(browser: Browser, page: Path) -> None:
    colours = "(c => [c.color, c.backgroundColor])(getComputedStyle(document.body))"
    browser.open(page, 1300, prefers_color_scheme="light")
    light = browser.run(colours)
    browser.open(page, 1300, prefers_color_scheme="dark")
    assert browser.run(colours) != light
    assert browser.run("getComputedStyle(document.images[0]).filter") != "none"


def test_the_first_tab_skips_to_the_results(browser: Browser, page: Path) -> None:
    browser.open(page, 1300)
    browser.press("Tab")
    focused = "document.activeElement"
    assert browser.run(f"{focused}.getAttribute('href')") == "#main"
    assert browser.run(f"{focused}.getBoundingClientRect().left") >= 0


def test_a_screen_reader_finds_its_way(browser: Browser, page: Path) -> None:
    browser.open(page, 1300)
    levels = browser.run("[...document.querySelectorAll('h1, h2, h3')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for wrong in (
        "section:not([aria-labelledby])", "th:not([scope])", "table:not(:has(caption))",
        "img:not([alt])", "img[alt='']", "tbody tr:not(:has(th))", "html:not([lang])",
    ):  # fmt: skip
        assert browser.run(f"document.querySelectorAll(`{wrong}`).length") == 0, wrong
    names = "[...document.querySelectorAll('[aria-labelledby]')].map(e => e.ariaLabelledByElements)"
    assert browser.run(f"{names}.every(elements => elements.length == 1)")
    ids = browser.run("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(set(ids)) == len(ids)


def test_the_page_needs_no_other_file(text: str) -> None:
    assert not re.search(r'(src|href)="(?!data:|#)', text)
    assert not re.search("@import|url\\(|<script|<link", text)


def test_texts_and_names_are_no_markup(text: str) -> None:
    assert "energy &amp; mass" in text
    assert "&lt;b&gt;maths" in text
    assert "<b>" not in text


def test_right_answers_are_marked(text: str) -> None:
    answers = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", text, re.DOTALL)
    marked = {model: "✓" in answer for model, answer in answers}
    assert marked == {"labels": False, "fc": False, "hrr-fc": True, "glas-fc": False}


def test_the_same_results_are_the_same_bytes(text: str) -> None:
    assert report.render(small(), UNCHANGED) == text


def test_what_moved_is_shown_the_furthest_first(text: str) -> None:
    moves = [Move(f"run-{i}", "P@1", 60.0, 70.0 + i, 2.0) for i in range(8)]
    shown = report.render(small(), Changes("abc1234", moves, {}, {}, {}, ["new"], ["old"]))
    assert change.verdict(Changes("abc1234", moves, {}, {}, {}, [], [])) in shown
    assert re.findall(r"(run-\d): P@1 60.00 → (\d+)", shown)[:2] == [
        ("run-7", "77"),
        ("run-6", "76"),
    ]
    assert "and 2 more metrics" in shown
    assert "not in the commit: new" in shown
    assert "only in the commit: old" in shown


def test_a_dataset_without_texts_has_no_examples(text: str) -> None:
    found = small()
    without = Results(**(vars(found) | {"examples": {name: [] for name in RUNS}}))
    assert "Test texts" in text
    assert "Test texts" not in report.render(without, UNCHANGED)


def test_the_setting_to_try_takes_effect(text: str) -> None:
    """A run's own settings would override it."""
    found = small()
    assert "dvc exp run -S bce.dim=800" in text
    own = {
        name: run.model_copy(update={"settings": {run.head: {"dim": 400}}})
        for name, run in RUNS.items()
    }
    assert "-S train.seed=1" in report.render(Results(**(vars(found) | {"runs": own})), UNCHANGED)


def test_a_suite_without_models_has_its_benchmarks() -> None:
    empty = Results([], {}, {}, {}, {}, {}, [], {"parse": {"seconds": [0.5, {"best": 2}]}})
    shown = report.render(empty, UNCHANGED)
    assert "A suite without models" in shown
    assert re.search(r"Benchmark: parse.*seconds\.1\.best.*<td>2</td>", shown, re.DOTALL)
    assert "What that means" not in shown


def test_every_figure_is_shown(text: str) -> None:
    assert text.count("<img") == len(figures.OF_RUNS)
    assert "<h2>Accuracy by output size</h2>" in text
