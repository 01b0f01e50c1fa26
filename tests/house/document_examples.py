"""How examples in documents are found and run: Python blocks as they stand, commands through the command line.

What is shown of their output is compared with it, so that a page shows what its reader will see.
"""

import contextlib
import io
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from doctest import ELLIPSIS
from itertools import zip_longest
from pathlib import Path

from sybil import Example, Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.markdown import CodeBlockParser
from sybil.parsers.rest import DocTestParser

from deniable.cli import app
from deniable.protocol.say import english

PROMPT = "$ "
PRINTED = "__printed__"
"""Where a document's namespace keeps what its last Python block printed."""


@dataclass(frozen=True, slots=True)
class Command:
    """One ``$ deniable ...`` of a console block and the output lines that are shown under it."""

    words: tuple[str, ...]
    shown: list[str] = field(default_factory=list)


def commands(block: str) -> Iterator[Command]:
    """The commands of a console block; a line that ends in a backslash goes on."""
    command = None
    for line in block.replace("\\\n", " ").splitlines():
        if line.startswith(PROMPT):
            if command is not None:
                yield command
            command = Command(tuple(shlex.split(line.removeprefix(PROMPT))))
        elif command is None:
            raise AssertionError(f"a console block must start with {PROMPT!r}, got {line!r}")
        elif line.strip():
            command.shown.append(line)
    if command is not None:
        yield command


def run(words: tuple[str, ...]) -> tuple[int, str]:
    """The exit code and the output of ``deniable``, run here: starting Python anew for each would take minutes."""
    if words[:1] != ("deniable",):
        raise AssertionError(f"only deniable is run in examples, got {words[:1]}")
    output, before = io.StringIO(), sys.argv
    sys.argv = list(words)
    try:
        with contextlib.redirect_stdout(output):
            app()
        code: str | int | None = 0
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv = before
    return (code if isinstance(code, int) else int(code is not None)), output.getvalue()


def missing_lines(shown: list[str], output: str) -> list[str]:
    """The shown lines that the output does not have, in this order; ``...`` stands for any text."""
    rest, missing = [line.strip() for line in output.splitlines()], []
    for line in shown:
        pattern = re.compile(".*".join(re.escape(part) for part in line.strip().split("...")))
        found = next((i for i, candidate in enumerate(rest) if pattern.fullmatch(candidate)), None)
        if found is None:
            missing.append(line)
        else:
            rest = rest[found + 1 :]
    return missing


def evaluate_console(example: Example) -> None:
    """Run a console block: every command ends well and says what is shown."""
    for command in commands(example.parsed):
        code, output = run(command.words)
        assert code == 0, f"{shlex.join(command.words)} ended with {code}:\n{output}"
        missing = missing_lines(command.shown, output)
        assert not missing, f"{shlex.join(command.words)} does not say {missing}:\n{output}"


def evaluate_python(example: Example) -> None:
    """Run a Python block and keep what it prints for an output block below it."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        PythonEvaluator()(example)
    example.namespace[PRINTED] = output.getvalue()


def evaluate_output(example: Example) -> None:
    """An output block shows all that the Python block before it prints; ``...`` stands for any text."""
    printed = _trimmed(example.namespace.pop(PRINTED, ""))
    shown = _trimmed(example.parsed)
    pattern = ".*".join(re.escape(part) for part in shown.split("..."))
    assert printed, "an output block must follow a Python block that prints"
    assert re.fullmatch(pattern, printed, re.DOTALL), f"the page shows\n{shown}\nbut it prints\n{printed}"


def evaluate_label(example: Example) -> None:
    """A label block is a line whose value shows itself as HTML, which the site puts below it."""
    assert "<table>" in eval(example.parsed, example.namespace)._repr_html_()


def _trimmed(text: str) -> str:
    """Without spaces at the end of lines and empty lines at both ends."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


MARKDOWN = Sybil(
    [
        CodeBlockParser("python", evaluate_python),
        CodeBlockParser("output", evaluate_output),
        CodeBlockParser("label", evaluate_label),
        CodeBlockParser("console", evaluate_console),
    ]
)
DOCSTRINGS = Sybil([DocTestParser(ELLIPSIS)])


def run_examples(sybil: Sybil, file: Path, *, all_shown: bool = False) -> int:
    """Run the examples of a file in their order and one namespace; how many there were.

    ``all_shown``: whatever a Python block prints must stand in an output block below it. Docstrings of what pages say
    show it by ``english``, which every example of a module may use.
    """
    document = sybil.parse(file)
    examples = list(document.examples())
    if file.suffix == ".py":
        document.namespace["english"] = english
    for example, after in zip_longest(examples, examples[1:]):
        example.evaluate()
        printed = example.namespace.get(PRINTED)
        shown = after is not None and after.region.evaluator is evaluate_output
        assert not (all_shown and printed and not shown), f"the page does not show what it prints:\n{printed}"
    return len(examples)
