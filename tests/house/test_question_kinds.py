"""A question's kind is asked, and not what kind it is: few places of the library look at the class of a question."""

from __future__ import annotations

import ast

from tests.house.house_tree import python_files

from deniable.protocol.questions.kinds import KINDS

MOST = 9
CLASSES = {kind.__name__ for kind in KINDS.values()}


def looked_at(tree: ast.Module) -> int:
    """How often a file asks whether something is of a kind of question."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 2)
    asked = (node.args[1] for node in calls if ast.unparse(node.func) == "isinstance")
    return sum(bool({name.id for name in ast.walk(each) if isinstance(name, ast.Name)} & CLASSES) for each in asked)


def test_few_places_look_at_the_class_of_a_question() -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in python_files("src")}
    files = {file: looked_at(ast.parse(text)) for file, text in texts.items() if "isinstance" in text}
    assert sum(files.values()) <= MOST, {str(file): found for file, found in files.items() if found}


def test_such_places_are_seen() -> None:
    assert looked_at(ast.parse("isinstance(a, OneOf); isinstance(b, (int, Number)); isinstance(c, Question)")) == 2
