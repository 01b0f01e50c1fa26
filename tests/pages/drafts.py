"""Surveys written in the builder without a browser: its forms filled in and sent."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from tests.pages.readers import Page, Reader

ASKED = {
    "title": "How we come to work",
    "wording-0": "How do you come to work?",
    "kind-0": "one_of",
    "answer-0": ["car", "bus", "", "  bike ", "foot"],
}
LEARNED = {"people": "1000", "level": "2", "minimum": "50"}
FEW = {"people": "120", "level": "1", "minimum": "50"}
"""So few that four answers with strong protection tell nothing."""


UNSTATED = {"do": "open without"}
"""The button of somebody who knows that the label does not say who is responsible."""


def hidden(page: Page) -> dict[str, list[str]]:
    """What the form of a step carries along."""
    form = page.html[page.html.index("data-draft") :]
    found = re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', form[: form.index("</form>")])
    return {name: [html.unescape(value) for each, value in found if each == name] for name, _ in found}


def begun(reader: Reader) -> str:
    """The path of a new draft, without its step."""
    return reader.get("/new").headers["Location"].rsplit("/", 1)[0]


def send(reader: Reader, path: str, do: str, **fields: Any) -> Page:
    """Fill a step in, press a button, and read the page to which that leads."""
    sent = reader.post(path, {**hidden(reader.get(path)), **fields, "do": do})
    assert sent.status == 303, sent.text
    return reader.get(sent.headers["Location"])


def whole(reader: Reader, **asked: Any) -> str:
    """The path of a draft whose first step stands, with a title of its own unless one is given."""
    path = begun(reader)
    page = send(reader, f"{path}/questions", "next", **{**ASKED, "title": f"Title {path[-8:]}", **asked})
    assert "How many people will answer?" in page.text, page.text
    return path


def checked(reader: Reader, learned: dict[str, Any] | None = None, **asked: Any) -> str:
    """The path of a draft that stands."""
    path = whole(reader, **asked)
    page = send(reader, f"{path}/learn", "next", **{**LEARNED, **(learned or {})})
    assert "Read it once" in page.text, page.text
    return path


def opened(reader: Reader, learned: dict[str, Any] | None = None, **asked: Any) -> str:
    """The path of a survey that runs."""
    path = f"{checked(reader, learned, **asked)}/check"
    sent = reader.post(path, {**hidden(reader.get(path)), **UNSTATED})
    assert sent.headers["Location"].startswith("/run/"), sent.headers["Location"]
    return sent.headers["Location"]


def draft_of(reader: Reader, path: str) -> dict[str, Any]:
    """A draft as it is kept."""
    found: dict[str, Any] = json.loads(reader.get(f"{path}/draft.json").body)
    return found
