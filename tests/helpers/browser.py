"""Chromium without a window, driven through its own protocol over a pipe."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
    "--disable-background-networking --remote-debugging-pipe"
)

PATIENCE = 60  # seconds without a word from the browser


class Browser:
    """One page. `requests` has the address of everything that it asked for."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = to_browser, from_browser
        self._unread, self._number, self._session = b"", 0, ""
        self.requests: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> Any:
        """Call a method of the protocol and return its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, page: Path | str, width: int, height: int = 800, **media: str) -> None:
        """Load a file or an address in a window of this size, and wait until it is there."""
        features = [
            {"name": name.replace("_", "-"), "value": value} for name, value in media.items()
        ]
        self.call("Emulation.setEmulatedMedia", features=features)
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        address = page if isinstance(page, str) else page.absolute().as_uri()
        self.call("Page.navigate", url=address)
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait_for(self, script: str) -> Any:
        """The value of an expression in the page, as soon as it is true."""
        end = time.monotonic() + PATIENCE
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.02)
        return value

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        self.call("Input.insertText", text=text)

    def choose_file(self, selector: str, path: Path) -> None:
        """Put a file into a field for files."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])

    def press(self, key: str) -> None:
        codes = {"Tab": 9, "Enter": 13, "ArrowRight": 39, "ArrowDown": 40}
        named = {"key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
        typed = {"text": "\r"} if key == "Enter" else {}  # without it, no button is pressed
        self.call("Input.dispatchKeyEvent", type="keyDown", **named, **typed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **named)

    def screenshot(self, path: Path) -> None:
        """What the window shows now."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def _next(self) -> dict[str, Any]:
        """The browser's next message. Messages end with a zero byte."""
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._from], [], [], PATIENCE)
            received = os.read(self._from, 1 << 16) if ready else b""
            assert received, "the browser ended, or does not answer"
            self._unread += received
        raw, _, self._unread = self._unread.partition(b"\0")
        message: dict[str, Any] = json.loads(raw)
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        return message


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """A browser with an empty profile. Skips the test where there is no Chromium."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("install chromium to look at the pages")
    (theirs_in, to_browser), (from_browser, theirs_out) = os.pipe(), os.pipe()

    def wire() -> None:  # Chromium reads from descriptor 3 and writes to 4
        os.dup2(os.dup(theirs_in), 3)
        os.dup2(os.dup(theirs_out), 4)

    process = subprocess.Popen(
        [program, *FLAGS.split(), f"--user-data-dir={profile}"],
        preexec_fn=wire,
        close_fds=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(to_browser, from_browser)
    finally:
        os.close(to_browser)  # the browser ends when its pipe does
        process.kill()
        process.wait()
        os.close(from_browser)
