"""The page that hands a survey out, over a real collector: nothing on it is of no use to whoever gets it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.collector.servers import Server, put
from tests.collector.worlds import body_of
from tests.pages.readers import Page, Reader
from tests.pages.results.worlds import CARS, a_survey, column, upload

import deniable as dn
from deniable.collector.desk import title_of

CODE = r"[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}"


def made(reader: Reader, survey: dn.Survey, kind: str, people: str = "3") -> Page:
    """What comes of one of the three buttons."""
    secret = reader.get(f"/run/{survey.digest}").csrf
    return reader.post(f"/run/{survey.digest}/codes", {"csrf": secret, "people": people, "as": kind})


def text_of(page: Page, name: str) -> str:
    """What stands in a field to copy."""
    found = re.search(rf'(?s)<textarea id="{name}"[^>]*>(.*?)</textarea>', page.html)
    assert found
    return found[1]


# --- open to anybody ------------------------------------------------------------------------------------------------


def test_an_open_survey_has_a_link_a_poster_a_message_a_reminder_and_lines_to_embed(
    server: Server, operator: Reader
) -> None:
    survey = put(server, server.operator, a_survey("open-to-all", closes="2099-12-31T11:00:00Z", owner="The council"))
    page, link = operator.get(f"/run/{survey.digest}"), f"{server.url}/q/{survey.digest}"
    assert f'<input id="link" value="{link}" readonly' in page.html, "it can be marked and copied without a script"
    assert "Open until 31 December 2099, 11:00 UTC" in page.text
    assert "no answer yet · no result below 50 answers · Anybody with the link can answer" in page.text
    assert text_of(page, "message").endswith(link)
    assert text_of(page, "reminder").endswith(link)
    assert "deniable-question endpoint=" in page.html
    assert f"/run/{survey.digest}/poster" in page.html
    picture = operator.get(f"/run/{survey.digest}.svg")
    assert picture.body.startswith(b"<?xml")
    assert picture.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert json.loads(operator.get(f"/run/{survey.digest}.json").body)["link"] == link


def test_a_poster_says_who_asks_what_is_promised_and_where(server: Server, operator: Reader) -> None:
    question = dn.OneOf("ill", ["yes", "no"], wording="Are you ill?")
    survey = dn.Survey.plan("put-up", [question], 1.0, 500, title="Health", owner="The council", contact="c@d.example")
    put(server, server.operator, survey)
    page = operator.get(f"/run/{survey.digest}/poster")
    for words in ("The council asks", "Are you ill?", "What is sent is a weak hint.", "27 send", "c@d.example"):
        assert words in page.text
    address = rf"{server.url.removeprefix('http://')}\s*/to/{survey.digest[:8]}"
    assert re.search(address, page.text)
    assert "<bdi>The council</bdi> fragt" in operator.get(f"/run/{survey.digest}/poster?texts=de").html


def test_a_short_address_leads_to_its_survey_and_to_no_other(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("short"))
    stranger = Reader(server.url)
    reply = stranger.get(f"/to/{survey.digest[:8].upper()}")
    assert (reply.status, reply.headers["Location"]) == (303, f"/q/{survey.digest}")
    other = "0" if survey.digest[7] != "0" else "1"
    for wrong in (survey.digest[:7], survey.digest[:9], survey.digest[:7] + other, "%2e%2e", "........"):
        assert stranger.get(f"/to/{wrong}").status == 404


def test_once_somebody_answered_without_a_code_none_can_be_made(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("too-late"))
    assert "Codes instead of one link" in operator.get(f"/run/{survey.digest}").text
    assert server.send(survey, upload(survey, {"way": column(CARS, 60)})).status == 200
    page = operator.get(f"/run/{survey.digest}")
    assert "60 answers" in page.text
    assert "Codes instead of one link They can no longer be made: answers have come without one." in page.text
    assert "One person can answer more than once. If 1 in 100" in page.text
    assert 'name="people"' not in page.html
    assert operator.post(f"/run/{survey.digest}/codes", {"csrf": page.csrf, "people": "2"}).status == 409


@pytest.mark.parametrize("people", ["0", "-1", "1.5", "", "100001", "9999999", "seven", "٣"])
def test_a_wrong_number_of_people_is_said_beside_its_field(server: Server, operator: Reader, people: str) -> None:
    survey = a_survey("uncoded")
    if operator.get(f"/run/{survey.digest}").status == 404:
        put(server, server.operator, survey)
    page = made(operator, survey, "list", people)
    assert page.status == 422
    assert "Write a whole number of people from 1 to 100,000." in page.text
    assert f'inputmode="numeric" pattern="[0-9]{{1,6}}" value="{people[:6]}"' in page.html
    assert 'aria-invalid="true" aria-describedby="fault-people"' in page.html
    assert "<details open>" in page.html, "the field is seen"
    assert "Anybody with the link can answer" in page.text, "nobody was invited"


def test_more_letters_than_are_drawn_at_a_time_are_refused_with_a_way_out(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("crowd"))
    for kind in ("letters", "cards"):
        page = made(operator, survey, kind, "501")
        assert page.status == 422
        assert "from 1 to 500. A list has up to 100,000 of them." in page.text


def test_a_tablet_goes_round_with_a_copy_that_one_click_opens(server: Server, operator: Reader) -> None:
    """What the tablet needs comes first there, and a second click opens no second copy."""
    survey = put(server, server.operator, a_survey("for-one"))
    page = operator.get(f"/run/{survey.digest}")
    assert "Let one device go round" in page.text
    first, again = (operator.post(f"/run/{survey.digest}/tablet", {"csrf": page.csrf}) for _ in range(2))
    assert (first.status, first.headers["Location"]) == (303, again.headers["Location"])
    copy = operator.get(first.headers["Location"])
    digest = first.headers["Location"].rsplit("/", 1)[-1]
    document = server.ask("GET", f"/v1/surveys/{digest}").json
    assert document == {**json.loads(survey.document), "kiosk": True}
    assert copy.text.index("On the tablet") < copy.text.index("Other ways to hand it out")
    assert copy.html.index('id="link"') < copy.html.index("Nothing keeps one person from answering twice there.")
    assert "Let one device go round" not in copy.text


def test_a_survey_that_asks_every_week_offers_no_copy_for_a_tablet(server: Server, operator: Reader) -> None:
    """Nobody there is known to come back."""
    weekly = put(server, server.operator, a_survey("every-week", period="week", repeat="fresh"))
    page = operator.get(f"/run/{weekly.digest}")
    assert "Let one device go round" not in page.text
    assert operator.post(f"/run/{weekly.digest}/tablet", {"csrf": page.csrf}).status == 422


def test_a_poster_is_made_in_every_language_of_the_survey(server: Server, operator: Reader) -> None:
    question = dn.OneOf("ill", ["yes", "no"], wording="Are you ill?")
    words = {
        "title": "Hälsa",
        "purpose": "",
        "questions": {"ill": {"wording": "Är du sjuk?", "labels": ["ja", "nej"]}},
    }
    terms: dict[str, Any] = {"title": "Health", "language": "en", "translations": {"sv": words}}
    survey = put(server, server.operator, dn.Survey.plan("many-tongues", [question], 1.0, 500, **terms))
    path = f"/run/{survey.digest}"
    assert '<a href="?texts=sv" lang="sv" hreflang="sv">sv</a>' in operator.get(path).html
    chosen = operator.get(f"{path}?texts=sv").html
    assert f'href="{path}/poster?texts=sv"' in chosen
    assert f'action="{path}/codes?texts=sv"' in chosen
    poster = operator.get(f"{path}/poster?texts=sv").html
    assert '<p class="headline" dir="auto" lang="sv">Är du sjuk?</p>' in poster
    assert "Your device mixes your answer" in poster, "the nearest language that we speak"


# --- by invitation --------------------------------------------------------------------------------------------------


def test_an_invited_survey_shows_no_link_and_no_picture_that_nobody_can_use(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("by-letter", population=7))
    assert made(operator, survey, "list").status == 200
    page, bare = operator.get(f"/run/{survey.digest}"), f"/q/{survey.digest}"
    links = re.findall(rf'(?:href|src|value)="([^"]*{bare}[^"]*)"', page.html)
    assert links == [f"{bare}?rehearse"], "which sends nothing"
    assert f"{server.url}{bare}" not in page.html
    assert "<svg" not in page.html
    assert (
        operator.get(f"/run/{survey.digest}.svg").status == operator.get(f"/run/{survey.digest}/poster").status == 409
    )
    assert json.loads(operator.get(f"/run/{survey.digest}.json").body)["link"] is None
    assert "«link»" in text_of(page, "message")
    assert "3 codes have been made so far" in page.text
    assert 'value="4"' in page.html, "so many people have none yet"
    assert "Only people with a code can answer" in page.text


def test_each_letter_and_card_has_a_code_that_lets_one_person_answer_once(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("on-paper"))
    for kind, sheets in (("letters", 3), ("cards", 1)):
        page = made(operator, survey, kind)
        codes = re.findall(rf'class="typed">({CODE})<', page.html)
        assert len(set(codes)) == 3
        assert re.findall(rf'aria-label="([^"]+#code={CODE})"', page.html) == [
            f"{server.url}/q/{survey.digest}#code={code}" for code in codes
        ]
        assert page.html.count('<div class="sheet') == sheets
        assert page.headers["Cache-Control"] == "no-store"
        for code in codes:
            assert server.send(survey, body_of([1]), Authorization=f"Invitation {code}").status == 200
            assert server.send(survey, body_of([1]), Authorization=f"Invitation {code}").kind == "invitation"
    assert server.send(survey, body_of([1])).kind == "invitation"
    assert "6 codes have been made so far" in operator.get(f"/run/{survey.digest}").text


def test_a_list_names_the_survey_and_its_codes_work(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("by-mail", closes="2099-12-31T11:00:00Z"))
    listed = made(operator, survey, "list", "2")
    assert listed.headers["Content-Disposition"] == f'attachment; filename="by-mail-{survey.digest[:8]}-links.csv"'
    rows = listed.rows
    assert [(row["number"], row["survey"], row["until"]) for row in rows] == [
        (str(number), "The way to work", "31 December 2099, 11:00 UTC") for number in (1, 2)
    ]
    for row in rows:
        assert row["link"] == f"{server.url}/q/{survey.digest}#code={row['code']}"
        assert server.send(survey, body_of([1]), Authorization=f"Invitation {row['code']}").status == 200


def test_more_codes_than_people_are_pointed_out(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("twice", population=2))
    made(operator, survey, "list", "2")
    assert "There are more codes than people." not in operator.get(f"/run/{survey.digest}").text
    made(operator, survey, "list", "1")
    assert "There are more codes than people." in operator.get(f"/run/{survey.digest}").text


# --- planned, over plain HTTP, and what authors wrote ----------------------------------------------------------------


def test_a_planned_survey_says_when_it_opens(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("planned", opens="2099-12-01T07:00:00Z"))
    page = operator.get(f"/run/{survey.digest}")
    assert "Opens on 1 December 2099, 7:00" in page.text.replace(", 07:", ", 7:")
    assert "Waiting for the first answer" not in page.text
    assert "from 1 December 2099" in text_of(page, "message")
    listed = {each["name"]: each for each in json.loads(operator.get("/surveys.json").body)}
    assert (listed["planned"]["phase"], listed["planned"]["state"]) == ("planned", "Planned")


def test_over_plain_http_there_is_no_link_but_how_to_get_one(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("plain"))
    path = f"/run/{survey.digest}"
    page = operator.get(path, Host="surveys.example")
    assert "There is no link yet" in page.text
    assert "deniable serve --host 0.0.0.0 --tls" in page.text
    assert "http://surveys.example" not in page.html
    assert 'name="people"' not in page.html
    assert json.loads(operator.get(f"{path}.json", Host="surveys.example").body)["link"] is None
    for sheet in (f"{path}.svg", f"{path}/poster"):
        assert operator.get(sheet, Host="surveys.example").status == 409


def test_what_authors_wrote_changes_no_direction_and_is_no_markup(server: Server, operator: Reader) -> None:
    wording, labels = "هل تعرضت <b>للتهديد</b>؟", ["نعم", "لا"]
    question = dn.OneOf("threat", labels, wording=wording)
    survey = dn.Survey.plan("rtl", [question], 1.0, 500, title="السلامة <i>", owner="المجلس")
    put(server, server.operator, survey)
    page = operator.get(f"/run/{survey.digest}")
    assert "<h1><bdi>السلامة &lt;i&gt;</bdi></h1>" in page.html
    assert '<p class="headline" dir="auto">هل تعرضت &lt;b&gt;' in page.html
    assert "“<bdi>لا</bdi>”" in page.html
    assert "<bdi>المجلس</bdi> asks" in page.html


# --- afterwards -----------------------------------------------------------------------------------------------------


def test_a_closed_survey_has_what_is_left_of_it_and_is_deleted_by_its_title(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("over-and-out", title="Over & out", grace=0))
    path = f"/run/{survey.digest}"
    secret = operator.get(path).csrf
    operator.post(f"{path}/close", {"csrf": secret, "sure": "close"})
    page = operator.get(path)
    for link in (f"/s/over-and-out/export?digest={survey.digest[:16]}", f"/label/{survey.digest}", "/new?copy="):
        assert f'href="{link}' in page.html
    assert "Which is it?" in page.text or survey.questions[0].wording in page.text
    assert "Backups, exports and tallies that exist keep what they have." in page.text
    refused = operator.post(f"{path}/delete", {"csrf": secret, "title": "Over and out"})
    assert refused.status == 422
    assert "Type the title as it stands there." in refused.text
    author = Reader(server.url).enter(server.token("not-its-author", "author"))
    assert author.post(f"{path}/delete", {"csrf": author.get("/").csrf, "title": "Over & out"}).status == 404
    gone = operator.post(f"{path}/delete", {"csrf": secret, "title": "Over & out"})
    assert (gone.status, gone.headers["Location"]) == (303, "/")
    assert "Over &amp; out" not in operator.get("/").html
    for address in (f"/v1/surveys/{survey.digest}", f"/v1/surveys/{survey.digest}/door"):
        assert (server.ask("GET", address).status, server.ask("GET", address).kind) == (410, "closed")
    assert server.send(survey, body_of([1])).status == 410
    assert {operator.get(each).status for each in (path, f"/q/{survey.digest}", f"/label/{survey.digest}")} == {410}
    again = server.ask("PUT", "/v1/surveys", survey.document, server.operator)
    assert (again.status, "one that was deleted" in again.json["detail"]) == (409, True)


def test_a_survey_that_may_still_be_answered_offers_no_deleting(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("still-asks"))
    assert "/delete" in operator.get(f"/run/{survey.digest}").html, "nobody has answered it"
    assert server.send(survey, upload(survey, {"way": column(CARS, 5)})).status == 200
    page = operator.get(f"/run/{survey.digest}")
    assert "/delete" not in page.html
    fields = {"csrf": page.csrf, "title": title_of(survey)}
    assert operator.post(f"/run/{survey.digest}/delete", fields).status == 409
    asked = server.ask(
        "POST", f"/v1/surveys/{survey.digest}/delete", json.dumps({"title": title_of(survey)}).encode(), server.operator
    )
    assert asked.status == 409


def test_what_is_put_away_is_off_the_list_until_it_is_wanted(server: Server, operator: Reader) -> None:
    survey = put(server, server.operator, a_survey("put-away", title="Put away"))
    path, listed = f"/run/{survey.digest}", f"/run/{survey.digest}"
    operator.post(f"{path}/away", {"csrf": operator.get(path).csrf, "away": "1"})
    assert listed not in operator.get("/").html
    assert listed in operator.get("/?away=1").html
    operator.post(f"{path}/away", {"csrf": operator.get(path).csrf, "away": "0"})
    assert listed in operator.get("/").html


def test_the_list_is_searched_and_sorted_without_scripts(server: Server, operator: Reader) -> None:
    for title in ("Zebra crossings", "Apples in March", "Apples in June"):
        put(server, server.operator, a_survey(title.lower().replace(" ", "-"), title=title))
    assert listed_in(operator.get("/?find=APPLES")) == ["Apples in June", "Apples in March"]
    assert listed_in(operator.get("/?find=apples+march")) == ["Apples in March"]
    assert "No survey fits." in operator.get("/?find=nothing+like+it").text
    found = listed_in(operator.get("/?order=title"))
    assert found == sorted(found, key=str.casefold)
    page = operator.get("/?find=apples&order=title")
    assert listed_in(page) == ["Apples in June", "Apples in March"]
    assert 'name="find" value="apples"' in page.html
    assert '<option value="title" selected>' in page.html


def listed_in(page: Page) -> list[str]:
    """The titles of the list."""
    return re.findall(r'<th scope="row"><a href="/s/[^"]*"><bdi>([^<]*)</bdi>', page.html)
