"""``centrode warm``: compile ahead of time what the pack does not have."""

from __future__ import annotations

import os
import sys

import click

from centrode.cli.output import remark


@click.command()
@click.option("--workers", type=click.IntRange(min=1), help="Processes; the number of processors by default.")
def command(workers: int | None) -> None:
    """Compile all kernels now, so that no run has to wait.

    Nothing is to be done where the pack that comes with Centrode fits: on Linux with an x86-64 processor of the last
    ten years. Elsewhere, and after edits of the sources, this compiles what is missing, in several processes.

    \b
    Example:
      centrode warm
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from centrode.every_kernel import compile_here, missing_kernels

    missing = missing_kernels()
    if not missing:
        remark("all kernels are there")
        return
    processes = ProcessPoolExecutor(workers or os.cpu_count() or 1, mp_context=get_context("spawn"))
    with processes as pool:
        for done, name in enumerate(pool.map(compile_here, missing), 1):
            line = f"{done} of {len(missing)} kernels: {name}"
            if sys.stderr.isatty():
                click.echo(f"\r\x1b[K{line}", err=True, nl=False)
            elif done % 25 == 0:
                remark(line)
    remark(f"{len(missing)} kernels compiled")
