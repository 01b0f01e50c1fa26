"""A certificate that is renewed while the server runs, and how long the one that is shown is good."""

from __future__ import annotations

import ssl
import time
from pathlib import Path
from typing import Final

from deniable.intake.events import tell, warn
from deniable.intake.http.certificates import end_of
from deniable.reports.atomic_files import Stamp, stamp

DAY: Final = 86400.0
WARNED: Final = 14 * DAY
"""Seconds before a certificate's end from which on it is warned of, once a day."""


class Renewal:
    """Has new connections see the certificate in its files as soon as these change; an unsound one changes nothing."""

    def __init__(self, first: ssl.SSLContext, certificate: Path, key: Path) -> None:
        self._first, self._certificate, self._key = first, certificate, key
        self._stamps, self._warned = self._file_stamps(), -DAY
        self.end = end_of(certificate)
        """When the certificate ends that is shown, in seconds since 1970."""

    def check(self, at_once: bool = False) -> None:
        """Show what is in the files, if they have changed; warn of an end that is near."""
        stamps = self._file_stamps()
        if at_once or stamps != self._stamps:
            self._stamps = stamps
            self._show()
        now = time.time()
        if self.end - now < WARNED and now >= self._warned + DAY:
            self._warned = now
            left = max(self.end - now, 0) / DAY
            warn("the certificate must be renewed", f"it is good for {left:.0f} days more")

    def _show(self) -> None:
        """Let new connections have a context of their own: the one that others use is not touched."""
        fresh = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            end = end_of(self._certificate)
            fresh.load_cert_chain(self._certificate, self._key)
        except Exception as error:  # whatever is in the file, the server goes on
            warn("a new certificate must come with its key; the one before is shown further on", error)
            return

        def show(connection: ssl.SSLSocket | ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
            connection.context = fresh

        self._first.sni_callback = show
        self.end, self._warned = end, -DAY
        tell("the certificate was renewed")

    def _file_stamps(self) -> list[Stamp | None]:
        return [_stamp(path) for path in (self._certificate, self._key)]


def _stamp(path: Path) -> Stamp | None:
    """The stamp of a file, which changes when it does; None while it is being replaced."""
    try:
        return stamp(path)
    except OSError:
        return None
