"""Pages of the built site: their links, their anchors, and where their words are."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src", "source": "src"}
CODE = ("pre", "code", "script", "style")
PROMPT = ">>>"


@dataclass
class Page(HTMLParser):
    """What the tests ask of a page: its links, its anchors, and where its words are."""

    text: str
    links: list[tuple[str, str]] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    strays: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[str] = []
        self.quotations = 0
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if LINKS.get(tag) in found:
            self.links.append((tag, found[LINKS[tag]]))
        if tag == "blockquote":
            self.quotations = max(self.quotations, self._open.count(tag) + 1)
        if tag in (*CODE, "blockquote"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            del self._open[len(self._open) - 1 - self._open[::-1].index(tag)]

    def handle_data(self, data: str) -> None:
        if PROMPT in data and not set(CODE).intersection(self._open):
            self.strays.append(data.strip())


@cache
def read(file: Path) -> Page:
    """A page of the site, read once."""
    return Page(file.read_text(encoding="utf-8"))


def pages(site: Path) -> list[Path]:
    """Every page but the one that a server shows for what it does not have."""
    return [file for file in sorted(site.rglob("*.html")) if file.name != "404.html"]
