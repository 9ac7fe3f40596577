"""The contract of a kind, checked on random states: what a user's own part must keep to be trusted in a run.

Joints are checked by :mod:`centrode.dynamics.joint_contract`, bodies by :mod:`centrode.dynamics.body_contract`, tyres
and suspensions by :mod:`centrode.dynamics.wheel_contracts`, outlines by
:mod:`centrode.dynamics.contact.outline_contract`, contact laws by :mod:`centrode.dynamics.contact.law_contract`,
methods by :mod:`centrode.methods.contract`; all parts are built into a small system
(:mod:`centrode.dynamics.examples`) and evaluated. The rest of this page is about forces.

A kernel that runs is not yet a force: a wrong sign, a forgotten reaction or an energy that does not belong to the
force would spoil every run quietly. :func:`check_part` builds a small system with the force in it, throws random poses
and velocities at it and compares

- action and reaction: forces, and moments about any point, of all markers add up to nothing (not for ``external``);
- invariance: turn, shift and set the whole scene moving, and the wrenches turn along (not for ``world_direction``;
  ``external`` forces feel the medium at rest, so for them the scene is turned and shifted only);
- energy: the force at rest is minus the gradient of its declared energy, F(q, 0) . v = -dE/dt; and motion only takes
  energy out, (F(q, v) - F(q, 0)) . v <= 0 (not for ``active`` ones);
- assignment: the kernel writes its own markers, all that it ever writes, and nobody else's;
- several elements in one call give what each gives alone;
- machine code and Python give the same numbers;
- coincident points and bodies at rest give finite numbers;
- a plane system knows the force too (not when ``works_in_plane`` is False);
- names: frozen dataclass, every parameter with unit and meaning, found by the registry.

The derivative of the energy is a central difference along the exact motion of the bodies, extrapolated once
(Richardson), so its error falls with the fourth power of a small step.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from centrode.dynamics.bench import Bench
from centrode.dynamics.body_contract import check_body
from centrode.dynamics.contact.outline_contract import check_outline
from centrode.dynamics.contact.structure_contract import check_structure
from centrode.dynamics.examples import NEEDS_MORE, Finding, Values, example_system, example_values
from centrode.dynamics.joint_contract import check_joint
from centrode.dynamics.trial import try_foreign_kernels
from centrode.dynamics.wheel_contracts import check_suspension, check_tyre
from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.jit import JIT_ON, handle_of, plain
from centrode.methods.method import listed_methods
from centrode.parts import registry
from centrode.parts.bodies.body import Body
from centrode.parts.contact_laws.contact_law import ContactLaw
from centrode.parts.forces.force import Force
from centrode.parts.joints.joint import Joint
from centrode.parts.kernel_notes import compiler_fault, kernel_fault, kernel_of
from centrode.parts.outlines.outline import Outline
from centrode.parts.part import Part
from centrode.parts.registry import error_words
from centrode.parts.structures.structure import Structure
from centrode.parts.suspensions.contract import Suspension
from centrode.parts.tables import Coordinates
from centrode.parts.tyres.contract import Tyre
from centrode.system.model import build_model
from centrode.units import GRADE, parse_unit

BALANCE_LIMIT = 1e-10
"""Sums of a few dozen products of numbers of order one, relative to their size: round-off is near 1e-15."""
ENERGY_LIMIT = 1e-6
"""Extrapolated difference with step 1e-4 s: round-off 1e-16 / 1e-4 = 1e-12, truncation 1e-16 times the fifth
derivative, relative to the power; a stiff exponential may reach 1e-8, a wrong term is of order one."""


_FINITE = ("acceleration", "wrench", "state_rate")
"""Tables that must hold numbers when a system has been evaluated."""


@dataclass(frozen=True)
class ContractResult:
    """Outcome of one check of one kind.

    Attributes:
        part: kind that was checked.
        check: name of the check.
        passed: True, False, or None when the check does not apply.
        figure: largest relative deviation found; NaN when there is none.
        limit: what it may be.
        message: what was found, in a few words.
    """

    part: str
    check: str
    passed: bool | None
    figure: float = float("nan")
    limit: float = float("nan")
    message: str = ""

    def __str__(self) -> str:
        verdict = {True: "passes", False: "FAILS", None: "does not apply"}[self.passed]
        return f"{self.part}: {self.check} {verdict}" + (f": {self.message}" if self.message else "")


def failures(results: Sequence[ContractResult]) -> list[ContractResult]:
    """The checks that failed."""
    return [result for result in results if result.passed is False]


def check_part(
    target: str | Path | type[Part],
    values: Values = None,
    *,
    states: int = 24,
    seed: int = 0,
    plugins: Sequence[str | Path] = (),
) -> list[ContractResult]:
    """Check a kind of any family, or all kinds and methods of a plugin file.

    Args:
        target: path of a plugin, or a class.
        values: parameters to check with; made up from the declared fields when left out (a class attribute
            ``example`` with parameters is preferred). Bodies "a" and "b" exist in the system of the check.
        states: number of random states.
        seed: of the random states.
        plugins: files in which a class was found, for the check of names.

    Returns:
        One result per check and kind, failures included; nothing is raised for a part that breaks the contract.

    Raises:
        InputError: no such file, or nothing to check in it.
    """
    if isinstance(target, type):
        return _check_kind(target, values, states, seed, plugins)
    from centrode.methods.contract import check_method
    from centrode.methods.method import methods

    taken = set(methods())
    found: list[ContractResult] = []
    for kind in registry.load_plugin(target):
        found += _check_kind(kind, values, states, seed, [target])
    (module,) = registry.plugin_modules([target])
    for number, method in enumerate(listed_methods(module)):
        found += check_method(method, f"method {number + 1}")
        if found[-1].part in taken:
            found.append(
                ContractResult(found[-1].part, "name", False, message="there is a method of this name already")
            )
        taken.add(found[-1].part)
    return found


def _check_kind(
    kind: type[Part], values: Values, states: int, seed: int, plugins: Sequence[str | Path]
) -> list[ContractResult]:
    results = [_check_names(kind, plugins)]
    if kind.kernel_notes:
        results.append(check_kernels(kind, kind.kind))
        if results[-1].passed is False:
            return results
    if issubclass(kind, ContactLaw):
        from centrode.dynamics.contact.law_contract import check_law

        return results + check_law(kind, kind.example or {} if values is None else values, seed=seed)
    if not issubclass(kind, Force):
        results.append(_check_building(kind, values))
        if results[-1].passed:
            results += _check_family(kind, values, states, seed)
        return results
    if values is None and (kind.family, kind.kind) in NEEDS_MORE:
        return [*results, ContractResult(kind.kind, "builds", None, message=NEEDS_MORE[kind.family, kind.kind])]
    chosen = dict(example_values(kind) if values is None else values)
    for plane in (False, True):
        if plane and not kind.works_in_plane:
            results.append(ContractResult(kind.kind, "plane system", None, message="declared for space only"))
            continue
        label = "plane system" if plane else "builds"
        try:
            bench = Bench(kind, chosen, plane, seed)
        except Exception as error:  # a user's own code may fail in any way
            hint = "; give values, or a class attribute 'example'" if values is None else ""
            results.append(ContractResult(kind.kind, label, False, message=f"{error_words(error)}{hint}"))
            continue
        if not plane:
            results.append(ContractResult(kind.kind, label, True, message="with " + _shown(chosen)))
        try:
            results += [_check_in_plane(kind, bench, states)] if plane else _check_in_space(kind, bench, states)
        except Exception as error:
            results.append(ContractResult(kind.kind, "runs", False, message=error_words(error)))
    return results


def check_kernels(kind: type[Any], name: str) -> ContractResult:
    """Kernels that a family, or the base of a method, declares: there, with signature and arguments, and compiled."""
    faults = []
    for note in kind.kernel_notes:
        compiled = kernel_of(kind, note.attribute)
        if compiled is None and (not note.required or note.attribute in kind.spared_kernels()):
            continue
        fault = kernel_fault(kind, note)
        if fault is None:
            try:
                handle_of(compiled)
            except Exception as error:  # Numba raises what it likes
                fault = compiler_fault(error, plain(compiled))
        if fault is not None:
            faults.append(str(dataclasses.replace(fault, file=Path(fault.file).name) if fault.file else fault))
    return ContractResult(name, "kernels", not faults, message="; ".join(faults))


def _check_family(kind: type[Part], values: Values, states: int, seed: int) -> list[ContractResult]:
    """What the family of a kind keeps beyond being built."""
    found: list[Finding] = []
    try:
        if issubclass(kind, Joint):
            found = check_joint(kind, values, states, seed)
        elif issubclass(kind, Body):
            found = check_body(kind, values, states, seed)
        elif issubclass(kind, Tyre):
            found = check_tyre(kind, values, states, seed)
        elif issubclass(kind, Suspension):
            found = check_suspension(kind, values, states, seed)
        elif issubclass(kind, Structure):
            found = check_structure(kind, values, states, seed)
        elif issubclass(kind, Outline):
            found = check_outline(kind, values, states, seed)
    except Exception as error:  # a user's own code may fail in any way
        return [ContractResult(kind.kind, "runs", False, message=error_words(error))]
    return [
        ContractResult(kind.kind, check, None, message=message)
        if figure is None
        else _judged(kind.kind, check, figure, limit, message)
        for check, figure, limit, message in found
    ]


def _check_building(kind: type[Part], values: Values) -> ContractResult:
    """A system with the part in it can be built and evaluated, and nothing in it is infinite or undefined."""
    why_not = NEEDS_MORE.get((kind.family, kind.kind)) or NEEDS_MORE.get((kind.family, ""))
    if values is None and kind.example is None and why_not:
        return ContractResult(kind.kind, "builds", None, message=why_not)
    if issubclass(kind, Joint) and not (1 <= kind.rows <= 6 and 0 <= kind.plane_rows <= 3):
        words = f"{kind.rows} rows in space and {kind.plane_rows} in the plane; expected 1 to 6 and 0 to 3"
        return ContractResult(kind.kind, "builds", False, message=words)
    try:
        plane = issubclass(kind, Body) and kind.coordinates is Coordinates.PLANE
        workspace = Workspace(build_model(example_system(kind, values, plane)))
        try_foreign_kernels(workspace, 0.3)
        workspace.evaluate(0.3)
    except Exception as error:
        return ContractResult(kind.kind, "builds", False, message=error_words(error))
    rows = workspace["terms"] if issubclass(kind, Joint) else np.zeros(0)
    for name, numbers in (("a row of the joint", rows), *((key, workspace[key]) for key in _FINITE)):
        if not np.all(np.isfinite(numbers)):
            return ContractResult(kind.kind, "builds", False, message=f"{name} is not finite at the start")
    return ContractResult(kind.kind, "builds", True)


def _check_in_plane(kind: type[Force], bench: Bench, states: int) -> ContractResult:
    """Balance in the plane; an external force need only be finite there."""
    if not kind.external:
        worst, message = _worst_balance(bench, states)
        return _judged(kind.kind, "plane system", worst, BALANCE_LIMIT, message)
    for _ in range(states):
        bench.randomise()
        if not np.all(np.isfinite(bench.wrenches())):
            return ContractResult(kind.kind, "plane system", False, message="wrench is not finite")
    return ContractResult(kind.kind, "plane system", True)


def _check_in_space(kind: type[Force], bench: Bench, states: int) -> list[ContractResult]:
    results = []
    name = kind.kind
    if kind.external:
        results.append(ContractResult(name, "action and reaction", None, message="declared external"))
    else:
        worst, message = _worst_balance(bench, states)
        results.append(_judged(name, "action and reaction", worst, BALANCE_LIMIT, message))
    if kind.world_direction:
        results.append(ContractResult(name, "invariance", None, message="declared to depend on the world"))
    else:
        worst = max(_turned_difference(bench, moving=not kind.external) for _ in range(states))
        results.append(_judged(name, "invariance", worst, BALANCE_LIMIT, "turning the scene does not turn the force"))
    results += _check_energy(kind, bench, states)
    worst, message = _worst_assignment(bench, states)
    results.append(_judged(name, "assignment", worst, 0.0, message))
    worst = max(_alone_difference(bench) for _ in range(min(states, 8)))
    results.append(_judged(name, "several elements", worst, BALANCE_LIMIT, "an element differs when others are there"))
    results.append(_check_as_python(name, bench, states))
    results.append(_check_coincident(kind, bench))
    return results


def _check_as_python(name: str, bench: Bench, states: int) -> ContractResult:
    """Machine code against the same kernel as Python, where there is such a thing."""
    if not JIT_ON:
        return ContractResult(name, "compiled as Python", None, message="the JIT is off")
    try:
        worst = max(_python_difference(bench) for _ in range(min(states, 8)))
    except NotImplementedError:  # of Numba: an address is nothing that Python could call
        return ContractResult(name, "compiled as Python", None, message="it calls kernels of other kinds by address")
    return _judged(name, "compiled as Python", worst, BALANCE_LIMIT, "machine code differs from Python")


def _judged(part: str, check: str, figure: float, limit: float, message: str) -> ContractResult:
    passed = bool(figure <= limit)  # NaN fails
    return ContractResult(part, check, passed, float(figure), limit, "" if passed else message)


def _check_names(kind: type[Part], plugins: Sequence[str | Path]) -> ContractResult:
    faults = []
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", kind.kind):
        faults.append(f"the kind {kind.kind!r} is not small letters, figures and hyphens")
    if not (dataclasses.is_dataclass(kind) and kind.__dataclass_params__.frozen):  # type: ignore[attr-defined]
        faults.append("not a frozen dataclass")
    else:
        for item in dataclasses.fields(kind):
            if item.name != "name" and not (item.metadata.get("meaning") and "unit" in item.metadata):
                faults.append(f"'{item.name}' has no unit and meaning (declare it with quantity)")
            elif unit := item.metadata.get("unit"):
                faults += _unit_faults(item.name, unit)
            elif item.name != "name" and str(item.type).startswith("float"):
                faults.append(f"'{item.name}' is a number without a unit; pure numbers have the unit '1'")
    if not (kind.__doc__ or "").strip() or (kind.__doc__ or "").startswith(f"{kind.__name__}("):
        faults.append("no docstring")
    module = sys.modules.get(kind.__module__)
    if not plugins and kind.__module__.startswith("centrode_plugin_"):
        plugins = [str(getattr(module, "__file__", ""))]
    try:
        # A class of a notebook or test lies in no place where the registry looks; its file cannot be judged.
        looked_for = bool(plugins) or kind.__module__.startswith("centrode.")
        if looked_for and registry.part_kinds(kind.family, plugins).get(kind.kind) is not kind:
            faults.append("the registry does not find it under its kind")
    except InputError as error:
        faults.append(str(error))
    return ContractResult(kind.kind or kind.__name__, "names and units", not faults, message="; ".join(faults))


def _unit_faults(field: str, unit: str) -> list[str]:
    """What is wrong with a declared unit: unknown, or not the SI unit that values are converted to."""
    try:
        # "rad|m": of a hinge, of a slider; a grade is kept as the angle that it is
        known = [parse_unit(item) for item in ("rad" if unit == GRADE else unit).split("|")]
    except InputError as error:
        return [f"unit of '{field}': {error}"]
    if all(item.factor == 1.0 for item in known):
        return []
    return [f"unit of '{field}': {unit} is not an SI unit; values are kept in SI units"]


def _shown(values: Mapping[str, Any]) -> str:
    def short(value: Any) -> str:
        if isinstance(value, tuple | list):
            return "(" + ", ".join(short(item) for item in value) + ")"
        return f"{value:.3g}" if isinstance(value, float) else str(value)

    return ", ".join(f"{key}={short(value)}" for key, value in values.items())


def _worst_balance(bench: Bench, states: int) -> tuple[float, str]:
    """Largest unbalanced force or moment relative to the size of the wrenches."""
    worst, message = 0.0, ""
    for _ in range(states):
        bench.randomise()
        wrench = bench.wrenches()
        arms = bench.markers[bench.own, :3]
        force = wrench[:, :3].sum(axis=0)
        moment = (wrench[:, 3:] + np.cross(arms, wrench[:, :3])).sum(axis=0)
        size = np.abs(wrench).sum() * (1.0 + np.abs(arms).max())
        left_force, left_moment = np.abs(force).max(), np.abs(moment).max()
        ratio = max(left_force, left_moment) / size if size > 0.0 else 0.0
        if not ratio <= worst:
            worst = ratio
            message = f"left over: force {left_force:.3g} N, moment {left_moment:.3g} N m"
    return float(worst), message


def _turned_difference(bench: Bench, moving: bool) -> float:
    """Wrenches after the scene was turned, shifted and set moving, against the turned wrenches."""
    bench.randomise()
    before = bench.wrenches()
    rotation = bench.random_rotation()
    table = bench.turned_markers(rotation, bench.random.normal(size=3), bench.random.normal(size=3) * moving)
    after = bench.wrenches(markers=table)
    wanted = np.concatenate([before[:, :3] @ rotation.T, before[:, 3:] @ rotation.T], axis=1)
    size = np.abs(before).max()
    return float(np.abs(after - wanted).max() / size) if size > 0.0 else float(np.abs(after).max())


def _check_energy(kind: type[Force], bench: Bench, states: int) -> list[ContractResult]:
    name = kind.kind
    if kind.active:
        return [ContractResult(name, "energy", None, message="declared active: it may bring energy in")]
    worst_store, worst_gain, message = 0.0, 0.0, ""
    for _ in range(states):
        bench.randomise()
        rate = bench.energy_rate()
        still = bench.markers.copy()
        still[:, 3:9] = 0.0
        held, moving = bench.wrenches(markers=still), bench.wrenches()
        motion = bench.markers[bench.own, 3:9]
        static_power = float((held * motion).sum())
        size = float(np.abs(held * motion).sum() + np.abs(moving * motion).sum())
        if size == 0.0 and rate == 0.0:
            continue
        size = max(size, abs(rate))
        gap = abs(static_power + rate) / size
        if not gap <= worst_store:
            worst_store = gap
            message = f"power of the force at rest {static_power:.4g} W, change of its energy {rate:.4g} W"
        gain = float(((moving - held) * motion).sum()) / size
        worst_gain = max(worst_gain, gain) if np.isfinite(gain) else float("nan")
    return [
        _judged(name, "energy stored", worst_store, ENERGY_LIMIT, message),
        _judged(name, "energy only lost", worst_gain, BALANCE_LIMIT, "its dependence on velocity brings energy in"),
    ]


def _worst_assignment(bench: Bench, states: int) -> tuple[float, str]:
    """Foreign rows must stay as they were; the answer must not depend on what the own rows held from the last state."""
    worst, message = 0.0, ""
    for _ in range(min(states, 8)):
        bench.randomise()
        bench.wrenches(keep=True)  # rows now hold the answer of another state
        bench.randomise()
        fresh, kept = bench.wrenches(), bench.wrenches(keep=True)
        if bench.foreign_rows_touched:
            return 1.0, "it writes wrenches at markers of other parts"
        difference = float(np.abs(fresh - kept).max())
        if not difference <= worst:
            worst, message = difference, "it adds to its wrench, or leaves rows from the last state: assign them"
    return worst, message


def _alone_difference(bench: Bench) -> float:
    """Two equal copies on the same bodies: each as the other, and each alone as together."""
    bench.randomise()
    for name in ("states", "inputs"):
        bench.workspace[name][:] = 0.7
    n = bench.marker_count
    together = bench.wrenches(count=2)
    alone = np.concatenate([bench.wrenches(element=0, count=1)[:n], bench.wrenches(element=1, count=1)[n:]])
    size = np.abs(together).max()
    gap = max(float(np.abs(together - alone).max()), float(np.abs(together[:n] - together[n:]).max()))
    return gap / float(size) if size > 0.0 else float(np.abs(alone).max())


def _python_difference(bench: Bench) -> float:
    bench.randomise()
    compiled, plain = bench.wrenches(), bench.wrenches(python=True)
    size = np.abs(compiled).max()
    gap = float(np.abs(compiled - plain).max() / size) if size > 0.0 else float(np.abs(plain).max())
    if bench.kind.energy_kernel is not None:
        energy, energy_plain = bench.energies(), bench.energies(python=True)
        scale = float(np.abs(energy).max())
        gap = max(gap, float(np.abs(energy - energy_plain).max()) / scale) if scale > 0.0 else gap
    return gap


def _check_coincident(kind: type[Force], bench: Bench) -> ContractResult:
    """All points at one place, with and without motion; and everything at rest."""
    bodies = [bench.model.markers[m]["body"] for m in bench.own[: bench.marker_count]]
    if len({int(body) for body in bodies}) < len(bodies):
        return ContractResult(kind.kind, "coincident points", None, message="several points of one body")
    for moving in (False, True):
        bench.randomise()
        table = bench.markers.copy()
        table[:, :3] = 0.25
        table[:, 12:21] = np.eye(3).ravel()
        if not moving:
            table[:, 3:12] = 0.0
        try:
            wrench, energy = bench.wrenches(markers=table), bench.energies(markers=table)
        except (ArithmeticError, ValueError) as error:  # as Python; machine code gives infinity or NaN instead
            return ContractResult(kind.kind, "coincident points", False, message=f"{type(error).__name__}: {error}")
        if not (np.all(np.isfinite(wrench)) and np.all(np.isfinite(energy))):
            what = "energy" if np.all(np.isfinite(wrench)) else "wrench"
            return ContractResult(kind.kind, "coincident points", False, message=f"{what} is not finite there")
    return ContractResult(kind.kind, "coincident points", True)
