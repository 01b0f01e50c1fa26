"""A question's kind is asked, and not what kind it is: few places of the library look at the class of a question."""

from __future__ import annotations

import ast

from tests.house.house_tree import python_files

from deniable.protocol.questions.kinds import KINDS

MOST = 7
CLASSES = {kind.__name__ for kind in KINDS.values()}
ESTIMATES = {"Estimate", "Distribution", "ScaleEstimate", "Difference", "NumberDifference", "ScaleDifference"}


def looked_at(tree: ast.Module, classes: set[str] = CLASSES) -> int:
    """How often a file asks whether something is of a kind of question, or of other classes."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 2)
    asked = (node.args[1] for node in calls if ast.unparse(node.func) == "isinstance")
    return sum(bool({name.id for name in ast.walk(each) if isinstance(name, ast.Name)} & classes) for each in asked)


def test_few_places_look_at_the_class_of_a_question() -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in python_files("src")}
    files = {file: looked_at(ast.parse(text)) for file, text in texts.items() if "isinstance" in text}
    assert sum(files.values()) <= MOST, {str(file): found for file, found in files.items() if found}


def test_no_page_of_a_result_looks_at_the_class_of_an_estimate() -> None:
    """Its question's kind knows how it is shown, compared and followed over time."""
    files = python_files("src/deniable/pages")
    assert len(files) > 50
    assert [str(file) for file in files if looked_at(ast.parse(file.read_text(encoding="utf-8")), ESTIMATES)] == []


def test_such_places_are_seen() -> None:
    assert looked_at(ast.parse("isinstance(a, OneOf); isinstance(b, (int, Number)); isinstance(c, Question)")) == 2
