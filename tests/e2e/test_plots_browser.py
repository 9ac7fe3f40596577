"""Figure pages in a real browser: offline, recorded values under the pointer, zoom, names on and off, one time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from centrode.cli.main import run as centrode
from centrode.errors import InputError
from centrode.plots.channels import figure_channels
from centrode.plots.convergence import figure_convergence
from centrode.plots.eigenvalues import figure_eigenvalues
from centrode.plots.energy import figure_energy
from centrode.plots.figure import save_figure
from centrode.plots.interactive import page_of_figure
from centrode.plots.phase import figure_phase
from centrode.plots.tracks import figure_tracks
from centrode.plots.tyre_use import figure_tyre_use
from centrode.recording.channel import Channel
from centrode.recording.events import Event, Events
from centrode.recording.provenance import Account
from centrode.recording.recording import Recording
from centrode.view.browser import Browser

pytestmark = pytest.mark.slow
BROWSER_SIZE = (900, 640)


def recorded() -> Recording:
    time = np.linspace(0.0, 2.0, 401)
    wheels = {
        f"car.{wheel}.slip_{way}": 0.1 * np.sin(time + k)
        for k, wheel in enumerate(("front", "rear"))
        for way in ("ahead", "side")
    }
    data = {
        "arm.position": np.stack([np.cos(time), np.sin(2 * time), 0.1 * time], axis=1),
        "arm.angle": np.sin(3 * time),
        "arm.omega": 3 * np.cos(3 * time),
        "energy.kinetic": 4.5 * np.cos(3 * time) ** 2,
        "energy.total": np.full(401, 4.5),
        "energy.residual": 1e-9 * time,
        "spring.work": -(np.sin(3 * time) ** 2),
        **wheels,
    }
    units = {"position": "m", "angle": "rad", "omega": "rad/s"}
    channels = [
        Channel(
            name, "1" if "slip" in name else units.get(name.split(".")[1], "J"), ("xyz",) if values.ndim == 2 else ()
        )
        for name, values in data.items()
    ]
    account = Account(Events([Event(0.5, "rope-taut", "rope")]))
    return Recording(time=time, data=data, channels=channels, account=account)


def families(run: Recording) -> dict[str, Figure]:
    speed = np.linspace(0, 10, 41)
    steps = 0.1 / 2.0 ** np.arange(6)
    return {
        "channels": figure_channels(run, ["arm.position", "arm.omega"]),
        "tracks": figure_tracks(run),
        "phase": figure_phase(run, "arm.angle", "arm.omega"),
        "energy": figure_energy(run),
        "tyre-use": figure_tyre_use(run),
        "eigenvalues": figure_eigenvalues(
            np.stack([5 - speed + 2j, 5 - speed - 2j], axis=1), speed, name="speed", unit="m/s"
        ),
        "plane of eigenvalues": figure_eigenvalues([-1 + 2j, -1 - 2j, 0.5]),
        "convergence": figure_convergence(steps, {"a": 3 * steps**2, "b": steps**4}),
    }


@pytest.fixture(scope="module")
def run() -> Recording:
    return recorded()


def show(browser: Browser, figure: Figure, folder: Path) -> None:
    path = save_figure(figure, folder / "figure.html")
    browser.open(path)
    browser.wait_for("!!(window.centrodeFigure && centrodeFigure.ready)")
    assert browser.evaluate("centrodeFigure.failure || ''") == ""


def ink(browser: Browser, panel: int = 0) -> int:
    """Pixels of a panel that carry colour (curves and cursor), not the greys of axes and text."""
    return browser.evaluate(
        f"""(() => {{
          const canvas = centrodeFigure.page.panels[{panel}].canvas;
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          let found = 0;
          for (let i = 0; i < data.length; i += 4) {{
            const [r, g, b, a] = data.slice(i, i + 4);
            if (a > 100 && Math.max(r, g, b) - Math.min(r, g, b) > 60) found++;
          }}
          return found;
        }})()"""
    )


def pixel(browser: Browser, panel: int, x: float, y: float) -> tuple[float, float]:
    """Where a point of a panel is on the page."""
    found = browser.evaluate(
        f"""(() => {{
          const panel = centrodeFigure.page.panels[{panel}], area = panel.canvas.getBoundingClientRect();
          return [area.left + panel.pixelX({x}), area.top + panel.pixelY({y})];
        }})()"""
    )
    return found[0], found[1]


def tip(browser: Browser) -> list[str]:
    return browser.evaluate(
        "document.querySelector('.tip').hidden ? [] "
        ": [...document.querySelectorAll('.tip div')].map(d => d.textContent)"
    )


@pytest.mark.parametrize("family", list(families(recorded())))
def test_every_family_is_an_offline_page_with_curves_and_units(
    browser: Browser, run: Recording, family: str, tmp_path: Path
) -> None:
    figure = families(run)[family]
    show(browser, figure, tmp_path)
    assert [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert browser.problems == []
    panels = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    assert browser.evaluate("centrodeFigure.page.panels.length") == len(panels)
    for k, axes in enumerate(panels):
        assert ink(browser, k) > 20 or family == "plane of eigenvalues"
        assert browser.evaluate(f"centrodeFigure.page.panels[{k}].entry.y.label") == axes.get_ylabel()


def test_an_empty_canvas_is_caught(browser: Browser, run: Recording, tmp_path: Path) -> None:
    show(browser, families(run)["phase"], tmp_path)
    assert ink(browser) > 20
    browser.evaluate("centrodeFigure.page.panels[0].curves.forEach(c => c.shown = false); centrodeFigure.page.draw()")
    assert ink(browser) == 0


def test_a_planted_script_from_a_network_is_refused(browser: Browser, run: Recording, tmp_path: Path) -> None:
    text = page_of_figure(families(run)["energy"])
    planted = tmp_path / "planted.html"
    planted.write_text(text.replace("<body>", '<body><script src="https://cdn.example.org/plot.js"></script>', 1))
    browser.open(planted)
    browser.wait_for("!!(window.centrodeFigure && centrodeFigure.ready)")
    assert any("Content Security Policy" in problem for problem in browser.problems)


def test_names_stay_text(browser: Browser, run: Recording, tmp_path: Path) -> None:
    wicked = "</script><script>window.pwned = 1</script>"
    show(browser, figure_channels(run, ["arm.angle"], title=wicked), tmp_path)
    assert browser.evaluate("window.pwned === undefined")
    assert browser.evaluate("document.querySelector('h1').textContent") == wicked


def test_numbers_of_the_page_are_the_recorded_ones(browser: Browser, run: Recording, tmp_path: Path) -> None:
    show(browser, families(run)["channels"], tmp_path)
    for k in range(3):
        shown = browser.evaluate(f"Array.from(centrodeFigure.page.panels[0].curves[{k}].ys)")
        assert shown == run["arm.position"][:, k].tolist()  # bit for bit
    assert browser.evaluate("Array.from(centrodeFigure.page.panels[0].curves[0].xs)") == run.time.tolist()


def test_values_with_units_stand_beside_the_pointer_and_the_time_is_one(
    browser: Browser, run: Recording, tmp_path: Path
) -> None:
    show(browser, families(run)["channels"], tmp_path)
    browser.move(*pixel(browser, 0, float(run.time[123]), 0.2))
    frame = 123
    position = run["arm.position"][frame]
    assert tip(browser)[0] == f"time = {run.time[frame]:.6g} s"
    for row, name, value in zip(tip(browser)[1:], "xyz", position, strict=True):
        label, _, rest = row.partition(" = ")
        number, unit = rest.split(" ")
        assert (label, unit) == (name, "m") and float(number) == pytest.approx(value, rel=5e-6)
    cursors = browser.evaluate("centrodeFigure.page.panels.map(p => p.cursor)")
    assert cursors == [run.time[frame]] * 2
    browser.move(2, 2)
    browser.wait_for("centrodeFigure.page.panels.every(p => p.cursor === null)")
    assert tip(browser) == []


def test_points_in_a_plane_move_with_the_time_of_the_pointer(browser: Browser, run: Recording, tmp_path: Path) -> None:
    show(browser, families(run)["tyre-use"], tmp_path)
    browser.move(*pixel(browser, 0, float(run.time[300]), 0.05))
    assert browser.evaluate("centrodeFigure.page.panels[1].cursor") == run.time[300]
    assert browser.evaluate("(p => p.indexAt(p.curves[0], p.cursor))(centrodeFigure.page.panels[1])") == 300
    # And the other way: a point of the track tells its time.
    show(browser, families(run)["tracks"], tmp_path)
    x, y, _ = run["arm.position"][77]
    browser.move(*pixel(browser, 0, x, y))
    assert tip(browser)[0] == "arm" and tip(browser)[-1] == f"time = {run.time[77]:.6g} s"
    assert browser.evaluate("centrodeFigure.page.panels[1].cursor") == run.time[77]


def test_drag_and_wheel_zoom_all_panels_of_one_time_and_a_double_click_ends_it(
    browser: Browser, run: Recording, tmp_path: Path
) -> None:
    show(browser, families(run)["energy"], tmp_path)
    view = "centrodeFigure.page.panels.map(p => [p.view.x0, p.view.x1])"
    whole = browser.evaluate(view)
    start, end = pixel(browser, 0, 0.5, 2.0), pixel(browser, 0, 1.5, 2.0)
    browser.drag(start, end)
    zoomed = np.array(browser.evaluate(view))
    one = 2.0 / browser.evaluate("centrodeFigure.page.panels[0].area.width")  # a pixel in seconds
    assert np.abs(zoomed - [0.5, 1.5]).max() < 1.5 * one and zoomed.shape == (3, 2)
    browser.wheel(*pixel(browser, 0, 1.0, 2.0), -300)
    browser.wait_for("centrodeFigure.page.panels[2].view.x1 < 1.45")
    browser.evaluate("centrodeFigure.page.panels[1].canvas.dispatchEvent(new MouseEvent('dblclick'))")
    assert browser.evaluate(view) == whole


def test_a_click_on_a_name_hides_its_curve_in_every_panel(browser: Browser, run: Recording, tmp_path: Path) -> None:
    show(browser, families(run)["tyre-use"], tmp_path)
    browser.move(2, 2)
    browser.wait_for("centrodeFigure.page.panels.every(p => p.cursor === null && !p.hit)")
    shown = "centrodeFigure.page.panels.map(p => p.curves.find(c => c.label === 'front').shown)"
    left, top = browser.evaluate(
        "(r => [r.left + r.width / 2, r.top + r.height / 2])"
        "(document.querySelector('.legend button').getBoundingClientRect())"
    )
    browser.click(left, top)
    assert browser.evaluate(shown) == [False, False]
    without = ink(browser)
    browser.click(left, top)
    assert browser.evaluate(shown) == [True, True]
    assert ink(browser) > 1.5 * without  # two curves of about the same length, one of them hidden


def test_log_scales_and_equal_scales(browser: Browser, run: Recording, tmp_path: Path) -> None:
    show(browser, families(run)["convergence"], tmp_path)
    distances = browser.evaluate(
        "(p => [p.pixelY(1e-2) - p.pixelY(1e-1), p.pixelY(1e-4) - p.pixelY(1e-3)])(centrodeFigure.page.panels[0])"
    )
    assert distances[0] == pytest.approx(distances[1])
    assert "a: order 2.00" in browser.evaluate("document.querySelector('.legend').textContent")
    show(browser, families(run)["tracks"], tmp_path)
    scales = browser.evaluate(
        "(p => [p.pixelX(1) - p.pixelX(0), p.pixelY(0) - p.pixelY(1)])(centrodeFigure.page.panels[0])"
    )
    assert scales[0] == pytest.approx(scales[1])


def test_a_damaged_page_says_so(browser: Browser, run: Recording, tmp_path: Path) -> None:
    text = page_of_figure(families(run)["energy"])
    mark = 'id="centrode-figure-numbers">'
    at = text.index(mark) + len(mark)
    (tmp_path / "damaged.html").write_text(text[:at] + "AAAA" + text[at + 400 :])
    browser.open(tmp_path / "damaged.html")
    browser.wait_for("!!(window.centrodeFigure && centrodeFigure.ready)")
    assert "cannot be shown" in browser.evaluate("document.querySelector('.failure').textContent")


# -- the command -------------------------------------------------------------------------------------------------------

PENDULUM = """
centrode: 1
title: Pendulum
bodies:
  bar: {mass: 1 kg, inertia: [1e-3, 8e-2, 8e-2], position: [0, 0, -0.5]}
joints:
  hinge: {kind: revolute, a: ground, b: bar, at: [0, 0, 0], axis: [0, 1, 0]}
run: {duration: 0.5 s, frames: 10 ms, method: rk4-projected, step: 5 ms}
"""


def test_the_command_writes_pages_of_every_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pendulum.yaml").write_text(
        PENDULUM.replace(
            "position: [0, 0, -0.5]", "position: [0, 0, -0.5], velocity: [-0.25, 0, 0], omega: [0, 0.5, 0]"
        )
    )
    assert centrode(["run", "pendulum.yaml", "-o", "run.nc"]) == 0
    for arguments in (
        ["bar.position"],
        ["tracks"],
        ["phase", "bar.position.x", "bar.velocity.x"],
        ["energy"],
        ["convergence", "bar.position", "--step", "0.02", "--step", "0.01", "--step", "0.005", "--duration", "0.4"],
        ["eigenvalues", "--over", "bodies.bar.mass=0.5:2:4"],
    ):
        assert centrode(["plot", "run.nc", *arguments, "--html", f"{arguments[0]}.html"]) == 0
        text = Path(f"{arguments[0]}.html").read_text()
        assert "Content-Security-Policy" in text and "Pendulum" in text and len(text) < 200_000
    capsys.readouterr()
    assert centrode(["plot", "run.nc", "energy", "-o", "both.svg", "--html", "both.html"]) == 0
    assert "both.html, both.svg" in capsys.readouterr().out
    assert centrode(["plot", "run.nc", "eigenvalues", "--over", "bodies.bar.mass=1"]) == 2
    assert "not a range" in capsys.readouterr().err
    with pytest.raises(InputError, match="ends in"):
        save_figure(Figure(), tmp_path / "x.doc")
