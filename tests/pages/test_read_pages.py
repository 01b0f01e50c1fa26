"""``/read``: an author's survey and export become a report, of which nothing is kept."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser
from tests.accessibility import violations
from tests.collector.servers import Server
from tests.pages.readers import Page, Reader
from tests.wire.generate.fields import ANSWERS, survey_of

import deniable as dn
from deniable.protocol.surveys.field_value import write_declined, write_field

SURVEY = survey_of("one question")
PEOPLE = 60


def rows() -> list[tuple[str, str]]:
    """Reports of two years, one of which declined once."""
    drawn = [SURVEY.answer(ANSWERS["one question"], dn.SeededEntropy(seed)) for seed in range(PEOPLE)]
    values = [write_field(SURVEY.digest, place.to_bytes(8, "big"), each) for place, each in enumerate(drawn)]
    return [*((value, ("first", "Größe <b>")[place % 2]) for place, value in enumerate(values)),
            (write_declined(SURVEY.digest), "first")]  # fmt: skip


def csv() -> bytes:
    return ("private;year\r\n" + "".join(f"{value};{year}\r\n" for value, year in rows())).encode()


def parquet() -> bytes:
    file = io.BytesIO()
    values, years = zip(*rows(), strict=True)
    pq.write_table(pa.table({"private": values, "year": years}), file)
    return file.getvalue()


def sent(reader: Reader, export: bytes, name: str = "export.csv", by: str = "", secret: str | None = None) -> Page:
    """The form, filled in."""
    secret = reader.get("/read").csrf if secret is None else secret
    parts = [
        ("csrf", "", secret.encode()),
        ("survey", "survey.json", SURVEY.to_json().encode()),
        ("by", "", by.encode()),
    ]
    body = b""
    for field, file, content in [*parts, ("export", name, export)]:
        head = f'--XX\r\nContent-Disposition: form-data; name="{field}"' + (f'; filename="{file}"' if file else "")
        body += head.encode() + b"\r\n\r\n" + content + b"\r\n"
    return reader.send("/read", body + b"--XX--\r\n", "multipart/form-data; boundary=XX")


@pytest.mark.parametrize("name", ["export.csv", "export.parquet"])
def test_an_export_becomes_a_report(operator: Reader, name: str) -> None:
    export = csv() if name.endswith("csv") else parquet()
    page = sent(operator, export, name, by="year")
    assert page.status == 200
    assert f"{PEOPLE} of {PEOPLE + 1} lines of {name} hold a report of this survey" in page.text
    assert "<bdi>Größe &lt;b&gt;</bdi>" in page.html
    assert "deniable:1:" not in page.html
    assert "One person declined" in page.text


@pytest.mark.parametrize(
    ("export", "by", "why"),
    [
        (b"year\n2026\n", "", "not one column of reports, got 0"),
        (csv(), "age", "must be one of export.csv: private, year, got column="),
        (b"", "", "got an empty file"),
        (b"\x89PNG\r\n\xff\xfe", "", "got a file that is neither"),
    ],
    ids=["no reports", "no such column", "empty", "a picture"],
)
def test_what_cannot_be_read_is_said_in_the_form(operator: Reader, export: bytes, by: str, why: str) -> None:
    page = sent(operator, export, by=by)
    assert page.status == 422
    assert why in page.text
    assert f'name="by" value="{by}"' in page.html


def test_it_is_for_authors_and_from_their_own_page(server: Server, operator: Reader) -> None:
    assert sent(operator, csv(), secret="another").status == 403
    stranger = Reader(server.url)
    assert stranger.get("/read").headers["Location"].startswith("/enter")
    reader = Reader(server.url).enter(server.token("looks", "reader"))
    assert reader.get("/read").status == 403


@pytest.mark.parametrize("width", [360, 1280])
def test_both_files_are_chosen_and_the_report_is_read(
    browser: Browser, server: Server, tmp_path: Path, width: int
) -> None:
    """By the form alone. The page may load nothing, so that a file of it is whole: its stylesheet stands in it."""
    (tmp_path / "export.csv").write_bytes(csv())
    (tmp_path / "survey.json").write_text(SURVEY.to_json())
    context = browser.new_context(viewport={"width": width, "height": 900})
    page, faults, asked = context.new_page(), list[str](), list[str]()
    page.goto(f"{server.url}/enter")
    page.fill("#token", server.operator)
    page.click("main button")
    page.goto(f"{server.url}/read")
    assert violations(page) == []
    page.on("console", lambda message: faults.append(message.text))
    page.set_input_files("#survey", tmp_path / "survey.json")
    page.set_input_files("#export", tmp_path / "export.csv")
    page.fill("#by", "year")
    page.on("request", lambda request: asked.append(request.url))
    page.click("main button")
    assert "By year" in page.inner_text("main")
    assert page.evaluate("getComputedStyle(document.querySelector('.survey')).fontWeight") == "600"
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert (asked, faults) == ([f"{server.url}/read"], [])
    assert violations(page) == []
    context.close()
