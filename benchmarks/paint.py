"""When a page is painted first: Chromium's own timing, asked through its protocol on a pipe."""

import json
import shutil
import subprocess
import tempfile
from functools import partial
from typing import Any

import numpy as np

LOADS = 7  # the first one, which starts the browser's parts, is not counted
CHROMIUM = (
    "chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
    "--disable-background-networking --remote-debugging-pipe"
)
ON_A_PIPE = 'exec "$@" 3<&0 4>&1 >/dev/null 2>&1'  # Chromium reads from 3 and writes to 4
PAINTED = """new Promise(done => new PerformanceObserver(list => {
  for (const { name, startTime } of list.getEntries())
    if (name == "first-contentful-paint") done(startTime);
}).observe({ type: "paint", buffered: true }))"""


def first_paint(address: str) -> float | None:
    """The median milliseconds until something is painted; None where there is no Chromium."""
    if shutil.which("chromium") is None:
        return None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = ["sh", "-c", ON_A_PIPE, "sh", *CHROMIUM.split(), f"--user-data-dir={profile}"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as browser:
            try:
                times = _load(browser, address)
            finally:
                browser.kill()
    return round(float(np.median(times[1:])), 1)


def _load(browser: subprocess.Popen[bytes], address: str) -> list[float]:
    """The time of each load, without the browser's cache."""
    target = _call(browser, "Target.createTarget", url="about:blank")
    attached = _call(browser, "Target.attachToTarget", flatten=True, **target)
    call = partial(_call, browser, session=attached["sessionId"])
    call("Network.enable")
    call("Network.setCacheDisabled", cacheDisabled=True)
    times = []
    for _ in range(LOADS):
        call("Page.navigate", url=address)
        painted = call("Runtime.evaluate", expression=PAINTED, awaitPromise=True)
        times.append(painted["result"]["value"])
    return times


def _call(
    browser: subprocess.Popen[bytes], method: str, session: str | None = None, **params: Any
) -> Any:
    """The result of a method. Messages end with a zero byte."""
    assert browser.stdin is not None
    assert browser.stdout is not None
    message = {"id": 1, "method": method, "params": params}
    message |= {"sessionId": session} if session else {}
    browser.stdin.write(json.dumps(message).encode() + b"\0")
    browser.stdin.flush()
    read = partial(browser.stdout.read, 1)
    while True:
        answer = json.loads(b"".join(iter(lambda: read() or b"\0", b"\0")))
        if "id" in answer:
            return answer["result"]
