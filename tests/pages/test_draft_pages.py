"""Drafts are listed, copied, brought from files and compared; what was typed is kept whoever is signed in by then."""

from __future__ import annotations

import html
import io
import re
import zipfile

import pytest
from tests.collector.servers import Server, put
from tests.collector.worlds import a_survey
from tests.pages.drafts import FEW, LEARNED, begun, draft_of, hidden, opened, send, whole
from tests.pages.readers import Page, Reader

import deniable as dn
from deniable.intake.http.bodies import MOST_FORM
from deniable.pages.handing.host_files import HOSTS, TRIED, host_files

FORM = "application/x-www-form-urlencoded"


def test_a_draft_is_listed_until_it_is_opened_or_thrown_away(server: Server) -> None:
    ann = Reader(server.url).enter(server.token("lister", "author"))
    assert "Ask what people would rather not say." in ann.get("/").text
    path = whole(ann, title="On its way")
    assert "On its way 1 question. How many people will answer is not said yet. Draft, step 2" in ann.get("/").text
    send(ann, f"{path}/learn", "save", **FEW)
    assert "1 question. With 120 people you learn nothing yet." in ann.get("/").text
    assert ann.get(ann.get(path).headers["Location"]).status == 200
    ben = Reader(server.url).enter(server.token("stranger", "author"))
    assert "On its way" not in ben.get("/").text
    for address in (path, f"{path}/questions", f"{path}/draft.json", f"{path}/rehearse", f"{path}/try"):
        assert ben.get(address).status == 404
    ann.post(f"{path}/throw", {"csrf": ann.get("/new/from-file").csrf})
    assert "On its way" not in ann.get("/").text
    assert ann.get(f"{path}/questions").status == 404


def test_a_draft_that_was_never_written_in_is_used_again(operator: Reader) -> None:
    path = begun(operator)
    assert begun(operator) == path
    send(operator, f"{path}/questions", "save", title="Something")
    assert begun(operator) != path


def test_a_survey_for_a_questionnaire_is_handed_out_as_files(operator: Reader) -> None:
    path = whole(operator, title="Hit")
    page = send(operator, f"{path}/learn", "next", **LEARNED, questionnaire="1")
    assert "Take the files for your questionnaire" in page.text
    assert "Where is it asked? In a questionnaire that you have" in page.text
    assert "Open the survey" not in page.text
    assert page.text.count("not tried this within the program itself") == len(HOSTS) - len(TRIED)
    links = re.findall(rf'href="({path}/files/(\w+)\.zip)"', page.html)
    assert [host for _, host in links] == list(HOSTS)
    found = operator.get(links[2][0])
    assert found.headers["Content-Disposition"] == 'attachment; filename="hit-otree.zip"'
    with zipfile.ZipFile(io.BytesIO(found.body)) as files:
        survey = dn.Survey.from_json(files.read("survey.json").decode())
        assert {name: files.read(name) for name in files.namelist() if name != "survey.json"} == host_files(
            survey, "otree"
        )
    assert (survey.carrier, survey.title) == ("field", "Hit")
    assert operator.get(f"{path}/files/gravity.zip").status == 422
    back = send(operator, f"{path}/learn", "next", **LEARNED, questionnaire="")
    assert "Take the files" not in back.text
    assert operator.get(links[0][0]).status == 422


def test_a_draft_can_be_tried_once_its_questions_stand(operator: Reader) -> None:
    path = begun(operator)
    assert operator.get(f"{path}/try").headers["Location"] == f"{path}/questions?check=1"
    page = operator.get(f"{whole(operator)}/try", **{"Accept-Language": "de"})
    assert " rehearse" in page.html
    assert "Dies ist eine Probe." in page.text
    assert "/label/" not in page.html, "no collector has it yet"


def test_what_a_follow_up_errs_is_said_to_be_of_those_asked(server: Server, operator: Reader) -> None:
    used = dn.OneOf("used", ["yes", "no"], wording="Have you used it?")
    kind = dn.OneOf("kind", ["this", "that"], wording="Which?", only_if=("used", ["yes"]))
    survey = put(server, server.operator, dn.Survey.plan("followed", [used, kind], 3.0, 4000, title="Used"))
    path = operator.get(f"/new?copy={survey.digest}").headers["Location"].rsplit("/", 1)[0]
    told = "For a follow-up, ± is of those asked, if all ways are equally frequent."
    assert told in send(operator, f"{path}/learn", "save", **LEARNED).text
    assert told not in send(operator, f"{whole(operator)}/learn", "save", **LEARNED).text


def test_of_two_who_change_a_draft_the_second_sees_both_texts_and_neither_is_lost(operator: Reader) -> None:
    path = whole(operator, title="Both")
    stale = hidden(operator.get(f"{path}/questions"))
    send(operator, f"{path}/questions", "save", title="Both", owner="The council")
    sent = operator.post(f"{path}/questions", {**stale, "title": "Mine", "do": "next"})
    page = operator.get(sent.headers["Location"])
    assert "This draft was changed twice at once" in page.text
    assert "Title Both Mine" in page.text
    assert "Who asks The council nothing" in page.text
    mine = sent.headers["Location"].rsplit("/", 1)[0]
    assert draft_of(operator, path)["owner"] == "The council"
    assert draft_of(operator, mine)["title"] == "Mine"
    assert "It was changed twice at once" in operator.get("/").text
    both = operator.post(f"{mine}/differs", {"csrf": page.csrf, "keep": "both"})
    assert both.headers["Location"] == f"{mine}/questions"
    assert (draft_of(operator, path)["title"], draft_of(operator, mine)["beside"]) == ("Both", "")


@pytest.mark.parametrize("keep", ["saved", "yours"])
def test_one_of_two_versions_may_be_kept(operator: Reader, keep: str) -> None:
    path = whole(operator)
    stale = hidden(operator.get(f"{path}/learn"))
    send(operator, f"{path}/learn", "save", people="500")
    mine = operator.post(f"{path}/learn", {**stale, "people": "700"}).headers["Location"].rsplit("/", 1)[0]
    there = operator.post(f"{mine}/differs", {"csrf": operator.get("/new/from-file").csrf, "keep": keep})
    left = there.headers["Location"].removesuffix("/questions")
    assert left == (path if keep == "saved" else mine)
    assert draft_of(operator, left)["people"] == ("500" if keep == "saved" else "700")
    assert operator.get(mine if keep == "saved" else path).status == 404


def test_the_same_text_twice_is_no_conflict(operator: Reader) -> None:
    path = whole(operator)
    stale = hidden(operator.get(f"{path}/learn"))
    for _ in range(3):
        sent = operator.post(f"{path}/learn", {**stale, **LEARNED, "do": "next"})
        assert sent.headers["Location"] == f"{path}/check"


def test_what_was_typed_after_the_session_ended_is_kept_by_signing_in(server: Server) -> None:
    secret = server.token("sleepy", "author")
    ann = Reader(server.url).enter(secret)
    path = whole(ann)
    form = {**hidden(ann.get(f"{path}/learn")), "people": "321"}
    ann.post("/leave", {"csrf": ann.get("/new/from-file").csrf})
    page = ann.post(f"{path}/learn", form)
    assert page.status == 401
    assert "Nothing that you typed is lost." in page.text
    kept = html.unescape(re.findall(r'name="kept" value="([^"]*)"', page.html)[0])
    wrong = ann.post("/enter", {"token": "no", "kept": kept})
    assert wrong.status == 401
    assert html.escape(kept) in wrong.html.replace("&#34;", "&quot;")
    reader = ann.post("/enter", {"token": server.token("only-looks", "reader"), "kept": kept})
    assert "This token may not write surveys." in reader.text
    there = ann.post("/enter", {"token": secret, "kept": kept}).headers["Location"]
    assert there == f"{path}/learn"
    assert draft_of(ann, path)["people"] == "321"


def test_what_was_typed_in_another_session_is_kept_by_sending_it_again(server: Server) -> None:
    secret = server.token("twice", "author")
    ann = Reader(server.url).enter(secret)
    path = whole(ann)
    form = {**hidden(ann.get(f"{path}/learn")), "people": "321"}
    ann.enter(secret)
    page = ann.post(f"{path}/learn", form)
    assert page.status == 409
    fields = dict(re.findall(r'name="([\w-]+)" value="([^"]*)"', page.html))
    sent = ann.post(f"{path}/learn", {name: html.unescape(value) for name, value in fields.items()})
    assert sent.headers["Location"] == f"{path}/learn"
    assert draft_of(ann, path)["people"] == "321"


def sent_file(reader: Reader, text: str, secret: str) -> Page:
    """A file, chosen in the form."""
    lines = ["--XX", 'Content-Disposition: form-data; name="csrf"', "", secret]
    lines += ["--XX", 'Content-Disposition: form-data; name="file"; filename="a.json"', "", text, "--XX--", ""]
    return reader.send("/new/from-file", "\r\n".join(lines).encode(), "multipart/form-data; boundary=XX")


def test_a_draft_is_saved_as_a_file_and_brought_back(operator: Reader) -> None:
    path = whole(operator, title="Größe · 通勤", owner="Wir")
    saved = operator.get(f"{path}/draft.json")
    assert "attachment" in saved.headers["Content-Disposition"]
    secret = operator.get("/new/from-file").csrf
    there = sent_file(operator, saved.body.decode(), secret).headers["Location"]
    again = there.removesuffix("/questions")
    assert again != path
    assert draft_of(operator, again) == draft_of(operator, path)
    assert sent_file(operator, "no draft", secret).status == 422
    assert sent_file(operator, saved.body.decode(), "another").status == 403


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=XX", "--XX\r\n\r\n\r\n" * 10),
        ("multipart/form-data; boundary=XX", "--XX\r\ncontent-TYPE:  multipart/mixed; boundary=YY\r\n\r\n--YY\r\n"),
        ("multipart/form-data", "--XX\r\n\r\n"),
        ("text/plain", "a file"),
    ],
    ids=["many parts", "parts within parts", "no boundary", "no parts"],
)
def test_a_form_that_is_none_with_a_file_is_not_looked_through(operator: Reader, kind: str, body: str) -> None:
    assert operator.send("/new/from-file", body.encode(), kind).status == 422


def test_a_long_form_is_taken_of_those_alone_who_are_signed_in_or_were_hours_ago(server: Server) -> None:
    long = b"a=" + b"x" * MOST_FORM
    ann = Reader(server.url).enter(server.token("ended", "author"))
    path = begun(ann)
    assert Reader(server.url).send(f"{path}/questions", long, FORM).status == 413
    assert ann.send(f"{path}/questions", long, FORM).status == 409
    server.ask("DELETE", "/v1/tokens/ended", token=server.operator)
    assert ann.send(f"{path}/questions", long, FORM).status == 401
    assert ann.send("/enter", b"kept=" + b"x" * MOST_FORM, FORM).status == 401
    assert Reader(server.url).send("/enter", b"kept=" + b"x" * MOST_FORM, FORM).status == 413


def test_a_survey_is_copied_and_an_example_begun(server: Server, operator: Reader) -> None:
    running = opened(operator, title="Copied once")
    digest = running.removeprefix("/run/")
    assert f'href="/new?copy={digest}"' in operator.get("/").html
    there = operator.get(f"/new?copy={digest}").headers["Location"].removesuffix("/questions")
    draft = draft_of(operator, there)
    assert (draft["title"], draft["questions"][0]["answers"]) == ("Copied once", ["car", "bus", "bike", "foot"])
    stranger = Reader(server.url).enter(server.token("copier", "author"))
    assert stranger.get(f"/new?copy={digest}").status == 404
    there = operator.get("/new?example=class").headers["Location"]
    assert "Did you copy from somebody" in operator.get(there).text
    assert operator.get("/new?example=none").status == 404


def test_made_up_answers_show_what_a_result_will_look_like(operator: Reader) -> None:
    path = whole(operator, **{"answer-0": [f"place {number}" for number in range(30)]})
    send(operator, f"{path}/learn", "save", **LEARNED)
    page = operator.get(f"{path}/rehearse")
    assert "Made up here: 1,000 people" in page.text
    assert "Drawn here: the first 20 of 30 answers." in page.text
    assert re.search(r"± [\d.]+ points: ± [\d.]+ from asking [\d,]+ people", page.text)
    assert "Made up here: 1,800 people" in operator.get("/new/example/work").text


def test_addresses_of_forms_are_pages_when_they_are_opened(operator: Reader) -> None:
    path = begun(operator)
    for address in ("/new/people", "/leave", f"{path}/throw", f"{path}/nothing", "/run/nothing/codes"):
        page = operator.get(address)
        assert page.status == 404, address
        assert "There is no such page" in page.text


def test_drafts_and_surveys_go_to_nobody_who_is_given_the_name_of_a_deleted_token(server: Server) -> None:
    first = server.token("given", "author")
    path = whole(Reader(server.url).enter(first), title="Hers alone")
    survey = put(server, first, a_survey("given"))
    again = Reader(server.url).enter(server.token("given", "author"))  # her next secret
    assert "Hers alone" in again.get("/").text
    assert server.ask("DELETE", "/v1/tokens/given", token=server.operator).status == 204
    secret = server.token("given", "author")
    other = Reader(server.url).enter(secret)
    assert "Hers alone" not in other.get("/").text
    assert other.get(f"{path}/questions").status == 404
    assert server.ask("POST", f"/v1/surveys/{survey.digest}/close", token=secret).status == 404
    assert put(server, secret, a_survey("given-other")).name == "given-other"
    assert server.ask("PUT", "/v1/surveys", a_survey("given", title="X").document, secret).kind == "conflict"
    owners = {each["name"]: each["owner"] for each in server.ask("GET", "/v1/status", token=server.operator).json}
    assert (owners["given"], owners["given-other"]) == ("given", "given")
