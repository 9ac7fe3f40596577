"""The little of NetCDF-4 that a recording needs, written with h5py.

A NetCDF-4 file is an HDF5 file in which dimensions are "dimension scales": data sets that others refer to, axis by
axis. One that is a variable as well bears its own name as a scale, one that is not bears a sentence that says so.
Groups keep the order in which things were made, every dimension has a number (NetCDF user's guide, appendix C).

h5netcdf writes the same, and looks every name and dimension up again at each access: a quarter of a second for the
sixty variables of a short run, where this takes a fifth of that. What xarray reads is identical
(tests/unit/test_recording.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

Handle: TypeAlias = Any
"""A group, data set or type of h5py's, which has no types of its own."""
_NO_VARIABLE = b"This is a netCDF dimension but not a netCDF variable.%10d"
_MADE_BY = "version=2,centrode=1"


class Group:
    """A group of a file that is being written: dimensions, variables, groups.

    Args:
        group: the same as h5py has it.
        numbers: gives the numbers of dimensions, which go through the whole file.
    """

    def __init__(self, group: Handle, numbers: Iterator[int]) -> None:
        self._group, self._numbers = group, numbers
        self._sizes: dict[str, int] = {}
        self._variables: dict[str, tuple[Handle, tuple[str, ...]]] = {}
        self._groups: list[Group] = []

    def say(self, attributes: Mapping[str, object]) -> None:
        """Give the group attributes."""
        _say(self._group, attributes)

    def dimension(self, name: str, size: int) -> None:
        """A dimension of this group."""
        self._sizes[name] = size

    def variable(
        self, name: str, dims: tuple[str, ...], dtype: Handle, attributes: Mapping[str, object] | None = None
    ) -> Handle:
        """A variable over dimensions of this group, as h5py has it; an axis without elements can grow."""
        data = self._made(name, tuple(self._sizes[dim] for dim in dims), dtype)
        _say(data, attributes or {})
        self._variables[name] = (data, dims)
        return data

    def group(self, name: str) -> Group:
        """A group in this group."""
        made = Group(self._group.create_group(name, track_order=True), self._numbers)
        self._groups.append(made)
        return made

    def finish(self) -> None:
        """Say which variable lies over which dimension, here and in the groups below."""
        scales = {}
        for dim, size in self._sizes.items():
            own = dim in self._variables
            scales[dim] = self._variables[dim][0] if own else self._made(dim, (size,), ">f4")
            scales[dim].make_scale(dim if own else _NO_VARIABLE % size)
            scales[dim].attrs["_Netcdf4Dimid"] = np.int32(next(self._numbers))
        for name, (data, dims) in self._variables.items():
            if dims != (name,):
                for axis, dim in enumerate(dims):
                    data.dims[axis].attach_scale(scales[dim])
        for group in self._groups:
            group.finish()

    def _made(self, name: str, shape: tuple[int, ...], dtype: Handle) -> Handle:
        """A data set. Scales hold a list of all that refer to them, which must be allowed to pass 64 KB.

        HDF5 stores attributes of any size where their order is kept.
        """
        most = None if all(shape) else tuple(size or None for size in shape)
        return self._group.create_dataset(name, shape, dtype, maxshape=most, track_order=name in self._sizes)


def _say(owner: Handle, attributes: Mapping[str, object]) -> None:
    for name, value in attributes.items():
        owner.attrs[name] = value


@contextmanager
def new_file(path: Path) -> Iterator[Group]:
    """The root group of a new file; complete when the block ends."""
    import itertools

    import h5py

    with h5py.File(path, "w", track_order=True) as file:
        file.attrs["_NCProperties"] = _MADE_BY
        root = Group(file, itertools.count())
        yield root
        root.finish()
