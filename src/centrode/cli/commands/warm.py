"""``centrode warm``: compile ahead of time what the pack does not have."""

from __future__ import annotations

import os
import signal
import sys
import tempfile

import click

from centrode.cli.output import remark
from centrode.errors import InputError

_DEAF = (signal.SIGINT, signal.SIG_IGN)


@click.command()
@click.option("--workers", type=click.IntRange(min=1), help="Processes; as many as there are processors by default.")
def command(workers: int | None) -> None:
    """Compile all kernels now, so that no run has to wait.

    Nothing is to be done where the pack that comes with Centrode fits: on Linux with an x86-64 processor of the last
    ten years. Elsewhere, and after edits of the sources, this compiles what is missing, in several processes.

    \b
    Example:
      centrode warm
    """
    from centrode.every_kernel import missing_kernels

    missing = missing_kernels()
    if not missing:
        remark("all kernels are there")
        return
    _refuse_folder()
    _compile(missing, workers or _processors())
    remark(f"{len(missing)} kernels compiled")


def _compile(missing: list[str], workers: int) -> None:
    """Compile by several processes; an interrupt ends them too, and what is compiled by then is kept."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import active_children, get_context

    from centrode.every_kernel import compile_here

    # Ctrl-C reaches all processes of a terminal, and Numba's code goes on after one: only this process listens.
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # else the others would wait for work for ever
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=signal.signal, initargs=_DEAF) as pool:
        try:
            futures = [pool.submit(compile_here, key) for key in missing]
            for done, future in enumerate(as_completed(futures), 1):
                line = f"{done} of {len(missing)} kernels: {future.result()}"
                if sys.stderr.isatty():
                    click.echo(f"\r\x1b[K{line}", err=True, nl=False)
                elif done % 25 == 0:
                    remark(line)
        except KeyboardInterrupt:
            for child in active_children():
                child.terminate()
            raise


def _processors() -> int:
    """Processors that this process may use: a job on a cluster has fewer than the machine."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _refuse_folder() -> None:
    """Refuse to compile for minutes what cannot be kept.

    Raises:
        InputError: the folder of compiled kernels cannot be written.
    """
    from centrode.jit.place import cache_root

    root = cache_root()
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as error:
        raise InputError(
            f"compiled kernels cannot be kept in {root}: {error.strerror}; CENTRODE_CACHE_DIR names another folder"
        ) from None
