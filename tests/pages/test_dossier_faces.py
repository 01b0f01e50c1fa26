"""The faces of a dossier: a page to fill in without script, and text; both say all of it."""

from __future__ import annotations

import datetime
import re
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.accessibility import violations

import deniable as dn
from deniable.pages import dossier_faces
from deniable.pages.dossier import dossier_of
from deniable.pages.dossier_faces import markdown
from deniable.protocol.say import codes, language

ILL = dn.OneOf("ill", ["<b>yes", "no"], wording="Were you <ill> & at work?")
SURVEY = dn.Survey.plan("ill", [ILL], 1.0, 500, title="<Ill> & at work", owner="Council & staff")
FOUND = dossier_of(SURVEY, 500, datetime.date(2026, 11, 30))
BOXES = (*FOUND.signed, *FOUND.boxes, *FOUND.questions)


def test_both_say_every_line_with_what_stands_behind_it_and_every_question() -> None:
    for code in codes():
        say = language(code)
        shown, text = unescape(re.sub("<[^>]*>", " ", dossier_faces.page(FOUND, say))), markdown(FOUND, say)
        for box in BOXES:
            for face in (shown, text):
                assert say(box.name) in face
                assert all(say.text(said) in face and say(source or "audit") in face for said, source in box.lines)
                assert all(say(ask) in face for ask in box.asks)


def test_each_question_has_a_line_to_fill_in_and_so_has_the_signature() -> None:
    asked = sum(len(box.asks) for box in BOXES)
    assert dossier_faces.page(FOUND, language("en")).count("<textarea") == asked + 3
    assert markdown(FOUND, language("en")).count("____\n") + 1 == asked + 3
    assert dossier_faces.page(FOUND, language("de")).count("Das muss ein Mensch beantworten:") == asked


def test_the_page_is_whole_and_holds_no_script_nor_anything_from_elsewhere() -> None:
    shown = dossier_faces.page(FOUND, language("de"))
    assert shown.startswith('<!doctype html>\n<html lang="de">')
    assert not re.search(r"<script|https?:|<ill>|<b>|style=|src=", shown, re.IGNORECASE)
    assert "&lt;Ill&gt; &amp; at work" in shown
    assert "@media print" in shown
    assert shown.count("<section>") == shown.count("</section>") == len(BOXES) + 1


def test_boxes_have_numbers_and_the_finding_comes_first() -> None:
    text = markdown(FOUND, language("en"))
    assert text.startswith("# Dossier of “<Ill> & at work”\n\n4 of 10 boxes are answered in full.")
    assert re.findall(r"^### (\d+)\.", text, re.MULTILINE) == [str(number) for number in range(1, 11)]


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_is_read_and_filled_in_on_a_phone_and_in_the_dark(
    look: str, width: int, page: Page, requests: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "dossier.html"
    file.write_text(dossier_faces.page(FOUND, language("de")), encoding="utf-8")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if look == "dark" else "light")
    page.goto(file.as_uri())
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert requests == [file.as_uri()]
    page.get_by_label("Entscheidung und Begründung").fill("Ja, denn niemand muss es wissen.")
    page.emulate_media(media="print")
    assert violations(page) == []
    assert page.get_by_label("Entscheidung und Begründung").is_visible()
    assert not page.get_by_text("bleibt nur auf dieser Seite").is_visible()
