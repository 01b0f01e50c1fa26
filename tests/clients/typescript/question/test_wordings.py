"""The words of a survey and its people on a page: in their own language, never markup, and labels that stand alone."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.clients.stub import Stub
from tests.clients.typescript.question.asked import SURVEYS, go, onwards, send, serve_question
from tests.clients.typescript.question.asked import faults as faults  # fixtures, which other files use too
from tests.clients.typescript.question.asked import stub as stub

import deniable as dn


def test_a_survey_is_read_and_answered_in_another_language(page: Page, stub: Stub, faults: list[str]) -> None:
    """The page's own words stay English, and what is sent is what the survey's own labels would be."""
    go(page, f"{stub.url}/breaks/swiss")
    assert page.locator("h1").inner_text() == "Pausen (mit ss)"
    page.get_by_role("button", name="Take part").click()
    page.get_by_label("am Platz").check()
    words = page.locator("legend h2, label span")
    assert words.all_inner_texts() == ["Wo machen Sie Pause?", "am Platz", "draußen", "nirgends", "keine Angabe"]
    assert set(words.evaluate_all("all => all.map(each => each.lang)")) == {"de-CH"}
    page.get_by_label("nirgends").check()
    onwards(page)
    page.get_by_role("textbox").fill("25")
    onwards(page)
    page.get_by_label("ja").check()
    onwards(page)
    if page.get_by_role("heading", name="Wo sonst?").count():
        onwards(page)
    assert "nirgends" in page.locator(".answers").inner_text()
    send(page)
    expect(page.get_by_role("heading", name="Sent, once. Thank you.")).to_be_focused()
    assert len(stub.accepted[SURVEYS["breaks"].digest, "once"]) == 1
    assert faults == []


def test_an_answer_that_stands_alone_clears_the_others_which_come_back_by_a_press(page: Page, stub: Stub) -> None:
    go(page, f"{stub.url}/breaks/swiss")
    page.get_by_role("button", name="Take part").click()
    ticked = page.locator("label:has(:checked)")
    for label, left in [
        ("am Platz", ["am Platz"]), ("draußen", ["am Platz", "draußen"]), ("nirgends", ["nirgends"]),
        ("keine Angabe", ["keine Angabe"]), ("draußen", ["draußen"]),
    ]:  # fmt: skip
        page.get_by_label(label).check()
        assert ticked.all_inner_texts() == left
    page.get_by_label("am Platz").check()
    page.get_by_label("nirgends").check()
    expect(page.get_by_text("Ticking “nirgends” cleared “am Platz, draußen”.")).to_be_visible()
    page.get_by_role("button", name="Bring it back").click()
    assert ticked.all_inner_texts() == ["am Platz", "draußen"]
    page.get_by_label("am Platz").uncheck()
    page.get_by_label("draußen").uncheck()
    onwards(page)
    expect(page.locator(".error")).to_have_text("Choose one of these.")  # nothing ticked is no answer


def test_words_of_a_survey_are_never_markup(page: Page, stub: Stub, faults: list[str]) -> None:
    trick = "<img src=x onerror=alert(1)>"
    question = dn.OneOf("way", [trick, "b"], wording=trick)
    survey = dn.Survey(
        "trick", [question], [dn.Arm(dn.Part(question, dn.RandomizedResponse(question.labels, 1.0)))],
        title=trick, purpose=trick, owner=trick, contact=trick,
    )  # fmt: skip
    stub.surveys[survey.digest] = survey
    serve_question(stub, survey.digest, "/trick")
    go(page, f"{stub.url}/trick")
    page.get_by_role("button", name="Take part").click()
    page.locator("form").wait_for()
    assert page.locator("img").count() == 0
    assert page.get_by_text(trick, exact=True).count() == 5
    assert faults == []


def test_who_does_not_say_who_asks_gets_no_heading_for_it(page: Page, stub: Stub) -> None:
    survey = dn.Survey.plan("bare", [dn.OneOf("well", ["yes", "no"])], 1.0, 500)
    stub.surveys[survey.digest] = survey
    serve_question(stub, survey.digest, "/bare")
    go(page, f"{stub.url}/bare")
    assert page.get_by_role("heading").all_inner_texts() == [
        "bare", "What is asked", "What is promised, and what is not", "Before you choose",
    ]  # fmt: skip
    assert page.locator("section:nth-of-type(1) li").all_inner_texts() == ["well"]
