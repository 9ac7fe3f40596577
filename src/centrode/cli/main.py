"""The ``centrode`` command: finds its commands, turns errors into sentences and exit codes.

Each file in ``centrode/cli/commands`` is one command; ``centrode new-part`` is ``new_part.py``. A file is imported
only when its command runs. The list in ``centrode --help`` is read from the sources without importing them: the first
line of the docstring of the function named ``command``, or of the file when the function has none.

Exit codes: 0 all well, 1 a run or a check failed, 2 the input was wrong, 130 interrupted.
"""

from __future__ import annotations

import ast
import gc
import importlib
import os
import sys
from pathlib import Path

import click

import centrode
from centrode.cli.output import telling_of_compilations
from centrode.errors import CentrodeError, InputError, missing_package, nearest_name

_COMMANDS_PACKAGE = "centrode.cli.commands"
_COMMANDS_FOLDER = Path(__file__).parent / "commands"


class LazyCommands(click.Group):
    """A group whose commands are files, imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, sorted."""
        return sorted(path.stem.replace("_", "-") for path in _COMMANDS_FOLDER.glob("[!_]*.py"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; None when there is no such file."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{_COMMANDS_PACKAGE}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        command.name = cmd_name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command named by the first argument; a misspelt name is answered with the nearest one."""
        name = args[0]
        names = self.list_commands(ctx)
        if name not in names and not name.startswith("-"):
            message = f"there is no command '{name}'"
            near = nearest_name(name, names)
            message += f"; did you mean '{near}'?" if near else "; 'centrode --help' lists all"
            raise click.UsageError(message, ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from their sources."""
        names = self.list_commands(ctx)
        limit = formatter.width - 6 - max((len(name) for name in names), default=0)
        rows = [(name, _clip(short_help(_COMMANDS_FOLDER / f"{name.replace('-', '_')}.py"), limit)) for name in names]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


def short_help(source_file: Path) -> str:
    """One line about a command, from its source alone."""
    try:
        tree = ast.parse(source_file.read_text(encoding="utf-8"))
    except (OSError, SyntaxError):
        return "(cannot be read)"
    text = ast.get_docstring(tree) or ""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "command":
            text = ast.get_docstring(node) or text
    return text.strip().split("\n", 1)[0]


def _clip(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 3].rsplit(" ", 1)[0] + "..."


@click.command(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(centrode.__version__, prog_name="centrode")
def entry() -> None:
    """Define, simulate, look at and vary the motion of vehicles and mechanisms."""


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code; every failure ends here as a message on the error stream."""
    said = sys.argv[1:] if arguments is None else arguments
    try:
        with telling_of_compilations(not {"-q", "--quiet", "--json"} & set(said)):
            result = entry.main(args=arguments, prog_name="centrode", standalone_mode=False)
    except CentrodeError as error:
        if _wants_traceback():
            raise
        click.echo(f"centrode: {error}", err=True)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("centrode: interrupted", err=True)
        return 130
    except BrokenPipeError:
        # The reader went away (`centrode verify | head`): not a fault. Keep the interpreter from writing on.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if _wants_traceback():
            raise
        if missing_package(error):
            click.echo(f"centrode: {missing_package(error)}", err=True)
            return InputError.exit_code
        return _say_unforeseen(error)
    return result if isinstance(result, int) and not isinstance(result, bool) else 0


def _say_unforeseen(error: Exception) -> int:
    """Whose fault an exception is, that of a plugin or ours, and how to find out more."""
    from centrode.parts.registry import error_words, plugin_place, plugins_in_use

    where = "CENTRODE_TRACEBACK=1 shows where it happened"
    if plugin_place(error):
        click.echo(f"centrode: {error_words(error)} (the code of this plugin failed; {where})", err=True)
        return InputError.exit_code
    blame = "please report it"
    if plugins_in_use():
        blame = f"'centrode check {plugins_in_use()[0]}' tells whether a plugin is the cause; if none is, {blame}"
    click.echo(f"centrode: internal error: {error_words(error)}; {blame} ({where})", err=True)
    return 1


def main() -> None:
    """Entry point of the installed command."""
    # Importing makes a hundred thousand objects that all stay. Looking for garbage among them every 700, as Python
    # does by itself, takes a tenth of a short command.
    gc.set_threshold(50_000, 20, 20)
    # Matrices here are small: a second thread of BLAS gains nothing, and where cores are busy its waiting made the
    # assembly of forty four-bars take 4.6 s instead of 0.1 s. Read when NumPy is imported, which is later.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run())


def _wants_traceback() -> bool:
    return os.environ.get("CENTRODE_TRACEBACK", "") not in ("", "0")


if __name__ == "__main__":
    main()
