"""What stands on the sheets that Chromium prints, read from its PDF."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping

from playwright.sync_api import Page


def sheets(page: Page) -> list[str]:
    """The text of each sheet, printed as the page itself wants it."""
    objects = dict(_objects(page.pdf(prefer_css_page_size=True)))
    fonts = {number: _letters(objects[int(found[1])]) for number, body in objects.items() if (found := _UNICODE(body))}
    pages = [body for body in objects.values() if re.search(rb"/Type\s*/Page\b", body)]
    return [_text(objects[int(found[1])], fonts) for body in pages if (found := _CONTENTS(body))]


_UNICODE = re.compile(rb"/ToUnicode (\d+) 0 R").search
_CONTENTS = re.compile(rb"/Contents (\d+) 0 R").search


def _objects(pdf: bytes) -> Iterator[tuple[int, bytes]]:
    """The objects of a file by their numbers; of streams what they hold."""
    for found in re.finditer(rb"(?s)(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", pdf):
        head, _, stream = found[2].partition(b"stream\n")
        packed = b"/FlateDecode" in head and stream
        yield int(found[1]), zlib.decompressobj().decompress(stream) if packed else found[2]


def _letters(table: bytes) -> dict[str, str]:
    """The letters of a font by the numbers of their shapes."""
    found: dict[str, str] = {}
    for block in re.findall(rb"(?s)beginbfchar(.*?)endbfchar", table):
        found |= {one.decode(): _written(text) for one, text in re.findall(rb"<(\w+)> <(\w+)>", block)}
    for block in re.findall(rb"(?s)beginbfrange(.*?)endbfrange", table):
        for first, last, text in re.findall(rb"<(\w+)> <(\w+)> <(\w+)>", block):
            start = int(first, 16)
            found |= {f"{n:04X}": chr(int(text, 16) + n - start) for n in range(start, int(last, 16) + 1)}
    return found


def _written(text: bytes) -> str:
    return bytes.fromhex(text.decode()).decode("utf-16-be")


def _text(drawn: bytes, fonts: Mapping[int, Mapping[str, str]]) -> str:
    """What is written, in the order in which it is drawn."""
    said, font = [], 0
    for name, shapes in re.findall(rb"/F(\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>", drawn):
        font = int(name) if name else font
        codes = re.findall("....", shapes.decode().upper())
        said += [fonts.get(font, {}).get(code, "") for code in codes]
    return "".join(said)
