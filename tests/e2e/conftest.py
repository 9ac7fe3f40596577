"""A Chromium with hands, shared by all tests that look at pages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from centrode.view.browser import Browser, BrowserError, find_browser


class HandledBrowser(Browser):
    """A browser whose keys, mouse and wheel are moved."""

    def press(self, key: str, *, hold: bool = False) -> None:
        """Press a key and, unless it is held, release it."""
        self._key("keyDown", key, text=key if len(key) == 1 else "")
        if not hold:
            self.release(key)

    def release(self, key: str) -> None:
        """Release a held key."""
        self._key("keyUp", key)

    def click(self, x: float, y: float) -> None:
        """Press and release the left mouse button."""
        for kind in ("mousePressed", "mouseReleased"):
            self._mouse(kind, x, y, button="left", clickCount=1)

    def move(self, x: float, y: float) -> None:
        """Put the pointer somewhere."""
        self._mouse("mouseMoved", x, y)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press the left mouse button, go somewhere else and release it."""
        self._mouse("mousePressed", *start, button="left", clickCount=1)
        for share in (0.5, 1.0):
            x, y = (a + share * (b - a) for a, b in zip(start, end, strict=True))
            self._mouse("mouseMoved", x, y, button="left", buttons=1)
        self._mouse("mouseReleased", *end, button="left", clickCount=1)

    def wheel(self, x: float, y: float, by: float) -> None:
        """Turn the wheel: negative away from the hand."""
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=by)

    def foreign_requests(self) -> list[str]:
        """Everything the page asked for that is not the page itself or data inside it."""
        return [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))]

    def _key(self, kind: str, key: str, **more: Any) -> None:
        code = {" ": "Space"}.get(key, f"Key{key.upper()}" if len(key) == 1 and key.isalpha() else key)
        self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code, **more)

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)


@pytest.fixture(scope="session")
def open_browser() -> type[HandledBrowser]:
    """``with open_browser(width, height) as browser:``; skips where there is none, unless one is required."""
    try:
        find_browser()
    except BrowserError as missing:
        if os.environ.get("CENTRODE_REQUIRE_BROWSER"):
            raise
        pytest.skip(str(missing))
    return HandledBrowser


@pytest.fixture(scope="module")
def module_browser(request: pytest.FixtureRequest, open_browser: type[HandledBrowser]) -> Iterator[HandledBrowser]:
    """One browser for all tests of a file, as large as its ``BROWSER_SIZE`` says."""
    with open_browser(*request.module.BROWSER_SIZE) as made:
        yield made


@pytest.fixture
def browser(module_browser: HandledBrowser) -> HandledBrowser:
    """The browser of the file."""
    return module_browser
