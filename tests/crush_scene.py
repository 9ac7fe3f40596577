"""Two bodies in each other of which one or both give way, and one look at their columns; for tests in plain Python."""

from __future__ import annotations

import dataclasses

import numpy as np
from scipy.spatial.transform import Rotation

import centrode as ct
from centrode.dynamics.contact.columns import press_pair
from centrode.dynamics.contact.strip_tables import COLUMN
from centrode.dynamics.contact.tables import NEAR, ContactBlock
from centrode.parts.outlines.outline import frame_at, place_outline
from centrode.system.model import build_model

MASS, WIDTH = 1500.0, 1.8
HALF = (2.0, 0.5 * WIDTH, 0.5)


class Crush:
    """A box "car" with a structure and a box "block", with one of its own where ``both``.

    Attributes:
        t: tables of the contacts; structure: that of the car; columns: memory rows.
        pair: the row of both; ``order`` = 1: the block is outline A.
    """

    def __init__(self, half=(1.0, 5.0, 3.0), both=False, order=0, friction=0.0, **structure):
        system = ct.System(gravity=(0, 0, 0))
        named = [("car", (-50.0, 0.0, 0.0), HALF), ("block", (50.0, 0.0, 0.0), HALF if both else half)]
        for name, place, size in named[::-1] if order else named:
            system.add(ct.RigidBody(name, MASS, (500, 2000, 2500), place))
            system.add(ct.OutlineBox(f"{name}.shell", body=name, half_lengths=size, material="car"))
            if name == "car" or both:
                usual = ct.structure_of_mass(f"{name}.structure", f"{name}.shell", MASS, WIDTH)
                usual = dataclasses.replace(usual, **{"strips": 1, "outboard": 1.0, "cell": 0.3} | structure)
                system.add(usual)
        system.add(ct.Crush("law", friction=friction))
        self.structure = system.parts["car.structure"]
        self.contacts = build_model(system).contacts
        self.block = ContactBlock(self.contacts.tables)
        self.t = self.block.tables
        self.columns = np.zeros(200, COLUMN)
        self.pair = np.zeros(1, NEAR)[0]
        self.pair.b, self.pair.code, self.pair.crush, self.pair.slot = 1, 1, 1, -1
        self.number = {name: self.contacts.bodies.index(name) for name in ("car", "block")}
        self.own = {name: k - 1 for name, k in self.number.items()}
        self.place("car", (0.0, 0.0, 0.0))
        self.place("block", (50.0, 0.0, 0.0))

    def place(self, name, position, turn=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), omega=(0.0, 0.0, 0.0)):
        """Put a body somewhere, turned by a rotation vector, with velocity and spin in the world."""
        k, axes = self.number[name], Rotation.from_rotvec(turn).as_matrix()
        frame, rates = self.t.frames[k], self.t.rates[k]
        frame.position, frame.directors = position, axes.T
        rates.position, rates.directors = velocity, np.cross(omega, axes.T)
        place_outline(self.t.outlines[k - 1], frame_at(frame), self.t.placed[k - 1])

    def press(self, settle=False, closing=10.0, elapsed=0.01):
        """One look at the columns; what they add up to."""
        for row in self.t.push:
            row.position, row.directors = 0.0, 0.0
        self.t.head[0].tried = 0
        press_pair(self.block.address, self.pair, self.columns, closing, elapsed, settle)
        return self.t.head[0].pressed.copy()

    def wrench(self, name, about=None):
        """Force on a body and its moment, about the body's centre or a point of the world."""
        k = self.number[name]
        frame, push = self.t.frames[k], self.t.push[k]
        moment = np.cross(frame.directors, push.directors).sum(axis=0)
        if about is not None:
            moment = moment + np.cross(frame.position - np.asarray(about), push.position)
        return np.concatenate([push.position, moment])

    @property
    def used(self):
        """Rows of memory in use."""
        return self.columns[self.columns["code"] > 0]
