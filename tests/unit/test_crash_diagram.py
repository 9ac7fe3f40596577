"""Scale diagrams: dents in the plan of a vehicle, true scale on paper, settings and their faults."""

from __future__ import annotations

import math

import numpy as np
import pytest
from unit.test_crash_damage import car_plan

from centrode.crash.diagram import SCALES, Scenery, State, _cautions, _panel, fitting_scale, mark_named, nice_step
from centrode.crash.diagram_labels import Label, place_labels
from centrode.crash.diagram_settings import measure_of, read_settings, read_survey, scale_of
from centrode.errors import InputError
from centrode.parts.structures.stations import SIDE_STATIONS


def area(line):
    x, y = line.T
    return 0.5 * abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))))


def test_a_dent_takes_its_area_out_of_the_plan():
    plan = car_plan()
    whole = plan.dented({})
    assert np.array_equal(whole, plan.line)
    depth = 0.5
    pushed = plan.dented({"front": np.full(SIDE_STATIONS["front"], depth)})
    # 0.5 m over the width of 1.8 m; round corners and points of 2 cm leave a few square centimetres
    assert area(whole) - area(pushed) == pytest.approx(depth * plan.width, abs=0.02)
    assert pushed[:, 0].max() == pytest.approx(plan.high[0] - depth, abs=0.01)
    assert pushed[:, 0].min() == whole[:, 0].min()


def test_a_dent_in_the_door_stays_where_it_is():
    """A notch stood at the wrong end of a car: the line of the front was read at the place of its side."""
    plan = car_plan()
    depths = np.zeros(SIDE_STATIONS["left"])
    depths[13:19] = 0.4
    front = np.zeros(SIDE_STATIONS["front"])
    front[-3:] = 0.7
    made = plan.dented({"left": depths, "front": front})
    moved = np.abs(made - plan.line).max(axis=1) > 0.2
    low = plan.low[0] + plan.length * 12 / 24
    assert plan.line[moved, 0].min() > low - 0.1
    assert made[:, 0][plan.line[:, 0] < low - 0.2] == pytest.approx(plan.line[:, 0][plan.line[:, 0] < low - 0.2])


def test_a_metre_is_a_metre_over_the_scale_on_paper():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(297 / 25.4, 210 / 25.4), dpi=254)
    panel = _panel(figure, (8.0, 8.0, 190.0, 190.0), 200.0, np.array([3.0, 4.0]))
    one, two = panel.transData.transform([(3.0, 4.0), (13.0, 4.0)])
    # 10 m at 1:200 are 50 mm: 500 dots of 0.1 mm
    assert two[0] - one[0] == pytest.approx(500.0, abs=1e-6)
    three = panel.transData.transform((3.0, 14.0))
    assert three[1] - one[1] == pytest.approx(500.0, abs=1e-6)


def test_scales_fit_and_refuse():
    low, high = np.zeros(2), np.array([40.0, 10.0])
    scale = fitting_scale(low, high, (190.0, 190.0), 0.0)
    assert scale in SCALES
    assert 1e3 * 40.0 / scale <= 190.0
    assert fitting_scale(low, high, (190.0, 190.0), 500.0) == 500.0
    with pytest.raises(InputError, match="1:250"):
        fitting_scale(low, high, (190.0, 190.0), 100.0)
    assert [nice_step(x) for x in (0.9, 1.0, 1.1, 3.0, 7.0)] == [1.0, 1.0, 2.0, 5.0, 10.0]


def test_labels_keep_clear_of_each_other():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(297 / 25.4, 210 / 25.4))
    panel = _panel(figure, (8.0, 8.0, 190.0, 190.0), 200.0, np.zeros(2))
    labels = [Label(f"A{k}", np.array([0.1 * k, 0.0]), "black") for k in range(8)]
    places = place_labels(panel, labels, 200.0, [])
    for k, one in enumerate(places):
        for two in places[:k]:
            apart = np.abs(one - two) / 0.2  # mm
            assert apart[0] > 5.6 or apart[1] > 4.0


def test_marks_by_name_and_by_place():
    scenery = Scenery(points={"impact 1": np.array([1.0, 2.0])})
    assert tuple(mark_named(scenery, "impact 1")) == (1.0, 2.0)
    assert tuple(mark_named(scenery, "3, -4.5")) == (3.0, -4.5)
    with pytest.raises(InputError, match="impact 1"):
        mark_named(scenery, "impakt 1")
    assert isinstance(State("x", 0.0, np.zeros((1, 2)), np.zeros(2), 0.0), State)


def test_settings_from_a_file(tmp_path):
    (tmp_path / "survey.csv").write_text("name, x [m], y [m], line\npost, 1, 2,\nk1, 0, 0, kerb\n, 5, 0, kerb\n")
    (tmp_path / "scene.yaml").write_text(
        "scale: 1:250\npaper: A3\nnorth: 70 deg\nsurvey: survey.csv\nmeasures: [post : k1]\n"
    )
    made = read_settings(tmp_path / "scene.yaml")
    assert (made.scale, made.paper, made.measures) == (250.0, "a3", (("post", "k1"),))
    assert made.north == pytest.approx(math.radians(70.0))
    assert made.survey.points["post"] == (1.0, 2.0)
    assert made.survey.lines["kerb"].tolist() == [[0.0, 0.0], [5.0, 0.0]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("scal: 200\n", "scale"),
        ("paper: a5\n", "a4"),
        ("\nphoto: {file: none.png, width: 3}\n", "no such file"),
        ("scale: wide\n", "not a scale"),
        ("north: 30\n", r"scene.yaml:1: north: an angle without unit.*did you mean `30 deg` \(0.5236 rad\)"),
        ("north: 1.5\n", "did you mean `1.5 deg`"),
        ("north: 5 kg\n", "is a mass.*expected an angle"),
        ("photo: {file: scene.yaml, width: 3 m, turn: 5}\n", "photo.turn: an angle without unit.*`5 deg`"),
        ("measures: [here]\n", "colon"),
        ("photo: {file: x}\n", "width"),
        ("survey: none.csv\n", "no such file"),
    ],
)
def test_wrong_settings_are_named(tmp_path, text, said):
    file = tmp_path / "scene.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match=said):
        read_settings(file)


def test_wrong_surveys_have_a_line(tmp_path):
    file = tmp_path / "s.csv"
    file.write_text("name,x,y\na,1,2\nb,one,2\n")
    with pytest.raises(InputError, match=r"s.csv:3.*not a place"):
        read_survey(file)
    file.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="columns name, x, y"):
        read_survey(file)
    assert scale_of("1:200") == scale_of(200) == 200.0
    assert measure_of("a : b") == ("a", "b")


def test_a_sheet_of_a_run_that_ended_early_says_so_at_its_top():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(297 / 25.4, 210 / 25.4))
    _cautions(figure, ["THE RUN ENDED EARLY, at 1 s: " + "why " * 100], (297.0, 210.0))
    (said,) = figure.texts
    assert said.get_text().startswith("THE RUN ENDED EARLY")
    box = said.get_window_extent()
    assert box.x1 < figure.bbox.x1
    assert box.y1 > 0.9 * figure.bbox.y1
    _cautions(figure, [], (297.0, 210.0))
    assert len(figure.texts) == 1
