"""A survey through a mixer, from the builder to the page from which it is handed out."""

from __future__ import annotations

import re

from tests.collector.servers import Server
from tests.pages.drafts import LEARNED, UNSTATED, checked, hidden, opened, send, whole
from tests.pages.readers import Reader

import deniable as dn

MIXED = {
    "questionnaire": "mixer", "operator": "University of Northfield", "mixer": "http://127.0.0.1:9", "batch": "500",
    "people": "1800", "closes": "2100-01-01T12:00", "zone": "UTC",
}  # fmt: skip


def test_a_survey_with_a_mixer_is_opened_with_a_key_and_the_address_at_which_it_was(
    server: Server, operator: Reader
) -> None:
    path = opened(operator, MIXED, title="Mixed", owner="Works council")
    document = server.ask("GET", f"/v1/surveys/{path.removeprefix('/run/')}").json
    assert document["crowd"]["collector"] == server.url
    assert len(document["crowd"]["key"]) == 87
    [told] = [row for row in server.ask("GET", "/v1/status", token=server.operator).json if row["name"] == "mixed"]
    assert told["crowd"] == {"mixer": MIXED["mixer"], "key": "kept", "periods": []}
    assert operator.get(path).status == 200


def test_a_survey_whose_mixer_is_elsewhere_is_not_opened_at_an_address_of_this_machine(operator: Reader) -> None:
    apart = {**MIXED, "mixer": "https://mixer.example"}
    path = f"{checked(operator, apart, title='Apart', owner='Works council')}/check"
    page = operator.post(path, {**hidden(operator.get(path)), **UNSTATED})
    assert (page.status, "mixer and collector must be on two hosts" in page.text) == (422, True)


def test_a_survey_through_a_mixer_is_opened_with_a_key_and_hands_out_no_link(server: Server, operator: Reader) -> None:
    path = checked(operator, MIXED, owner="Works Council")
    check = operator.get(f"{path}/check").text
    assert "What Works Council sees is" in check
    assert "what both see together is" in check
    assert "(89)" in check
    page = send(operator, f"{path}/check", "open without")
    assert "The mixer hands out the codes" in page.text
    assert "Make the letters" not in page.text
    links = re.findall(r"/q/[0-9a-f]{64}([^\"]*)", page.html)
    assert set(links) == {"?rehearse"}, "whoever answers gets the link with a code, from the mixer"
    digest = re.findall(r"/v1/surveys/([0-9a-f]{64})", page.html)[0]
    survey = dn.Survey.from_json(server.ask("GET", f"/v1/surveys/{digest}").body.decode())
    assert survey.crowd is not None
    assert survey.crowd.key is not None
    assert survey.crowd.collector == server.url
    trust = operator.get(f"/s/{survey.name}/trust").text
    assert "University of Northfield" not in trust, "on one machine nobody mixes for another: see test_both_levels"


def test_a_mixer_without_its_terms_is_refused_beside_their_fields(operator: Reader) -> None:
    path = whole(operator, owner="")
    page = send(operator, f"{path}/learn", "next", **{**LEARNED, **MIXED, "operator": "", "mixer": "x", "closes": ""})
    for said in ("Write who runs the mixer", "Write an address that begins", "Write when it closes", "say who asks"):
        assert said in page.text


def test_whoever_chooses_a_mixer_asks_people_on_their_own_devices(operator: Reader) -> None:
    path = checked(operator, {**MIXED, "kiosk": "1", "lan": "1"}, title="Both", owner="Works council")
    check = operator.get(f"{path}/check").text
    assert "University of Northfield" in check
    assert "One after another on one device" not in check
    assert "People answer one after another" not in check
    learn = operator.get(f"{path}/learn").html
    assert not re.search(r'name="(kiosk|lan)" value="1" checked', learn)
