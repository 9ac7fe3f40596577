"""Every kernel of the house that a run may need, enumerated: what the pack holds and what ``centrode warm`` compiles.

All rooms are imported and every kernel with a signature is taken; those that are made for a size of joints are made for
every size that a model can have.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from types import ModuleType

from centrode.jit import JIT_ON, Kernel, types
from centrode.jit.pack import kernel_digest, kernel_name, packed_address
from centrode.parts.registry import modules_of


def every_kernel() -> dict[str, Kernel]:
    """Every kernel with a signature, by module, name and digest, in that order."""
    kernels = itertools.chain(*(_kernels_in(module) for module in modules_of("centrode", "jit.")), _sized_kernels())
    return dict(sorted((f"{kernel_name(kernel)} {kernel_digest(kernel)}", kernel) for kernel in kernels))


def missing_kernels() -> list[str]:
    """Names of those that the pack does not have; none with the JIT off."""
    return [key for key, kernel in _found().items() if not packed_address(kernel)] if JIT_ON else []


def compile_here(key: str) -> str:
    """Compile a kernel, or find it compiled; its name."""
    _found()[key].compiled.whole()
    return key.partition(" ")[0]


@functools.cache
def _found() -> dict[str, Kernel]:
    return every_kernel()


def _kernels_in(module: ModuleType) -> Iterator[Kernel]:
    for item in vars(module).values():
        inner = vars(item).values() if isinstance(item, type) and item.__module__ == module.__name__ else ()
        for kernel in (item, *inner):
            if isinstance(kernel, Kernel) and isinstance(kernel.fixed_signature, types.Signature):
                yield kernel


def _sized_kernels() -> Iterator[Kernel]:
    from centrode.dynamics.evaluate import evaluation
    from centrode.dynamics.hard.joints import cluster_kernels
    from centrode.dynamics.projection import position_projection, velocity_correction, velocity_projection
    from centrode.dynamics.redundancy import load_sharing
    from centrode.system.model import SPACE_WIDTHS, joint_sizes

    makers = (evaluation, position_projection, velocity_correction, velocity_projection, load_sharing)
    for make, size in itertools.product(makers, joint_sizes()):
        yield make(*size)
    for size in joint_sizes():
        if size[0] == SPACE_WIDTHS[0]:  # rigid bodies, the only ones that hard contacts take
            yield from cluster_kernels(*size)
