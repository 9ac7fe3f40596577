"""How commands open a recording together with the scenario that it carries."""

from __future__ import annotations

import centrode
from centrode.cli.output import remark
from centrode.errors import InputError


def open_recording(path: str, plugins: tuple[str, ...]) -> centrode.Recording:
    """A recording whose scenario is read as far as it can be; says so where it cannot.

    Args:
        path: file of the recording.
        plugins: plugin files, in the place of those that have moved since the run.

    Raises:
        InputError: no recording, or a scenario that cannot be read although plugins were given for it.
    """
    run = centrode.Recording.load(path)
    if run.provenance.scenario_text:
        try:
            run.scenario(plugins=plugins)
        except InputError as error:
            if plugins:
                raise
            remark(f"without what the scenario says, which cannot be read: {error.faults[0]}")
    return run
