"""Names for parts of a page that the theme leaves without one, for people who hear a page instead of seeing it.

A hook of MkDocs; mkdocs.yml names it.
"""

from __future__ import annotations

import re
from html import escape

SEARCH = 'data-md-component="search" role="dialog"'
SECTION = re.compile(
    r'<span class="md-ellipsis">\s*([^<]*?)\s*</span>\s*</a>\s*<label class="md-nav__link " for="[^"]*" id="(\w+)"'
)
"""A section with a page of its own: its title stands in a link, and the label that its list is named by is empty."""


def on_post_page(output: str, **_page: object) -> str:
    """The page with its dialog and its sections named.

    >>> on_post_page('<div data-md-component="search" role="dialog">')
    '<div data-md-component="search" role="dialog" aria-label="Search">'
    """
    output = output.replace(SEARCH, f'{SEARCH} aria-label="Search"')
    for title, label in SECTION.findall(output):
        output = output.replace(f'aria-labelledby="{label}"', f'aria-label="{escape(title)}, pages"')
    return output


def on_post_template(output_content: str, **_template: object) -> str:
    """The same for what is no page of its own, such as that of an address that is not there."""
    return on_post_page(output_content)
