"""The command group: shared behaviour of all commands, errors in one line, exit codes."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from deniable.cli import collector, survey
from deniable.cli.audit import audit
from deniable.cli.demo import demo
from deniable.cli.discover import discover
from deniable.cli.estimate import estimate
from deniable.cli.explain import explain
from deniable.cli.plan import plan
from deniable.cli.privatize import privatize
from deniable.cli.reproduce import reproduce
from deniable.cli.results import results
from deniable.cli.serve import serve, token
from deniable.cli.simulate import simulate
from deniable.cli.tally import of_survey, tally
from deniable.cli.warm import warm
from deniable.errors import DenialError

REFUSED, FAULTY, INTERRUPTED = 2, 70, 130
PACKAGE = Path(__file__).parents[1]


class Command(TyperCommand):
    """A command whose help shows no type for options without a value."""

    def get_params(self, ctx: Any) -> Any:
        """Its options and arguments."""
        return _without_types(super().get_params(ctx))


class Commands(TyperGroup):
    """A group of commands whose errors are one line on the error stream and an exit code, never a traceback."""

    def get_params(self, ctx: Any) -> Any:
        """Its own options."""
        return _without_types(super().get_params(ctx))

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except DenialError as error:
            raise _ended(str(error), REFUSED) from error
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader of the output has closed the pipe
                raise
            raise _ended(_system_error(error), REFUSED) from error
        except MemoryError as error:
            raise _ended("this needs more memory than there is", REFUSED) from error
        except KeyboardInterrupt as error:
            raise _ended("interrupted", INTERRUPTED) from error
        except Exception as error:
            if isinstance(error, typer.Abort) or hasattr(error, "exit_code"):  # Typer's own ways to end
                raise
            raise _ended(_fault(error), FAULTY) from error


def _without_types(params: Any) -> Any:
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


def _ended(message: str, code: int) -> typer.Exit:
    typer.echo(f"deniable: {' '.join(message.split())}", err=True)
    return typer.Exit(code)


def _fault(error: Exception) -> str:
    """The message for an unexpected error: its type and our line, since its text or traceback may quote a value."""
    frames = traceback.extract_tb(error.__traceback__)
    place = next((frame for frame in reversed(frames) if Path(frame.filename).is_relative_to(PACKAGE)), frames[-1])
    where = f"{Path(place.filename).name}, line {place.lineno}"
    return f"this should not happen: {type(error).__name__} in {where}; please report it"


def _system_error(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"deniable {version('deniable')}")
        raise typer.Exit


def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    """Count what people do without learning what any one of them did."""


app = typer.Typer(
    cls=Commands,
    callback=_options,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with: deniable demo",
)
EXAMPLES: dict[Callable[..., None], str] = {
    demo: "deniable demo --out demo --users 2000 --seed 1",
    plan: "deniable plan --domain 1000 --epsilon 1 --users 100000 --max-bits 13",
    audit: "deniable audit --mechanism Subset --domain 16 --epsilon 1 --trials 20000 --seed 1",
    explain: "deniable explain survey.tally",
    privatize: "deniable privatize answers.csv --column answer --mechanism Subset --epsilon 1 "
    "--domain never,once,often --out reports.parquet",
    tally: "deniable tally reports.parquet --out survey.tally",
    estimate: "deniable estimate survey.tally --level 0.9 --plot survey.png",
    discover: "deniable discover visits.tally --question site",
    simulate: "deniable simulate --mechanism Cyclic --domain 1000 --epsilon 1 --users 100000 --truth zipf --seed 1",
    reproduce: "deniable reproduce wang2016 --quick",
    warm: "deniable warm --mechanism Subset",
    serve: "deniable serve --data collected",
    token: "deniable token ann --scope author --data collected",
}
for command, example in EXAMPLES.items():
    app.command(cls=Command, epilog=f"Example: {example}")(command)

surveys = typer.Typer(cls=TyperGroup, no_args_is_help=True, help="Plan a survey, answer it, count it and read results.")
SURVEY_EXAMPLES: dict[str, tuple[Callable[..., None], str]] = {
    "new": (survey.new, "deniable survey new commute.toml --out commute.json"),
    "show": (survey.describe, "deniable survey show commute.json --people 5000"),
    "answer": (survey.answer, "deniable survey answer commute.json people.csv --out answers"),
    "tally": (of_survey, "deniable survey tally answers --out commute.tally"),
    "estimate": (results, "deniable survey estimate commute.tally --cross way,late"),
}
for name, (command, example) in SURVEY_EXAMPLES.items():
    surveys.command(name, cls=Command, epilog=f"Example: {example}")(command)
app.add_typer(surveys, name="survey")

collectors = typer.Typer(cls=TyperGroup, no_args_is_help=True, help="Serve surveys, look after a collector, export.")
COLLECTOR_EXAMPLES: dict[Callable[..., None], str] = {
    collector.put: "deniable collector put commute.json --data collected",
    collector.status: "deniable collector status --data collected",
    collector.close: "deniable collector close commute --data collected",
    collector.recount: "deniable collector recount commute --data collected",
    collector.export: "deniable collector export commute --data collected --out answers",
    collector.invite: "deniable collector invite commute --people 20 --data collected",
    collector.backup: "deniable collector backup monday.sqlite --data collected",
    collector.clock: "deniable collector clock --data collected",
}
for command, example in COLLECTOR_EXAMPLES.items():
    collectors.command(cls=Command, epilog=f"Example: {example}")(command)
app.add_typer(collectors, name="collector")


def main() -> None:
    """Run the command line as a process of its own.

    A failed command may leave a thread of Arrow that still reads the standard input through Python and would abort when
    the interpreter shuts down. So the process ends without a normal shutdown.
    """
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
