"""What a collector tells of itself: lines of text or of JSON, about a survey and with a reason, never of a person."""

from __future__ import annotations

import datetime
import json
import logging
import sys
from typing import Any, Final

from deniable.protocol.errors import DenialError

LOG: Final = logging.getLogger("deniable.collector")
ASYNCIO: Final = logging.getLogger("asyncio")
FORMATS: Final = ("text", "json")


def tell(event: str, **about: Any) -> None:
    """Something that went as it should, about a survey or a period."""
    _tell(logging.INFO, event, about)


def warn(event: str, reason: str | BaseException = "", **about: Any) -> None:
    """Something that somebody should look at, and why."""
    _tell(logging.WARNING, event, {**about, "reason": reason_of(reason)})


def reason_of(reason: str | BaseException) -> str:
    """Why something failed: in words where they are ours, by its name where a message may quote what came."""
    if isinstance(reason, str):
        return reason
    return str(reason) if isinstance(reason, DenialError) else type(reason).__name__


def write_to_stderr(form: str) -> None:
    """Write all events as lines of text, or as lines of JSON, each with the time in UTC."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if form == "json" else _Text())
    LOG.handlers, LOG.propagate = [handler], False
    LOG.setLevel(logging.INFO)
    ASYNCIO.handlers, ASYNCIO.propagate = [handler], False
    ASYNCIO.setLevel(logging.ERROR)  # its warnings are of proofs that are killed as a server ends


def _tell(level: int, event: str, about: dict[str, Any]) -> None:
    fields = {name: value for name, value in about.items() if value not in ("", None)}
    words = ", ".join(str(value) if name == "reason" else f"{name} {value}" for name, value in fields.items())
    LOG.log(level, "%s", f"{event}: {words}" if words else event, extra={"event": event, "about": fields})


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """A line with its time."""
        return f"{_time_of(record)} {record.getMessage()}"


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """An object on one line."""
        about: dict[str, Any] = getattr(record, "about", {})
        event = getattr(record, "event", record.getMessage())
        return json.dumps({"time": _time_of(record), "level": record.levelname.lower(), "event": event, **about})


def _time_of(record: logging.LogRecord) -> str:
    return datetime.datetime.fromtimestamp(int(record.created), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
