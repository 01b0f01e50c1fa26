"""HTML as a browser takes it."""

from __future__ import annotations

from html.parser import HTMLParser


class Seen(HTMLParser):
    """What a browser makes of a page: its elements, their attributes, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes += attrs

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element of SVG without content."""
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        """The innermost open element ends."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text, or the style sheet."""
        if self.open[-1:] != ["style"]:
            self.texts.append(data)
