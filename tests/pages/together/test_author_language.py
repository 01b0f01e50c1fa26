"""Which language an author reads, and that each of their pages is in one."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.collector.servers import Server
from tests.pages.drafts import FEW, begun, checked, opened, send, whole
from tests.pages.readers import Page, Reader
from tests.pages.results.worlds import collected, column, over_weeks, upload

import deniable as dn

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
OTHERS = re.compile(r"(?s)<(\w+)[^>]*\blang=\"en\"[^>]*>.*?</\1>|<(script|code|pre|option)\b.*?</\2>")
LABELS = re.compile(r'(?:aria-label|data-(?!shows)[\w-]+)="([^"]*)"')
ENGLISH = re.compile(r"(?i)\b(the|and|of|is|are|what|who|you|your|not|people|answers?|questions?|with|to|from)\b")
WAYS = {"Auto": 0.7, "Bus": 0.2, "Rad": 0.1}
PEOPLE = 3000
NUMBERS = itertools.count(1)
ASKED: dict[str, Any] = {
    "title": "Wie wir kommen",
    "wording-0": "Wie kommen Sie zur Arbeit?",
    "answer-0": ["Auto", "Bus", "Rad", "Beine"],
    "owner": "Betriebsrat",
    "purpose": "Um den Parkplatz zu planen.",
}


def said(page: Page) -> list[str]:
    """All texts of a page that it does not mark as English."""
    body = OTHERS.sub(" ", page.html[page.html.index("<body") :])
    texts = [*re.split(r"<[^>]*>", body), *LABELS.findall(body)]
    return [html.unescape(text).strip() for text in texts if " " in text.strip()]


def draft(reader: Reader, kind: str) -> str:
    """The path of a draft in German: an empty one, one that tells nothing, or one that can be opened."""
    if kind == "FINE":
        return checked(reader, None, **ASKED)
    if kind == "OPEN":
        return opened(reader, None, **{**ASKED, "title": f"Wie wir kommen {next(NUMBERS)}"})
    if kind != "FEW":
        return begun(reader) if kind else ""
    path = whole(reader, **ASKED)
    send(reader, f"{path}/learn", "save", **FEW)
    return path


def test_a_page_is_in_the_language_of_the_browser_or_the_one_chosen(server: Server) -> None:
    reader = Reader(server.url)
    assert '<html lang="en">' in reader.get("/enter").html
    assert '<html lang="de">' in reader.get("/enter", **GERMAN).html
    chosen = reader.get("/enter?next=%2F&lang=en", **GERMAN)
    assert '<html lang="en">' in chosen.html
    assert 'href="?next=%2F&amp;lang=de" lang="de"' in chosen.html
    cookie = chosen.headers["Set-Cookie"]
    assert cookie.startswith("deniable-lang=en; HttpOnly; Max-Age=31536000; Path=/; SameSite=lax")
    assert '<html lang="en">' in reader.get("/enter", **GERMAN).html, "the choice is kept"
    assert "Set-Cookie" not in reader.get("/enter?lang=xx", **GERMAN).headers


@pytest.fixture(scope="module")
def counted(server: Server) -> dn.Survey:
    """A closed survey in German with a result of each kind of question but texts."""
    questions = (
        dn.OneOf("weg", list(WAYS), wording="Wie kommen Sie zur Arbeit?"),
        dn.AnyOf("besitz", ["Helm", "Rad"], wording="Was haben Sie?"),
        dn.Number("dauer", 0, 90, 10, "min", wording="Wie lange brauchen Sie?"),
        dn.Scale("fair", ["nie", "teils", "immer"], wording="Ist das gerecht?"),
    )
    survey = dn.Survey.plan(
        "wege", questions, 3.0, PEOPLE, title="Wege", owner="Betriebsrat", cross=[("weg", "fair")], grace=0
    )
    answers: dict[str, Sequence[Any]] = {
        "weg": column(WAYS, PEOPLE), "besitz": [["Helm"]] * PEOPLE, "dauer": [20] * PEOPLE, "fair": ["nie"] * PEOPLE,
    }  # fmt: skip
    return collected(server, survey, upload(survey, answers))


RESULTS = [
    "", "?question=weg&order=value&a=0&b=1", "?question=dauer&from=10&to=30", "?question=fair", "/export", "/share",
    "/cross", "/cross?show=pairs", "/trust",
]  # fmt: skip


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("path", RESULTS)
def test_a_german_result_says_nothing_in_english(operator: Reader, path: str) -> None:
    page = operator.get(f"/s/wege{path}", **GERMAN)
    assert '<html lang="de">' in page.html
    assert [text for text in said(page) if ENGLISH.search(text)] == []


def english_in(picture: Page) -> list[str]:
    """The texts of a picture, and of what describes it, that are in English."""
    return [text for text in ElementTree.fromstring(picture.html).itertext() if ENGLISH.search(text)]


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(
    "path", [".svg?question=weg", ".svg?question=besitz", "/cross.svg", "/slide.svg?question=fair"]
)
def test_a_german_picture_says_nothing_in_english(operator: Reader, path: str) -> None:
    picture = operator.get(f"/s/wege{path}", **GERMAN)
    assert "Bereich" in picture.html or "Wahrheit" in picture.html or "Anteil" in picture.html
    assert english_in(picture) == []


@pytest.mark.usefixtures("counted")
def test_a_german_result_is_read_as_in_german(operator: Reader) -> None:
    text = operator.get("/s/wege", **GERMAN).text
    assert re.search(r"Die meisten Menschen antworten „Auto“. Zwischen \d+ und \d+ von 100 Menschen, mindestens", text)
    assert re.search(
        r"Auf der Skala von 1 \(nie\) über 2 \(teils\) bis 3 \(immer\) liegt der Mittelwert zwischen", text
    )
    assert re.search(r"Auto \d+ zwischen \d+ und \d+ von 100 \d\d,\d ± \d,\d", text)
    assert re.search(r"3\.000 Antworten · antworten kann, wer den Link hat", text)
    assert "von 100 Antworten erfunden" in operator.get("/s/wege/trust", **GERMAN).text


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """Whoever reads a question in German over four weeks, in one of which too few answered."""
    earlier, later = column(WAYS, 5000), column({**WAYS, "Bus": 0.05, "Rad": 0.25}, 6000)
    asked = {"2026-W32": earlier, "2026-W33": earlier[:20], "2026-W34": later, "2026-W35": later}
    words = {"wording": "Wie kommen Sie zur Arbeit?", "title": "Der Weg zur Arbeit"}
    for server in over_weeks(tmp_path_factory.mktemp("weeks") / "data", asked, labels=[*WAYS], **words):
        yield Reader(server.url).enter(server.operator)


BESIDE = ["/time", "/time?label=2&first=1&last=1", "/compare", "/compare?with=weekly", "/compare?with=weekly&page=2"]


@pytest.mark.parametrize("path", BESIDE)
def test_german_periods_and_comparisons_say_nothing_in_english(weeks: Reader, path: str) -> None:
    page = weeks.get(f"/s/weekly{path}", **GERMAN)
    assert '<html lang="de">' in page.html
    assert [text for text in said(page) if ENGLISH.search(text)] == []


def test_german_periods_and_comparisons_are_read_as_in_german(weeks: Reader) -> None:
    over, beside = (weeks.get(f"/s/weekly{path}", **GERMAN).text for path in ("/time", "/compare?with=weekly"))
    change = r"„ Bus “ sank um \d+ bis \d+ von 100 und „ Rad “ stieg um \d+ bis \d+ von 100"
    assert re.search(f"{change}, von den ersten zwei Wochen zu den letzten zwei Wochen", over)
    assert "Aus den ersten zwei Wochen fehlt ein Ergebnis: Woche ab 10. August 2026." in over
    assert "3. bis 16. August 2026 im Vergleich mit 17. bis 30. August 2026." in over
    assert "5.000 Antworten in den ersten zwei Wochen, 12.000 Antworten in den letzten zwei Wochen." in over
    assert english_in(weeks.get("/s/weekly/time.svg?label=1", **GERMAN)) == []
    assert re.search(
        r"Es ist kein Unterschied zu sehen\. .* berechnet mit dem exakten Test von Fisher, mal 3 für", beside
    )


def test_numbers_and_dates_are_written_as_in_german(server: Server, operator: Reader) -> None:
    path = whole(operator)
    send(operator, f"{path}/learn", "save", **{**FEW, "people": "1200", "closes": "31.12.2099 20:00"})
    page = operator.get(f"{path}/learn", **GERMAN)
    assert "endet am 31. Dezember 2099, 20:00 Uhr" in page.text
    assert re.search(r"± \d,\d Punkte", page.text)
    assert "Mit 1.200 Menschen erfahren Sie " in operator.get("/", **GERMAN).text


def test_what_is_proposed_to_a_german_author_is_german(server: Server, operator: Reader) -> None:
    path = operator.get("/new?example=work", **GERMAN).headers["Location"]
    page = operator.get(path, **GERMAN)
    assert 'value="Wurden Sie in den letzten 12 Monaten bei der Arbeit bedroht oder geschlagen?"' in page.html
    assert 'value="Das möchte ich lieber nicht sagen"' in page.html
    english = operator.get(begun(operator) + "/questions")
    assert 'value="I would rather not say"' in english.html


PAGES = [
    "/", "/enter", "/keys", "/nothing-here", "/new/from-file", "EMPTY/questions?check=1", "FEW/questions",
    "FEW/learn", "FEW/learn?check=1", "FEW/languages", "FINE/check", "FINE/learn", "FINE/promise", "FINE/rehearse",
    "OPEN/", "OPEN/poster",
]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_a_german_page_says_nothing_in_english(server: Server, operator: Reader, path: str) -> None:
    kind, slash, step = path.partition("/")
    page = operator.get(f"{draft(operator, kind)}{slash}{step}".rstrip("/") or "/", **GERMAN)
    assert '<html lang="de">' in page.html
    assert [text for text in said(page) if ENGLISH.search(text)] == []
