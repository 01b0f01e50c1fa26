"""The order of the documentation: a short sidebar, every page reached by a link, a search that finds it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page as Tab
from tests.browsers import wait_for
from tests.house.site_pages import pages, read

MOST_LINKS = 25
SOUGHT = {
    "weekly": "tutorial-features.html",
    "NIST": "privacy-officer.html",
    "bundle size": "devices.html",
    "OLH": "mechanisms/names.html",
    "LimeSurvey": "in-your-questionnaire.html",
}
"""What people look for, and the page that answers it."""
SEEN = 3
"""So many results are in sight."""


def test_the_sidebar_is_short(site: Path, page: Tab) -> None:
    page.goto((site / "index.html").as_uri())
    links = "document.querySelectorAll('.md-sidebar--primary nav:not(.md-nav--secondary) > ul > li > a').length"
    assert 15 < page.evaluate(links) <= MOST_LINKS


def test_every_page_is_reached_from_the_first_one(site: Path) -> None:
    found, left = {(site / "index.html").resolve()}, [(site / "index.html").resolve()]
    while left:
        file = left.pop()
        links = (urlsplit(link) for tag, link in read(file).links if tag == "a")
        near = {(file.parent / unquote(link.path)).resolve() for link in links if link.path and not link.netloc}
        new = {target for target in near if target.suffix == ".html" and target.is_file()} - found
        found |= new
        left += new
    assert {file.resolve() for file in pages(site)} - found == set()


@pytest.mark.parametrize(("words", "answer"), SOUGHT.items())
def test_search_shows_the_page_that_answers(words: str, answer: str, site: Path, page: Tab) -> None:
    page.goto((site / "index.html").as_uri())
    wait_for(page, "document.querySelector('.md-search__input').focus(), document.activeElement.matches('input')")
    said = "document.querySelector('.md-search-result__meta').innerText"
    wait_for(page, said, lambda said: "Initializing" not in said)
    page.keyboard.type(words)
    found = "[...document.querySelectorAll('.md-search-result__item > a')].map(it => it.getAttribute('href'))"
    shown = wait_for(page, found, lambda links: any(answer in link for link in links[:SEEN]))
    assert any(answer in link for link in shown[:SEEN])
