r"""Formulas of the documentation, written as LaTeX in fences of ``math``, become MathML, which browsers set themselves.

A hook of MkDocs; mkdocs.yml names it. A fence holds one equation, or several, each on a line of ``aligned`` that begins
with ``& ``. What a ``\qquad`` parts may stand on two lines where a screen is narrow.
"""

from __future__ import annotations

import re
from html import escape

from latex2mathml.converter import convert

FENCE = re.compile(r"^```math\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ALIGNED = re.compile(r"\\begin\{aligned\}\n(.*?)\n\\end\{aligned\}", re.DOTALL)
APART = "\\qquad"


def on_page_markdown(markdown: str, **_page: object) -> str:
    r"""The page with its formulas set.

    >>> page = on_page_markdown("Odds:\n\n```math\nA/B \\qquad C\n```\n")
    >>> page.startswith('Odds:\n\n<div class="formula" tabindex="0" role="group"'), page.count("<math")
    (True, 2)
    """
    return FENCE.sub(lambda found: formula(found[1]), markdown)


def formula(latex: str) -> str:
    """A fence as a block of HTML, on one line: an empty one would end it."""
    rows = "".join(f"<div>{''.join(map(_set, row.split(APART)))}</div>" for row in equations(latex))
    label = escape("; ".join(equations(latex)))
    return f'<div class="formula" tabindex="0" role="group" aria-label="Formula: {label}">{rows}</div>'


def equations(latex: str) -> list[str]:
    r"""The equations of a fence.

    >>> equations("\\begin{aligned}\n& a = b \\\\\n& c = d\n\\end{aligned}\n")
    ['a = b', 'c = d']
    """
    found = ALIGNED.fullmatch(latex.strip())
    lines = [latex] if found is None else re.split(r" \\\\\n", found[1])
    return [" ".join(line.removeprefix("& ").split()) for line in lines]


def _set(part: str) -> str:
    return convert(part.strip(), display="block")
