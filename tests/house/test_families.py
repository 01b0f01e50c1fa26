"""What a family is made of: one class, few public names, one row; and no other list of families."""

from __future__ import annotations

import inspect
import re
from abc import ABC
from typing import Generic

import pytest
from tests.house.house_tree import SOURCE, named

import deniable as dn
from deniable.mechanisms.family import Family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES

MOST_NAMES = 24
"""Public names that an object shows."""
ROWS = pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
LISTS = {"__init__.py", "mechanisms/registry.py"}
"""Where families stand beside each other: what is public, and the rows."""


@ROWS
def test_a_family_inherits_one_class(family: Family) -> None:
    """``Mechanism``, or one that is composed and forwards to parts; never another family."""
    *own, last = [each for each in family.make.__mro__ if each not in (object, ABC, Generic)]
    assert last is Mechanism
    assert all(len([base for base in each.__bases__ if base is not Generic]) == 1 for each in own)
    assert {row.make for row in FAMILIES.values()} & set(own) == {family.make}


@ROWS
def test_an_object_shows_few_names_and_each_is_documented(family: Family) -> None:
    m = family.example(dn.Domain.of(4), 1.0)
    names = [name for name in dir(m) if not name.startswith("_")]
    assert len(names) <= MOST_NAMES, names
    source = "".join(inspect.getsource(each) for each in type(m).__mro__ if each is not object)
    for name in names:
        documented = inspect.getdoc(getattr(type(m), name, None))
        commented = re.search(rf'^    {name}: .*\n    """', source, re.MULTILINE)
        assert documented or commented, f"{family.name}.{name} must have a docstring"


@ROWS
def test_rows_are_told_apart(family: Family) -> None:
    others = [other for other in FAMILIES.values() if other is not family]
    assert family.title not in {other.title for other in others}
    numbers = [sample.number for sample in family.samples]
    assert numbers
    assert not set(numbers) & {sample.number for other in others for sample in other.samples}
    assert len(set(numbers)) == len(numbers)
    assert {type(sample.make()) for sample in family.samples} == {family.make}


def listing(text: str) -> bool:
    """Whether the code of a file, its imports apart, names four families: a list of them in all but name."""
    code = "\n".join(line for line in _code(text).splitlines() if not re.match(r"\s*(from|import) ", line))
    return sum(name in code and re.search(rf"\b{name}\b", code) is not None for name in FAMILIES) >= 4


def test_no_list_of_families_stands_elsewhere() -> None:
    files = [file for file in sorted(SOURCE.rglob("*.py")) if "protocol" not in file.parts]
    found = [named(file) for file in files if listing(file.read_text(encoding="utf-8"))]
    assert {name.removeprefix("src/deniable/") for name in found} <= LISTS


def test_a_list_of_families_is_seen() -> None:
    assert listing('KNOWN = ("Subset", "Hadamard", "Cyclic", "Rappor")')
    assert not listing("from deniable.mechanisms.plain.subset import Subset")


def _code(text: str) -> str:
    """Without docstrings and comments."""
    return re.sub(r"#.*", "", re.sub(r'"""(?:.|\n)*?"""', "", text))
