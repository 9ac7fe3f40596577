"""Figures by family: every axis carries its unit, what is drawn is what was recorded, wrong names are answered."""

from __future__ import annotations

import numpy as np
import pytest

from centrode.errors import InputError
from centrode.plots.channels import figure_channels
from centrode.plots.convergence import figure_convergence, measured_order
from centrode.plots.eigenvalues import figure_eigenvalues
from centrode.plots.energy import audit_rows, figure_energy, largest_works
from centrode.plots.figure import save_figure
from centrode.plots.phase import figure_phase
from centrode.plots.tracks import figure_tracks
from centrode.plots.tyre_use import figure_tyre_use
from centrode.recording.channel import Channel
from centrode.recording.events import Event, Events
from centrode.recording.provenance import Account
from centrode.recording.recording import Recording


@pytest.fixture
def run() -> Recording:
    time = np.linspace(0.0, 2.0, 81)
    data = {
        "arm.position": np.stack([np.cos(time), np.sin(time), 0.1 * time], axis=1),
        "arm.angle": np.sin(3 * time),
        "arm.omega": 3 * np.cos(3 * time),
        "energy.kinetic": 4.5 * np.cos(3 * time) ** 2,
        "energy.total": np.full(81, 4.5),
        "energy.residual": 1e-9 * time,
        "spring.work": -(np.sin(3 * time) ** 2),
        "idle.work": np.zeros(81),
    }
    units = {"position": "m", "angle": "rad", "omega": "rad/s"}
    channels = [
        Channel(name, units.get(name.split(".")[1], "J"), ("xyz",) if values.ndim == 2 else ())
        for name, values in data.items()
    ]
    events = Events([Event(0.5, "rope-taut", "rope"), Event(0.0, "note", "text")])
    return Recording(time=time, data=data, channels=channels, account=Account(events))


def labels(figure) -> list[str]:
    return [text for panel in figure.axes for text in (panel.get_xlabel(), panel.get_ylabel()) if text]


def test_channels_show_the_recorded_values_with_units(run):
    figure = figure_channels(run, ["arm.position", "arm.omega", "arm.position.y"])
    assert [panel.get_ylabel() for panel in figure.axes] == [
        "arm.position [m]",
        "arm.omega [rad/s]",
        "arm.position.y [m]",
    ]
    assert figure.axes[-1].get_xlabel() == "time [s]"
    drawn = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 81]
    for k, line in enumerate(drawn):
        assert np.array_equal(line.get_ydata(), run["arm.position"][:, k])
    assert any(list(line.get_xdata()) == [0.5, 0.5] for line in figure.axes[1].lines)  # the event, not the note


def test_tracks_have_equal_scales_and_both_views(run):
    figure = figure_tracks(run)
    assert labels(figure) == ["x [m]", "y [m]", "x [m]", "z [m]"]
    assert all(panel.get_aspect() == 1.0 for panel in figure.axes)
    with pytest.raises(InputError, match="did you mean 'arm'"):
        figure_tracks(run, ["aarm"])


def test_phase_draws_one_channel_against_another(run):
    figure = figure_phase(run, "arm.angle", "arm.omega")
    assert labels(figure)[:2] == ["arm.angle [rad]", "arm.omega [rad/s]"]
    pieces = figure.axes[0].collections[0].get_segments()
    assert np.array_equal(pieces[0][0], [run["arm.angle"][0], run["arm.omega"][0]])
    with pytest.raises(InputError, match="not a scalar"):
        figure_phase(run, "arm.position", "arm.omega")


def test_energy_audit_names_what_did_work(run):
    assert largest_works(run) == ["spring.work"]
    figure = figure_energy(run)
    assert [panel.get_ylabel() for panel in figure.axes] == ["energy [J]", "work done [J]", "residual [J]"]
    rows = {row[0]: row[1:] for row in audit_rows(run)}
    assert rows["energy.kinetic"][0] == 4.5
    assert rows["energy.residual"][2] == pytest.approx(2e-9)


def test_tyre_use_shows_the_slips_of_a_vehicle(run):
    data = {f"car.{wheel}.slip_{way}": np.sin(run.time) for wheel in ("front", "rear") for way in ("ahead", "side")}
    slips = Recording(time=run.time, data=data, channels=[Channel(name) for name in data])
    figure = figure_tyre_use(slips)
    assert [line.get_label() for line in figure.axes[0].lines] == ["front", "rear"]
    assert np.allclose(figure.axes[0].lines[0].get_ydata(), np.sqrt(2) * np.abs(np.sin(run.time)))
    with pytest.raises(InputError, match="no such wheel"):
        figure_tyre_use(slips, ["bus"])
    with pytest.raises(InputError, match="no slips"):
        figure_tyre_use(run)


def test_a_recording_without_energy_says_so(run):
    bare = Recording(time=run.time, data={"a": run["arm.angle"]}, channels=[Channel("a", "rad")])
    with pytest.raises(InputError, match="no energies"):
        figure_energy(bare)
    with pytest.raises(InputError, match="no frames"):
        figure_channels(Recording(time=np.zeros(0), data={"a": np.zeros(0)}, channels=[Channel("a")]), ["a"])


def test_eigenvalues_over_a_parameter_mark_where_all_decay():
    speed = np.linspace(0, 10, 21)
    values = np.stack([5.0 - speed + 2j, 5.0 - speed - 2j], axis=1)
    figure = figure_eigenvalues(values, speed, name="speed", unit="m/s")
    assert labels(figure) == ["real part [1/s]", "speed [m/s]", "imaginary part [rad/s]"]
    (stable,) = figure.axes[0].patches
    assert stable.get_extents().transformed(figure.axes[0].transData.inverted()).x0 == pytest.approx(5.5)
    with pytest.raises(InputError, match="one row"):
        figure_eigenvalues(values, speed[:3])


@pytest.mark.parametrize("order", [1, 2, 4])
def test_measured_order_is_that_of_the_errors(order):
    steps = 0.1 / 2.0 ** np.arange(6)
    assert measured_order(steps, 3.0 * steps**order) == pytest.approx(order, abs=1e-9)
    figure = figure_convergence(steps, {"method": 3.0 * steps**order})
    assert figure.axes[0].get_legend().get_texts()[0].get_text() == f"method: order {order:.2f}"
    assert labels(figure) == ["step [s]", "error [m]"]


def test_measured_order_leaves_out_rounding_error():
    steps = 0.1 / 2.0 ** np.arange(12)
    errors = np.maximum(steps**4, 3e-15)
    assert measured_order(steps, errors) == pytest.approx(4.0, abs=0.15)


def test_files_are_the_same_every_time_and_bad_names_are_refused(run, tmp_path):
    for ending in (".png", ".svg", ".pdf"):
        one = save_figure(figure_channels(run, ["arm.angle"]), tmp_path / f"one{ending}")
        two = save_figure(figure_channels(run, ["arm.angle"]), tmp_path / f"two{ending}")
        assert one.stat().st_size > 1000
        if ending != ".svg":
            assert one.read_bytes() == two.read_bytes()
    with pytest.raises(InputError, match="unknown kind of figure"):
        save_figure(figure_channels(run, ["arm.angle"]), tmp_path / "figure.doc")
    with pytest.raises(InputError, match="too many channels"):
        figure_channels(run, ["arm.angle"] * 13)
