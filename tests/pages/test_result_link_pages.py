"""A shared link opens one survey's results, until its end, to whoever knows its password."""

from __future__ import annotations

import json
import re

import pytest
from tests.collector.servers import Server, put
from tests.collector.worlds import a_survey
from tests.pages.readers import Reader, shared
from tests.pages.results.worlds import CARS, collected, column, upload
from tests.pages.results.worlds import a_survey as a_way


def test_a_link_opens_its_survey_and_no_other(server: Server, operator: Reader) -> None:
    for name in ("told", "untold"):
        put(server, server.operator, a_survey(name))
    reader = Reader(server.url)
    path = shared(operator, "told")
    looked = reader.get(path)
    assert (looked.status, list(reader.jar)) == (200, [])
    assert '<meta http-equiv="refresh" content="0;url=?go">' in looked.html
    arrived = reader.get(f"{path}?go")
    assert (arrived.status, arrived.headers["Location"]) == (303, "/s/told")
    assert "told" in reader.get("/").text
    assert "untold" not in reader.get("/").text
    assert reader.get("/s/told/share").status == 403
    assert reader.get("/s/untold/share").status == 404


def test_a_password_is_asked_for(server: Server, operator: Reader) -> None:
    put(server, server.operator, a_survey("locked"))
    reader, path = Reader(server.url), shared(operator, "locked", password="Löwenzahn")
    assert "has a password" in reader.get(path).text
    assert "has a password" in reader.get(f"{path}?go").text
    assert reader.post(path, {"password": "Gänseblümchen"}).status == 403
    assert reader.get("/").status == 303
    assert reader.post(path, {"password": "Löwenzahn"}).status == 303
    assert reader.get("/").status == 200


def test_a_changed_link_opens_nothing(server: Server, operator: Reader) -> None:
    put(server, server.operator, a_survey("whole"))
    path = shared(operator, "whole")
    assert Reader(server.url).get(path[:-2] + ("A" if path[-2] != "A" else "B") + path[-1]).status == 404


def test_who_is_signed_in_stays_signed_in(server: Server, operator: Reader) -> None:
    for name in ("mine", "others"):
        put(server, server.operator, a_survey(name))
    operator.get(f"{shared(operator, 'mine')}?go")
    assert "New survey" in operator.get("/").text
    reader = Reader(server.url).enter(server.token("mine-only", "reader", "mine"))
    assert reader.get("/s/others").status == 404
    reader.get(f"{shared(operator, 'others')}?go")
    assert [reader.get(f"/s/{name}").status for name in ("mine", "others")] == [200, 200]


def test_who_signs_out_is_no_guest_any_longer(server: Server, operator: Reader) -> None:
    put(server, server.operator, a_survey("seen-once"))
    path = shared(operator, "seen-once")
    guest, reader = Reader(server.url), Reader(server.url).enter(server.token("leaver", "reader", "another"))
    for each in (guest, reader):
        each.get(f"{path}?go")
        assert each.get("/s/seen-once").status == 200
    assert "Sign out" not in guest.get("/").text, "who never signed in"
    reader.post("/leave", {"csrf": reader.get("/").csrf})
    assert reader.get("/s/seen-once").status == 303


def test_links_are_listed_by_whom_they_are_for_and_ended_one_by_one(server: Server, operator: Reader) -> None:
    put(server, server.operator, a_survey("listed", owner="Mobility office", contact="office@example.org"))
    council, press = (shared(operator, "listed", title=title) for title in ("Council <b>", "Press office"))
    guest = Reader(server.url)
    guest.get(f"{council}?go")
    page = operator.get("/s/listed/share")
    assert "Council &lt;b&gt;" in page.html
    assert re.search(r"Council .*?in 7 days\s+today .*Press office .*in 7 days\s+never", page.text)
    council_button = r'value="([0-9a-f]{64})"><button class="stop">End<span class="quiet"> the link for Council'
    [ended] = re.findall(council_button, page.html)
    told = json.loads(operator.get("/s/listed/share.json").body)
    assert [link["title"] for link in told["links"]] == ["Council <b>", "Press office"]
    assert ended not in json.dumps(told)
    assert guest.get("/s/listed/share.json").status == 403
    assert 'aria-current="page">Share</a>' in page.html
    operator.post("/s/listed/share/end", {"csrf": page.csrf, "link": ended})
    assert guest.get("/s/listed").status == 303
    gone = guest.get(council)
    assert (gone.status, "Ask Mobility office for another: office@example.org" in gone.text) == (410, True)
    assert guest.get(press).status == 200
    after = operator.get("/s/listed/share").text
    assert "“Council &lt;b&gt;”, ended by hand on" in after
    assert guest.get(f"/shared/{'A' * 43}").status == 404


def test_all_links_are_ended_at_once(server: Server, operator: Reader) -> None:
    put(server, server.operator, a_survey("all-ended"))
    paths = [shared(operator, "all-ended") for _ in range(2)]
    operator.post("/s/all-ended/share/asked", {"csrf": operator.get("/s/all-ended/share").csrf})
    operator.post("/s/all-ended/share/end", {"csrf": operator.get("/s/all-ended/share").csrf, "link": "all"})
    assert [Reader(server.url).get(path).status for path in paths] == [410, 410]
    assert "Everybody who was asked”, ended by hand" in operator.get("/s/all-ended/share").text


@pytest.mark.parametrize("days", ["0", "-1", "1.5", "", "9999", "seven"])
def test_a_link_has_an_end(server: Server, operator: Reader, days: str) -> None:
    if operator.get("/s/ends/share").status == 404:
        put(server, server.operator, a_survey("ends"))
    secret = operator.get("/s/ends/share").csrf
    page = operator.post("/s/ends/share", {"csrf": secret, "days": days})
    assert page.status == 422
    assert "/shared/" not in page.html
    assert "Write a whole number of days from 1 to 3,660." in page.text
    assert f'name="days" inputmode="numeric" pattern="[0-9]{{1,4}}" value="{days[:4]}"' in page.html


def test_only_who_may_share_a_result_is_offered_to(server: Server, operator: Reader) -> None:
    survey = a_way("offered")
    collected(server, survey, upload(survey, {"way": column(CARS, 900)}))
    guest = Reader(server.url)
    guest.get(f"{shared(operator, 'offered')}?go")
    reader = Reader(server.url).enter(server.token("offered-reader", "reader"))
    for each, offered in ((operator, True), (guest, False), (reader, False)):
        page = each.get("/s/offered")
        assert page.status == 200
        assert ('href="/s/offered/share' in page.html) == offered


def test_guesses_of_a_password_are_few(server: Server, operator: Reader) -> None:
    put(server, server.operator, a_survey("guessed"))
    path = shared(operator, "guessed", password="a")
    statuses = [Reader(server.url).post(path, {"password": str(n)}).status for n in range(15)]
    assert 429 in statuses


def test_a_shared_link_shows_the_result_in_a_frame_without_any_cookie(server: Server, operator: Reader) -> None:
    for name in ("framed", "unframed"):
        put(server, server.operator, a_survey(name))
    link = shared(operator, "framed").removeprefix("/shared/")
    stranger = Reader(server.url)
    assert stranger.get(f"/embed/framed?link={link}").status == 200
    assert not list(stranger.jar)
    assert stranger.get("/embed/framed").status == 303
    assert stranger.get(f"/embed/unframed?link={link}").status == 303
    assert stranger.get(f"/s/framed?link={link}").status == 303
    locked = shared(operator, "framed", password="a").removeprefix("/shared/")
    assert stranger.get(f"/embed/framed?link={locked}").status == 303
