"""What commands do and which options they have, from their help, so that it is written once.

A hook of MkDocs; mkdocs.yml names it. A fence of ``options`` holds the name of a command.
"""

from __future__ import annotations

import re
from typing import Any

import typer

from deniable.cli import app

FENCE = re.compile(r"^```options\n(.*?)\n```$", re.MULTILINE)
CODE = re.compile(r"(?<![\w`])(--[a-z][a-z-]+|\.[a-z]+(?=[ ,;:.]))(?![\w`])")
"""What is set as code: other options, and endings of files."""


def commands_of(group: dict[str, Any], before: str = "") -> dict[str, Any]:
    """The commands of a group, those of groups within under all their names."""
    found: dict[str, Any] = {}
    for name, command in group.items():
        inner = getattr(command, "commands", None)
        found |= {before + name: command} if inner is None else commands_of(inner, f"{before}{name} ")
    return found


COMMANDS = commands_of(getattr(typer.main.get_command(app), "commands", {}))


def on_page_markdown(markdown: str, **_page: object) -> str:
    r"""The page with its commands.

    >>> page = on_page_markdown("```options\nsurvey tally\n```")
    >>> "| `--out FILE` | The survey's tally to write. |" in page
    True
    """
    return FENCE.sub(lambda found: told(found[1]), markdown)


def told(name: str) -> str:
    """What a command does, and the table of its arguments and options."""
    command = COMMANDS[name].real
    rows = [row(param) for param in command.params if param.name != "help"]
    return "\n".join([marked(command.help), "", "| option | meaning |", "|---|---|", *rows])


def row(param: Any) -> str:
    """The row of an argument or an option."""
    option = [param.opts[-1]] if param.param_type_name == "option" else []
    return f"| `{' '.join([*option, *filter(None, [param.metavar])])}` | {marked(param.help or '')} |"


def marked(text: str) -> str:
    """A text of the command line as Markdown.

    >>> marked("Instead of --epsilon, a file")
    'Instead of `--epsilon`, a file'
    """
    return CODE.sub(r"`\1`", text).replace("|", r"\|")
