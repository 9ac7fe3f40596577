"""Fins, foil sections, hydrodynamics, propeller, autopilots: what they do at single states, and what they refuse."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import centrode as ct
from centrode.dynamics.contract import check_part
from centrode.errors import InputError
from centrode.parts.controllers.autopilot import Autopilot, wrapped
from centrode.parts.controllers.line_of_sight import LineOfSight
from centrode.parts.forces.fin import Fin
from centrode.parts.forces.foil_section import (
    finite_span_factors,
    flow_angle,
    foil_coefficients,
    full_table,
    naca0012_rows,
    pack_section,
)
from centrode.parts.forces.hydrodynamics import Hydrodynamics
from centrode.parts.forces.propeller import Propeller
from centrode.running import Session
from centrode.system.settings import RunSettings
from centrode.vehicles.auv import Auv
from centrode.vehicles.auv_remus import AuvRemus

PACKED = np.array(pack_section("naca0012", ""))
SMOOTH = np.array(pack_section("naca0012-smooth", ""))


@given(st.floats(-math.pi, math.pi), st.integers(-2, 2))
def test_table_is_linear_between_its_rows_and_repeats_every_turn(alpha, turns):
    rows = naca0012_rows()
    degrees = abs(math.degrees(alpha))
    lift = np.sign(alpha) * np.interp(degrees, rows[:, 0], rows[:, 1])
    drag = np.interp(degrees, rows[:, 0], rows[:, 2])
    found = foil_coefficients(PACKED, 0, alpha + 2.0 * math.pi * turns)
    # Round-off of the angle times the steepest slope, 0.43 per degree.
    assert found[0] == pytest.approx(lift, abs=1e-12)
    assert found[1] == pytest.approx(drag, abs=1e-12)


@given(st.floats(-math.pi, math.pi))
def test_a_table_off_the_whole_degrees_gives_the_same_lines(alpha):
    """Rows between whole degrees put the table into its general form; a row on a straight line changes nothing."""
    rows = naca0012_rows()
    between = np.vstack([rows[:5], 0.5 * (rows[4] + rows[5]), rows[5:]])
    general = np.array(pack_section(between, ""))
    assert general[0] != PACKED[0]
    assert np.allclose(foil_coefficients(general, 0, alpha), foil_coefficients(PACKED, 0, alpha), atol=1e-12)


@given(st.floats(-4.0, 4.0), st.floats(0.0, 4.0))
def test_flow_angle_is_that_of_the_library(across, along):
    assert flow_angle(across, along) == pytest.approx(math.atan2(across, along), abs=1e-15)


@pytest.mark.parametrize(
    ("degrees", "lift", "drag"),
    [(5, 0.548, 0.0107), (10, 0.975, 0.0259), (20, 0.663, 0.231), (45, 1.046, 0.961), (90, 0.082, 1.914),
     (135, -0.930, 0.961), (170, -0.888, 0.065)],
)  # fmt: skip
def test_smooth_form_at_its_printed_angles(degrees, lift, drag):
    found = foil_coefficients(SMOOTH, 0, math.radians(degrees))
    assert found[0] == pytest.approx(lift, abs=5e-4)
    assert found[1] == pytest.approx(drag, abs=5e-4)
    mirrored = foil_coefficients(SMOOTH, 0, -math.radians(degrees))
    assert mirrored[0] == -found[0]
    assert mirrored[1] == found[1]


def test_smooth_form_is_near_the_table_outside_the_dip():
    rows = naca0012_rows()
    rows = rows[(rows[:, 0] < 11) | (rows[:, 0] > 16)]
    found = np.array([foil_coefficients(SMOOTH, 0, math.radians(a)) for a in rows[:, 0]])
    rms = np.sqrt(np.mean((found - rows[:, 1:]) ** 2, axis=0))
    assert rms == pytest.approx([0.050, 0.072], abs=1e-3)


def test_helmbold_slope_of_the_lectures_fin():
    """Effective aspect ratio 3.2: 3.48 per radian against 2 pi of the section."""
    downwash, induced = finite_span_factors(3.2)
    assert 2.0 * math.pi * (1.0 - 2.0 * downwash) == pytest.approx(3.48, abs=5e-3)
    assert induced == pytest.approx(1.0 / (math.pi * 3.2))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(0, 0, 0.01), (5, 0.5, 0.01), (4, 0.4, 0.01), (180, 0, 0.02)], "do not rise.*5.0, 4.0.*rows 2 and 3"),
        ([(0, 0, 0.01), (5, 0.5, 0.01), (60, 0.9, 1.0), (180, 0, 0.02)], "has a gap.*5.0, 60.0"),
        ([(a, 0.0, 0.01) for a in range(0, 95, 5)], "does not cover the turn"),
        ([(a, 0.1, 0.01) for a in range(0, 181, 10)], "no lift at 0 and 180"),
        ([(a, 0.0, -0.01) for a in range(0, 181, 10)], "negative drag"),
        ([(0, 0.0), (180, 0.0)], "not a foil table"),
        ("flat", "unknown foil section"),
    ],
)
def test_bad_foil_tables_are_refused(rows, message):
    given_as = {"section": rows} if isinstance(rows, str) else {"table": tuple(rows)}
    with pytest.raises(InputError, match=message):
        Fin("fin", "body", 0.01, **given_as).checked()


def test_a_table_over_the_half_turn_is_continued_oddly():
    table = full_table(naca0012_rows(), "")
    assert table[0, 0] == -180.0 and table[-1, 0] == 180.0
    assert np.array_equal(table[:, 1], -table[::-1, 1])
    assert np.array_equal(table[:, 2], table[::-1, 2])


@pytest.mark.parametrize("kind", [Fin, Hydrodynamics, Propeller])
def test_contract_of_the_marine_forces(kind):
    failed = [str(item) for item in check_part(kind) if item.passed is False]
    assert failed == []


def single(force, velocity, omega=(0.0, 0.0, 0.0)):
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("b", 1.0, (1.0, 1.0, 1.0), velocity=velocity, omega=omega))
    system.add(force)
    session = Session(system, RunSettings(audit=False))
    session.workspace.evaluate(0.0)
    return session.workspace["wrench"][0].copy()


def test_fin_at_rest_gives_no_force_and_a_sideways_flow_only_drag():
    assert not single(Fin("f", "b", 0.01), (0.0, 0.0, 0.0)).any()
    # Span y: the flow along the span does nothing.
    assert np.abs(single(Fin("f", "b", 0.01), (0.0, 3.0, 0.0))).max() < 1e-15


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-0.5, 0.5))
def test_fin_never_drives_its_body(u, w, deflection):
    """Drag is positive and lift does no work: F . v <= 0 for any flow and deflection."""
    force = single(Fin("f", "b", 0.01, command=deflection), (u, 0.7, w))
    assert force[:3] @ np.array([u, 0.7, w]) <= 1e-12 * (1.0 + u * u + w * w) ** 1.5


LIGHT, BLUNT = (tuple((10.0 * k, 0.0, drag) for k in range(19)) for drag in (0.1, 0.4))
"""Sections without lift and with the same drag at every angle."""


def test_fins_of_one_section_read_it_from_one_place_and_each_reads_its_own():
    """F = rho/2 A V^2 CD against the flow, CD 0.1 and 0.4; a fin with a known section takes one number more."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for name, table in (("a", LIGHT), ("b", BLUNT), ("c", LIGHT)):
        system.add(ct.RigidBody(name, 1.0, (1.0, 1.0, 1.0), velocity=(2.0, 0.0, 0.0)))
        system.add(Fin(f"fin_{name}", name, 0.01, table=table))
    session = Session(system, RunSettings(audit=False))
    session.workspace.evaluate(0.0)
    drag = [-0.5 * 1000.0 * 0.01 * 4.0 * coefficient for coefficient in (0.1, 0.4, 0.1)]
    assert session.workspace["wrench"][:, 0] == pytest.approx(drag, rel=1e-12)
    sections = {table: len(pack_section(table, "")) for table in (LIGHT, BLUNT)}
    assert session.workspace["data"].size == 3 + sum(sections.values())


def test_a_section_stays_while_a_run_goes_on():
    """Other fins may read the same table; a change that seems to be taken and is not would be worse than a refusal."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("b", 1.0, (1.0, 1.0, 1.0), velocity=(2.0, 0.0, 0.0)))
    system.add(Fin("f", "b", 0.01, table=LIGHT))
    system.change(0.1, "f", area=0.02)
    ct.simulate(system, duration=0.2)
    system.change(0.15, "f", table=BLUNT)
    with pytest.raises(InputError, match="no other place, road or foil section"):
        ct.simulate(system, duration=0.2)


def test_propeller_law_and_loss_of_thrust():
    bollard = single(Propeller("p", "b", 0.1, command=20.0), (0.0, 0.0, 0.0))
    assert bollard[0] == pytest.approx(1000.0 * 0.1**4 * 0.4566 * 400.0)
    assert bollard[3] == pytest.approx(-1000.0 * 0.1**5 * 0.07 * 400.0)
    moving = single(Propeller("p", "b", 0.1, command=20.0, thrust_slope=0.4, wake=0.1), (1.0, 0.0, 0.0))
    advance = 0.9 * 1.0 / (20.0 * 0.1)
    assert moving[0] == pytest.approx(1000.0 * 0.1**4 * 400.0 * (0.4566 - 0.4 * advance))
    assert single(Propeller("p", "b", 0.1, command=-20.0), (0.0, 0.0, 0.0))[0] == -bollard[0]


def test_hydrodynamics_with_full_matrices_is_the_matrix_product():
    rng = np.random.default_rng(3)
    linear, quadratic, speed = (rng.normal(size=(6, 6)) for _ in range(3))
    nu = np.array([0.7, -0.4, 0.3, 0.2, -0.6, 0.5])
    force = single(Hydrodynamics("h", "b", linear, quadratic, speed), tuple(nu[:3]), tuple(nu[3:]))
    expected = -(linear + quadratic * np.abs(nu) - speed * nu[0]) @ nu
    assert np.allclose(force, expected, atol=1e-13)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Hydrodynamics("h", "b", linear=(1.0, 2.0)), "unreadable coefficients"),
        (Hydrodynamics("h", "b", speed_terms=((2, 7, 1.0),)), "no such entry"),
        (Propeller("p", "b", -0.1), "must be positive"),
        (Fin("f", "b", 0.01, span=(1.0, 0.0, 0.0)), "span and chord are parallel"),
        (Fin("f", "b", 0.01, lower=0.2, upper=-0.2), "not below"),
        (Auv("a", fin_layout="star"), "unknown choice"),
        (Auv("a", mass_matrix=(10.0, 10.0, -1.0, 1.0, 5.0, 5.0)), "not positive definite"),
        (Auv("a", orientation=(0.5, 0.5, 0.0, 0.0)), "far from unit length"),
        (Auv("a", fin_commands=(0.1,)), "4 numbers are needed"),
        (Autopilot("p", inputs=("fin1",)), "fins, then the thruster"),
        (LineOfSight("p", inputs=tuple("abcde"), waypoints=((0, 0),)), "two waypoints or more"),
        (LineOfSight("p", inputs=tuple("abcde"), waypoints=((0, 0), (0, 0))), "same place"),
    ],
)
def test_bad_marine_parts_are_refused(part, message):
    with pytest.raises(InputError, match=message):
        part.checked()


def test_vehicle_adds_its_parts_under_its_own_name():
    system = ct.System(gravity=(0.0, 0.0, 9.81))
    system.add(Auv("fish"))
    names = set(system.parts)
    assert {"fish", "fish.hull", "fish.hydrodynamics", "fish.fin1", "fish.fin4", "fish.thruster"} <= names
    assert all(name.startswith("fish") for name in names)


def test_remus_like_mass_is_positive_definite_and_its_drawing_complete():
    remus = AuvRemus("r").checked()
    shapes = [visual.data()["shape"] for visual in remus.visuals(None)]
    assert shapes == ["mesh", "mesh", "mesh", "mesh", "mesh", "propeller"]


def test_drawn_fin_is_the_lectures_polygon():
    from centrode.vehicles.auv_shape import fin_mesh

    vertices, _ = fin_mesh(0.1, 0.12)
    x, y = np.array(vertices)[:4, 0], np.array(vertices)[:4, 1]
    area = 0.5 * abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    assert area == pytest.approx(0.009, abs=1e-15)


@given(st.floats(-20.0, 20.0))
def test_wrapped_angles_lie_in_half_a_turn_and_differ_by_whole_turns(angle):
    found = wrapped(angle)
    assert abs(found) <= math.pi + 1e-12
    assert math.remainder(found - angle, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)
