"""The reference: a page for each public name, and an index with a line for each, from the docstrings.

A hook of MkDocs; mkdocs.yml names it. A fence of ``names`` in the index holds names of ``dn``, or full ones, and which
members their pages show: those after a colon, ``own`` for all that are not inherited.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

DOCS = Path(__file__).resolve().parents[1] / "docs"
INDEX = "reference/index.md"
FENCE = re.compile(r"^```names\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
OWN = "own"


@dataclass(frozen=True)
class Entry:
    """A name of the reference and the members that its page shows; None: those that the theme would show."""

    path: str
    members: tuple[str, ...] | None

    @classmethod
    def of(cls, line: str) -> Entry:
        """The entry of a line of the index.

        >>> Entry.of("crowd: level, delta")
        Entry(path='deniable.crowd', members=('level', 'delta'))
        """
        path, _, members = line.partition(": ")
        return cls(path if "." in path else f"deniable.{path}", tuple(members.split(", ")) if members else None)

    @property
    def name(self) -> str:
        """What the name is called.

        >>> Entry.of("deniable.privacy.exact_channel.ExactChannel").name
        'ExactChannel'
        """
        return self.path.rpartition(".")[2]

    @property
    def named(self) -> Any:
        """What has the name."""
        return getattr(importlib.import_module(self.path.rpartition(".")[0]), self.name)

    @property
    def file(self) -> str:
        """The name of its page: where capitals are not told apart, ``Plan`` needs another one than ``plan``.

        >>> Entry.of("plan").file, Entry.of("Plan").file, Entry.of("Estimate").file
        ('plan.md', 'Plan-class.md', 'Estimate.md')
        """
        lower = self.name.lower()
        twin = lower != self.name and hasattr(importlib.import_module("deniable"), lower)
        return f"{self.name}-class.md" if twin else f"{self.name}.md"

    @property
    def says(self) -> str:
        """The first sentence of its docstring, in one line."""
        first = " ".join((inspect.getdoc(self.named) or "").partition("\n\n")[0].split())
        return re.split(r"(?<=\.) (?=[A-Z`])", first)[0].replace("``", "`").replace("|", r"\|")

    @property
    def source(self) -> str:
        """The page, in Markdown."""
        options = {"heading_level": "1", **self._options()}
        below = "".join(f"      {key}: {value}\n" for key, value in options.items())
        shown = f"::: {self._home}\n    options:\n{below}"
        return f"---\ntitle: {self.name}\n---\n\n{shown}\n{self._more}[All names](index.md)\n"

    @property
    def _home(self) -> str:
        """Where it is written, if its room is called the same: the analyser takes ``deniable.audit`` for the room."""
        named = self.named
        hidden = not isinstance(named, ModuleType) and (DOCS.parent / "src" / "deniable" / self.name).is_dir()
        return f"{inspect.unwrap(named).__module__}.{self.name}" if hidden else self.path

    @property
    def _more(self) -> str:
        page = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", self.name).lower().replace("_", "-") + ".md"
        there = (DOCS / "mechanisms" / page).exists()
        return f"[How it works, and when to choose it](../mechanisms/{page}) · " if there else ""

    def _options(self) -> dict[str, str]:
        if self.members == (OWN,):
            return {"inherited_members": "false"}
        if self.members:
            return {"members": f"[{', '.join(self.members)}]", "inherited_members": "true"}
        mechanism = importlib.import_module("deniable").Mechanism
        family = isinstance(self.named, type) and issubclass(self.named, mechanism)
        return {"members": "false"} if family else {}


def entries() -> Iterator[Entry]:
    """All names, in the order of the index."""
    for fence in FENCE.findall((DOCS / INDEX).read_text(encoding="utf-8")):
        yield from map(Entry.of, fence.splitlines())


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Called once the files are known: the pages of the names are among them."""
    for entry in entries():
        files.append(File.generated(config, f"reference/{entry.file}", content=entry.source))
    return files


def on_page_markdown(markdown: str, **_page: object) -> str:
    """The index with its tables."""
    return FENCE.sub(lambda found: table(found[1]), markdown)


def table(lines: str) -> str:
    """The table of a fence.

    >>> print(table("StoreError"))
    | name | what it is |
    |---|---|
    | [`StoreError`](StoreError.md) | A storage is damaged, of another kind or version, or in use. |
    """
    found = map(Entry.of, lines.splitlines())
    rows = [f"| [`{entry.name}`]({entry.file}) | {entry.says} |" for entry in found]
    return "\n".join(["| name | what it is |", "|---|---|", *rows])
