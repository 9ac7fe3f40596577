"""``centrode schema``: the JSON Schema of scenario files, for editors."""

from __future__ import annotations

import click

from centrode.cli.options import PLUGINS
from centrode.errors import InputError


@click.command()
@click.option("-o", "--output", type=click.Path(), help="File to write; printed by default.")
@PLUGINS
def command(output: str | None, plugins: tuple[str, ...]) -> None:
    """Write the JSON Schema of scenario files.

    \b
    Example:
      centrode schema -o centrode.schema.json

    An editor that knows the schema completes names, shows units and marks faults while you type. With the YAML language
    server put this line on top of a scenario: # yaml-language-server: $schema=centrode.schema.json
    """
    import json

    from centrode.scenario.schema import json_schema

    text = json.dumps(json_schema(plugins), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        with open(output, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InputError(f"cannot write the file: {error.strerror}", file=output) from None
