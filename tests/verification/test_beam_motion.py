"""Beams in motion: natural frequencies, conservation laws, fast rotation, and the same answer by every method."""

from __future__ import annotations

import math

import numpy as np
import pytest
from beam_statics import Statics

import centrode as ct
from centrode.math.rotation import matrix_from_quaternion
from centrode.system.model import build_model

pytestmark = pytest.mark.compiled

CANTILEVER = (1.875104068711961, 4.694091132974175, 7.854757438237613)
"""Roots of 1 + cos x cosh x = 0."""
FREE = (4.730040744862704, 7.853204624095838, 10.995607838001671)
"""Roots of 1 - cos x cosh x = 0."""


def slender(elements, *, axial=1e8, **values):
    """Rod of length 1, bending stiffness 1 and mass 1 per length; radius of gyration axial^(-1/2)."""
    area = axial * 1e-6
    section = {"section": "given", "area": area, "inertia_y": 1e-6, "inertia_z": 1e-6, "torsion_constant": 1e-6}
    material = {"young": 1e6, "poisson": 0.0, "density": 1.0 / area, "theory": "euler-bernoulli"}
    return ct.Beam("rod", length=1.0, elements=elements, **section, **(material | values))


def alone(beam, plane=False):
    system = ct.System(gravity=(0.0, 0.0) if plane else (0.0, 0.0, 0.0), plane=plane)
    system.add(beam)
    return system


@pytest.mark.parametrize(
    ("held", "first", "roots"), [(["rod.node0"], 0, CANTILEVER), ([], 6, FREE)], ids=["cantilever", "free"]
)
def test_frequencies_of_bending_are_of_order_three(held, first, roots):
    """Two modes each, in y and in z; the rotary inertia of the section lowers them by (k r)^2/2 = 1e-8 x^2.

    Differences of forces EA u of 1e8 x 1e-16 over steps of 1e-6 leave 1e-2 of a stiffness of 12 n^3: round-off of 2e-6.
    """
    errors = []
    for elements in (8, 16):
        found = Statics(alone(slender(elements)), held).frequencies()[first : first + 4]
        assert found[0::2] == pytest.approx(found[1::2], rel=1e-5)  # in both directions alike
        errors.append(np.abs(found[0::2] / np.square(roots[:2]) - 1.0))
    assert np.log2(errors[0] / errors[1]) == pytest.approx([3.0, 3.0], abs=0.25)  # (k h)^4 beside (k h)^3: see 8 to 16
    assert errors[1].max() < 1e-3


def test_frequencies_of_stretching_and_torsion():
    """Chain of equal masses, fixed and free: (2 c/h) sin(k h/2), k = pi/(2 L), an identity; differences leave 1e-8."""
    beam = slender(5, axial=1e4, theory="timoshenko", shear_factor=100.0)  # stiff against shear: its waves are faster
    found = Statics(alone(beam), ["rod.node0"]).frequencies()
    for speed in (math.sqrt(1e6 * 1e-2), math.sqrt(0.5e6 * 1e-2 / 2.0)):  # E/rho; G J / (rho (I_y + I_z))
        expected = 2.0 * speed / 0.2 * math.sin(0.25 * math.pi * 0.2)
        assert np.abs(found / expected - 1.0).min() < 1e-7


@pytest.mark.parametrize(("spin", "wright"), [(0.0, 3.5160), (2.0, 4.1373), (6.0, 7.3604), (12.0, 13.1702)])
def test_rotation_makes_a_beam_stiffer(spin, wright):
    """First frequency of flapping over sqrt(EI/(m L^4)), at angular rates over the same.

    Figures of A. D. Wright, C. E. Smith, R. W. Thresher, J. L. C. Wang, J. Appl. Mech. 49 (1982) 197-202, four
    decimals, no hub. The beam stands still under the centrifugal forces of its nodes, which do not change as it flaps.
    Order two: extrapolated from 12 and 24 elements, 2e-4 is left.
    """
    found = []
    for elements in (12, 24):
        beam = slender(elements, axial=1e6)
        system = alone(beam)
        for k in range(1, elements + 1):
            node = system.parts[f"rod.node{k}"]
            centre = node.centre_of_mass[0]
            pull = node.mass * spin**2 * (node.position[0] + centre)
            if pull > 0.0:
                place = {"direction": (1.0, 0.0, 0.0), "point_body": (centre, 0.0, 0.0)}
                system.add(ct.PointForce(f"pull{k}", node, magnitude=pull, **place))
        statics = Statics(system, ["rod.node0"])
        statics.solve()
        found.append(statics.frequencies()[0])
    assert (4.0 * found[1] - found[0]) / 3.0 == pytest.approx(wright, rel=2e-4)


@pytest.mark.parametrize("elements", [1, 2, 7])
def test_masses_of_the_whole_are_exact(elements):
    """Mass, centre and moments of inertia of the nodes together are those of the continuous beam, to round-off."""
    beam = ct.Beam("rod", length=0.9, elements=elements, section="rectangle", width=0.02, height=0.05, density=2700.0)
    model = build_model(alone(beam))
    mass = np.array([row.mass for row in model.body_rows])
    along = model.pose[:, 0]
    total = 2700.0 * 0.001 * 0.9
    assert mass.sum() == pytest.approx(total, rel=1e-14)
    assert mass @ along == pytest.approx(0.45 * total, rel=1e-14)
    own = np.sum([row.inertia for row in model.body_rows], axis=0)
    expected = total / 12.0 * np.array([0.02**2 + 0.05**2, 0.9**2 + 0.05**2, 0.9**2 + 0.02**2])
    assert own + mass @ (along - 0.45) ** 2 * np.array([0.0, 1.0, 1.0]) == pytest.approx(expected, rel=1e-13)


def thrown(**values):
    """A soft rod that flies, turns and flexes: bent at the start by unlike turns of its ends."""
    beam = slender(6, axial=400.0, theory="timoshenko", omega=(0.5, 3.0, 2.0), velocity=(0.0, 1.0, 0.0), **values)
    system = alone(beam)
    for k, spin in ((0, (2.0, 5.0, 0.0)), (6, (-2.0, 0.0, 5.0))):
        name = f"rod.node{k}"
        node = system.parts[name]
        velocity = tuple(np.asarray(node.velocity) + (0.0, 0.4 * spin[2], 0.4 * spin[1]))
        system.replace(ct.RigidBody(**{**vars(node), "omega": spin, "velocity": velocity}))
    return system


def momenta(run, system):
    """Momentum and angular momentum about the world's origin of all bodies, over time."""
    linear, angular = 0.0, 0.0
    for part in system.of_family("body"):
        q = run[f"{part.name}.orientation"]
        turn = np.array([matrix_from_quaternion(item) for item in q])
        omega = np.einsum("fij,fj->fi", turn, run[f"{part.name}.omega"])
        arm = turn @ np.asarray(part.centre_of_mass)
        place = run[f"{part.name}.position"] + arm
        push = part.mass * (run[f"{part.name}.velocity"] + np.cross(omega, arm))
        own = np.einsum("fij,fj->fi", turn, run[f"{part.name}.omega"] * np.asarray(part.inertia))
        linear, angular = linear + push, angular + np.cross(place, push) + own
    return linear, angular


def test_free_flight_keeps_momenta_and_energy():
    """Method of order eight at a tolerance of 1e-10 over two seconds: 1e-7 of every one of them is allowed."""
    system = thrown()
    run = ct.simulate(system, duration=2.0, tolerance=1e-10, frames=0.05, method="dop853")
    linear, angular = momenta(run, system)
    assert np.ptp(run["energy.stored"]) > 0.03 * run["energy.total"][0], "it flexes"
    assert np.ptp(run["energy.total"]) < 1e-7 * run["energy.total"][0]
    assert np.ptp(linear, axis=0).max() < 1e-7 * np.abs(linear).max()
    assert np.ptp(angular, axis=0).max() < 1e-7 * np.abs(angular).max()


def test_every_method_finds_the_same_motion():
    """radau, rattle4 and rk4 against dop853 at 1e-10; by their tolerance or step, with what two seconds make of it."""
    reference = ct.simulate(thrown(), duration=1.0, tolerance=1e-10, frames=0.1, method="dop853")
    for method, settings, allowed in (
        ("radau", {"tolerance": 1e-8}, 1e-5),
        ("rattle4", {"step": 1e-3}, 1e-5),
        ("rk4", {"step": 1e-3}, 1e-5),
    ):
        run = ct.simulate(thrown(), duration=1.0, frames=0.1, method=method, **settings)
        assert np.abs(run["rod.end.position"] - reference["rod.end.position"]).max() < allowed, method


def test_plane_beam_moves_as_the_beam_in_space():
    """A cantilever that falls from level: planar bodies and bodies in space, both at 1e-9."""
    ends = []
    for plane in (True, False):
        system = ct.System(gravity=(0.0, -1.0) if plane else (0.0, -1.0, 0.0), plane=plane)
        system.add(slender(5, axial=1e4, damping=1e-5))
        system.add(ct.Fixed("clamp", system.ground, "rod.start"))
        run = ct.simulate(system, duration=1.0, tolerance=1e-9, frames=0.05, method="dop853")
        ends.append(np.column_stack([run["rod.end.position"][:, :2], np.asarray(run["rod.element1.moment"])]))
    assert np.abs(ends[0] - ends[1]).max() < 1e-6
    assert np.ptp(ends[0][:, 1]) > 0.1


def test_damping_takes_the_part_of_a_mode_that_it_should():
    """A cantilever that is suddenly loaded settles with T w^2/2: two maxima a period apart, the first mode alone."""
    damping = 0.02
    system = alone(slender(5, axial=1e4, damping=damping))
    system.add(ct.Fixed("clamp", system.ground, "rod.start"))
    system.add(ct.PointForce("pull", "rod.end", magnitude=1e-2, direction=(0.0, 0.0, 1.0)))
    run = ct.simulate(system, duration=6.0, tolerance=1e-9, frames=0.002, method="radau")
    rest = 1e-2 / 3.0
    z = run["rod.end.position"][:, 2] - rest
    w = Statics(alone(slender(5, axial=1e4)), ["rod.node0"]).frequencies()[0]
    share = 0.5 * damping * w
    later = run.time > 2.0
    peaks = [k for k in np.flatnonzero(later)[1:-1] if z[k - 1] < z[k] >= z[k + 1]]
    heights = []
    for k in peaks[:2]:  # a parabola through three samples 2 ms apart: (w dt)^4 is left
        curve = np.polyfit(run.time[k - 1 : k + 2] - run.time[k], z[k - 1 : k + 2], 2)
        heights.append(np.polyval(curve, -0.5 * curve[1] / curve[0]))
    expected = 2.0 * math.pi * share / math.sqrt(1.0 - share**2)
    assert math.log(heights[0] / heights[1]) == pytest.approx(expected, rel=1e-4)


def spin_up(elements):
    """The rotating beam of Simo and Vu-Quoc (1986, part II): 10 m, driven from rest to 6 rad/s within 15 s."""
    system = ct.System(plane=True, gravity=(0.0, 0.0))
    section = {"section": "given", "area": 2.8e7 / 1e9, "inertia_y": 1.4e4 / 1e9, "inertia_z": 1.4e4 / 1e9}
    material = {"young": 1e9, "shear_modulus": 1e9, "shear_factor": 1.0 / 2.8, "density": 1.2 / 0.028}
    system.add(ct.Beam("rod", length=10.0, elements=elements, **section, **material))
    system.add(ct.Revolute("hub", system.ground, "rod.start", axis=(0.0, 0.0, 1.0)))
    rate = 2.0 * math.pi / 15.0
    times = np.linspace(0.0, 15.0, 1501)
    angle = 0.4 * (0.5 * times**2 + (np.cos(rate * times) - 1.0) / rate**2)
    later = np.linspace(15.0, 16.0, 101)[1:]
    table = ct.SignalTable(times=(*times, *later), values=(*angle, *(6.0 * later - 45.0)))
    system.add(ct.Motion("drive", system.ground, "rod.start", axis=(0.0, 0.0, 1.0), signal=table))
    return system


def test_spin_up_of_a_rotating_beam():
    """Steady stretch rho A w^2 L^3/(3 EA) = 5.14e-4 m, the figure of Simo and Vu-Quoc; the tip lags by 0.57 m at most.

    They show the lag in a drawing, with a maximum between 0.5 and 0.6 m. In the end a vibration of some 1e-4 m is left,
    which bends the beam and hardly stretches it (1e-4^2/L); order two of 8 elements leaves 1/(4 n^2) of the stretch.
    """
    run = ct.simulate(spin_up(8), duration=16.0, frames=0.05, method="radau", tolerance=1e-6)
    place = run["rod.end.position"]
    angle = np.asarray(run["drive.angle"])
    along = place[:, 0] * np.cos(angle) + place[:, 1] * np.sin(angle)
    across = place[:, 1] * np.cos(angle) - place[:, 0] * np.sin(angle)
    assert 0.5 < -across.min() < 0.6
    steady = run.time > 15.2
    assert along[steady].mean() - 10.0 == pytest.approx(5.14e-4, rel=0.01)
