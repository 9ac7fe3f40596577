"""A kind without a kernel that it needs is refused with words; an address of nothing would end the process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

import centrode as ct
from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.joints.ball import Ball
from centrode.parts.suspensions.strut import SuspensionStrut
from centrode.parts.tyres.calspan import TyreCalspan
from centrode.system.model import build_model


@dataclass(frozen=True)
class NoRows(Ball):
    """A ball joint whose author forgot the kernel."""

    kind: ClassVar[str] = "no-rows"
    spatial_kernel = None


@dataclass(frozen=True)
class NoPush(SuspensionStrut):
    """A strut without a law."""

    kind: ClassVar[str] = "no-push"
    law = None


@dataclass(frozen=True)
class NoGrip(TyreCalspan):
    """A tyre without a law."""

    kind: ClassVar[str] = "no-grip"
    law = None


@dataclass(frozen=True)
class NoForce(LinearContact):
    """A contact law without a law."""

    kind: ClassVar[str] = "no-force"
    law_kernel = None


def two_balls(law: LinearContact) -> ct.System:
    system = ct.System()
    for name, x in (("a", 0.0), ("b", 3.0)):
        system.add(ct.RigidBody(name, 1.0, (0.1, 0.1, 0.1), position=(x, 0.0, 0.0)))
        system.add(ct.OutlineSphere(f"{name}-ball", body=name, radius=0.5))
    system.add(law)
    return system


def test_a_joint_without_rows_is_refused() -> None:
    system = ct.System()
    system.add(ct.RigidBody("bob", 1.0, (0.1, 0.1, 0.1)))
    system.add(NoRows("pivot", "ground", "bob"))
    with pytest.raises(InputError, match=r"pivot.*no spatial_kernel"):
        Workspace(build_model(system))
    assert "kernels" in {result.check for result in ct.failures(ct.check_part(NoRows))}


@pytest.mark.parametrize(
    ("field", "part"), [("suspension", NoPush("own", 3e4, 2e3, rest_length=0.4)), ("tyre", NoGrip("own"))]
)
def test_a_car_with_a_part_without_a_law_is_refused(field: str, part: object) -> None:
    system = ct.System()
    system.add(part)
    with pytest.raises(InputError, match="has no law"):
        system.add(ct.Car("car", **{field: "own"}))


def test_a_contact_law_without_a_law_is_refused() -> None:
    with pytest.raises(InputError, match=r"glue.*no law_kernel"):
        build_model(two_balls(NoForce("glue")))
