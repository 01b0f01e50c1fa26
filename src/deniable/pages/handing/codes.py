"""Links for people as pictures that phones read, and the list of those that are for one person each."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final, NamedTuple

import segno
from markupsafe import Markup

from deniable.estimation.export import csv_text

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""By which spreadsheets know that a list is in UTF-8."""

DIGITS: Final = 8
"""So many of a survey's digest stand for it on paper: 32 bits tell the surveys of one server apart."""


class Invitation(NamedTuple):
    """What one person gets: a code, and a link that holds it."""

    number: int
    code: str
    link: str

    @property
    def picture(self) -> Markup:
        """The link as a QR code."""
        return qr_code(self.link, self.link)


def invitations_of(codes: Iterable[str], link: str) -> list[Invitation]:
    """A link for each code, which stands behind the sign that no browser sends."""
    return [Invitation(number, code, f"{link}#code={code}") for number, code in enumerate(codes, 1)]


def short_address(base: str, digest: str) -> str:
    """Where a survey is answered, as somebody types it."""
    return f"{base.partition('://')[2]}/to/{digest[:DIGITS]}"


def qr_code(link: str, description: str) -> Markup:
    """A link as a QR code within a page; the description is for who cannot see it."""
    svg = segno.make(link, error="m").svg_inline(border=4, light="#fff", omitsize=True, svgclass="code")
    return Markup(f'<span role="img" aria-label="{escape(description)}">{svg}</span>')


def qr_file(link: str) -> bytes:
    """A link as a QR code of its own, as SVG."""
    stream = io.BytesIO()
    segno.make(link, error="m").save(stream, kind="svg", scale=6, border=4, light="#ffffff")
    return stream.getvalue()


def qr_lines(link: str) -> str:
    """A link as a QR code of letters, for a terminal."""
    stream = io.StringIO()
    segno.make(link).terminal(stream, border=2, compact=True)
    return stream.getvalue()


def merge_list(invitations: Sequence[Invitation], title: str, until: str) -> bytes:
    """A list for mail merge: a row for each person. Nothing in it runs as a formula of a spreadsheet."""
    columns: dict[str, list[Any]] = {
        "number": [each.number for each in invitations],
        "survey": [title] * len(invitations),
        "until": [until] * len(invitations),
        "code": [each.code for each in invitations],
        "link": [each.link for each in invitations],
    }
    return (BYTE_ORDER_MARK + csv_text(columns, ("survey", "until", "code", "link"))).encode()
