"""The schemas hold for every good vector and refuse the bad ones, but for those that are listed here."""

from __future__ import annotations

import ast
import json
import re
from typing import Any, NoReturn

import pytest
from jsonschema import Draft202012Validator
from tests.wire.make import FOLDER

from deniable.mechanisms.registry import FAMILIES

WIRE = FOLDER.parent
SCHEMAS: dict[str, dict[str, Any]] = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="ascii"))
    for path in sorted((WIRE / "schemas").iterdir())
}
BEYOND_SCHEMAS = {
    "spec": {
        "a key twice", "a key twice within a guarantee",  # lost by the parser
        "a date that there is not", "a label that is half a surrogate pair",
        "a sensitive label of another kind",  # which JSON Schema holds equal
        "a weight of 2^53 with a point", "a weight with an exponent beyond 2^53",
        "a subset of all labels", "more parts than twice the labels", "more rows than labels",  # fields that do not fit
        "a design of no prime power", "a design with too little room", "a guarantee that is broken",
        "a guarantee whose domain is written in another way",
        "rows of different sums", "rows of different lengths", "weights whose sums differ by 1 beyond 2^53",
        "weights with a common divisor",
        "a run of one number", "a run that ends before it begins", "too many labels for Geometric",
        "a coin that does not follow from the levels", "a round of a higher level than all",
    },
    "guarantee": {
        "a sensitive label that there is not", "blocks that overlap", "blocks that leave a label out",
        "a prior that does not add up", "a run that ends before it begins",
    },
    "survey": {
        "a question that nobody is asked", "a part about no question", "an encoder of another kind of question",
        "a spec over other labels", "a day that there is not", "an end before the beginning", "a cap below the charge",
        "an answer to skip that is no label",
        "a high bound between two steps", "a high bound that is not higher", "too many steps", "a number and a date",
        "a step of half a day", "a date that there is not", "wanted in another order", "an offset of a whole block",
        "a level that is not there", "other blocks than the mechanism's", "a place beyond the scale",
        "a label that is a number", "numbers that are remembered",
        "single labels under high-low", "single labels of which no may show", "single labels under a prior",
        "points by distance", "squares by distance", "points in groups", "blocks of several places under high-low",
        "an answer that stands alone and is none", "answers that stand alone in another order",
        "a translation into the survey's own language", "a translation with an empty title",
        "a translation of a purpose that there is not", "a translation without a question",
        "a translation of another question", "a translation without labels", "a translation with a label too few",
        "a translation without a unit", "a translation with a unit of one label",
        "a controller that is half a character",
        "a question that follows from none", "a question that follows from one after it",
        "a question that follows from a strange label",
        "a question that follows from every label", "a question before the one that it follows from",
        "a way in which some answers are sensitive", "a way from an answer of which some are sensitive",
        "a chain of four", "a path from a place that is not there",
        "a path from another place than its labels are of", "a path without the question that leads there",
        "a way beside two questions", "a way around another question", "one question beside another as a way",
        "a crossed way by reports that treat labels unlike",
        "a way as a pair", "a question that only some are asked by itself", "a translation without the heading",
        "a crowd of two times the same party", "a crowd without an owner", "a crowd of more than there are",
        "a crowd of which all but one are made up", "a level in four digits", "a belief below the level",
        "a level as large as that of each answer", "a collector where the mixer is",
        "a collector at another port of the mixer", "a collector on this machine", "a party in other blanks",
        "a mixer that is run by nobody who can be seen",
    },
    "ledger": {"more than the cap", "a guarantee that does not imply the cap"},
    "report-file": {
        "a spec with blanks", "a spec with its keys out of order", "a spec that is no JSON",  # text to a schema
        "a spec with epsilon as an integer",
        "another spec", "the digest of another spec", "a report more", "the hash of other reports",
        "the counts of other reports",
    },
}  # fmt: skip
SOURCES = {
    "survey": ("surveys.json", "document"),
    "spec": ("specs.json", "spec"),
    "guarantee": ("guarantees.json", "guarantee"),
    "ledger": ("ledgers.json", "ledger"),
    "report-file": ("footers.json", "footer"),
}
"""The file whose vectors a schema is of, and the field of a vector that it describes."""


def fits(name: str, value: object) -> bool:
    """Whether a value keeps a schema; each is embedded with its own id, so that references find it."""
    return Draft202012Validator({"$defs": SCHEMAS, "$ref": SCHEMAS[name]["$id"]}).is_valid(value)


def section(name: str, of: str) -> list[dict[str, Any]]:
    """The vectors of a section."""
    found: list[dict[str, Any]] = json.loads((FOLDER / SOURCES[name][0]).read_text(encoding="ascii"))[of]
    return found


def value(name: str, vector: dict[str, Any]) -> Any:
    """What the schema describes; a spec is text in its vectors."""
    held = vector.get("text", vector[SOURCES[name][1]])
    return json.loads(held, parse_constant=no_json) if name in ("spec", "survey") else held


def no_json(constant: str) -> NoReturn:
    """What only Python takes for JSON."""
    raise ValueError(constant)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$id"] == f"urn:deniable:wire:1:{name}"


def test_there_is_a_schema_for_each_mechanism() -> None:
    kinds = [SCHEMAS["spec"]["$defs"][branch["$ref"].rpartition("/")[2]] for branch in SCHEMAS["spec"]["oneOf"]]
    assert {kind["properties"]["mechanism"]["const"] for kind in kinds} == set(FAMILIES)


@pytest.mark.parametrize("name", SOURCES)
def test_good_vectors_fit(name: str) -> None:
    vectors = section(name, "good") + (section(name, "equivalent") if name == "spec" else [])
    assert [vector["name"] for vector in vectors if not fits(name, value(name, vector))] == []
    assert len(vectors) > 5


@pytest.mark.parametrize("name", SOURCES)
def test_bad_vectors_do_not_fit(name: str) -> None:
    fitting = set()
    for vector in section(name, "bad"):
        try:
            held = value(name, vector)
        except ValueError:
            continue
        if fits(name, held):
            fitting.add(vector["why"])
    assert fitting == BEYOND_SCHEMAS[name]
    assert len(section(name, "bad")) > len(fitting) + 10


def test_computed_levels_fit_where_they_may_stand() -> None:
    for vector in section("guarantee", "computed"):
        assert not fits("guarantee", vector["guarantee"])
        assert fits("ledger", {"version": 1, "cap": vector["guarantee"], "entries": []})


def test_a_tally_embeds_a_spec() -> None:
    tallies = json.loads((FOLDER / "tallies.json").read_text(encoding="ascii"))["good"]
    assert all(fits("tally", json.loads(tally["spec"])) for tally in tallies)
    assert not fits("tally", {"version": 1})


def test_the_polynomials_of_designs_are_those_that_the_library_draws_with() -> None:
    kept = WIRE.parent / "src" / "deniable" / "protocol" / "primitive.csv"
    assert (WIRE / "primitive.csv").read_bytes() == kept.read_bytes()


def test_every_page_is_listed_and_every_link_leads_somewhere() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in WIRE.glob("*.md")}
    assert {name for name in pages if f"]({name})" not in pages["README.md"]} == {"README.md"}
    for text in pages.values():
        for target, anchor in re.findall(r"\]\(([^)#]+)#?([^)]*)\)", text):
            assert (WIRE / target).exists()
            assert not anchor or f"\n## {anchor.replace('-', ' ').capitalize()}\n" in pages[target]


def test_wire_is_text_and_data_that_nothing_imports() -> None:
    assert {path.suffix for path in WIRE.rglob("*") if path.is_file()} == {".md", ".json", ".csv"}
    for file in (WIRE.parent / "src").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text if "wire" in text or "tests" in text else "")
        modules = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        modules += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert not [name for name in modules if name.partition(".")[0] in ("wire", "tests")], file
