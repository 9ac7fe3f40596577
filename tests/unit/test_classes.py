"""Quick dataclasses are what Python's own are: fields, order, defaults, comparing, hashing, freezing, deriving."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import KW_ONLY, FrozenInstanceError, field
from typing import Any, ClassVar

import pytest

from centrode.classes import _Init, dataclass


def families(make: Any) -> dict[str, type]:
    """The same classes made by one decorator."""

    @make(frozen=True)
    class Base:
        name: str
        size: float = 2.0
        kind: ClassVar[str] = "base"

        def __post_init__(self) -> None:
            if self.size < 0.0:
                raise ValueError("negative")

    @make(frozen=True)
    class Derived(Base):
        items: list[int] = field(default_factory=list, compare=False)
        hidden: int = field(default=3, repr=False)
        _: KW_ONLY
        last: str = "z"

    @make
    class Open:
        count: int = 0
        made: list[int] = field(default_factory=lambda: [1], init=False)
        fixed: int = field(default=7, init=False)

    @make(frozen=True)
    class Own:
        value: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

        def __repr__(self) -> str:
            return "own"

    @make(eq=False)
    class Alone:
        value: int = 1

    return {item.__name__: item for item in (Base, Derived, Open, Own, Alone)}


OURS, PYTHONS = families(dataclass), families(dataclasses.dataclass)
CALLS: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "all defaults": ("Base", ("a",), {}),
    "by place": ("Derived", ("a", 1.0, [1], 4), {}),
    "by name": ("Derived", (), {"name": "a", "last": "b", "items": [2]}),
    "nothing": ("Open", (), {}),
    "methods of its own": ("Own", (1,), {}),
    "not compared": ("Alone", (), {}),
    "too few": ("Base", (), {}),
    "too many": ("Base", ("a", 1.0, 2.0), {}),
    "unknown": ("Base", ("a",), {"colour": 1}),
    "named only": ("Derived", ("a", 1.0, [], 3, "z"), {}),
    "not to be given": ("Open", (1, [2]), {}),
    "refused by the class": ("Base", ("a", -1.0), {}),
}


def outcome(classes: dict[str, type], case: str) -> Any:
    name, given, named = CALLS[case]
    try:
        made, twin = (classes[name](*given, **named) for _ in range(2))
    except (TypeError, ValueError) as error:
        return type(error), str(error).replace("families.<locals>.", "")
    try:
        same_hash = hash(made) == hash(twin)
    except TypeError as error:
        same_hash = str(error)
    return repr(made), vars(made), made == twin, made != 1, same_hash, copy.deepcopy(made) == made


@pytest.mark.parametrize("case", CALLS)
def test_instances_are_those_of_pythons_own(case: str) -> None:
    assert outcome(OURS, case) == outcome(PYTHONS, case)


def test_fields_signatures_and_matching_are_those_of_pythons_own() -> None:
    for name, ours in OURS.items():
        theirs = PYTHONS[name]
        assert [item.name for item in dataclasses.fields(ours)] == [item.name for item in dataclasses.fields(theirs)]
        assert ours.__match_args__ == theirs.__match_args__
        assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)


@pytest.mark.parametrize("classes", [OURS, PYTHONS], ids=["ours", "python's"])
def test_frozen_ones_cannot_be_changed(classes: dict[str, type]) -> None:
    made = classes["Derived"]("a")
    with pytest.raises(FrozenInstanceError):
        made.size = 1.0
    with pytest.raises(FrozenInstanceError):
        made.unknown = 1.0
    with pytest.raises(FrozenInstanceError):
        del made.name
    open_one = classes["Open"]()
    open_one.count = 4
    assert open_one.count == 4


def test_the_first_instance_writes_the_method_and_not_the_class() -> None:
    @dataclass(frozen=True)
    class Fresh:
        x: float = 1.0

    assert isinstance(vars(Fresh)["__init__"], _Init)
    assert Fresh(2.0).x == 2.0
    assert not isinstance(vars(Fresh)["__init__"], _Init)
    assert dataclasses.replace(Fresh(2.0), x=3.0) == Fresh(3.0)


def test_classes_of_both_makers_derive_from_each_other() -> None:
    """Plugins use Python's own decorator on our bases."""

    @dataclasses.dataclass(frozen=True)
    class Theirs(OURS["Base"]):  # type: ignore[misc]
        more: int = 1

    @dataclass(frozen=True)
    class Again(Theirs):
        most: int = 2

    assert repr(Again("a", most=5)).endswith("Again(name='a', size=2.0, more=1, most=5)")
    assert Again("a") == Again("a") != Again("b")
    assert Theirs("a") == Theirs("a") and hash(Theirs("a")) == hash(Theirs("a"))
    with pytest.raises(ValueError, match="negative"):
        Again("a", -1.0)


def test_subclasses_without_a_decorator_and_pickles_work() -> None:
    from centrode.parts.bodies.rigid import RigidBody

    body = RigidBody("a", mass=1.0, inertia=(1.0, 1.0, 1.0))
    assert pickle.loads(pickle.dumps(body)) == body

    class Plain(OURS["Base"]):  # type: ignore[misc]
        pass

    assert Plain("a") == Plain("a") != OURS["Base"]("a")
