"""Every session of the guides runs, and prints what the page shows."""

from pathlib import Path

import pytest
from helpers import pages
from helpers.project import ROOT

GUIDES = ["classifier.md", "command.md", "heads.md"]

WRONG = """
```pycon
>>> x = 2
>>> x + 1
4
>>> [][x]
```

```console
$ echo one | tr o O
one
$ false
```
"""
RIGHT = """
```pycon
>>> x = 2
>>> x + 1
3
>>> [][x]
Traceback (most recent call last):
    ...
builtins.IndexError: list index out of range
```

```console
$ echo one | tr o O
One
$ false
```
"""


@pytest.mark.parametrize("name", GUIDES)
def test_a_page_shows_what_its_sessions_print(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the numbers have changed: cd tests; python -m helpers.pages ../docs/classifier.md"""
    monkeypatch.chdir(tmp_path)
    pages.write_files(ROOT / "docs" / "command.md", tmp_path)
    shown, printed = (
        (ROOT / "docs" / name).read_text(encoding="utf-8"),
        pages.run(ROOT / "docs" / name),
    )
    assert pages.agree(printed, shown) or printed == shown  # the latter shows the difference


@pytest.mark.parametrize("name", GUIDES)
def test_every_block_of_code_is_a_session(name: str) -> None:
    languages = {language for language, _ in pages.blocks(ROOT / "docs" / name)}
    assert languages & {"pycon", "console"}
    assert languages <= {"pycon", "console", "text"}


def test_a_wrong_output_is_noticed(tmp_path: Path) -> None:
    """The control."""
    page = tmp_path / "page.md"
    page.write_text(WRONG, encoding="utf-8")
    assert pages.run(page) == RIGHT
    assert not pages.agree(WRONG, RIGHT)
    assert pages.agree("a 0.51 b", "a 0.50 b")
    assert not pages.agree("a 0.51 b", "a 0.59 b")
    assert not pages.agree("a 0.51 b", "a 0.51 c")
