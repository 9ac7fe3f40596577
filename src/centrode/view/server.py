"""The live server: one page and one socket on this machine, for whoever holds the token.

Physics runs in a thread of its own against the clock; the page gets the newest frame and nothing older, so that a slow
client never holds anybody up. What a client says is bounded in size and rate, and checked: junk is counted and dropped.
Commands that are not renewed within :data:`DEAD_MAN` seconds go back to rest, and so they do when the client leaves.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import importlib.util
import json
import math
import secrets
import socket
import threading
import time as clock
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

import numpy as np

from centrode.errors import InputError
from centrode.texts import Say
from centrode.view.drive import Drive
from centrode.view.page import embedded_json, page

HOST = "127.0.0.1"
DEFAULT_PORT = 8042
DEAD_MAN = 0.3
LARGEST_MESSAGE = 2048
MOST_MESSAGES_PER_SECOND = 400
_MOST_LAG = 0.1
_JITTER_MEMORY = 36_000


class DriveLoop:
    """Runs a drive against the clock, in a thread; the clock starts with the first word of a client.

    Args:
        make: makes a fresh drive; called at the start and at every reset.

    Attributes:
        drive, frame: the present one, and its newest frame for the page.
        saved: recordings of finished drives, in order.
    """

    def __init__(self, make: Callable[[int], Drive]) -> None:
        self._make = make
        self._count = 0
        self._lock = threading.Lock()
        self._commands: dict[str, float] = {}
        self._heard = -math.inf
        self._wishes: deque[str] = deque(maxlen=16)
        self.heard = 0.0
        self._ending = threading.Event()
        self._somebody = threading.Event()
        self._thread: threading.Thread | None = None
        self.lateness: deque[float] = deque(maxlen=_JITTER_MEMORY)
        self.spent: deque[float] = deque(maxlen=_JITTER_MEMORY)
        self.slipped = 0.0
        self.failure = ""
        self.saved: list[Any] = []
        self._begin()

    # -- the client's side ---------------------------------------------------------------------------------------------

    def command(self, values: dict[str, float]) -> None:
        """Commands of the driver; hold until renewed, or until the dead man's time is over."""
        with self._lock:
            self._commands = values
            self._heard = clock.monotonic()
        self._somebody.set()

    def release(self) -> None:
        """All controls to rest: the driver is gone."""
        with self._lock:
            self._commands = {}

    def wish(self, what: str, mark: float = 0.0) -> None:
        """Pause, go on or reset at the next tick, in the order of asking.

        Args:
            what: "pause" or "reset".
            mark: of the wish, growing; a page repeats a wish until it hears its mark, and one that was heard is not
                obeyed again. Those without a mark are always obeyed.
        """
        with self._lock:
            if mark and mark <= self.heard:
                return
            self.heard = max(self.heard, mark)
            self._wishes.append(what)

    # -- the clock's side ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to run."""
        self._thread = threading.Thread(target=self._run, name="centrode-drive", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, and close the recording."""
        self._ending.set()
        self._somebody.set()
        if self._thread is not None:
            self._thread.join(30)
        self.saved.append(self.drive.close())

    def present_commands(self) -> dict[str, float]:
        """What the driver holds now; nothing when he was not heard in time."""
        with self._lock:
            return dict(self._commands) if clock.monotonic() - self._heard <= DEAD_MAN else {}

    def _begin(self) -> None:
        self._count += 1
        self.drive = self._make(self._count)
        self.scene = self.drive.scene()
        self.frame = self.drive.numbers()
        self.paused = False

    def _run(self) -> None:
        try:
            self._keep_time()
        except Exception as error:  # the page must hear of it; a dead thread would only look frozen
            self.failure = f"{type(error).__name__}: {error}"

    def _keep_time(self) -> None:
        period = 1.0 / self.drive.rate
        self._somebody.wait()  # nobody misses the start: time begins when a page is there and speaks
        due = clock.perf_counter() + period
        while not self._ending.is_set():
            wait = due - clock.perf_counter()
            if wait > 0:
                clock.sleep(wait)
            began = clock.perf_counter()
            self.lateness.append(began - due)
            self._obey()
            if not self.paused and not self.drive.stopped:
                self.drive.tick(self.present_commands())
                self.frame = self.drive.numbers()
            now = clock.perf_counter()
            self.spent.append(now - began)
            due += period
            if now - due > _MOST_LAG:  # the machine is too slow: time is stretched, ticks are not dropped
                self.slipped += now - due
                due = now + period

    def _obey(self) -> None:
        with self._lock:
            wishes = list(self._wishes)
            self._wishes.clear()
        for wish in wishes:
            if wish == "pause":
                self.paused = not self.paused
            elif wish == "reset":
                self.saved.append(self.drive.close())
                self._begin()

    def status(self) -> dict[str, Any]:
        """What the page shows besides the scene."""
        return {
            "paused": self.paused,
            "stopped": self.drive.stopped or self.failure,
            "slipped": round(self.slipped, 3),
            "drives": self._count,
            "heard": self.heard,
        }

    def jitter(self) -> dict[str, float]:
        """Lateness of ticks and time spent on them [s]: median and 99 of 100."""
        late, spent = np.array(self.lateness or [0.0]), np.array(self.spent or [0.0])
        shares = {
            f"{name}_p{share}": float(np.percentile(values, share))
            for name, values in (("late", late), ("spent", spent))
            for share in (50, 99)
        }
        return {"ticks": float(len(late)), **shares}


class Message(NamedTuple):
    """What a client says: the wish with its mark, and the commands of the driver."""

    wish: str
    mark: float
    commands: dict[str, float]


def parse_message(text: str, controls: set[str]) -> Message:
    """A client's message.

    Raises:
        ValueError: it is none.
    """
    if len(text) > LARGEST_MESSAGE:
        raise ValueError("too long")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError("not JSON") from error
    if not isinstance(data, dict) or set(data) - {"do", "mark", "inputs"}:
        raise ValueError("not a message")
    wish = data.get("do", "")
    if wish not in ("", "pause", "reset"):
        raise ValueError("unknown wish")
    inputs = data.get("inputs", {})
    if not isinstance(inputs, dict) or set(inputs) - controls:
        raise ValueError("unknown control")
    values = {name: _number(value) for name, value in inputs.items()}
    return Message(wish, _number(data.get("mark", 0)), values)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("not a number")
    try:
        number = float(value)
    except OverflowError as error:  # an integer of a thousand digits
        raise ValueError("not a number") from error
    if not math.isfinite(number):
        raise ValueError("not a number")
    return number


class LiveServer:
    """Page and socket of a drive.

    Args:
        loop: the drive.
        port: to listen on; 0 takes a free one.
        say: called with a line of text before something that takes time.

    Raises:
        InputError: the port is busy; names a free one.
    """

    def __init__(self, loop: DriveLoop, port: int = DEFAULT_PORT, say: Say = None) -> None:
        self.loop = loop
        self.token = secrets.token_urlsafe(24)
        self.junk = 0
        self._socket = listening_socket(port)
        self.port = int(self._socket.getsockname()[1])
        scene = embedded_json(loop.scene)
        body = f'<div id="centrode"></div>\n<script type="application/json" id="centrode-scene">{scene}</script>\n'
        self._page = page(loop.scene["title"], body, connect=f"ws://{HOST}:{self.port}", say=say)
        self._newest = 0
        self.app = self._make_app()

    @property
    def address(self) -> str:
        """Where the page is; the token is part of it."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    def _make_app(self) -> Any:
        require_server()
        from starlette.applications import Starlette
        from starlette.routing import Route, WebSocketRoute

        @contextlib.asynccontextmanager
        async def lifespan(app: Any) -> AsyncIterator[None]:
            self.loop.start()
            try:
                yield
            finally:
                await asyncio.to_thread(self.loop.stop)

        routes = [Route("/", self._serve_page), WebSocketRoute("/live", self._serve_socket)]
        return Starlette(routes=routes, lifespan=lifespan)

    def _may(self, given: str, host: str) -> bool:
        # The name of the host is checked as well: a foreign page cannot reach in by rebinding its own name.
        known = hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())
        return known and host == f"{HOST}:{self.port}"

    async def _serve_page(self, request: Any) -> Any:
        from starlette.responses import HTMLResponse, PlainTextResponse

        if not self._may(request.query_params.get("token", ""), request.headers.get("host", "")):
            return PlainTextResponse("This drive needs the token that `centrode drive` has printed.", 403)
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
        return HTMLResponse(self._page, headers=headers)

    async def _serve_socket(self, websocket: Any) -> None:
        from starlette.websockets import WebSocketDisconnect

        origin = websocket.headers.get("origin", "")
        allowed = self._may(websocket.query_params.get("token", ""), websocket.headers.get("host", ""))
        if not allowed or origin != f"http://{HOST}:{self.port}":
            await websocket.close(4403)
            return
        await websocket.accept()
        self._newest += 1
        mine = self._newest
        sender = asyncio.create_task(self._send_frames(websocket, mine))
        try:
            await self._hear(websocket, mine)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            sender.cancel()
            if mine == self._newest:
                self.loop.release()

    async def _hear(self, websocket: Any, mine: int) -> None:
        controls = {item.name for item in self.loop.drive.controls}
        window, count = clock.monotonic(), 0
        while mine == self._newest:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            now = clock.monotonic()
            if now - window > 1.0:
                window, count = now, 0
            count += 1
            try:
                if count > MOST_MESSAGES_PER_SECOND:
                    raise ValueError("too many")
                said = parse_message(message.get("text") or "", controls)
            except ValueError:
                self.junk += 1
                continue
            if mine != self._newest:
                return
            if said.wish:
                self.loop.wish(said.wish, said.mark)
            self.loop.command(said.commands)

    async def _send_frames(self, websocket: Any, mine: int) -> None:
        """The newest frame, as often as the client takes one; the status when it has changed."""
        period = 1.0 / self.loop.drive.rate
        told, last = "", -1.0
        while True:
            if mine != self._newest:  # somebody else has taken the seat
                await websocket.close(4409)
                return
            status = json.dumps(self.loop.status())
            if status != told:
                await websocket.send_text(status)
                told = status
            frame = self.loop.frame
            if frame[0] != last:
                await websocket.send_bytes(frame.tobytes())
                last = float(frame[0])
            await asyncio.sleep(0.5 * period)

    def run(self) -> None:
        """Serve until interrupted."""
        self.uvicorn_server().run(sockets=[self._socket])

    def uvicorn_server(self) -> Any:
        """The server, for running and for tests."""
        import uvicorn

        configuration = uvicorn.Config(
            self.app,
            log_level="error",
            ws_max_size=LARGEST_MESSAGE,
            ws_max_queue=8,
            ws_ping_interval=5.0,
            ws_ping_timeout=5.0,
            timeout_graceful_shutdown=2,
            limit_concurrency=16,
            server_header=False,
            date_header=False,
        )
        return uvicorn.Server(configuration)


def require_server() -> None:
    """Refuse to begin where the packages that serve a drive are not installed; uvicorn alone would drop the socket."""
    lacking = [name for name in ("starlette", "uvicorn", "websockets") if not is_installed(name)]
    if lacking:
        raise InputError(f"driving needs the packages {', '.join(lacking)}: pip install 'centrode[web]'")


def is_installed(package: str) -> bool:
    """Whether a package can be imported."""
    try:
        return importlib.util.find_spec(package) is not None
    except ValueError:  # taken out of sight by a test
        return False


def listening_socket(port: int) -> socket.socket:
    """A socket on this machine only.

    Raises:
        InputError: the port is busy or none; a free one is named.
    """
    if not 0 <= port <= 65535:
        raise InputError("not a port", got=port, expected="0 to 65535")
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
        made.listen(16)
    except OSError as error:
        made.close()
        raise InputError(f"port {port} is busy", got=port, hint=f"--port {free_port(port)} is free") from error
    return made


def free_port(after: int) -> int:
    """The next port above ``after`` on which nobody listens; any free one when there is none near."""
    for port in [*range(after + 1, min(after + 200, 65536)), 0]:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe, contextlib.suppress(OSError):
            probe.bind((HOST, port))
            return int(probe.getsockname()[1])
    return 0
