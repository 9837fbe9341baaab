"""The study's page in a real browser: nothing is cut off, filters work, nothing is fetched."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.browser import Browser, chromium
from helpers.project import ROOT
from ruamel.yaml import YAML

from hrrxml.runtime.errors import UserError
from papers import page
from papers.claim import HOLDS, STATEMENT

PAGE = ROOT / "papers/study.html"
WIDTHS = (360, 1300, 1920)
# Elements that reach beyond the window, except inside a region that scrolls.
CUT_OFF = """[...document.querySelectorAll("main *, nav *")].filter((e) =>
    e.getBoundingClientRect().right > document.documentElement.clientWidth + 1
    && !e.closest(".scroll") && getComputedStyle(e).display !== "none"
    && !e.classList.contains("skip")).map((e) => e.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def count(browser: Browser) -> str:
    return str(browser.run("document.querySelector('output').value"))


def choose(browser: Browser, name: str, value: str) -> None:
    select = f"document.querySelector('select[name={name}]')"
    browser.run(f"{select}.value = {value!r}")
    browser.run(f"{select}.dispatchEvent(new Event('input', {{bubbles: true}}))")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_cut_off(browser: Browser, width: int) -> None:
    browser.open(PAGE, width)
    browser.run("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    sizes = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    wide, window = browser.run(sizes)
    assert wide <= window
    assert browser.run(CUT_OFF) == []


def test_every_figure_is_drawn_and_nothing_is_fetched(browser: Browser) -> None:
    browser.requests.clear()
    browser.open(PAGE, 1300)
    widths = browser.run("[...document.images].map((image) => image.naturalWidth)")
    assert min(widths) > 100
    fetched = [address for address in browser.requests if not address.startswith("data:")]
    assert fetched == [PAGE.as_uri()]
    assert browser.run("[...document.images].every((image) => image.alt)")


def test_filters_show_the_claims_that_have_all_values(browser: Browser) -> None:
    entries = YAML(typ="safe").load(ROOT / "papers/claims.yaml")
    browser.open(PAGE, 1300)
    total = len(entries)
    assert count(browser) == f"{total} of {total} claims"
    choose(browser, "paper", "GLaS")
    glas = [entry for entry in entries if entry["paper"] == "GLaS"]
    assert count(browser) == f"{len(glas)} of {total} claims"
    choose(browser, "verdict", HOLDS)
    choose(browser, "kind", STATEMENT)
    left = [e for e in glas if e["verdict"] == HOLDS and e["kind"] == STATEMENT]
    assert count(browser) == f"{len(left)} of {total} claims"
    shown = "[...document.querySelectorAll('.claim:not([hidden]) h3')].map((e) => e.textContent)"
    assert browser.run(shown) == [entry["claim"] for entry in left]
    browser.run("document.querySelector('button[type=reset]').click()")
    browser.run("new Promise((resolve) => setTimeout(resolve))")
    assert count(browser) == f"{total} of {total} claims"


def test_a_link_to_a_claim_shows_it(browser: Browser) -> None:
    browser.open(PAGE, 360)
    choose(browser, "paper", "GLaS")
    target = browser.run("document.querySelector('.finding .verdicts a').getAttribute('href')")
    browser.run("document.querySelector('.finding .verdicts a').click()")
    for _ in range(100):  # the browser tells of the new address a moment later
        if browser.run(f"!document.getElementById({target[1:]!r}).hidden"):
            break
    top = browser.run(f"document.getElementById({target[1:]!r}).getBoundingClientRect().top")
    assert 0 <= top < 800


def test_the_keyboard_reaches_the_filters_and_the_tables(browser: Browser) -> None:
    browser.open(PAGE, 1300)
    browser.press("Tab")
    assert browser.run("document.activeElement.className") == "skip"
    browser.run("document.querySelector('#ledger ~ .scroll').focus()")
    assert browser.run("document.activeElement.getAttribute('role')") == "region"
    reached = []
    for _ in range(20):
        browser.press("Tab")
        reached.append(browser.run("document.activeElement.name || ''"))
        if reached[-1] == "kind":
            break
    assert [name for name in reached if name] == ["paper", "verdict", "kind"]
    browser.press("ArrowDown")
    assert count(browser) != browser.run("`${claims.length} of ${claims.length} claims`")


def test_every_table_and_control_has_a_name(browser: Browser) -> None:
    browser.open(PAGE, 1300)
    unnamed = """[...document.querySelectorAll("[role=region]")].filter((e) =>
        !e.getAttribute("aria-label") || e.tabIndex !== 0).length"""
    assert browser.run(unnamed) == 0
    assert browser.run("[...document.querySelectorAll('table')].every((t) => t.closest('.scroll'))")
    assert browser.run("[...document.querySelectorAll('select')].every((s) => s.labels.length)")


def test_links_lead_somewhere_and_ids_are_unique() -> None:
    text = PAGE.read_text()
    ids = re.findall(r'\sid="(.+?)"', text)
    assert len(set(ids)) == len(ids)
    targets = set(re.findall(r'href="#(.+?)"', text))
    assert targets <= set(ids)
    assert not re.search(r'(src|href)="(?!data:|#)', text)
    assert {each for each in ids if each.startswith("claim-")} <= {
        *targets,  # each claim can be linked to, and links to itself
    }


def test_without_scripts_all_claims_are_there() -> None:
    """The filters, which need the script, are hidden until it runs."""
    text = PAGE.read_text()
    assert re.search(r'<form class="filters"[^>]* hidden>', text)
    assert not re.search(r'<article class="claim"[^>]*\shidden', text)


def test_findings_come_first_and_the_ledger_last() -> None:
    text = PAGE.read_text()
    headings = re.findall(r'<h2 id="(.+?)"', text)
    assert headings[:2] == ["findings", "contents"]
    assert headings[-1] == "ledger"
    assert text.count('class="finding"') <= 10


def test_a_figure_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"f\.svg: the study shows this figure"):
        page._embedded(tmp_path / "f.svg")


def test_a_figure_on_the_page_is_the_same_picture_in_fewer_bytes() -> None:
    """Letters are scaled by six decimals; a group stays if it moves or styles what is in it."""
    letter = "<g transform='scale(0.015625)'><path d='M {} 0.5'/></g>"
    svg = f"{letter.format('12.345678')}<g id='text_2'><g id='line_3'><use x='100.00499'/></g></g>"
    assert page._smaller(svg) == f"{letter.format('12.34')}<use x='100.00'/>"
