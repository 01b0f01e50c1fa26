"""The command group: shared behaviour of all commands, errors in one line, exit codes."""

from __future__ import annotations

import errno
import os
import re
import sys
import traceback
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from deniable.cli.commands import COLLECTOR_COMMANDS, COMMANDS, KEY_COMMANDS, MIXER_COMMANDS, SURVEY_COMMANDS
from deniable.cli.lazy_commands import Group, add
from deniable.cli.output import be_quiet
from deniable.cli.system_errors import system_error
from deniable.protocol.errors import DenialError

EXTRA = re.compile(r"([\w.-]+).*extra == ['\"](\w+)['\"]")
"""A line of the metadata: a package, and the extra that brings it."""
REFUSED, FAULTY, INTERRUPTED = 2, 70, 130
PACKAGE = Path(__file__).parents[1]


class Commands(Group):
    """A group of commands whose errors are one line on the error stream and an exit code, never a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except DenialError as error:
            raise _ended(str(error), REFUSED) from error
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader of the output has closed the pipe
                raise
            raise _ended(system_error(error), REFUSED) from error
        except MemoryError as error:
            raise _ended("this needs more memory than there is", REFUSED) from error
        except KeyboardInterrupt as error:
            raise _ended("interrupted", INTERRUPTED) from error
        except Exception as error:
            if isinstance(error, typer.Abort) or hasattr(error, "exit_code"):  # Typer's own ways to end
                raise
            missing = _missing(error)
            raise (_ended(_fault(error), FAULTY) if missing is None else _ended(missing, REFUSED)) from error


def _ended(message: str, code: int) -> typer.Exit:
    """Print a message in one line on the error stream, and what to raise to end with this exit code."""
    typer.echo(f"deniable: {' '.join(message.split())}", err=True)
    return typer.Exit(code)


def _fault(error: Exception) -> str:
    """The message for an unexpected error: its type and our line, since its text or traceback may quote a value."""
    frames = traceback.extract_tb(error.__traceback__)
    place = next((frame for frame in reversed(frames) if Path(frame.filename).is_relative_to(PACKAGE)), frames[-1])
    where = f"{Path(place.filename).name}, line {place.lineno}"
    return f"this should not happen: {type(error).__name__} in {where}; please report it"


def _missing(error: Exception) -> str | None:
    """What to install for a command that needs more than the core: the smallest extra that brings it.

    None for any other error, a module of our own that is not there among them.
    """
    name = (getattr(error, "name", None) or "").partition(".")[0]
    if not isinstance(error, ModuleNotFoundError) or name in ("", PACKAGE.name):
        return None
    from importlib.metadata import requires

    pairs = [match.groups() for each in requires("deniable") or () if (match := EXTRA.match(each))]
    sizes = Counter(extra for _, extra in pairs)
    extras = [extra for package, extra in pairs if package.lower() == name.lower()]
    package = f"'deniable[{min(extras, key=lambda extra: sizes[extra])}]'" if extras else name
    return f"the package {name} must be installed for this command, got none: pip install {package}"


def _show_version(wanted: bool) -> None:
    if wanted:
        from deniable.version import installed_version

        typer.echo(f"deniable {installed_version()}")
        raise typer.Exit


def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and end.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no hints, only results.")] = False,
) -> None:
    """Count what people do without learning what any one of them did."""
    be_quiet(quiet)


app = typer.Typer(
    cls=Commands,
    callback=_options,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with: deniable demo",
)
surveys = typer.Typer(cls=Group, no_args_is_help=True, help="Plan a survey, answer it, count it and read results.")
collectors = typer.Typer(cls=Group, no_args_is_help=True, help="Serve surveys, look after a collector, export.")
mixers = typer.Typer(cls=Group, no_args_is_help=True, help="Take sealed answers, and hand them over together.")
keys = typer.Typer(cls=Group, no_args_is_help=True, help="Look after the keys that a crowd's answers are sealed for.")
LISTED = (
    (app, COMMANDS), (surveys, SURVEY_COMMANDS), (collectors, COLLECTOR_COMMANDS), (keys, KEY_COMMANDS),
    (mixers, MIXER_COMMANDS),
)  # fmt: skip
for group, listed in LISTED:
    for command in listed:
        add(group, command)
app.add_typer(surveys, name="survey")
collectors.add_typer(keys, name="key")
app.add_typer(collectors, name="collector")
app.add_typer(mixers, name="mixer")


def _without_styles() -> None:
    """Help and errors in plain text, not even bold, for people who set NO_COLOR."""
    from typer import rich_utils

    rich_utils.COLOR_SYSTEM = None


def main() -> None:
    """Run the command line as a process of its own.

    A failed command may leave a thread of Arrow that still reads the standard input through Python and would abort when
    the interpreter shuts down. So the process ends without a normal shutdown.
    """
    if os.environ.get("NO_COLOR"):
        _without_styles()
    try:
        app()
    except SystemExit as end:
        if isinstance(end.code, int) and end.code:
            _leave(end.code)
        raise


def _leave(code: int) -> None:
    with suppress(OSError):  # nobody reads the output any more
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
