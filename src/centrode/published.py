"""Every published number that Centrode claims to reach, and the comparison of reached with published.

A room that reproduces literature carries a module named ``published``. It exports either ``CHECKS``, a list of
:class:`Check`, or a function ``checks()`` that returns one, for lists that share heavy set-up. Nothing is imported
before it is asked for, so this file stays at the bottom of the house although the checks are spread over all of it.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from centrode.errors import missing_package, unknown_name


@dataclass(frozen=True)
class Check:
    """One published number and how Centrode reaches it.

    Attributes:
        id: ``topic.name``, unique.
        source: where the number stands: work, table or equation.
        published: the number as printed there, in ``unit``.
        tolerance: largest allowed difference, in the unit of the number (or as a fraction, see ``relative``).
            It follows from the printed digits (half a unit of the last one) or from a stated cause in ``note``.
        compute: returns the number Centrode reaches.
        relative: the tolerance is a fraction of the published number.
        note: anything a reader should know: a misprint, a unit, the cause of the tolerance.
    """

    id: str
    source: str
    published: float
    tolerance: float
    compute: Callable[[], float]
    relative: bool = False
    note: str = ""

    @property
    def topic(self) -> str:
        """First word of the id."""
        return self.id.split(".", 1)[0]


def table_checks(
    prefix: str,
    source: str,
    table: Mapping[str, float],
    tolerance: float,
    compute: Callable[[str], float],
    relative: bool = False,
    note: str = "",
) -> list[Check]:
    """A check for every number of a table, name -> number: ``prefix.name``, reached by ``compute(name)``."""
    return [
        Check(f"{prefix}.{name}", source, value, tolerance, partial(compute, name), relative, note)
        for name, value in table.items()
    ]


@dataclass(frozen=True)
class CheckResult:
    """What came out of one check.

    Attributes:
        reached: the number Centrode reaches; None when the computation failed.
        difference: reached - published, in the unit of the number; None when the computation failed.
        tolerance: largest allowed size of ``difference``, in the unit of the number.
        message: why the computation failed; empty otherwise.
    """

    id: str
    source: str
    published: float
    reached: float | None
    difference: float | None
    tolerance: float
    ok: bool
    note: str = ""
    message: str = ""


def discover() -> list[Check]:
    """All checks of all modules named ``published`` inside the package, in order of their ids.

    Only the packages on the way and the modules named ``published`` are imported.
    """
    found: dict[str, Check] = {}
    for name in _published_modules():
        for check in _checks_of(name):
            if "." not in check.id:
                raise ValueError(f"{name}: the id '{check.id}' lacks a topic ('topic.name')")
            if check.id in found:
                raise ValueError(f"{name}: the check '{check.id}' exists twice")
            found[check.id] = check
    return [found[key] for key in sorted(found)]


def topics(checks: Iterable[Check]) -> list[str]:
    """The topics that occur, sorted."""
    return sorted({check.topic for check in checks})


def select(checks: Iterable[Check], topic: str | None) -> list[Check]:
    """Checks whose id is or begins with ``topic``, whole words ("ici", "ici.table3"); all of them without one.

    Raises:
        InputError: no id begins so; carries the nearest name.
    """
    known = list(checks)
    if topic is None:
        return known
    chosen = [check for check in known if f"{check.id}.".startswith(f"{topic}.")]
    if not chosen:
        raise unknown_name("unknown topic", topic, topics(known), [check.id for check in known])
    return chosen


def run_check(check: Check) -> CheckResult:
    """Compute one number and compare it. A computation that fails gives a result that is not ok, never an error."""
    allowed = abs(check.tolerance * check.published) if check.relative else check.tolerance
    reached: float | None = None
    message = ""
    try:
        reached = float(check.compute())
        if not math.isfinite(reached):
            message = f"reached {reached}, which is not a finite number"
    except Exception as error:  # one broken check must not hide the others
        message = missing_package(error) or f"{type(error).__name__}: {error}"
    difference = None if reached is None else reached - check.published
    ok = not message and difference is not None and abs(difference) <= allowed
    return CheckResult(check.id, check.source, check.published, reached, difference, allowed, ok, check.note, message)


def run_checks(
    topic: str | None = None, on_result: Callable[[CheckResult, int, int], None] | None = None
) -> list[CheckResult]:
    """Run all checks, or those of one topic.

    Args:
        topic: beginning of ids, whole words; None for all.
        on_result: called after each check with the result, how many are done and how many there are.

    Raises:
        InputError: unknown topic.
    """
    chosen = select(discover(), topic)
    results: list[CheckResult] = []
    for check in chosen:
        results.append(run_check(check))
        if on_result is not None:
            on_result(results[-1], len(results), len(chosen))
    return results


def _published_modules() -> list[str]:
    """Names of the modules called ``published`` below the package, this one excepted."""
    packages = pkgutil.walk_packages(importlib.import_module("centrode").__path__, "centrode.", _refuse)
    return sorted(info.name for info in packages if info.name.endswith(".published") and info.name != __name__)


def _refuse(package: str) -> None:
    """A package that cannot be imported must not hide its checks: the error of the import goes on."""
    raise  # noqa: PLE0704


def _checks_of(module_name: str) -> list[Check]:
    module = importlib.import_module(module_name)
    if hasattr(module, "CHECKS"):
        return list(module.CHECKS)
    if hasattr(module, "checks"):
        return list(module.checks())
    raise ValueError(f"{module_name}: exports neither CHECKS nor checks()")
