"""``centrode gallery``: a page with all scenarios of a folder."""

from __future__ import annotations

from pathlib import Path

import click

from centrode.cli.options import JSON
from centrode.cli.output import emit_json, progress, remark
from centrode.errors import InputError


@click.command()
@click.argument("folder", type=click.Path(), default="scenarios")
@click.option("-o", "--output", type=click.Path(), default="out/gallery", show_default=True, help="Folder to write.")
@click.option("--no-pictures", is_flag=True, help="Leave out the pictures, which need Chromium.")
@JSON
def command(folder: str, output: str, no_pictures: bool, as_json: bool) -> int:
    """Build a gallery of scenarios.

    \b
    Example:
      centrode gallery
      centrode gallery my_scenarios -o pages

    Runs every scenario of the folder and writes a page with a picture, the replay and the report of each. Exit code 1
    when a scenario failed.
    """
    from centrode.view.gallery import build_gallery

    source = Path(folder)
    if not source.is_dir():
        raise InputError("no such folder", got=folder)
    with progress(f"gallery of {folder}", quiet=as_json) as advance:
        cards = build_gallery(source, Path(output), pictures=not no_pictures, progress=advance, say=remark)
    failed, page = [card for card in cards if card.failure], Path(output) / "index.html"
    if as_json:
        faults = {card.name: card.failure for card in failed}
        emit_json({"page": str(page), "made": len(cards) - len(failed), "failed": faults})
    else:
        for card in failed:
            remark(f"{card.name}: {card.failure}")
        click.echo(f"written:   {page}, {len(cards) - len(failed)} of {len(cards)} scenarios")
    return 1 if failed else 0
