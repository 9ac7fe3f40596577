"""A headless Chromium, spoken to over two pipes: for pictures, videos, PDFs, and for tests of the pages.

Protocol: JSON messages ended by a zero byte on file descriptors 3 and 4 (``--remote-debugging-pipe``); no port is
opened. The methods are those of the Chrome DevTools Protocol.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time as clock
from pathlib import Path
from typing import Any

from centrode.errors import CentrodeError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --disable-extensions --no-first-run "
    "--no-default-browser-check --hide-scrollbars --mute-audio --remote-debugging-pipe"
).split()

# Puts the two pipes where the browser looks for them and becomes the browser. A process of its own, because a function
# between fork and exec is not safe in a program with threads.
_LAUNCHER = (
    "import os, sys; a, b = os.dup(int(sys.argv[1])), os.dup(int(sys.argv[2])); "
    "a, b = os.dup2(a, 10), os.dup2(b, 11); os.dup2(a, 3); os.dup2(b, 4); os.execv(sys.argv[3], sys.argv[3:])"
)


class BrowserError(CentrodeError):
    """The browser is missing, or did not do what was asked."""


def find_browser() -> str:
    """Path of a Chromium; the environment variable CENTRODE_BROWSER names another."""
    named = os.environ.get("CENTRODE_BROWSER")
    for name in (named,) if named else NAMES:
        found = shutil.which(name)
        if found:
            return found
    raise BrowserError(
        "no Chromium was found, which draws pictures, videos and PDFs; install chromium, or name one with "
        "CENTRODE_BROWSER (--html needs none)"
    )


class Browser:
    """One page in a headless browser.

    Args:
        width, height: of the page in pixels.
        scale: device pixels per pixel.

    Attributes:
        requests: addresses that the page has asked for.
        problems: messages of the console, uncaught errors and refused requests.
    """

    def __init__(self, width: int = 1280, height: int = 720, scale: float = 1.0) -> None:
        self.requests: list[str] = []
        self.problems: list[str] = []
        self._next = 0
        self._waiting = b""
        self._answers: dict[int, dict[str, Any]] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="centrode-browser-", ignore_cleanup_errors=True)
        self._session = ""
        self._start(find_browser())
        try:
            target = self.send("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.send(f"{domain}.enable")
            self.resize(width, height, scale)
        except BaseException:
            self.close()
            raise

    # -- pages ---------------------------------------------------------------------------------------------------------

    def resize(self, width: int, height: int, scale: float = 1.0) -> None:
        """Size of the page."""
        size = {"width": width, "height": height, "deviceScaleFactor": scale}
        self.send("Emulation.setDeviceMetricsOverride", mobile=False, **size)

    def open(self, address: str | Path) -> None:
        """Go to an address or a file."""
        url = address if isinstance(address, str) and "://" in address else Path(address).resolve().as_uri()
        self.requests.clear()
        self.problems.clear()
        answer = self.send("Page.navigate", url=str(url))
        if answer.get("errorText"):
            raise BrowserError(f"the page could not be opened: {answer['errorText']}")

    def evaluate(self, expression: str) -> Any:
        """Value of an expression in the page; a promise is waited for."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details.get("text", "script error"))
        return answer["result"].get("value")

    def wait_for(self, expression: str, timeout: float = 60.0) -> Any:
        """Ask again and again until an expression is true in the page; returns its value."""
        end = clock.monotonic() + timeout
        while True:
            value = self.evaluate(expression)
            if value:
                return value
            if clock.monotonic() > end:
                raise BrowserError(f"waited {timeout:g} s in vain for: {expression}; page says: {self.problems[:3]}")
            clock.sleep(0.02)

    def wait_ready(self, timeout: float = 60.0) -> None:
        """Wait until the viewer has drawn its first picture."""
        self.wait_for("!!(window.centrode && window.centrode.ready)", timeout)
        failure = self.evaluate("window.centrode.failure || ''")
        if failure:
            raise BrowserError(f"the page shows no scene: {failure}")

    def screenshot(self) -> bytes:
        """The page as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png", captureBeyondViewport=False)["data"])

    def pdf(self) -> bytes:
        """The page as PDF."""
        return base64.b64decode(self.send("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])

    # -- protocol ------------------------------------------------------------------------------------------------------

    def send(self, method: str, timeout: float = 60.0, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        self._next += 1
        number = self._next
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session and not method.startswith("Target."):
            message["sessionId"] = self._session
        try:
            os.write(self._to, json.dumps(message).encode() + b"\0")
        except OSError as error:
            raise BrowserError("the browser has ended") from error
        end = clock.monotonic() + timeout
        while number not in self._answers:
            self._read(end - clock.monotonic())
        answer = self._answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message')}")
        result: dict[str, Any] = answer["result"]
        return result

    def _read(self, patience: float) -> None:
        ready, _, _ = select.select([self._from], [], [], max(0.0, patience))
        if not ready:
            raise BrowserError("the browser does not answer")
        piece = os.read(self._from, 1 << 20)
        if not piece:
            raise BrowserError("the browser has ended")
        # Joined only when a message ends in this piece: a screenshot comes in many.
        *whole, rest = piece.split(b"\0")
        for text in whole:
            self._take(json.loads(self._waiting + text))
            self._waiting = b""
        self._waiting += rest

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers[message["id"]] = message
            return
        method, values = message.get("method", ""), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details.get("text", ""))
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.problems.append(values["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning"):
            words = (str(item.get("value", item.get("description", ""))) for item in values["args"])
            self.problems.append(" ".join(words))

    def _start(self, program: str) -> None:
        to_read, self._to = os.pipe()
        self._from, from_write = os.pipe()

        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(to_read), str(from_write), program, *FLAGS]
            + [f"--user-data-dir={self._folder.name}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(to_read, from_write),
        )
        os.close(to_read)
        os.close(from_write)

    def close(self) -> None:
        """End the browser."""
        if self._process.poll() is None:
            try:
                self._session = ""
                self.send("Browser.close", timeout=5.0)
                self._process.wait(5)
            except (CentrodeError, subprocess.TimeoutExpired):
                self._process.kill()
        self._process.wait()
        for pipe in (self._to, self._from):
            os.close(pipe)
        self._folder.cleanup()

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
