"""Episodes: what a pair of outlines remembers from step to step (last normal, memory of its contact law).

The broad phase lists pairs in rising order of their code i * n + j. Old and new lists are merged in one pass, so no
search and no hash table is needed, the cost is linear, and the result does not depend on history except through the
memories themselves. A pair that leaves the list is dropped, unless its contact law has left a dent (greatest depth of
a crush law): then it stays, asleep, so that the dent is found again.
"""

from __future__ import annotations

import numpy as np

from centrode.jit import step_kernel
from centrode.parts.contact_laws.contact_law import CRUSH, DEEPEST, KIND, MEMORY


class EpisodeTable:
    """Room for pairs and their memories; two copies, because a merge reads one and writes the other.

    Attributes:
        codes: pair codes i * n + j, rising, int64[room].
        law: index of the contact law of each pair, int64[room].
        memory: float64[room, MEMORY]; warm: last normals, float64[room, 3].
        near: 1 when the pair is in the present list of the broad phase, int64[room].
        count: number of entries in use, int64[1].
    """

    def __init__(self, room: int) -> None:
        self.room = room
        self.codes, self.old_codes = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
        self.law, self.old_law = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
        self.memory, self.old_memory = np.zeros((room, MEMORY)), np.zeros((room, MEMORY))
        self.warm, self.old_warm = np.zeros((room, 3)), np.zeros((room, 3))
        self.near = np.zeros(room, dtype=np.int64)
        self.count = np.zeros(1, dtype=np.int64)

    def arrays(self) -> tuple[np.ndarray, ...]:
        """The arrays in the order in which :func:`renew` takes them."""
        return (
            self.codes,
            self.law,
            self.memory,
            self.warm,
            self.old_codes,
            self.old_law,
            self.old_memory,
            self.old_warm,
            self.near,
            self.count,
        )


@step_kernel
def renew(
    pairs, pair_count, outline_count, materials, law_of, laws,
    codes, law, memory, warm, old_codes, old_law, old_memory, old_warm, near, count,
):  # fmt: skip
    """Take over the new list of pairs, with the memories of those that were there before.

    Args:
        pairs, pair_count: from the broad phase, rising.
        outline_count: n of the code i * n + j.
        materials: material slot of each outline, int64[n]; law_of: law slot of two materials, int64[m, m].
        laws: parameter rows of the laws, float64[l, PAR].
        codes .. count: arrays of an :class:`EpisodeTable`.

    Returns:
        number of entries needed; more than the room means overflow: entries beyond it are not kept.
    """
    room = codes.shape[0]
    before = count[0]
    for k in range(before):
        old_codes[k] = codes[k]
        old_law[k] = law[k]
        for j in range(old_memory.shape[1]):
            old_memory[k, j] = memory[k, j]
        for j in range(3):
            old_warm[k, j] = warm[k, j]
    p = 0
    q = 0
    made = 0
    while p < pair_count or q < before:
        new_code = pairs[p, 0] * outline_count + pairs[p, 1] if p < pair_count else -1
        old_code = old_codes[q] if q < before else -1
        take_old = old_code >= 0 and (new_code < 0 or old_code <= new_code)
        is_new = new_code >= 0 and (old_code < 0 or new_code <= old_code)
        if take_old and not is_new and not _dented(laws, old_law[q], old_memory[q]):
            q += 1
            continue
        if made < room:
            codes[made] = new_code if is_new else old_code
            near[made] = 1 if is_new else 0
            if take_old:
                law[made] = old_law[q]
                for j in range(memory.shape[1]):
                    memory[made, j] = old_memory[q, j]
                for j in range(3):
                    warm[made, j] = old_warm[q, j]
            else:
                law[made] = law_of[materials[pairs[p, 0]], materials[pairs[p, 1]]]
                for j in range(memory.shape[1]):
                    memory[made, j] = 0.0
                for j in range(3):
                    warm[made, j] = 0.0
        made += 1
        if take_old:
            q += 1
        if is_new:
            p += 1
    count[0] = min(made, room)
    return made


@step_kernel
def _dented(laws, law, memory):
    """True when a pair has something to remember even while its bodies are far apart."""
    return int(laws[law, KIND]) == CRUSH and memory[DEEPEST] > 0.0
