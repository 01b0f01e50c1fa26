"""Show the examples of docstrings as code in the reference: Markdown would read ``>>>`` as three nested quotations.

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
    """The griffe extension that fences the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **kwargs: object) -> None:
        """Called once for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
