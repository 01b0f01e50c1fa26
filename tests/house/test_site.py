"""The built site as a reader gets it: links that lead somewhere, examples as code, a search that needs no server."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page as Tab
from reference import entries
from tests.browsers import wait_for
from tests.house.site_pages import pages, read

ELSEWHERE = re.compile(r"(url\(|@import)\s*[\"']?(https?:)?//")
"""Where a style sheet loads from another host."""


def dead_ends(file: Path) -> Iterator[str]:
    """The links of a page to files and anchors that are not there."""
    for tag, link in read(file).links:
        if not leads_somewhere(file if link[:1] in ("", "#", "?") else file.parent, link):
            yield f"{file.name}: {tag} {link}"


@cache
def leads_somewhere(base: Path, link: str) -> bool:
    """Whether a link of a page, or of the pages of a folder, is answered by a file; most stand on every page."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target, anchor = (base / unquote(parts.path)).resolve() if parts.path else base, unquote(parts.fragment)
    return target.is_file() and (not anchor or target.suffix != ".html" or anchor in read(target).anchors)


def test_every_link_and_anchor_leads_somewhere(site: Path) -> None:
    assert len(pages(site)) > 50
    assert [dead for file in pages(site) for dead in dead_ends(file)] == []


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    foreign = [
        f"{file.name}: {link}"
        for file in pages(site)
        for tag, link in read(file).links
        if tag != "a" and urlsplit(link).netloc
    ]
    styles = [file.name for file in site.rglob("*.css") if ELSEWHERE.search(file.read_text(encoding="utf-8"))]
    assert foreign + styles == []


def test_examples_of_the_reference_are_code_and_not_quotations(site: Path) -> None:
    shown = {file.stem: read(file).text.count("&gt;&gt;&gt; ") for file in (site / "reference").glob("*.html")}
    assert {entry.file for entry in entries()} <= {f"{name}.md" for name in shown}
    assert sum(examples > 0 for examples in shown.values()) > 100
    assert {file.name: read(file).strays for file in pages(site) if read(file).strays} == {}
    assert [file.name for file in pages(site) if read(file).quotations > 1] == []


def test_search_has_its_index_and_worker_beside_the_pages(site: Path) -> None:
    script = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    index = json.loads(script.removeprefix("var __index = "))
    places = {urlsplit(entry["location"]) for entry in index["docs"]}
    assert {place.path for place in places} - {""} <= {file.relative_to(site).as_posix() for file in pages(site)}
    assert all(
        place.fragment in read(site / (place.path or "index.html")).anchors for place in places if place.fragment
    )
    for file in pages(site):
        scripts = [link.rpartition("/")[2].partition(".")[0] for tag, link in read(file).links if tag == "script"]
        assert scripts.index("iframe-worker") < scripts.index("bundle"), file


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<blockquote><blockquote><p>x</p></blockquote></blockquote>", "quotations"),
        ("<p>&gt;&gt;&gt; 1 + 1</p>", "strays"),
        ('<a href="nowhere.html">x</a>', "dead ends"),
        ('<a href="#nowhere">x</a>', "dead ends"),
    ],
)
def test_a_fault_of_a_page_is_seen(html: str, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    file.write_text(html, encoding="utf-8")
    seen = {"quotations": read(file).quotations > 1, "strays": read(file).strays, "dead ends": list(dead_ends(file))}
    assert [name for name, found in seen.items() if found] == [fault]


def test_search_finds_a_page_that_was_opened_from_disk(site: Path, page: Tab, requests: list[str]) -> None:
    page.goto((site / "index.html").as_uri())
    wait_for(page, "document.querySelector('.md-search__input').focus(), document.activeElement.matches('input')")
    said = "document.querySelector('.md-search-result__meta').innerText"
    wait_for(page, said, lambda said: "Initializing" not in said)
    page.keyboard.type("ledger")
    found = "[...document.querySelectorAll('.md-search-result__link')].map(it => it.getAttribute('href'))"
    links = wait_for(page, found, lambda shown: any("guarantees.html" in link for link in shown))
    assert any("guarantees.html" in link for link in links)
    assert {urlsplit(address).scheme for address in requests} <= {"file", "data", "about", "blob"}


@pytest.mark.parametrize("name", ["benchmarks.html", "cluster.html", "studies/wang2016/index.html", "tutorial.html"])
def test_tables_fit_the_page_on_a_desktop(name: str, site: Path, page: Tab) -> None:
    page.goto((site / name).as_uri())
    frames = "[...document.querySelectorAll('.md-typeset__scrollwrap')]"
    tables = page.evaluate("document.querySelectorAll('article table:not([class])').length")
    assert wait_for(page, f"{frames}.length", lambda found: found == tables) == tables
    cut = f"{frames}.filter(it => it.scrollWidth > it.clientWidth + 1).map(it => it.innerText.slice(0, 60))"
    assert page.evaluate(cut) == []
