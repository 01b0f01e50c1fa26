"""The page of a mixer's operator in a browser: without a script, on a phone, in the dark, and by axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.accessibility import OF_COLORS, violations
from tests.collector.servers import Server, stopped
from tests.mixer.servers import mixing
from tests.mixer.worlds import TOKEN, Collected, collecting, sealed, upload_of
from tests.pages.mixing.operators import an_open_survey, brought, codes_on, entered, link_of, pressed, section
from tests.waiting import until

SIZES = ((1200, 900), (390, 844))


@pytest.fixture(scope="module")
def collected() -> Iterator[Collected]:
    """A collector that takes parcels."""
    with collecting() as found:
        yield found


@pytest.fixture(scope="module")
def mixer(tmp_path_factory: pytest.TempPathFactory, collected: Collected) -> Iterator[Server]:
    """A mixer with something in each section of its page."""
    server = mixing(tmp_path_factory.mktemp("mixer") / "data")
    operator = entered(server)
    for name, title, people in (("breaks", "Breaks, autumn", 6), ("parking", "Parking", 3)):
        survey = an_open_survey(collected.url, name, title=title)
        brought(operator, survey)
        pressed(operator, f"/waiting/{survey.digest}/allow", confirmed="yes")
        codes = codes_on(pressed(operator, f"/surveys/{survey.digest}/codes", people="6", before="0"))
        for code in codes[:people]:
            assert server.send(survey, upload_of(sealed(survey, 1)), Authorization=f"Invitation {code}").status == 200
        assert pressed(operator, f"/surveys/{survey.digest}/close").status == 303
    until(lambda: "copy is deleted" in section(operator.get("/"), "handed"), 0.1)
    until(lambda: "fewer than 5" in section(operator.get("/"), "withheld"), 0.1)
    for name, title in (("safety", "Safety at work"), ("medicines", "Medicines and money")):
        survey = an_open_survey(collected.url, name, title=title)
        brought(operator, survey)
        assert pressed(operator, f"/waiting/{survey.digest}/allow", confirmed="yes").status == 303
    waits = an_open_survey(collected.url, "threats", title="Threats in the council", population=900)
    assert brought(operator, waits).status == 303
    yield server
    assert stopped(server) == 0


def come_in(page: Page, server: Server) -> None:
    """Follow a link that was printed."""
    page.goto(server.url + link_of(server))
    expect(page.locator("#open")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    page: Page, mixer: Server, scheme: Literal["light", "dark"], lang: str
) -> None:
    page.emulate_media(color_scheme=scheme)
    come_in(page, mixer)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for path in ("/", first_link(page, "#waiting a"), first_link(page, "#open td a")):
            page.goto(f"{mixer.url}{path}?lang={lang}")
            assert violations(page, OF_COLORS if scheme == "dark" else {}) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.goto(mixer.url)


def first_link(page: Page, found: str) -> str:
    """Where the first link of some leads."""
    address = page.locator(found).first.get_attribute("href")
    assert address
    return address


def test_all_is_done_without_a_script(browser: Browser, mixer: Server, collected: Collected, tmp_path: Path) -> None:
    survey = an_open_survey(collected.url, "scriptless", title="Without a script")
    file = tmp_path / "survey.json"
    file.write_bytes(survey.document)
    context: BrowserContext = browser.new_context(java_script_enabled=False, accept_downloads=True)
    try:
        page = context.new_page()
        page.goto(mixer.url + link_of(mixer))
        expect(page.locator("#open")).to_be_visible()
        page.locator("#waiting details summary").click()
        page.get_by_label("The survey (survey.json)").set_input_files(file)
        page.get_by_label("The token for its parcels").fill(TOKEN)
        page.get_by_role("button", name="Look at it").click()
        page.locator(".word").filter(has_text="Without a script").get_by_role("checkbox").check()
        page.get_by_role("button", name="Allow it Without a script").click()
        page.get_by_label("How many? codes for Without a script").fill("7")
        page.get_by_role("button", name="Make codes Without a script").click()
        expect(page.locator(".card")).to_have_count(7)
        with page.expect_download() as loaded:
            page.get_by_role("link", name="Save as a table (CSV)").click()
        table = Path(loaded.value.path()).read_text(encoding="utf-8-sig").splitlines()
        assert (loaded.value.suggested_filename, len(table)) == ("codes-scriptless.csv", 8)
        page.get_by_role("link", name="Back").click()
        page.get_by_role("link", name="Close now Without a script").click()
        expect(page.get_by_role("heading", name="Close Without a script now?")).to_be_visible()
        page.get_by_role("button", name="Close it for good").click()
        expect(page.get_by_role("link", name="Close now Without a script")).to_have_count(0)
    finally:
        context.close()


def test_the_page_asks_nobody_else(page: Page, mixer: Server, requests: list[str]) -> None:
    come_in(page, mixer)
    assert requests
    assert [address for address in requests if not address.startswith(mixer.url)] == []
