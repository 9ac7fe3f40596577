"""Driving live: throttle and brake act, the token and the origin are asked for, junk and slow clients do no harm."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time as clock
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from centrode.cli.main import run as centrode
from centrode.errors import InputError
from centrode.parts.driving import DriveInput
from centrode.recording.recording import Recording
from centrode.scenario.loader import loads
from centrode.view.browser import Browser
from centrode.view.drive import Drive, drive_inputs, replay
from centrode.view.server import DEAD_MAN, LARGEST_MESSAGE, DriveLoop, LiveServer, listening_socket, parse_message

SCENARIO = """
centrode: 1
title: Cart with a pendulum
bodies:
  cart: {mass: 100 kg, inertia: [10, 20, 20], position: [0, 0, 0.5]}
  bob: {mass: 10 kg, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5]}
joints:
  rail: {kind: prismatic, a: ground, b: cart, at: [0, 0, 0.5], axis: [1, 0, 0]}
  hook: {kind: ball, a: cart, b: bob, at: [0, 0, 0.5]}
forces:
  thrust: {kind: thruster, body: cart, lower: -500, upper: 1000, direction: [1, 0, 0]}
  drag: {kind: spring, a: ground, b: cart, stiffness: 0, damping: 40 N*s/m, point_a: [-1000, 0, 0.5], length: 1}
controllers:
  pilot: {kind: pid, inputs: thrust, measure: cart.velocity.x, setpoint: 3, kp: 100}
run: {duration: 10 s, method: rk4-projected, step: 2 ms}
"""


# -- the drive itself --------------------------------------------------------------------------------------------------


def driven(ticks: Callable[[int], float], count: int, path: Path | None = None) -> Recording:
    drive = Drive(loads(SCENARIO), path=path)
    for k in range(count):
        assert drive.tick({"command": ticks(k)})
    return drive.close()


def test_commands_of_the_driver_replace_the_controller_and_are_recorded() -> None:
    run = driven(lambda k: 1000.0 if k < 60 else 0.0, 120)
    speed = run["cart.velocity.x"]
    assert speed[60] > speed[1] > 0
    assert speed[120] < speed[60]  # drag slows it down once nobody pushes
    assert np.array_equal(run["thrust.command"], [0.0] + [1000.0] * 60 + [0.0] * 60)
    assert "pilot" not in run.provenance.scenario_text
    assert run.provenance.processors
    assert np.allclose(np.diff(run.time), 1 / 60, rtol=1e-9)


def test_recorded_inputs_give_the_same_bytes_again(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    rng = np.random.default_rng(3)
    wishes = rng.uniform(-2000, 2000, 90)  # beyond the limits as well: what counts is what was applied
    path = tmp_path / "drive.nc"
    driven(lambda k: float(wishes[k]), 90, path)
    first = Recording.load(path)
    second = replay(first)
    assert first.differences(second) == []
    assert second.save(tmp_path / "again.nc").read_bytes() == path.read_bytes()
    assert centrode(["drive", str(path), "--again"]) == 0
    assert "bit for bit" in capsys.readouterr().out
    # An input that was tampered with is noticed.
    data = {name: first[name].copy() for name in first}
    data["thrust.command"][40] += 1.0
    forged = Recording(
        time=first.time,
        data=data,
        channels=list(first.channels.values()),
        coordinates=first.coordinates,
        account=first.account,
    )
    assert forged.differences(replay(forged)) != []


COLLISION = """
centrode: 1
title: Bumper cars
roads: {road: {kind: plane}}
vehicles:
  mine: {kind: car, road: road, position: [0, 0], speed: 8, chassis: rigid}
  other: {kind: car, road: road, position: [12, 0.2], speed: 0, chassis: rigid}
contact_laws:
  cars: {kind: crush, friction: 0.4}
run: {duration: 10 s, method: rk4-projected, step: 1 ms}
"""


@pytest.mark.slow
def test_two_cars_collide_under_a_drivers_hand() -> None:
    drive = Drive(loads(COLLISION), "mine")
    assert [control.name for control in drive.controls] == ["steer", "drive", "brake"]
    for _ in range(150):
        assert drive.tick({"drive": 1.0})
    run = drive.close()
    hits = run.events.of("contact begin")
    assert len(hits) and {"mine.body", "other.body"} == set(hits[0].subject.split(" - "))
    before, after = run.time < hits[0].time, run.time > hits[0].time + 0.3
    assert np.abs(run["other.body.velocity.x"][before]).max() < 0.1  # it stood still
    assert run["other.body.velocity.x"][after].max() > 2.0  # and was pushed away
    assert run["mine.body.velocity.x"][before].max() > 8.0  # the throttle was held
    assert run.differences(replay(run)) == []


def test_an_underwater_vehicle_has_rudder_elevator_and_thrust() -> None:
    text = (
        "centrode: 1\ngravity: [0, 0, 9.81]\nvehicles: {auv: {kind: auv, velocity: [1, 0, 0]}}\n"
        "run: {duration: 10 s, method: rk4-projected, step: 5 ms}\n"
    )
    assert [control.name for control in drive_inputs(loads(text).system)] == ["rudder", "elevator", "thrust"]
    yaw = {}
    for side in (-0.2, 0.2):
        drive = Drive(loads(text))
        for _ in range(90):
            assert drive.tick({"rudder": side, "thrust": 10.0})
        run = drive.close()
        yaw[side] = float(run["auv.hull.omega.z"][-1])
        assert run["auv.hull.velocity.x"][-1] > 1.0
        assert run.differences(replay(run)) == []
    # About the hull's z, which points down: to starboard is positive.
    assert yaw[0.2] > 0.01 and yaw[-0.2] == pytest.approx(-yaw[0.2], rel=1e-6)


def test_what_is_no_drive_is_not_repeated() -> None:
    from centrode.running import simulate

    with pytest.raises(InputError, match="not the recording of a drive"):
        replay(simulate(loads(SCENARIO), duration=0.1))


def test_nothing_to_drive_and_unknown_seats_are_named() -> None:
    scenario = loads("centrode: 1\nbodies: {a: {mass: 1 kg, inertia: [1, 1, 1]}}\n")
    with pytest.raises(InputError, match="nothing here can be driven"):
        drive_inputs(scenario.system)
    with pytest.raises(InputError, match="did you mean 'thrust'"):
        drive_inputs(loads(SCENARIO).system, "trust")


@given(st.floats())
def test_a_wish_never_leaves_the_range(value: float) -> None:
    control = DriveInput("throttle", (("a", "command", 1.0),), -0.5, 2.0)
    assert -0.5 <= control.limited(value) <= 2.0


@given(
    st.text()
    | st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    ).map(json.dumps)
)
def test_any_message_is_understood_or_refused(text: str) -> None:
    try:
        said = parse_message(text, {"command"})
    except ValueError:
        return
    assert said.wish in ("", "pause", "reset")
    assert np.isfinite(said.mark)
    assert all(name == "command" and np.isfinite(value) for name, value in said.commands.items())


@pytest.mark.parametrize("place", ['{"inputs": {"command": %s}}', '{"do": "reset", "mark": %s}'])
def test_an_integer_of_a_thousand_digits_is_refused(place: str) -> None:
    """It ended the socket with an OverflowError."""
    with pytest.raises(ValueError):
        parse_message(place % ("9" * 1000), {"command"})


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(ValueError):
        parse_message("[" * 2000, {"command"})


# -- the server --------------------------------------------------------------------------------------------------------


class Served:
    """A running server with its drive."""

    def __init__(self, text: str = SCENARIO, vehicle: str = "") -> None:
        self.loop = DriveLoop(lambda number: Drive(loads(text), vehicle))
        self.live = LiveServer(self.loop, 0)
        self.server = self.live.uvicorn_server()
        self.thread = threading.Thread(target=lambda: self.server.run(sockets=[self.live._socket]), daemon=True)
        self.thread.start()
        self.wait(lambda: self.server.started)

    def wait(self, true: Callable[[], bool], seconds: float = 20.0) -> None:
        end = clock.monotonic() + seconds
        while not true():
            assert clock.monotonic() < end, "waited in vain"
            clock.sleep(0.005)

    def connect(self, token: str | None = None, origin: str | None = None):
        address = f"ws://127.0.0.1:{self.live.port}/live?token={self.live.token if token is None else token}"
        return connect(address, origin=origin or f"http://127.0.0.1:{self.live.port}", open_timeout=10, close_timeout=1)

    @property
    def throttle(self) -> float:
        return float(self.loop.drive.columns["thrust.command"][-1])

    def close(self) -> list[Recording]:
        self.server.should_exit = True
        self.thread.join(30)
        assert not self.thread.is_alive()
        return self.loop.saved


@pytest.fixture
def served() -> Iterator[Served]:
    found = Served()
    yield found
    with contextlib.suppress(AssertionError):
        found.close()


def test_only_who_holds_the_token_gets_in(served: Served) -> None:
    base = f"http://127.0.0.1:{served.live.port}/"
    for wrong in ("", "?token=", "?token=" + "x" * 32, "?token=%00"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(base + wrong, timeout=10)
        assert refused.value.code == 403
    with urllib.request.urlopen(served.live.address, timeout=10) as answer:
        text = answer.read().decode()
    assert f"connect-src ws://127.0.0.1:{served.live.port};" in text
    rebound = urllib.request.Request(served.live.address, headers={"Host": "evil.example:80"})
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(rebound, timeout=10)
    for options in ({"token": "wrong"}, {"origin": "http://evil.example"}):
        with pytest.raises((InvalidStatus, ConnectionClosed)), served.connect(**options) as client:
            client.recv(timeout=5)


def test_time_begins_with_the_first_word_of_a_page(served: Served) -> None:
    """The clock ran while the browser still loaded the page: cars had collided before anybody saw them."""
    clock.sleep(0.4)  # 24 ticks of the clock as it was
    assert served.loop.drive.time == served.loop.drive.start
    with served.connect() as client:
        client.recv(timeout=5)
        clock.sleep(0.2)
        assert served.loop.drive.time == served.loop.drive.start  # connected, and nothing is drawn yet
        client.send(json.dumps({"inputs": {}}))
        served.wait(lambda: served.loop.drive.time > served.loop.drive.start)


def test_it_listens_on_this_machine_only(served: Served) -> None:
    assert served.live._socket.getsockname()[0] == "127.0.0.1"


def test_a_busy_port_is_named_and_a_free_one_offered() -> None:
    with listening_socket(0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=rf"port {port} is busy.*--port \d+ is free"):
            listening_socket(port)


def test_the_command_names_a_busy_port_before_it_prepares_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "cart.yaml"
    path.write_text(SCENARIO)
    with listening_socket(0) as taken:
        port = taken.getsockname()[1]
        assert centrode(["drive", str(path), "--port", str(port), "--no-open"]) == 2
    said = capsys.readouterr().err
    assert f"port {port} is busy" in said and "is free" in said and "preparing" not in said
    offered = int(said.split("--port ")[1].split(" ")[0])
    with listening_socket(offered) as free:  # it really is
        assert free.getsockname()[1] == offered


def test_throttle_is_released_when_the_driver_falls_silent(served: Served) -> None:
    with served.connect() as client:
        client.send(json.dumps({"inputs": {"command": 800}}))
        served.wait(lambda: served.throttle == 800.0)
        began = clock.monotonic()
        served.wait(lambda: served.throttle == 0.0)  # nothing sent any more: the dead man's handle
        assert clock.monotonic() - began < DEAD_MAN + 2.0
        for _ in range(3):
            client.send(json.dumps({"inputs": {"command": 700}}))
        served.wait(lambda: served.throttle == 700.0)
    served.wait(lambda: served.throttle == 0.0)  # gone


def test_junk_is_dropped_and_the_drive_goes_on(served: Served) -> None:
    with served.connect() as client:
        for junk in (
            "",
            "{",
            "[]",
            '{"inputs": 3}',
            '{"do": "rm -rf"}',
            '{"inputs": {"other": 1}}',
            "null",
            "\x00" * 50,
        ):
            client.send(junk)
        client.send(json.dumps({"inputs": {"command": True}}))
        client.send('{"inputs": {"command": NaN}}')
        client.send('{"inputs": {"command": 1e999}}')
        client.send(os.urandom(64))
        served.wait(lambda: served.live.junk == 12)
        client.send(json.dumps({"inputs": {"command": 5e9}}))
        served.wait(lambda: served.throttle == 1000.0)  # cut to the range
    with served.connect() as client, pytest.raises(ConnectionClosed):
        client.send("x" * (LARGEST_MESSAGE + 1))
        while True:
            client.recv(timeout=10)
    assert served.loop.failure == ""
    before = served.loop.drive.tick_count
    served.wait(lambda: served.loop.drive.tick_count > before + 5)


def test_wishes_that_come_together_are_all_obeyed_in_their_order() -> None:
    """Of two wishes within one tick the first was lost."""
    loop = DriveLoop(lambda number: Drive(loads(SCENARIO)))
    for what in ("reset", "pause"):
        loop.wish(what)
    loop.command({})
    loop.start()
    end = clock.monotonic() + 20.0
    while not (loop.status()["drives"] == 2 and loop.paused):
        assert clock.monotonic() < end, "a wish was lost"
        clock.sleep(0.01)
    loop.stop()


def test_a_wish_that_is_said_again_is_obeyed_once(served: Served) -> None:
    """A page repeats what it asked for when its line was cut before an answer came: a second pause would go on."""
    for _ in range(2):
        with served.connect() as client:
            client.send(json.dumps({"do": "pause", "mark": 7, "inputs": {}}))
            while True:
                told = client.recv(timeout=10)
                if isinstance(told, str) and json.loads(told)["heard"] == 7.0:
                    break
    served.wait(lambda: served.loop.paused)
    with served.connect() as client:
        client.send(json.dumps({"do": "pause", "mark": 8}))
        served.wait(lambda: not served.loop.paused)


def test_the_last_to_come_drives_and_a_slow_client_holds_nobody_up(served: Served) -> None:
    slow = socket.create_connection(("127.0.0.1", served.live.port))
    slow.sendall(b"GET / HTTP/1.1\r\n")  # never finishes its request
    with served.connect() as first:
        first.recv(timeout=10)  # and then reads nothing more
        with served.connect() as second:
            second.send(json.dumps({"inputs": {"command": 300}}))
            served.wait(lambda: served.throttle == 300.0)
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    first.recv(timeout=10)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 4409
            before = served.loop.drive.tick_count
            served.wait(lambda: served.loop.drive.tick_count > before + 5)
    slow.close()


def test_pause_and_reset(served: Served) -> None:
    with served.connect() as client:
        client.send('{"do": "pause"}')
        served.wait(lambda: served.loop.paused)
        ticks = served.loop.drive.tick_count
        clock.sleep(0.1)
        assert served.loop.drive.tick_count <= ticks + 1
        client.send('{"do": "reset"}')
        served.wait(lambda: len(served.loop.saved) == 1)
        served.wait(lambda: served.loop.drive.tick_count > 3)
    recordings = served.close()
    assert len(recordings) == 2
    assert all(run.differences(replay(run)) == [] for run in recordings)


# -- in the browser ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_holding_the_throttle_raises_the_speed_and_releasing_lets_it_fall(
    served: Served, open_browser: type[Browser]
) -> None:
    with open_browser(640, 400) as browser:
        browser.open(served.live.address)
        browser.wait_ready()
        browser.wait_for("centrode.live.frames > 3")
        browser.press("ArrowUp", hold=True)
        browser.wait_for("centrode.live.speed > 1.5")
        assert browser.evaluate("centrode.pixels().colours") > 50
        fast = float(served.loop.drive.columns["cart.velocity"][-1, 0])
        browser.release("ArrowUp")
        served.wait(lambda: served.throttle == 0.0)
        browser.wait_for(f"centrode.live.speed < {fast!r} - 0.2")
        browser.press("c")
        served.wait(lambda: served.loop.paused)
        place = float(served.loop.drive.columns["cart.position"][-1, 0])
        # Frames travel in single precision.
        browser.wait_for(f"Math.abs(centrode.matrix('cart')[12] - {place!r}) < 1e-6 * {1 + abs(place)!r}")
        browser.press("c")
        outside = [
            url
            for url in browser.requests
            if not url.startswith((f"http://127.0.0.1:{served.live.port}/", "data:", "blob:"))
        ]
        assert outside == []
    (run,) = served.close()
    command, speed = run["thrust.command"], run["cart.velocity.x"]
    pushed = np.flatnonzero(command > 0)
    assert pushed.size > 0 and speed[pushed[-1]] > speed[pushed[0] - 1] + 1.0
    assert np.all(command[pushed[-1] + 1 :] == 0.0) and speed[-1] < speed[pushed[-1]]
    assert run.differences(replay(run)) == []


@pytest.fixture
def bumper_cars() -> Iterator[Served]:
    # From rest, so that nothing happens before a hand is on the throttle.
    found = Served(COLLISION.replace("speed: 8", "speed: 0").replace("[12, 0.2]", "[9, 0.2]"), "mine")
    yield found
    with contextlib.suppress(AssertionError):
        found.close()


@pytest.mark.slow
def test_two_cars_collide_in_the_browser(bumper_cars: Served, open_browser: type[Browser]) -> None:
    """Hold the throttle into a parked car: the page shows it pushed away, the recording holds the contact."""
    with open_browser(480, 300) as browser:
        browser.open(bumper_cars.live.address)
        browser.wait_ready()
        browser.wait_for("centrode.live.frames > 2")
        browser.press("ArrowUp", hold=True)
        bumper_cars.wait(lambda: float(bumper_cars.loop.drive.columns["other.body.velocity"][-1, 0]) > 1.0, 60)
        browser.wait_for("centrode.matrix('other.body')[12] > 9.3")  # it stood at 9 m
        assert browser.evaluate("centrode.pixels().colours") > 50
        browser.release("ArrowUp")
        assert browser.evaluate("centrode.live.status.stopped || ''") == ""
    (run,) = bumper_cars.close()
    hits = run.events.of("contact begin")
    assert len(hits) and set(hits[0].subject.split(" - ")) == {"mine.body", "other.body"}
    before = run.time < hits[0].time
    assert np.abs(run["other.body.velocity.x"][before]).max() < 0.1
    assert run["other.body.velocity.x"][run.time > hits[0].time].max() > 1.0
    assert run["mine.carriage.drive"][before].max() > 0.0  # driven there by hand
    assert run.differences(replay(run)) == []


PAD = """
window.pad = {axes: [0, 0, 0, 0], buttons: [], connected: true, index: 0, id: 'mocked', mapping: 'standard'};
navigator.getGamepads = () => [null, window.pad];
"""


@pytest.mark.slow
def test_a_gamepad_steers_and_drives(bumper_cars: Served, open_browser: type[Browser]) -> None:
    with open_browser(480, 300) as browser:
        browser.open(bumper_cars.live.address)
        browser.wait_ready()
        browser.evaluate(PAD)
        names = [control.name for control in bumper_cars.loop.drive.controls]
        steer = bumper_cars.loop.drive.controls[names.index("steer")]
        browser.evaluate("window.pad.axes = [-0.5, -1, 0, 0]")  # half to the left, full ahead

        def held(name: str) -> float:
            return float(bumper_cars.loop.drive.columns[f"mine.carriage.{name}"][-1])

        bumper_cars.wait(lambda: held("drive") == 1.0 and held("steer") == pytest.approx(0.5 * steer.high, rel=1e-6))
        browser.evaluate("window.pad.axes = [0.05, 0.02, 0, 0]")  # a worn pad does not rest at zero
        bumper_cars.wait(lambda: held("drive") == 0.0 and held("steer") == 0.0)
        browser.evaluate("window.pad.axes = [1, 0, 0, 0]")
        bumper_cars.wait(lambda: held("steer") == steer.low)
        browser.evaluate("navigator.getGamepads = () => []")  # unplugged
        bumper_cars.wait(lambda: held("steer") == 0.0)
    (run,) = bumper_cars.close()
    assert run["mine.carriage.steer"].max() > 0 > run["mine.carriage.steer"].min()


SKID = """
centrode: 1
title: Skid
roads: {road: {kind: plane}}
vehicles: {car: {kind: car, road: road, speed: 25}}
run: {duration: 10 s, method: rk4-projected, step: 2 ms}
"""


@pytest.mark.slow
def test_a_sliding_car_leaves_marks_while_it_is_driven(open_browser: type[Browser]) -> None:
    found = Served(SKID)
    try:
        with open_browser(480, 300) as browser:
            browser.open(found.live.address)
            browser.wait_ready()
            browser.wait_for("centrode.live.frames > 2")
            drawn = "centrode.viewer.overlays.marks.mesh.geometry.drawRange.count"
            assert browser.evaluate(drawn) == 0  # it rolls
            browser.press("ArrowLeft", hold=True)
            browser.wait_for(f"{drawn} > 60")
            browser.release("ArrowLeft")
            found.wait(lambda: float(found.loop.drive.columns["car.carriage.steer"][-1]) == 0.0)
            browser.evaluate("centrode.live.socket.close()")  # the line is cut: what is asked for now is said later
            browser.press("x")
            browser.wait_for(f"centrode.live.status.drives === 2 && {drawn} === 0")
    finally:
        runs = found.close()
    from centrode.crash.tyre_marks import tyre_marks

    assert {mark.wheel for mark in tyre_marks(runs[0])} >= {"left_front", "right_front"}
