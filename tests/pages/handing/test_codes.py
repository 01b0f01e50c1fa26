"""Codes on paper and in a list: links that hold them, QR codes of these, and a CSV that spreadsheets read rightly."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import polars as pl
import segno
from tests.pages.handing.matrices import modules

from deniable.pages.handing.codes import invitations_of, merge_list, qr_code, qr_file

LINK = "https://surveys.example/q/5fa1"
CODES = ["K7QM-2P4X-9TRD-WH3C", "0000-1111-2222-3333"]


def test_a_link_holds_its_code_where_no_browser_sends_it() -> None:
    first, second = invitations_of(CODES, LINK)
    assert first == (1, CODES[0], f"{LINK}#code={CODES[0]}")
    assert second.number == 2


def test_a_picture_is_the_qr_code_of_the_link_with_its_quiet_zone() -> None:
    first, _ = invitations_of(CODES, LINK)
    drawn = modules(first.picture)
    assert drawn == _dark(first.link)
    assert modules(qr_file(LINK).decode()) == _dark(LINK)
    assert re.search(r'viewBox="0 0 (\d+) \1"', first.picture)
    assert "style=" not in first.picture


def _dark(link: str) -> set[tuple[int, int]]:
    rows = segno.make(link, error="m").matrix
    return {(x + 4, y + 4) for y, row in enumerate(rows) for x, dark in enumerate(row) if dark}


def test_a_qr_code_is_told_to_who_cannot_see_it() -> None:
    assert 'role="img" aria-label="&lt;b&gt;"' in qr_code(LINK, "<b>")


def test_a_list_is_read_by_programs_as_it_was_meant(tmp_path: Path) -> None:
    written = merge_list(invitations_of(CODES, LINK), "Größe, „Maß“", "bis 1. Dezember")
    assert written.startswith(b"\xef\xbb\xbfnumber,survey,until,code,link\n"), "spreadsheets take it for UTF-8"
    rows = list(csv.DictReader(io.StringIO(written.decode("utf-8-sig"))))
    assert [row["code"] for row in rows] == CODES
    assert [row["link"] for row in rows] == [f"{LINK}#code={code}" for code in CODES]
    assert {row["survey"] for row in rows} == {"Größe, „Maß“"}
    file = tmp_path / "list.csv"
    file.write_bytes(written)
    assert pl.read_csv(file).columns == ["number", "survey", "until", "code", "link"]
    assert pl.read_csv(file)["code"].to_list() == CODES, "no code is read as a number or a day"


def test_nothing_in_a_list_runs_as_a_formula() -> None:
    for title in ('=HYPERLINK("https://x")', "+1+1", "-1+1", "@SUM(A1)", "\t=1", " =1"):
        written = merge_list(invitations_of(CODES, LINK), title, title)
        for row in csv.DictReader(io.StringIO(written.decode("utf-8-sig"))):
            assert row["survey"] == row["until"] == f"'{title}"
