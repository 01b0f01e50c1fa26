"""All words of pages for authors: where they are written, and what other languages say."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from deniable.pages.translation import OWN, words_of
from jinja2.ext import extract_from_ast
from tests.house.house_tree import ROOT

from deniable.pages.site import OWN_CHOICE, templates

SOURCE = ROOT / "src" / "deniable"


def words() -> set[str]:
    """The English words that pages can say in another language; of two forms the one for many."""
    return {*_of_templates(), *_of_python()}


def _of_templates() -> Iterator[str]:
    made = templates(OWN)
    assert made.loader is not None
    for name in made.list_templates(["html"]):
        source = (SOURCE / "pages" / "templates" / name).read_text(encoding="utf-8")
        for _, _, found in extract_from_ast(made.parse(source)):
            assert not name.startswith(OWN_CHOICE), f"{name} is read by whoever is asked, in sentences of wire/"
            forms = [found] if isinstance(found, str) else [form for form in found or () if form]
            yield words_of(forms[-1])


def _of_python() -> Iterator[str]:
    for path in SOURCE.rglob("*.py"):
        yield from _of_file(path)


def _of_file(path: Path) -> Iterator[str]:
    source = path.read_text(encoding="utf-8")
    if "from deniable.sentence import" not in source and path.name != "sentence.py":
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sentence":
            [wording] = node.args
            assert isinstance(wording, ast.Constant), f"{path.name}:{node.lineno} says words that nobody can translate"
            yield str(wording.value)
