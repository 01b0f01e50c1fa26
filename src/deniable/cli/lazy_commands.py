"""Commands that are loaded when they are run: nobody waits for all the others, least of all a list of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command_from_info
from typer.models import CommandInfo

from deniable.protocol.errors import ParameterError

NUMBERS = {"Input should be a valid number": "a number", "Input should be a valid integer": "a whole number"}
"""How Typer's messages begin, and what they want."""
UNREADABLE = "is not readable."
"""How its message on a file without permission ends."""


class CommandEntry(NamedTuple):
    """A command as lists show it: the module and the function that it is, what it does, and an example."""

    name: str
    module: str
    function: str
    help: str
    example: str

    def load(self) -> Callable[..., None]:
        """The function."""
        function: Callable[..., None] = getattr(import_module(f"deniable.cli.{self.module}"), self.function)
        return function


class Command(TyperCommand):
    """A command whose help shows no type for options without a value, and that takes each of its values once."""

    def get_params(self, ctx: Any) -> Any:
        """Its options and arguments."""
        return without_types(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the words; an option that takes one value is refused if it is repeated, instead of keeping the last."""
        if not ctx.resilient_parsing:
            _check_once(self.make_parser(ctx).parse_args(args=list(args))[2])
        return super().parse_args(ctx, args)


def _check_once(params: Iterable[Any]) -> None:
    """Refuse an option with one value that is among the words several times."""
    single = (each for each in params if each.param_type_name == "option" and not (each.multiple or each.is_flag))
    for option, times in Counter(max(each.opts, key=len) for each in single).items():
        if times > 1:
            raise ParameterError(f"{option} must be given once at most, got it {times} times")


class Group(TyperGroup):
    """A group of commands whose help shows no type for options without a value."""

    def get_params(self, ctx: Any) -> Any:
        """Its own options."""
        return without_types(super().get_params(ctx))


class LazyCommand(TyperCommand):
    """What stands for a command until it is run or asked for its options."""

    listed: ClassVar[CommandEntry]

    @cached_property
    def real(self) -> Any:
        """The command itself."""
        info = CommandInfo(self.name, cls=Command, callback=self.listed.load(), epilog=self.epilog)
        return get_command_from_info(info, pretty_exceptions_short=True, rich_markup_mode="rich")

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **named: Any) -> Any:
        """The context of the command itself, in which it is run: its options are also those of a mechanism's own."""
        for name in mechanisms_named(args):
            from deniable.mechanisms.registry import load

            load(name)
        try:
            return self.real.make_context(info_name, args, *more, **named)
        except typer.BadParameter as error:
            error.message = _plainer(error)
            raise
        except Exception as error:
            unknown: Any = error
            if hasattr(unknown, "possibilities"):  # an option that there is not
                arguments = " ".join(each.metavar for each in self.real.params if each.param_type_name == "argument")
                unknown.message += f"; {arguments} stands without an option" if arguments else ""
            raise


def mechanisms_named(words: Sequence[str]) -> Iterator[str]:
    """What the option ``--mechanism`` names.

    >>> list(mechanisms_named(["--mechanism", "Subset", "--seed", "1"])), list(mechanisms_named(["--mechanism=Cyclic"]))
    (['Subset'], ['Cyclic'])
    """
    for word, after in pairwise([*words, ""]):
        option, _, value = word.partition("=")
        if option == "--mechanism":
            yield value or after


def _plainer(error: typer.BadParameter) -> str:
    """What is wanted and what came, where Typer's message leaves it to a reader of its checks."""
    causes: Any = getattr(error.__cause__, "errors", list)()
    for begin, wanted in NUMBERS.items():
        if causes and error.message.startswith(begin):
            return f"it must be {wanted}, got {causes[0]['input']!r}"
    if error.message.endswith(UNREADABLE):
        return f"{error.message.removesuffix(UNREADABLE)}must be open to you, got no permission to read it"
    return error.message.removeprefix("Value error, ")


def without_types(params: Any) -> Any:
    """Options, of which flags show no type."""
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


def add(app: typer.Typer, listed: CommandEntry) -> None:
    """Put a command into a group."""

    def stub() -> None:
        raise AssertionError("the command itself must be run, got what stands for it")

    lazy = type("Lazy", (LazyCommand,), {"listed": listed})
    app.command(listed.name, cls=lazy, help=listed.help, epilog=f"Example: {listed.example}")(stub)
