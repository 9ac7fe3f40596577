"""Which values of a state act on which rates: what an implicit method can leave out of its linear systems.

A body's rates follow from the wrenches on it, and joints pass these on. Bodies that exact joints hold together (not by
way of the ground) are a group; the rates of a body depend on the bodies of its group and on those that share a force
with one of them, with the internal states of these forces. A chain of bodies with forces between neighbours, such as a
beam, so has a narrow band of a Jacobian when its values are put in order; a tree of exact joints has a full one.

Work that is only added up (the audit) acts on nothing: these values come last, behind the band, and need no factors.
Contacts may join any two bodies: then everything acts on everything.

A pattern that misses something costs iterations, never accuracy: the equations that are solved do not depend on it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from centrode.dynamics.workspace import Workspace
from centrode.parts.kernel_types import LINK_MARKER_COUNT, LINK_MARKERS
from centrode.system.model import Model

WORTH = 0.5
"""Share of the values that the band may take; a wider one is treated as full."""


class Coupling(NamedTuple):
    """Order and band of the values, and how the Jacobian is found with few evaluations.

    Attributes:
        order: place in the linear systems -> value; those in the band first, sums behind.
        band: how many are in the band, how far they act down at most, and (with pivots) to the right; how many
            are iterated; 1 when the systems are full, and the poses, which come first, are eliminated.
        source: (evaluation, rate) -> value that is changed in this evaluation and acts on this rate, or -1.
        judged: (rate,) 1 for values whose errors count; 0 for sums on which too much acts.
        iterated: (rate,) 1 for values whose iteration counts; sums follow the motion.
    """

    order: np.ndarray
    band: np.ndarray
    source: np.ndarray
    judged: np.ndarray
    iterated: np.ndarray


def full_coupling(count: int, inner: int) -> Coupling:
    """Everything acts on everything but for sums, those behind ``inner``: they are as the rates of the stages say."""
    source = np.repeat(np.arange(inner)[:, None], count, axis=1)
    source[:, inner:] = -1
    iterated = np.where(np.arange(count) < inner, 1.0, 0.0)
    return Coupling(np.arange(count), np.array([inner] * 4 + [1]), source, np.ones(count), iterated)


def coupling_of(workspace: Workspace) -> Coupling:
    """The coupling of a model; full where a band is not worth it."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    model, count = workspace.model, workspace.values.size
    if model.contacts is not None:  # behind their first sum there is nothing else
        return full_coupling(count, workspace["pose"].size + workspace["velocity"].size + model.contact_state)
    acts, inner = _pattern(model, count, workspace.audit)
    both = acts[:inner, :inner] | acts[:inner, :inner].T
    order = reverse_cuthill_mckee(csr_matrix(both), symmetric_mode=True).astype(np.int64)
    rows, columns = np.nonzero(acts[:inner, :inner][np.ix_(order, order)])
    below, right = int((rows - columns).max(initial=0)), int((columns - rows).max(initial=0))
    if 2 * below + right > WORTH * inner:
        return full_coupling(count, inner)
    judged = np.ones(count)
    if workspace.audit:
        judged[-2:] = 0.0  # the work of joints and of damping: all bodies at once
    whole = np.concatenate([order, np.arange(inner, count)])
    return Coupling(whole, np.array([inner, below, below + right, count, 0]), _sources(acts, inner), judged, judged)


def _pattern(model: Model, count: int, audit: bool) -> tuple[np.ndarray, int]:
    """acts[i, j]: value j acts on rate i; and the number of values that act on anything."""
    bodies, poses = model.body_count, model.body_count * model.pose_width
    speeds = poses + bodies * model.velocity_width
    inner = speeds + model.states.size
    forces = [
        {int(model.markers["body"][m]) for m in link[LINK_MARKERS:][: link[LINK_MARKER_COUNT]]} - {0}
        for link in model.force_link
    ]
    states: dict[str, list[int]] = {}
    for k, (part, _, _) in enumerate(model.state_names):
        states.setdefault(part, []).append(speeds + k)
    own = [states.get(force.name, []) for force in model.forces]
    group = _groups(bodies, [set(model.joint_bodies(int(j))) - {0} for j in model.exact_joints])
    soft = [set(model.joint_bodies(int(j))) - {0} for j in model.compliant_joints]

    values = [
        [*range((b - 1) * model.pose_width, b * model.pose_width)]
        + [*range(poses + (b - 1) * model.velocity_width, poses + b * model.velocity_width)]
        for b in range(1, bodies + 1)
    ]
    touching = [set(members) for members in (*forces, *soft)]
    inside = [*own, *([] for _ in soft)]
    acts = np.zeros((count, count), dtype=bool)
    for label in set(group):
        members = {b for b in range(1, bodies + 1) if group[b - 1] == label}
        reached, more = set(members), []
        for near, extra in zip(touching, inside, strict=True):
            if near & members:
                reached |= near
                more += extra
        rows = [i for b in members for i in values[b - 1]]
        acts[np.ix_(rows, [j for b in reached for j in values[b - 1]] + more)] = True
    for k, (near, extra) in enumerate(zip(forces, own, strict=True)):
        rows = [*extra, inner + k] if audit else extra
        acts[np.ix_(rows, [j for b in near for j in values[b - 1]] + extra)] = True
    return acts, inner


def _groups(bodies: int, joined: list[set[int]]) -> list[int]:
    """Label of every body: equal for those that joints hold together."""
    label = list(range(bodies))
    for members in joined:
        labels = {label[b - 1] for b in members}
        if len(labels) > 1:
            lowest = min(labels)
            label = [lowest if item in labels else item for item in label]
    return label


def _sources(acts: np.ndarray, inner: int) -> np.ndarray:
    """Values that can be changed at once, because no rate sees two of them, share an evaluation."""
    taken: list[np.ndarray] = []
    found: list[np.ndarray] = []
    for j in range(inner):
        rates = acts[:, j]
        for busy, source in zip(taken, found, strict=True):
            if not np.any(busy & rates):
                busy |= rates
                source[rates] = j
                break
        else:
            taken.append(rates.copy())
            found.append(np.where(rates, j, -1))
    return np.array(found, dtype=np.int64)
