"""A question, an encoder or a guarantee answers for itself: few places of the library look at the class of one."""

from __future__ import annotations

import ast
from functools import cache

from tests.cases import each
from tests.house.house_tree import python_files

from deniable.privacy.averaged import CentralInformationPrivacy, MutualInformationPrivacy
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.questions import encoders
from deniable.protocol.questions.kinds import KINDS


def below(family: type) -> set[str]:
    """The names of all classes that inherit from one."""
    heirs: list[type] = family.__subclasses__()
    own = [heir for heir in heirs if heir.__module__.startswith("deniable.")]
    return {heir.__name__ for heir in own}.union(*map(below, own))


ESTIMATES = {"Estimate", "Distribution", "ScaleEstimate", "Difference", "NumberDifference", "ScaleDifference"}
QUESTIONS = {kind.__name__ for kind in KINDS.values()}
ENCODERS = set(encoders.__all__)
GUARANTEES = below(Guarantee) | {CentralInformationPrivacy.__name__, MutualInformationPrivacy.__name__}


@cache
def looked_for() -> dict[str, list[set[str]]]:
    """Of each file the names in what it asks whether something is."""
    texts = {str(file): file.read_text(encoding="utf-8") for file in python_files("src")}
    return {file: asked_about(text) for file, text in texts.items() if "isinstance" in text}


def asked_about(text: str) -> list[set[str]]:
    """The names in each test for a class; where the Path of files is meant it is no encoder."""
    another = {"Path"} if "from pathlib import" in text else set()
    return [found - another for found in names(ast.parse(text))]


def names(tree: ast.Module) -> list[set[str]]:
    """The names in each test for a class."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 2)
    asked = (node.args[1] for node in calls if ast.unparse(node.func) == "isinstance")
    return [{name.id for name in ast.walk(one) if isinstance(name, ast.Name)} for one in asked]


@each(("classes", "most"), [(QUESTIONS, 7), (ENCODERS, 8), (GUARANTEES, 30)])
def test_few_places_look_at_the_class(classes: set[str], most: int) -> None:
    found = {file: sum(bool(one & classes) for one in asked) for file, asked in looked_for().items()}
    assert sum(found.values()) <= most, {file: count for file, count in found.items() if count}


def test_no_page_of_a_result_looks_at_the_class_of_an_estimate() -> None:
    """Its question's kind knows how it is shown, compared and followed over time."""
    pages = {file: asked for file, asked in looked_for().items() if "deniable/pages" in file}
    assert pages
    assert [file for file, asked in pages.items() if any(one & ESTIMATES for one in asked)] == []


def test_such_places_are_seen() -> None:
    asked = names(ast.parse("isinstance(a, OneOf); isinstance(b, (int, Number)); isinstance(c, Question)"))
    assert [bool(one & QUESTIONS) for one in asked] == [True, True, False]
