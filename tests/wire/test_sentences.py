"""The sentences of every language: nothing is missing or unused, every key is said as the vectors have it."""

from __future__ import annotations

import ast
import copy
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jinja2 import Environment, nodes
from tests.house.house_tree import CLIENTS, ROOT, SOURCE
from tests.wire.generate.sentences import ELEMENT, SECTIONS
from tests.wire.make import FOLDER

from deniable.protocol.say import KINDS, PLACE, Statement, codes, language

Table = dict[str, Any]
TABLES: dict[str, Table] = {code: {**language(code).sections, **language(code).element} for code in codes()}
SAID = tuple(language("en").sections)
"""The sections whose keys statements have."""
JOINED = {"begin", "and", "row", "text"}
"""Kinds of places of texts and of lists."""
ROOMS = ("protocol", "mechanisms", "estimation", "surveys", "engines", "pages")
"""The rooms that say something."""
JUDGES = {"statement_audit.py", "protection_judges.py"}
FORMS = {"one", "other"}
"""The plural forms of CLDR that English and German have; Python knows no others."""


def forms_of(wording: Any) -> dict[str, str]:
    """The forms of a wording, or its one."""
    return {"other": wording} if isinstance(wording, str) else wording


def places_of(form: str) -> set[tuple[str, str]]:
    """The places of a form, with their kinds; that of the count may be left out of one that says it in words.

    Where a sentence begins differs by language.
    """
    found = {(name, "" if kind == "begin" else kind) for name, kind in PLACE.findall(form)}
    return found - {("count", "")}


def faults(own: Table, reference: Table) -> Iterator[str]:
    """What a language lacks, or has otherwise than the reference."""
    if own.keys() != reference.keys():
        yield f"the sections are {', '.join(own)}"
    for section in reference:
        ours, theirs = own.get(section, {}), reference[section]
        yield from (f"{section}.{key}: missing" for key in theirs if key not in ours)
        yield from (f"{section}.{key}: unknown" for key in ours if key not in theirs)
        for key in ours.keys() & theirs.keys():
            yield from (f"{section}.{key}: {fault}" for fault in _faults(ours[key], theirs[key]))


def _faults(own: Any, reference: Any) -> Iterator[str]:
    forms, wanted = forms_of(own), places_of(forms_of(reference)["other"])
    if not isinstance(own, str) and forms.keys() != FORMS:
        yield f"the plural forms are {', '.join(sorted(forms))}"
    if "{count}" not in str(reference) and isinstance(reference, str) and not isinstance(own, str):
        yield "nothing is counted"
    for form in forms.values():
        if not form.strip():
            yield "nothing is said"
        if places_of(form) != wanted:
            yield f"the places are {', '.join(sorted(name for name, _ in places_of(form)))}"
        yield from (
            f"{kind} is no kind" for _, kind in PLACE.findall(form) if kind and kind not in KINDS.keys() | JOINED
        )
        if re.search(r"[{}]", PLACE.sub("", form)):
            yield "a brace is no place"


def test_the_files_are_the_languages() -> None:
    """Each folder holds the same files, and says whose it is."""
    for code in codes():
        folder = ROOT / "wire" / "sentences" / code
        assert {file.stem for file in folder.iterdir()} == {"language", "element", *SAID}
        assert language(code).table["code"] == code


@pytest.mark.parametrize("code", TABLES)
def test_every_language_says_all_with_the_same_places(code: str) -> None:
    assert list(faults(TABLES[code], TABLES["en"])) == []
    keys = [key for section in SAID for key in TABLES[code][section]]
    assert len(keys) == len(set(keys)), "a key of a statement stands in one section"


PLANTED: dict[str, tuple[Callable[[Table], object], str]] = {
    "a key is missing": (lambda t: t["label"].pop("whole"), "label.whole: missing"),
    "a key too many": (lambda t: t["asked"].update(other="x"), "asked.other: unknown"),
    "a place is missing": (lambda t: t["label"].update(any="Immer gleich."), "label.any: the places are "),
    "another kind": (lambda t: t["label"].update(any="{level:number}"), "label.any: the places are level"),
    "an unknown kind": (lambda t: t["label"].update(any="{level:odds}"), "label.any: odds is no kind"),
    "a wrong plural": (
        lambda t: t["label"].update(kept={"one": "eine", "few": "einige", "other": "{count}"}),
        "label.kept: the plural forms are few, one, other",
    ),
    "a form too few": (lambda t: t["asked"]["days"].pop("one"), "asked.days: the plural forms are other"),
    "nothing said": (lambda t: t["account"].update(stop=" "), "account.stop: nothing is said"),
    "an open brace": (lambda t: t["question"].update(retry="{"), "question.retry: a brace is no place"),
}


@pytest.mark.parametrize("why", PLANTED)
def test_a_fault_is_seen(why: str) -> None:
    plant, told = PLANTED[why]
    table = copy.deepcopy(TABLES["de"])
    plant(table)
    assert told in list(faults(table, TABLES["en"]))


# --- said as the vectors have it ------------------------------------------------------------------------------------

VECTORS = json.loads((FOLDER / "sentences.json").read_text(encoding="ascii"))["said"]


def statement(given: Any) -> Any:
    """A value of a vector: a list is a statement."""
    if not isinstance(given, list):
        return given
    return Statement(given[0], **{name: statement(value) for name, value in given[1].items()})


def test_the_vectors_hold_every_key_of_every_language() -> None:
    told = {(vector["language"], vector["section"], vector["key"]) for vector in VECTORS}
    assert told == {(code, section, key) for code in codes() for section in (*SECTIONS, *ELEMENT)
        for key in TABLES[code][section]}  # fmt: skip


@pytest.mark.parametrize("code", TABLES)
def test_every_key_is_said_with_its_values(code: str) -> None:
    for vector in (each for each in VECTORS if each["language"] == code):
        wording = TABLES[code][vector["section"]][vector["key"]]
        values = {name: statement(value) for name, value in vector["values"].items()}
        assert language(code).worded(wording, values) == vector["text"]


# --- used in code ---------------------------------------------------------------------------------------------------


def texts_of(tree: ast.AST) -> Iterator[str]:
    """Every text of a Python file as a pattern: what an f-string puts in may be anything."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = (re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w*" for part in node.values)
            yield "".join(parts)


@cache
def python_patterns() -> set[str]:
    """The texts of the rooms that say something; a judge of statements says none."""
    rooms = [SOURCE / room for room in ROOMS]
    files = [file for room in rooms for file in room.rglob("*.py") if file.name not in JUDGES]
    found = {text for file in files for text in texts_of(ast.parse(file.read_text(encoding="utf-8")))}
    templates = [file.read_text(encoding="utf-8") for file in (SOURCE / "pages" / "templates").rglob("*.html")]
    return found | {key for text in templates for key in re.findall(r'"(\w+)"', text)}


@cache
def script_patterns() -> set[str]:
    """The texts of the TypeScript client, where a template's values may be anything."""
    sources = [file for file in (CLIENTS / "typescript" / "src").rglob("*.ts") if file.parent.name != "sentences"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    return set(re.findall(r'"(\w+)"', text)) | {
        re.sub(r"\$\{[^}]*\}", r"\\w*", found) for found in re.findall(r"`((?:\w|\$\{[^}`]*\})+)`", text)
    }


def unused(keys: set[str], patterns: set[str]) -> list[str]:
    """Keys that no code names."""
    plain = {pattern for pattern in patterns if re.fullmatch(r"\w+", pattern)}
    made = [re.compile(pattern) for pattern in patterns - plain if re.search(r"\w\w", pattern.replace(r"\w*", ""))]
    return sorted(key for key in keys - plain if not any(pattern.fullmatch(key) for pattern in made))


def keys_of(*sections: str) -> set[str]:
    return {key for section in sections for key in TABLES["en"][section]}


def test_every_key_is_used() -> None:
    assert unused(keys_of(*SAID), python_patterns()) == []
    assert unused(keys_of("label", "question", "account", "intro", "field", "kiosk", "crowd"), script_patterns()) == []
    assert unused({"nobody_says_this"}, python_patterns() | script_patterns()) == ["nobody_says_this"]


TAG = re.compile(r"</?\w+[^>]*>|&\w+;")


class Saying(NamedTuple):
    """A place in code that says something: its key, and the names of the values that are given."""

    key: str
    names: frozenset[str]
    where: str


def said_in_python(file: Path) -> Iterator[Saying]:
    """The calls of ``Statement`` and ``say`` in a Python file whose key is written out; values may be given at once."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"Statement", "say"}:
            names = frozenset(each.arg or EVERY for each in node.keywords)
            keys = [text.value for text in node.args[:1] if isinstance(text, ast.Constant)]
            yield from (Saying(str(key), names, f"{file.name}:{node.lineno}") for key in keys)


def said_in_template(file: Path) -> Iterator[Saying]:
    """The same of a template."""
    for node in Environment(autoescape=True).parse(file.read_text(encoding="utf-8")).find_all(nodes.Call):
        if isinstance(node.node, nodes.Name) and node.node.name == "say":
            names = frozenset([*(each.key for each in node.kwargs), *([EVERY] if node.dyn_kwargs else [])])
            keys = [text.value for text in node.args[:1] if isinstance(text, nodes.Const)]
            yield from (Saying(str(key), names, f"{file.name}:{node.lineno}") for key in keys)


EVERY = "**"
"""Values that are given at once."""
IN_PYTHON = [each for room in ROOMS for file in (SOURCE / room).rglob("*.py") for each in said_in_python(file)]
IN_TEMPLATES = [each for file in (SOURCE / "pages" / "templates").rglob("*.html") for each in said_in_template(file)]


def lacking(sayings: Iterable[Saying]) -> list[str]:
    """Which values are not given for places of words."""
    found = [(each, places_and_count(each.key) - each.names) for each in sayings if EVERY not in each.names]
    return [f"{each.where}: {each.key} lacks {', '.join(sorted(missing))}" for each, missing in found if missing]


def places_and_count(key: str) -> set[str]:
    """The names of all values that the words of a key take."""
    wording = language("en").words[key]
    names = {name for form in forms_of(wording).values() for name, _ in PLACE.findall(form)}
    return names if isinstance(wording, str) else {*names, "count"}


def test_every_statement_that_is_made_has_words() -> None:
    """Of TypeScript the compiler sees to that."""
    made = {each.key for each in (*IN_PYTHON, *IN_TEMPLATES)}
    assert len(made) > 1000
    assert made - keys_of(*SAID) == set()


def test_every_place_of_what_is_said_has_its_value() -> None:
    assert lacking([*IN_PYTHON, *IN_TEMPLATES]) == []
    assert lacking([Saying("any", frozenset(), "here:1")]) == ["here:1: any lacks level"]
    assert lacking([Saying("kept", frozenset(), "here:2")]) == ["here:2: kept lacks count"]


def test_words_that_hold_html_are_said_by_templates_alone_and_hold_the_same_in_every_language() -> None:
    marked = {key for key, wording in language("en").words.items() if TAG.search(str(wording))}
    assert marked
    assert marked & {each.key for each in IN_PYTHON} == set()
    assert marked <= {each.key for each in IN_TEMPLATES}
    for code in codes():
        for key, wording in language(code).words.items():
            wanted = sorted(TAG.findall(forms_of(language("en").words[key])["other"]))
            assert all(sorted(TAG.findall(form)) == wanted for form in forms_of(wording).values()), (code, key)


SHOWN = re.compile(r"(?:textContent|innerText|title|ariaLabel|placeholder)\s*=\s*[\"'`]\s*\w|\balert\(|\bconfirm\(")
"""A script that shows words of its own."""


def test_scripts_of_pages_have_no_words_of_their_own() -> None:
    """Built ones are made of words by their keys, which other tests look at."""
    scripts = {
        name: (SOURCE / "pages" / "static" / name).read_text(encoding="utf-8") for name in ("pages.js", "builder.js")
    }
    assert [name for name, text in scripts.items() if SHOWN.search(text)] == []
    assert SHOWN.search('button.textContent = "Copied";')
