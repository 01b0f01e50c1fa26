"""What `host_files` writes for each program: texts arrive unharmed, formats are as the programs read them."""

from __future__ import annotations

import ast
import csv
import gzip
import io
import json
import re
import shutil
import subprocess
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.house.house_tree import ROOT

import deniable as dn
from deniable.pages.handing.host_files import HOSTS, TRIED, Host, host_files, next_steps
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import codes, language

TRAPS = [
    "</script><!--", "{{ 7 * 7 }}", "{% raw %}", "${e://Field/ResponseID}", "{TOKEN}", "[record-name]", "`r 1 + 1`",
    "\"quoted\" & 'so'", "back\\slash", "@@survey@@", "a\u0085b\u2028c", "größer 🙂", "line\nbreak",
]  # fmt: skip
"""Labels that mean something in one of the programs."""
ADDRESS = re.compile(r"https?:|//\w")
MOST_FILES, MOST_PACKED = 6, 70 << 10
FORMR = {"name", "type", "label", "optional", "class", "showif", "value", "block_order", "item_order"}
"""Columns that the sheet of a formr survey may have."""
LIMESURVEY = {
    "name", "type", "title", "author", "authorEmail", "authorUrl", "copyright", "license", "version", "apiVersion",
    "creationDate", "description", "questionType", "group", "subquestions", "answerscales", "hasdefaultvalues",
    "assessable", "class",
}  # fmt: skip
"""What the configuration of each question theme of LimeSurvey 6 says of it."""


def trapped() -> dn.Survey:
    question = dn.OneOf("trap", TRAPS, wording="Which of <these> & {{ those }}?")
    parts = dn.Part(question, dn.RandomizedResponse(question.labels, 1.0))
    return dn.Survey("trap", [question], [dn.Arm(parts)], carrier="field", title="Traps & </script>\n{{ title }}\1")


SURVEY = trapped()


def made(host: Host, column: str = "private") -> dict[str, bytes]:
    """The files, and those in one that is packed."""
    found = dict(host_files(SURVEY, host, column))
    for name in [name for name in found if name.endswith(".zip")]:
        with zipfile.ZipFile(io.BytesIO(found.pop(name))) as whole:
            found |= {each: whole.read(each) for each in whole.namelist()}
    return found


class Questions(HTMLParser):
    """The elements of a page, by their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "deniable-question":
            self.found.append(dict(attrs))


def texts_of(host: Host) -> dict[str, str]:
    """The files that are not the element alone."""
    return {name: text.decode() for name, text in made(host).items() if not name.endswith("field.js")}


@pytest.mark.parametrize("host", HOSTS)
def test_the_survey_arrives_to_the_byte(host: Host) -> None:
    documents = []
    for name, text in texts_of(host).items():
        documents += [each["survey"] for each in Questions(text).found] if name.endswith(".html") else []
        documents += [json.loads(each) for each in re.findall(r'survey = ("(?:[^"\\]|\\.)*");', text)]
    assert documents == [SURVEY.to_json()]


@pytest.mark.parametrize("host", HOSTS)
def test_no_program_finds_something_of_its_own_in_an_author_s_texts(host: Host) -> None:
    own = ("7 * 7", "raw", "TOKEN", "record-name", "title }}", "these", "</script><")
    for text in texts_of(host).values():
        for trap in own:
            assert not re.search(r"[{\[<$%]\s*" + re.escape(trap.strip("</")), text), trap
        assert "@@" not in text.replace("@@survey@@", "").replace("&#64;&#64;", "")


@pytest.mark.parametrize("host", HOSTS)
def test_the_files_are_few_and_small_and_name_no_other_host(host: Host) -> None:
    files = made(host)
    assert len(files) <= MOST_FILES
    assert sum(len(gzip.compress(content)) for content in files.values()) <= MOST_PACKED
    element = (ROOT / "src" / "deniable" / "pages" / "static" / "field.js").read_text(encoding="utf-8")
    for name, content in files.items():
        without = re.sub(r"^\s*//.*", "", content.decode().replace(element, ""), flags=re.MULTILINE)
        assert ADDRESS.findall(without.replace("e://Field", "")) == [], name


def test_the_same_survey_makes_the_same_bytes() -> None:
    assert [host_files(SURVEY, host) for host in HOSTS] == [host_files(trapped(), host) for host in HOSTS]


@pytest.mark.parametrize("host", HOSTS)
def test_scripts_are_read_by_node(host: Host, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node was found")
    for name, content in made(host).items():
        if name.endswith(".js"):
            kind = "mjs" if b"\nimport " in content else "cjs"
            file = tmp_path / f"script.{kind}"
            file.write_bytes(content)
            checked = subprocess.run([node, "--check", file], capture_output=True, text=True, check=False)
            assert checked.returncode == 0, checked.stderr


# --- formats of single programs -------------------------------------------------------------------------------------


def test_the_theme_of_limesurvey_is_described_as_its_own_ones() -> None:
    files = made("limesurvey", "hit")
    names = sorted(name.removeprefix("deniable_hit/survey/questions/answer/longfreetext/") for name in files)
    assert names == ["answer.twig", "assets/scripts/hit.js", "config.xml"]
    config = ElementTree.fromstring(next(files[name] for name in files if name.endswith(".xml")))
    about = {each.tag: each.text for each in config.find("metadata") or ()}
    assert about.keys() == LIMESURVEY
    assert about["name"] == "deniable_hit"
    assert about["type"] == "question_theme"
    assert about["questionType"] == "T"
    assert about["title"] == "Traps & </script> {{ title }}"
    assert [each.text for each in config.findall("compatibility/version")] == ["4.0", "5.0", "6.0", "7.0"]
    assert [each.text for each in config.findall("files/js/filename")] == ["scripts/hit.js"]


def test_the_sheet_of_formr_has_its_columns() -> None:
    sheet = next(text for name, text in made("formr", "hit").items() if name == "hit.csv").decode()
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert set(rows[0]) <= FORMR
    assert [(row["type"], row["name"]) for row in rows] == [("textarea", "hit")]


def test_the_app_of_otree_is_python_with_the_field() -> None:
    app = ast.parse(made("otree", "hit")["hit/__init__.py"])
    classes = {node.name: ast.unparse(node) for node in app.body if isinstance(node, ast.ClassDef)}
    assert "hit = models.LongStringField(blank=True)" in classes["Player"]
    assert "form_fields = ['hit']" in classes["Question"]


# --- what is refused ------------------------------------------------------------------------------------------------


def test_a_survey_that_a_collector_counts_is_refused_with_what_to_do() -> None:
    other = dn.Survey.plan("hit", [dn.OneOf("hit", ["yes", "no"])], 1.0, 900)
    with pytest.raises(ParameterError, match='must have carrier="field", got one that a collector counts; plan it'):
        host_files(other, "html")


@pytest.mark.parametrize("column", ["", "Private", "1st", "two words", "a_b", "x" * 21, "class", "ä"])
def test_names_that_some_program_would_refuse_are_refused(column: str) -> None:
    with pytest.raises(ParameterError, match="column must be a small letter"):
        host_files(SURVEY, "html", column)


def test_an_unknown_program_is_refused_with_the_known_ones() -> None:
    other: Any = "gravity"
    with pytest.raises(ParameterError, match=r"host must be one of html, .*, got host='gravity'"):
        host_files(SURVEY, other)


@pytest.mark.parametrize("host", HOSTS)
def test_what_to_do_is_said_in_every_language_and_what_was_not_tried(host: Host) -> None:
    steps = next_steps(host, "hit")
    assert ("embed_untried" in {step.key for step in steps}) is (host not in TRIED)
    for code in codes():
        said = [language(code)(step) for step in steps]
        assert all(said)
        assert re.search(r"\bhit\b|_hit", said[0]), code
