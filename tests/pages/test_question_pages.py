"""The pages of the person asked, over HTTP: in every state, for everybody, and without JavaScript."""

from __future__ import annotations

import html
import json
import re
import time
from typing import Any

import pytest
from tests.collector.servers import Reply, Server, put
from tests.collector.worlds import a_survey
from tests.waiting import until

import deniable as dn
from deniable.pages.label_view import HOST_KEEPS, HOST_SHOWS
from deniable.protocol.say import Statement, english, language

TRICK = '"><img src=x onerror=alert(1)>'


def page(server: Server, path: str, language: str = "") -> Reply:
    return server.ask("GET", path, Accept="text/html", Accept_Language=language)


def text_of(reply: Reply) -> str:
    """What a person reads who has no JavaScript."""
    return html.unescape(re.sub(r"<[^>]*>", "", reply.body.decode()))


def element_of(reply: Reply) -> str:
    found = re.search(r"<deniable-question[^>]*>", reply.body.decode())
    return found[0] if found else ""


def test_a_page_says_without_javascript_who_asks_what_and_why_with_the_label(server: Server, author: str) -> None:
    terms = {"title": "Our way", "purpose": "A bus?", "owner": "Council", "contact": "c@x.example"}
    survey = put(server, author, a_survey("told", **terms))
    reply = page(server, f"/q/{survey.digest}")
    said = text_of(reply)
    trust = "You trust whoever runs the address"
    for wanted in (*terms.values(), *survey.label().sentences, "Answering needs JavaScript", trust):
        assert wanted in said
    elsewhere = server.ask("GET", f"/q/{survey.digest}", Accept="text/html", Host="elsewhere.example")
    assert "elsewhere" not in text_of(elsewhere)  # whoever asks says that, and nobody configured it
    assert f'survey="{survey.digest}"' in element_of(reply)
    assert " style=" not in reply.body.decode()
    assert "Set-Cookie" not in reply.headers
    assert "script-src 'self'" in reply.headers["Content-Security-Policy"]


def test_nobody_named_and_no_purpose_leave_no_heading_without_words(server: Server, author: str) -> None:
    bare, told = put(server, author, a_survey("bare")), put(server, author, a_survey("owned", owner="Council"))
    assert "Who asks, and what for" not in text_of(page(server, f"/q/{bare.digest}"))
    assert "Who asks, and what for" in text_of(page(server, f"/q/{told.digest}"))


def test_the_script_comes_with_its_hash(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("hashed"))
    reply = page(server, f"/q/{survey.digest}")
    [(path, integrity)] = re.findall(r'src="(/static/deniable.js[^"]*)" integrity="([^"]*)"', reply.body.decode())
    assert server.ask("GET", path).status == 200
    assert integrity == server.ask("GET", f"/q/{survey.digest}.json").json["integrity"]
    assert integrity in text_of(reply)


def test_the_language_follows_the_browser_and_what_is_asked_for(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("languages"))
    german = page(server, f"/q/{survey.digest}", "de-AT,en;q=0.5")
    assert '<html lang="de">' in german.body.decode()
    assert "Zum Antworten braucht es JavaScript" in text_of(german)
    assert '<html lang="en">' in page(server, f"/q/{survey.digest}?lang=en", "de").body.decode()


def test_a_rehearsal_brings_the_survey_along(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("rehearsed", title=TRICK))
    element = element_of(page(server, f"/q/{survey.digest}?rehearse"))
    assert " rehearse " in element
    [given] = re.findall(r'survey="([^"]*)"', element)
    assert html.unescape(given) == survey.to_json()


def test_words_of_a_survey_are_never_markup(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("trick", title=TRICK, purpose=TRICK, owner=TRICK, contact=TRICK))
    for path in (f"/q/{survey.digest}", f"/q/{survey.digest}?rehearse", f"/label/{survey.digest}"):
        assert "<img" not in page(server, path).body.decode()


@pytest.mark.parametrize(
    ("terms", "state", "headline"),
    [
        ({"opens": "2199-01-01T00:00:00Z"}, "early", "This survey has not begun"),
        ({"closes": "2001-01-01T00:00:00Z"}, "over", "This survey is over"),
        ({"mode": "background"}, "app", "This survey is answered in an app"),
    ],
)
def test_what_cannot_be_answered_now_says_why(
    server: Server, author: str, terms: dict[str, str], state: str, headline: str
) -> None:
    survey = put(server, author, a_survey(f"state-{state}", **terms))
    reply = page(server, f"/q/{survey.digest}")
    assert headline in text_of(reply)
    assert survey.label().sentences[0] in text_of(reply)
    assert element_of(reply) == ""
    assert element_of(page(server, f"/q/{survey.digest}?rehearse")) != "", "authors can still try it out"
    assert server.ask("GET", f"/q/{survey.digest}.json").json["state"] == state


def test_a_survey_that_was_closed_by_hand_is_over_after_grace(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("by-hand", grace=0))
    assert element_of(page(server, f"/q/{survey.digest}")) != ""
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/close", b"", author).status == 200
    time.sleep(1.1)  # a survey is read anew after a second
    assert "This survey is over" in text_of(page(server, f"/q/{survey.digest}"))


def test_after_a_closing_by_hand_nobody_is_asked_but_what_waits_is_sent(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("by-hand-late"))
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/close", b"", author).status == 200
    time.sleep(1.1)  # a survey is read anew after a second
    reply = page(server, f"/q/{survey.digest}")
    assert "This survey is over" in text_of(reply)
    assert " closed " in element_of(reply)
    assert server.ask("GET", f"/q/{survey.digest}.json").json["state"] == "over"
    assert " closed " not in element_of(page(server, f"/q/{survey.digest}?rehearse"))


def test_an_unknown_survey_has_a_page_in_both_languages(server: Server) -> None:
    for digest in ("0" * 64, "short"):
        reply = page(server, f"/q/{digest}", "de")
        assert (reply.status, "Diese Umfrage gibt es nicht" in text_of(reply)) == (404, True)
    assert page(server, f"/label/{'0' * 64}").status == 404
    assert server.ask("GET", f"/q/{'0' * 64}.json").kind == "unknown"


def test_an_invited_survey_says_where_its_invitation_stands(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("guests"))
    assert "This page needs your own link" not in text_of(page(server, f"/q/{survey.digest}"))
    asked = json.dumps({"people": 1}).encode()
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/invitations", asked, author).status in (200, 201)
    time.sleep(1.1)
    assert "This page needs your own link" in text_of(page(server, f"/q/{survey.digest}"))


def proven(server: Server, digest: str) -> Reply:
    """The label for programs, once its proof is there."""
    until(lambda: not server.ask("GET", f"/label/{digest}.json").json["proving"])
    return server.ask("GET", f"/label/{digest}.json")


def test_a_label_has_every_sentence_every_digest_and_the_certificate(server: Server, author: str) -> None:
    old = put(server, author, a_survey("labelled"))
    survey = put(server, author, a_survey("labelled", title="Our way"))
    told = proven(server, survey.digest).json
    assert {key: told[key] for key in survey.label().to_dict()} == json.loads(json.dumps(survey.label().to_dict()))
    assert [version["digest"] for version in told["versions"]] == [old.digest, survey.digest]
    assert told["certificate"] == survey.audit().to_dict()
    said = text_of(page(server, f"/label/{survey.digest}"))
    for wanted in (
        *survey.label().sentences,
        *map(language("en"), (*HOST_KEEPS, *HOST_SHOWS)),
        old.digest,
        survey.digest,
        "the promise holds",
    ):
        assert wanted in said
    printed = server.ask("GET", f"/label/{survey.digest}.txt")
    assert printed.headers["Content-Type"].startswith("text/plain")
    assert survey.label().sentences[-1] in " ".join(printed.body.decode().split())
    assert "the promise holds" in " ".join(printed.body.decode().split())


def test_a_label_shows_what_is_asked_in_the_language_that_is_read(server: Server, author: str) -> None:
    words = {"way": {"wording": "Wie <i>kommen</i> Sie?", "labels": ["Auto", "Bus"]}}
    german = {"de": {"title": "Der Weg", "purpose": "", "questions": words}}
    way = dn.OneOf("way", ["car", "bus"], wording="How do you come?")
    terms: dict[str, Any] = {"title": "The way", "language": "en", "translations": german}
    survey = put(server, author, dn.Survey.plan("in-german", [way], 1.0, 500, **terms))
    shown = page(server, f"/label/{survey.digest}", "de-AT,en;q=0.5").body.decode()
    assert '<span dir="auto" lang="de">Der Weg</span>' in shown
    assert '<span dir="auto" lang="de">Wie &lt;i&gt;kommen&lt;/i&gt; Sie?</span>' in shown
    assert "Gefragt wird in 2 Sprachen (<bdi>en, de</bdi>)" in shown
    assert (
        '<span dir="auto" lang="en">The way</span>'
        in page(server, f"/label/{survey.digest}?lang=en", "de").body.decode()
    )
    assert "Der Weg" in server.ask("GET", f"/label/{survey.digest}.txt?lang=de").body.decode()


def test_a_label_of_what_is_protected_in_part_is_json_too(server: Server, author: str) -> None:
    ill = dn.OneOf("ill", ["flu", "cold", "none"], sensitive=["flu"])
    survey = put(server, author, dn.Survey.plan("in-part", [ill], 1.0, 500))
    told = proven(server, survey.digest).json
    assert told["promise"]["level"] == "inf"
    assert "no bound" in text_of(page(server, f"/label/{survey.digest}"))
    assert "in part, question by question" in text_of(page(server, f"/label/{survey.digest}"))


@pytest.mark.parametrize(
    ("protected", "english", "german"),
    [
        ({"sensitive": ["flu"]}, "Only these answers are protected: flu", "Nur diese Antworten sind geschützt: flu"),
        (
            {"blocks": [["flu", "cold"], ["well", "fit"]]},
            "Groups of answers, of which it shows which one is yours: flu, cold; well, fit",
            "Gruppen von Antworten, bei denen zu sehen ist, welche Ihre ist: flu, cold; well, fit",
        ),
    ],
    ids=["some", "groups"],
)
def test_a_label_says_which_answers_it_does_not_protect_of_which_question(
    server: Server, author: str, protected: dict[str, Any], english: str, german: str
) -> None:
    ill = dn.OneOf("ill", ["flu", "cold", "well", "fit"], wording="How are you?", **protected)
    survey = put(server, author, dn.Survey.plan(f"part-{next(iter(protected))}", [ill], 1.0, 500))
    path = f"/label/{survey.digest}"
    assert f"How are you? (ill) {english}" in text_of(page(server, f"{path}?lang=en"))
    assert f"How are you? (ill) {german}" in text_of(page(server, f"{path}?lang=de"))
    written = " ".join(server.ask("GET", f"{path}.txt").body.decode().split())
    assert f"How are you? (ill) · {english}" in written


def test_the_account_is_for_everybody_and_the_server_knows_nothing_of_it(server: Server) -> None:
    reply = page(server, "/me")
    assert "<deniable-account" in reply.body.decode()
    assert "the server that sends this page does not know it" in text_of(reply)
    assert "Set-Cookie" not in reply.headers


@pytest.mark.parametrize(("query", "accepted", "code"), [("", "de-AT, en;q=0.5", "de"), ("?lang=de", "en", "de"),
                                                         ("?lang=en", "de", "en"), ("", "fr", "en")])  # fmt: skip
def test_a_label_is_said_in_the_language_that_is_asked_for(
    server: Server, author: str, query: str, accepted: str, code: str
) -> None:
    survey = put(server, author, a_survey(f"label-{len(query)}-{accepted[:2]}", purpose="the purpose"))
    reply = page(server, f"/label/{survey.digest}{query}", accepted)
    printed = page(server, f"/label/{survey.digest}.txt{query}", accepted)
    say = language(code)
    stated = [*survey.label().statements, *map(Statement, (*HOST_KEEPS, *HOST_SHOWS, "not_said", "expert"))]
    assert f'<html lang="{code}">' in reply.body.decode()
    assert printed.headers["Content-Language"] == code
    texts = (text_of(reply), " ".join(printed.body.decode().split()))
    for wanted in (*map(say, stated), "the purpose"):
        for text in texts:
            assert wanted.replace("\N{NO-BREAK SPACE}", " ") in text.replace("\N{NO-BREAK SPACE}", " ")
    other = "en" if code == "de" else "de"
    assert f'<a href="?lang={other}" lang="{other}" hreflang="{other}">' in reply.body.decode()
    told = server.ask("GET", f"/label/{survey.digest}.json").json
    assert told["sentences"] == list(survey.label().sentences), "for programs always in English"


def test_without_javascript_the_sentences_are_german_too(server: Server, author: str) -> None:
    survey = put(server, author, a_survey("deutsch"))
    text = text_of(page(server, f"/q/{survey.digest}?lang=de"))
    for statement in survey.label().statements:
        assert language("de")(statement) in text
        assert english(statement) not in text
