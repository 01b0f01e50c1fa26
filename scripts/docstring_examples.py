"""Docstrings as the reference shows them: examples as code, and for a method without one that of its base.

Markdown would read ``>>>`` as three nested quotations.

An extension of griffe, which reads the docstrings for mkdocstrings; mkdocs.yml names it. The docstrings stay as they
are, doctests that run.
"""

import griffe

PROMPT = ">>> "


def fenced(docstring: str) -> str:
    r"""The docstring with every doctest in a fence: from its first prompt to the next empty line, as doctest reads it.

    >>> fenced("Twice.\n\n>>> 2 * 3\n6").splitlines()
    ['Twice.', '', '```pycon', '>>> 2 * 3', '6', '```']
    """
    lines, indent = list[str](), None
    for line in [*docstring.splitlines(), ""]:
        if indent is None and line.lstrip().startswith(PROMPT):
            indent = line[: -len(line.lstrip())]
            lines.append(f"{indent}```pycon")
        elif indent is not None and not line.strip():
            lines.append(f"{indent}```")
            indent = None
        lines.append(line)
    return "\n".join(lines[:-1])


class DocstringExamples(griffe.Extension):
    """The griffe extension that fences the examples of every docstring, and lets methods inherit theirs."""

    def on_object(self, *, obj: griffe.Object, **kwargs: object) -> None:
        """Called once for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_package(self, *, pkg: griffe.Module, **kwargs: object) -> None:
        """Called once for each package, when all of it is read."""
        inherit(pkg)


def inherit(parent: griffe.Module | griffe.Class) -> None:
    """Give each method without a docstring the one that it inherits, as ``help`` does."""
    for member in parent.members.values():
        if isinstance(member, griffe.Module | griffe.Class):
            inherit(member)
        elif isinstance(parent, griffe.Class) and member.is_function | member.is_attribute and not member.is_alias:
            bases = (base.members.get(member.name) for base in parent.mro())
            if not member.has_docstring:
                member.docstring = next((base.docstring for base in bases if base and base.docstring), None)
