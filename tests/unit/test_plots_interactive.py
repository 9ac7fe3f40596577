"""Figures read back for a page: curves, marks, bands, texts, scales and times as matplotlib would draw them."""

from __future__ import annotations

import base64
import json
import re
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from centrode.errors import InputError
from centrode.plots import interactive
from centrode.plots.figure import new_figure, with_times
from centrode.plots.interactive import _Columns, figure_data, page_of_figure


def read_back(figure: Figure) -> tuple[dict, list[np.ndarray]]:
    """Data and columns of a page, decoded as its script does."""
    text = page_of_figure(figure)
    data = json.loads(re.search(r'id="centrode-figure-data">(.*?)</script>', text)[1])
    packed = re.search(r'id="centrode-figure-numbers">(.*?)</script>', text)[1]
    raw = np.frombuffer(zlib.decompress(base64.b64decode(packed)), np.uint8)
    columns, at = [], 0
    for count in data["columns"]:
        columns.append(np.frombuffer(raw[at : at + 8 * count].reshape(8, count).T.tobytes(), "<f8"))
        at += 8 * count
    assert at == len(raw)
    return data, columns


def test_curves_marks_bands_and_texts_are_found() -> None:
    figure, panels = new_figure(1, 2)
    left, right = panels[0]
    x = np.linspace(0.1, 1.0, 7)
    left.plot(x, x**2, "--", color="#d55e00", lw=2, label="square")
    left.axvline(0.5, color="0.5", ls=":")
    left.axhline(0.0, color="black")
    left.axvspan(0.2, 0.4, color="#009e73", alpha=0.12, label="stable")
    left.annotate("here", (0.5, 0.25), xytext=(0.6, 0.1))
    left.set(xlabel="speed [m/s]", ylabel="force [N]", title="A title")
    right.loglog(x, x**-3, "s", mfc="none")
    right.set_aspect("equal", adjustable="datalim")
    data, columns = read_back(figure)
    one, two = data["panels"]
    (curve,) = one["curves"]
    assert (curve["label"], curve["colour"], curve["width"], curve["dash"]) == ("square", "#d55e00", 2.0, [6, 4])
    assert np.array_equal(columns[curve["x"]], x) and np.array_equal(columns[curve["y"]], x**2)
    assert [(mark["axis"], mark["at"]) for mark in one["marks"]] == [("x", 0.5), ("y", 0.0)]
    (band,) = one["bands"]
    assert (band["low"], band["high"], band["label"]) == (0.2, pytest.approx(0.4), "stable")
    assert one["texts"] == [{"x": 0.5, "y": 0.25, "text": "here"}]
    assert (one["x"]["label"], one["y"]["label"], one["title"]) == ("speed [m/s]", "force [N]", "A title")
    assert two["x"]["log"] and two["y"]["log"] and two["equal"] and two["curves"][0]["hollow"]
    assert two["curves"][0]["x"] == curve["x"]  # equal columns are written once


def test_times_of_a_track_and_links_of_panels() -> None:
    figure, panels = new_figure(2, 1, share_x=True)
    time = np.linspace(0, 1, 5)
    for panel in panels[:, 0]:
        panel.plot(time, time)
    panels[1, 0].set_xlabel("time [s]")
    data, _ = read_back(figure)
    assert [panel["link"] for panel in data["panels"]] == ["time", "time"]
    assert all(curve["t"] == -1 for panel in data["panels"] for curve in panel["curves"])
    figure, panels = new_figure()
    with_times(panels[0, 0].plot(np.cos(time), np.sin(time))[0], time)
    data, columns = read_back(figure)
    assert data["panels"][0]["link"] == "" and np.array_equal(columns[data["panels"][0]["curves"][0]["t"]], time)


def test_a_second_scale_gets_a_row_of_its_own_and_a_colour_bar_none() -> None:
    from centrode.plots.phase import figure_phase
    from centrode.recording.channel import Channel
    from centrode.recording.recording import Recording

    figure = Figure()
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1])
    axes.twinx().plot([0, 1], [5, 6])
    places = [tuple(panel["place"]) for panel in read_back(figure)[0]["panels"]]
    assert places == [(0, 1, 0, 1), (1, 2, 0, 1)]
    time = np.linspace(0, 1, 9)
    run = Recording(time=time, data={"a": time, "b": time**2}, channels=[Channel("a", "m"), Channel("b", "N")])
    data, columns = read_back(figure_phase(run, "a", "b"))
    (panel,) = data["panels"]
    assert panel["coloured"] == "time [s]"
    shaded = panel["curves"][-1] if "shades" in panel["curves"][-1] else panel["curves"][0]
    assert np.allclose(columns[shaded["x"]], time) and np.array_equal(columns[shaded["t"]], time)


@given(st.lists(st.lists(st.floats(width=64), min_size=1, max_size=9), min_size=1, max_size=5))
def test_any_numbers_come_back_bit_for_bit(lists: list[list[float]]) -> None:
    columns = _Columns()
    places = [columns.add(values) for values in lists]
    raw, at, found = np.frombuffer(columns.bytes(), np.uint8), 0, []
    for count in columns.lengths:
        found.append(raw[at : at + 8 * count].reshape(8, count).T.tobytes())
        at += 8 * count
    assert [found[place] for place in places] == [np.array(values, "<f8").tobytes() for values in lists]


def test_too_much_for_one_page_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interactive, "MOST_NUMBERS", 10)
    figure, panels = new_figure()
    panels[0, 0].plot(np.arange(20.0), np.arange(20.0) ** 2)
    with pytest.raises(InputError, match="too much for one page"):
        figure_data(figure, _Columns())


def test_studies_of_fixed_methods_only() -> None:
    from centrode.scenario.loader import loads
    from centrode.studies.convergence import step_errors

    text = "centrode: 1\nbodies: {a: {mass: 1 kg, inertia: [1, 1, 1]}}\nrun: {duration: 1 s}\n"
    with pytest.raises(InputError, match="fixed step"):
        step_errors(loads(text), methods=["dop853"])
    with pytest.raises(InputError, match="two positive steps"):
        step_errors(loads(text), methods=["rk4-projected"], steps=[0.1])
