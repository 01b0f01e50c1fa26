"""What is handed to one person each, as files: sheets to print, and a list for mail merge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from markupsafe import Markup

from deniable.pages.assets import asset
from deniable.pages.frame import OWN
from deniable.pages.handing.codes import Invitation, merge_list
from deniable.pages.handing.handout import Handout
from deniable.pages.site import templates

SHEETS: Final = ("letters", "cards")
MOST_SHEETS: Final = 500
"""So many QR codes are drawn at a time, in about ten seconds."""
STYLES: Final = "pages.css"
DrawnInvitation: TypeAlias = tuple[Invitation, Markup]
"""What one person gets, and its link as a QR code."""


def with_qr_codes(invitations: Sequence[Invitation]) -> list[DrawnInvitation]:
    """Each invitation with its QR code."""
    return [(each, each.picture) for each in invitations]


def printed_sheets(kind: str, handout: Handout, drawn: Sequence[DrawnInvitation]) -> bytes:
    """Letters or cards as a page that needs no server: its styles are in it."""
    styles = Markup((asset(STYLES) or b"").decode())
    template = templates(OWN).get_template("handing/printed.html")
    return template.render(kind=kind, handout=handout, drawn=drawn, styles=styles).encode()


def people_list(handout: Handout, invitations: Sequence[Invitation]) -> bytes:
    """A list for mail merge, with the moment at which the survey closes."""
    closes = handout.survey.closes
    return merge_list(invitations, handout.title, "" if closes is None else handout.say(handout.moment(closes)))
