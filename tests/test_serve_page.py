"""The page in a real browser: typing, highlighting, comparing, an upload, errors, the algebra.

The picture in README.md is made here:

    HRRXML_PICTURE=docs/serve.png pytest -n 0 tests/test_serve_page.py -k picture
"""

import os
import shutil
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from helpers.browser import PATIENCE, Browser, chromium
from helpers.project import ROOT
from helpers.project_runs import DATASET, FC, write_project
from helpers.serving import Server, by_word, kitchen, serving

import hrrxml
from hrrxml.command import run as run_command
from hrrxml.estimator.from_run import load_run

PICTURE = Path("docs/serve.png")
WIDTHS = (360, 1300, 1920)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)
TEXT = "My iron skillet has rust. Which soap?"
NAMES = "[...document.querySelectorAll('{} .guess span:first-child')].map(e => e.textContent)"
READY = "document.body.dataset.ready == 'true'"
HRR_FC = f"{DATASET}-hrr-fc"
LONG = "cleaning of all that has touched a hot stove or an oven"
RENAMED = {"knives": "Bread", "cleaning": LONG}  # the bakery's labels
REASON = "document.querySelector('{} .title h3').textContent"
PRESS = (
    "[...document.querySelectorAll('{} .guess')].find(e => e.textContent.startsWith('{}')).click()"
)
# Answers to requests that contain a text wait in the page until `held[0]()` lets the first
# request's go. `HELD` counts those that wait.
HOLD = """(() => {{
  const real = window.fetch;
  window.held = [];
  window.fetch = async (path, options) => {{
    if (!`${{path}} ${{options?.body}}`.includes('{}')) return real(path, options);
    const place = held.push(null) - 1;
    const answer = await real(path, options);
    const content = await answer.json();
    await new Promise(release => {{ held[place] = release; }});
    return {{ ok: answer.ok, json: async () => content }};
  }};
}})()"""
HELD = "held.filter(release => release !== null).length"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    kitchen(folder)
    kitchen(folder, "kitchen-small", "--dim", 4)
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with serving(folder / "kitchen", folder / "kitchen-small") as started:
        yield started


@pytest.fixture(scope="module")
def others(folder: Path) -> Iterator[Server]:
    """Two models that do not have the same labels, and two runs of the pipeline."""
    bakery(folder)
    write_project(folder)
    models = (folder / "kitchen", folder / "bakery")
    with serving(*models, "--run", FC, "--run", HRR_FC, cwd=folder) as started:
        yield started


def bakery(folder: Path) -> None:
    """The kitchen's model, with some labels of its own: two differ in case alone, one is long."""
    questions = (folder / "questions.tsv").read_text(encoding="utf-8")
    for old, new in RENAMED.items():
        questions = questions.replace(old, new)
    (folder / "renamed.tsv").write_text(questions, encoding="utf-8")
    train = ["train", str(folder / "renamed.tsv"), "-o", str(folder / "bakery")]
    assert run_command(train) == 0


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(started: Browser) -> Browser:
    """With the page before gone: a new address after `#` alone would not load it again."""
    started.open("about:blank", 1300)
    return started


def show(
    browser: Browser,
    server: Server,
    width: int = 1300,
    scheme: str = "light",
    **state: str | list[str],
) -> None:
    address = f"{server.address}#{urlencode(state, doseq=True)}"
    browser.open(address, width, 900, prefers_color_scheme=scheme)
    browser.wait_for(READY)


def type_text(browser: Browser, text: str, field: str = "text") -> None:
    browser.run(f"document.getElementById('{field}').focus()")
    browser.run(f"document.getElementById('{field}').select()")
    browser.type(text)


def card(name: str) -> str:
    return f"[data-model={name}]"


def problem(browser: Browser, place: str) -> str:
    """The message that appears at a place."""
    shown = f"document.querySelector('{place}')"
    return browser.wait_for(f"!{shown}.hidden && {shown}.textContent")


def test_labels_come_as_one_types(browser: Browser, server: Server, folder: Path) -> None:
    show(browser, server)
    assert "will be here" in browser.run("document.querySelector('.empty').textContent")
    type_text(browser, TEXT)
    for name in ("kitchen", "kitchen-small"):  # side by side
        expected = [label for label, _ in hrrxml.load(folder / name).predict([TEXT], k=8)[0]]
        names = NAMES.format(card(name))
        browser.wait_for(f"{names}.length == {len(expected)}")
        assert browser.run(names) == expected
    left, right = browser.run(
        "[...document.querySelectorAll('.card')].map(e => e.getBoundingClientRect().left)"
    )
    assert left < right
    browser.press("Tab")
    type_text(browser, "yeast")
    browser.wait_for(f"{NAMES.format(card('kitchen'))}[0] == 'bread'")


def test_the_words_that_spoke_are_highlighted(
    browser: Browser, server: Server, folder: Path
) -> None:
    show(browser, server, text=TEXT)
    marks = f"[...document.querySelectorAll('{card('kitchen')} mark')].map(e => e.textContent)"
    browser.wait_for(f"{marks}.length")
    model = hrrxml.load(folder / "kitchen")
    effects = by_word(model.explain(TEXT, "cast-iron", n=100))
    assert {word.lower() for word in browser.run(marks)} == set(effects)
    reading = f"document.querySelector('{card('kitchen')} .reading')"
    assert browser.run(f"{reading}.textContent") == TEXT
    against = browser.run(f"[...{reading}.querySelectorAll('.against')].map(e => e.textContent)")
    assert {word.lower() for word in against} == {w for w, e in effects.items() if e < 0}
    weight = "getComputedStyle({}).getPropertyValue('--weight')"
    strongest = max(effects, key=lambda word: abs(effects[word]))
    found = browser.run(
        f"[...{reading}.querySelectorAll('mark')].map(e => [e.textContent, {weight.format('e')}])"
    )
    assert {word.lower(): share for word, share in found}[strongest] == "1.000"


def test_a_label_is_explained_in_both_models(browser: Browser, server: Server) -> None:
    show(browser, server, text=TEXT)
    browser.wait_for("document.querySelectorAll('mark').length")
    button = "[...document.querySelectorAll('.guess')].find(e => e.textContent.startsWith('{}'))"
    browser.run(f"{button.format('cleaning')}.focus()")
    browser.press("Enter")
    titles = "[...document.querySelectorAll('.card h3')].map(e => e.textContent)"
    browser.wait_for(f"{titles}.filter(t => t == 'Words that spoke for “cleaning”').length == 2")
    browser.wait_for(f"{titles}.filter(t => t == 'Labels like “cleaning”').length == 2")
    assert browser.run("document.activeElement.textContent").startswith("cleaning")
    pressed = "document.querySelectorAll('.guess[aria-pressed=true]').length"
    assert browser.run(pressed) == 2


def test_a_label_that_one_model_lacks(browser: Browser, others: Server) -> None:
    """The other one keeps its labels, and says why it explains nothing."""
    show(browser, others, text="iron soap", model=["kitchen", "bakery"])
    bakery = NAMES.format(card("bakery"))
    browser.wait_for(f"{bakery}.length == 5 && document.querySelectorAll('mark').length == 4")
    labels = browser.run(bakery)
    browser.run(PRESS.format(card("kitchen"), "knives"))
    browser.wait_for(f"{REASON.format(card('kitchen'))} == 'Words that spoke for “knives”'")
    note = f"document.querySelector('{card('bakery')} .title + div').textContent"
    browser.wait_for(f"{note}.includes(`model bakery: no label 'knives'`)")
    assert browser.run(bakery) == labels
    assert browser.run(f"document.querySelector('{card('bakery')} .problem').hidden")


def test_a_pressed_label_is_let_go(browser: Browser, server: Server) -> None:
    """Also one that the answer does not have."""
    show(browser, server, text=TEXT, model="kitchen", label="knives", among="bread")
    reason = REASON.format(card("kitchen"))
    browser.wait_for(f"{reason} == 'Words that spoke for “knives”'")
    release = "document.querySelector('.title button')"
    assert browser.run(f"{release}.getAttribute('aria-label')") == "Explain the best label again"
    browser.run(f"{release}.focus()")
    browser.press("Enter")
    browser.wait_for(f"{reason} == 'Words that spoke for “bread”'")
    assert browser.run(f"{release}.hidden")
    assert browser.run("document.activeElement.outerHTML").startswith("<h2")
    browser.run(PRESS.format(card("kitchen"), "bread"))
    browser.wait_for(f"!{release}.hidden")


def test_a_neighbour_is_followed_from_the_keyboard(browser: Browser, server: Server) -> None:
    """The focus stays in the card when the neighbours are replaced."""
    show(browser, server, text=TEXT, model="kitchen")
    chip = "document.querySelector('.card h3 + .chips button')"
    label = browser.wait_for(f"{chip} && {chip}.firstChild.textContent")
    browser.run(f"{chip}.focus()")
    browser.press("Enter")
    titles = "[...document.querySelectorAll('.card h3')].map(e => e.textContent)"
    browser.wait_for(f"{titles}.includes('Labels like “{label}”')")
    assert browser.run("document.activeElement.textContent") == "kitchen"


def test_late_neighbours_of_another_label_are_dropped(browser: Browser, server: Server) -> None:
    show(browser, server, text=TEXT, model="kitchen", label="cast-iron")
    title = "document.querySelector('.card > div:last-child h3').textContent"
    like = f"document.querySelector('.card > div:last-child h3') && {title}"
    browser.wait_for(f"{like} == 'Labels like “cast-iron”'")
    browser.run(HOLD.format("api/neighbours"))
    browser.run(PRESS.format(card("kitchen"), "bread"))
    browser.wait_for(f"{HELD} == 1")
    browser.run(PRESS.format(card("kitchen"), "knives"))
    browser.wait_for(f"{HELD} == 2")
    browser.run("held[1]()")
    assert browser.run(title) == "Labels like “knives”"
    browser.run("held[0]()")
    assert browser.run(title) == "Labels like “knives”"


def test_two_runs_of_the_pipeline(
    browser: Browser, others: Server, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their scores are as the library has them, with a minus sign of print."""
    text = "word1 likes word2"
    show(browser, others, text=text, model=[FC, HRR_FC])
    browser.run("document.getElementById('k').value = '20'")
    browser.run("document.getElementById('k').dispatchEvent(new Event('change'))")
    monkeypatch.chdir(folder)
    below = 0
    for name in (FC, HRR_FC):
        (expected,) = load_run(name).predict([text], k=20)
        names = NAMES.format(card(name))
        browser.wait_for(f"{names}.length == {len(expected)}")
        assert browser.run(names) == [label for label, _ in expected]
        shown = browser.run(NAMES.format(card(name)).replace("first", "last"))
        rounded = [round(score, 2) or 0.0 for _, score in expected]
        assert [float(number.replace("−", "-")) for number in shown] == pytest.approx(
            rounded, abs=0.011
        )
        assert not any("-" in number for number in shown)
        below += sum(number.startswith("−") for number in shown)
    assert below > 0
    browser.wait_for("document.querySelectorAll('mark').length == 6")


def test_a_long_neighbour_keeps_its_number_whole(browser: Browser, others: Server) -> None:
    show(browser, others, 360, text="iron", model="bakery", label="bread")
    chips = "[...document.querySelectorAll('.card h3 + .chips button')]"
    browser.wait_for(f"{chips}.length == 4")
    assert LONG in browser.run(f"{chips}.map(e => e.firstChild.textContent)")
    lines = (
        "(number => { const text = document.createRange(); text.selectNodeContents(number);"
        "return text.getClientRects().length; })(e.lastChild)"
    )
    assert browser.run(f"{chips}.map(e => {lines})") == [1] * 4


def test_labels_to_choose_from(browser: Browser, server: Server) -> None:
    show(browser, server, text=TEXT)
    for label in ("Bread", "knives"):
        type_text(browser, label, "among")
        browser.press("Enter")
        browser.wait_for(
            f"document.getElementById('chosen').textContent.includes('{label.lower()}')"
        )
    names = NAMES.format(card("kitchen"))
    browser.wait_for(f"{names}.length == 2")
    assert set(browser.run(names)) == {"bread", "knives"}
    type_text(browser, "breed", "among")
    browser.press("Enter")
    assert "kitchen has no label “breed”" in problem(browser, "#among-problem")
    browser.run("document.querySelector('#chosen button').click()")
    browser.wait_for(f"{names}.length == 1")


def press_enter_at_once(browser: Browser, label: str) -> None:
    """Type a label and press Enter before its suggestions come."""
    browser.run(
        "(() => { const field = document.getElementById('among');"
        f"field.value = '{label}'; field.dispatchEvent(new Event('input'));"
        "field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' })); })()"
    )


def test_an_unknown_label_is_told_until_one_types_on(browser: Browser, server: Server) -> None:
    """Suggestions that come later leave the message alone."""
    show(browser, server)
    wrong = "document.getElementById('among-problem')"
    browser.run(HOLD.format("contains=breed"))
    press_enter_at_once(browser, "breed")
    browser.wait_for(f"{HELD} == 2")
    browser.run("held[0]()")
    assert "kitchen has no label “breed”" in browser.run(f"{wrong}.textContent")
    browser.run("held[1]()")
    assert not browser.run(f"{wrong}.hidden")
    type_text(browser, "bre", "among")
    assert browser.run(f"{wrong}.hidden")


def test_the_next_label_is_typed_while_one_is_looked_up(browser: Browser, server: Server) -> None:
    show(browser, server)
    browser.run(HOLD.format("contains=bread"))
    press_enter_at_once(browser, "bread")
    browser.wait_for(f"{HELD} == 2")
    type_text(browser, "kni", "among")
    browser.run("held.forEach(release => release())")
    assert browser.run("document.getElementById('chosen').textContent") == "bread×"
    assert browser.run("document.getElementById('among').value") == "kni"


def test_labels_that_differ_in_case_alone(browser: Browser, others: Server) -> None:
    show(browser, others, model="bakery")
    for label, chosen in (("Bread", "Bread×"), ("bread", "Bread×bread×")):
        type_text(browser, label, "among")
        browser.press("Enter")
        browser.wait_for(f"document.getElementById('chosen').textContent == '{chosen}'")


def test_a_link_carries_the_text_and_the_model(browser: Browser, server: Server) -> None:
    show(browser, server, text="<b>iron</b> & rust", model="kitchen-small", among="cast-iron")
    browser.wait_for("document.querySelectorAll('mark').length")
    assert browser.run("document.querySelectorAll('.card').length") == 1
    assert browser.run(NAMES.format(card("kitchen-small"))) == ["cast-iron"]
    assert browser.run("document.querySelectorAll('.reading b').length") == 0
    type_text(browser, "dough")
    browser.wait_for("location.hash.includes('text=dough&model=kitchen-small&among=cast-iron')")


def test_a_link_to_a_model_that_is_not_served(browser: Browser, server: Server) -> None:
    show(browser, server, text="dough", model=["garden", "kitchen-small"])
    assert problem(browser, "#trouble") == (
        "This server has no model “garden”, which the link names. It has kitchen, kitchen-small."
    )
    browser.wait_for(f"{NAMES.format(card('kitchen-small'))}.length")
    assert browser.run("document.querySelectorAll('.card').length") == 1
    browser.run("document.querySelector('#choice input').click()")
    assert browser.run("document.getElementById('trouble').hidden")


def test_a_file_goes_up_and_its_labels_come_down(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    show(browser, server)
    browser.run("document.querySelector('details').open = true")
    submit = "document.querySelector('#upload button').click()"
    browser.run(submit)
    assert problem(browser, "#upload-problem") == "Choose a file first."
    (tmp_path / "picture.png").write_bytes(PNG)
    browser.choose_file("#file", tmp_path / "picture.png")
    browser.run(submit)
    browser.wait_for("document.querySelector('#upload-problem').textContent.includes('text file')")
    (tmp_path / "texts.txt").write_text("iron rust\nyeast dough\n")
    browser.choose_file("#file", tmp_path / "texts.txt")
    browser.run(submit)
    browser.wait_for("document.getElementById('download') !== null")
    downloads = tmp_path / "downloads"
    browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
    browser.run("document.getElementById('download').click()")
    found = wait_for_file(downloads / "texts-labels.tsv")
    rows = [line.split("\t") for line in found.read_text(encoding="utf-8").splitlines()]
    best = {number: label for number, label, _ in reversed(rows)}
    assert best == {"1": "cast-iron", "2": "bread"}


def wait_for_file(path: Path) -> Path:
    """A downloaded file, once it is whole."""
    end = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < end, f"there are only {list(path.parent.glob('*'))}"
        time.sleep(0.02)
    return path


def test_errors_are_told_and_the_page_goes_on(
    browser: Browser, server: Server, folder: Path
) -> None:
    show(browser, server, model="kitchen")
    wrong = "document.getElementById('text-problem').textContent"
    browser.run(
        "const clipboardData = new DataTransfer();"
        "clipboardData.setData('text/plain', 'x'.repeat(1e7));"
        "document.getElementById('text').dispatchEvent("
        "new ClipboardEvent('paste', { clipboardData, cancelable: true }))"
    )
    assert browser.run(wrong) == "Not pasted: 10,000,000 characters are too many; take a part."
    type_text(browser, "x" * 20_005)
    browser.wait_for(f"{wrong} == 'Over 20,000 characters; shorten the text.'")
    assert browser.run("document.getElementById('text-note').textContent") == "20,005 characters"
    type_text(browser, "iron")
    browser.wait_for(f"{NAMES.format(card('kitchen'))}.length")
    shutil.move(folder / "kitchen", folder / "away")
    try:
        type_text(browser, "rust")
        assert "removed or replaced" in problem(browser, f"{card('kitchen')} .problem")
        assert browser.run(f"{NAMES.format(card('kitchen'))}.length") == 0
    finally:
        shutil.move(folder / "away", folder / "kitchen")
    type_text(browser, "iron rust")
    browser.wait_for(f"{NAMES.format(card('kitchen'))}.length")
    browser.wait_for(f"document.querySelector('{card('kitchen')} .problem').hidden")


def test_the_page_says_when_the_server_is_gone(browser: Browser, folder: Path) -> None:
    with serving(folder / "kitchen") as own:
        show(browser, own)
        own.stop()
        type_text(browser, "iron")
        assert "The server does not answer" in problem(browser, f"{card('kitchen')} .problem")


def test_the_algebra(browser: Browser, server: Server) -> None:
    show(browser, server)
    browser.run("document.getElementById('tab-texts').focus()")
    browser.press("ArrowRight")
    browser.wait_for("document.querySelectorAll('#ways .card').length == 3")
    right = "[...document.querySelectorAll('#ways .right .name')].map(e => e.textContent)"
    assert browser.run(right) == ["✓ eyes"] * 3
    press = "[...document.querySelectorAll('#{} button')].find(e => e.textContent == '{}').click()"
    browser.run(press.format("questions", "l"))
    browser.wait_for(f"{right}.join() == '✓ legs,✓ legs,✓ legs'")
    browser.run(press.format("examples", "Jane and Joe"))
    browser.wait_for(f"{right}[0] == '✓ Jane'")
    drawn = "document.querySelector('[data-way=projected] .range').style.width"
    before = browser.run(drawn)
    browser.run("document.getElementById('dimension').focus()")
    browser.press("ArrowRight")
    browser.wait_for("document.getElementById('dimension-shown').value == '512'")
    browser.wait_for(f"{drawn} != `{before}`")
    type_text(browser, "a * (b", "statement")
    assert "a bracket is not closed" in problem(browser, "#algebra-problem")
    type_text(browser, "a * b", "statement")
    type_text(browser, "a", "question")
    browser.wait_for(f"{right}.join() == '✓ b,✓ b,✓ b'")
    browser.wait_for("location.hash.startsWith('#tab=algebra&statement=a+*+b&ask=a&d=512')")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off(
    browser: Browser, server: Server, width: int, scheme: str, tmp_path: Path
) -> None:
    """`PICTURES=folder` keeps what it looks like."""
    folder = Path(os.environ.get("PICTURES", tmp_path))
    pages = {"texts": ({"text": TEXT}, "mark"), "algebra": ({"tab": "algebra"}, ".response")}
    for name, (state, shown) in pages.items():
        browser.open("about:blank", width)
        show(browser, server, width, scheme, **state)
        browser.wait_for(f"document.querySelector('{shown}') !== null")
        window = "document.documentElement"
        assert browser.run(f"{window}.scrollWidth <= {window}.clientWidth")
        outside = browser.run(
            "[...document.querySelectorAll('main *:not(.hidden)')].filter(e => "
            f"e.getBoundingClientRect().right > {window}.clientWidth + 1).map(e => e.outerHTML)"
        )
        assert outside == []
        browser.screenshot(folder / f"{name}-{scheme}-{width}.png")


def test_the_browser_asks_nobody_else(browser: Browser, server: Server) -> None:
    browser.requests.clear()
    show(browser, server, text=TEXT)
    browser.wait_for("document.querySelectorAll('mark').length")
    assert len(browser.requests) > 5
    assert all(address.startswith(server.address) for address in browser.requests)


def test_the_policy_stops_what_a_text_could_smuggle_in(browser: Browser, server: Server) -> None:
    """The control: even markup that got into the page would run nothing."""
    show(browser, server)
    browser.run(
        "window.stopped = [];"
        "addEventListener('securitypolicyviolation', e => stopped.push(e.effectiveDirective));"
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.pwned = 1\">');"
        "const own = document.createElement('script'); own.textContent = 'window.pwned = 2';"
        "document.body.append(own)"
    )
    browser.wait_for("stopped.length == 2")
    assert set(browser.run("stopped")) == {"script-src-attr", "script-src-elem"}
    assert browser.run("window.pwned === undefined")


def test_a_screen_reader_finds_its_way(browser: Browser, server: Server) -> None:
    show(browser, server, text=TEXT)
    browser.wait_for("document.querySelectorAll('mark').length")
    for wrong in (
        "img:not([alt])", "html:not([lang])", "[role=tab]:not([aria-controls])",
        "[aria-describedby='']", "button:empty", "section:not([aria-labelledby])",
    ):  # fmt: skip
        assert browser.run(f"document.querySelectorAll(`{wrong}`).length") == 0, wrong
    unnamed = browser.run(
        "[...document.querySelectorAll('textarea, select, input:not([type=hidden])')]"
        ".filter(e => e.labels.length == 0).map(e => e.id)"
    )
    assert unnamed == []
    ids = browser.run("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(set(ids)) == len(ids)
    browser.wait_for(
        "document.getElementById('spoken').textContent.startsWith('kitchen: cast-iron')"
    )


def test_letters_are_counted_in_silence(browser: Browser, server: Server) -> None:
    """A screen reader would say a status with every letter that is typed."""
    show(browser, server)
    type_text(browser, "a")
    browser.wait_for("document.getElementById('text-note').textContent == '1 character'")
    live = "[role=status], [role=alert], [aria-live]"
    assert browser.run(f"document.getElementById('text-note').closest('{live}') === null")
    assert browser.run(f"document.getElementById('text-problem').matches('{live}')")


def test_the_picture_in_the_readme(browser: Browser, server: Server, tmp_path: Path) -> None:
    """It is made here, of the page as it is; README shows the committed one."""
    path = Path(os.environ.get("HRRXML_PICTURE", tmp_path / "serve.png"))
    browser.open("about:blank", 1300)
    browser.open(f"{server.address}#{urlencode({'text': TEXT})}", 1300, 680)
    browser.wait_for("document.querySelectorAll('.card h3').length == 4")
    browser.screenshot(path)
    assert size(path) == size(ROOT / PICTURE)
    assert f"({PICTURE})" in (ROOT / "README.md").read_text(encoding="utf-8")


def size(picture: Path) -> tuple[int, int]:
    """Width and height, which a PNG's first chunk has."""
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    return width, height
