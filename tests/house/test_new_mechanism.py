"""CONTRIBUTING lists the files that a new mechanism takes; the list is held against the family that was added last."""

from __future__ import annotations

import re
import subprocess
from fnmatch import fnmatch

from tests.house.house_tree import ROOT

from deniable.mechanisms.family import Family
from deniable.mechanisms.registry import FAMILIES
from deniable.protocol.mechanisms.registry import MECHANISMS

MOST = 8
MADE = (
    "benchmarks/*.json", "docs/benchmarks.md", "docs/benchmarks/*", "docs/cluster.md", "docs/installing.md",
    "src/deniable/pages/static/*", "wire/vectors/*",
)  # fmt: skip
"""What programs write."""
LAST = max(FAMILIES.values(), key=lambda row: max(sample.number for sample in row.samples))
"""Numbers of samples ascend."""


def listed(mark: str) -> list[str]:
    """The files of the items that begin with a mark, as patterns."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page[page.index("\n## A new mechanism") : page.index("\n## A new kind of question")]
    items = re.findall(rf"^{mark} (`[^:]*)", section, re.MULTILINE)
    return [pattern(path) for item in items for path in re.findall(r"`([^`]+)`", item)]


def pattern(path: str) -> str:
    """A path of the list for the last family; a folder stands for what is in it."""
    words = re.sub(r"(?<!^)(?=[A-Z])", " ", LAST.name).lower().split()
    name = ("-" if path.endswith(".md") else "_").join(words)
    return path.replace("ROOM", "*").replace("NAME", name) + "*" * path.endswith("/")


def is_about_its_guarantee(text: str, family: Family) -> bool:
    """Whether a text is about a guarantee that no other family keeps: then it would be there for any family."""
    kinds = [type(row.samples[0].make().guarantee) for row in FAMILIES.values()]
    own = type(family.samples[0].make().guarantee)
    return kinds.count(own) == 1 and own.__name__.lower() in text.lower()


def git(*words: str) -> list[str]:
    """The lines that Git answers."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def naming(family: Family) -> dict[str, str]:
    """The files written by hand that name a family, and their text."""
    names = [name for name in git("grep", "-lwI", family.name) if not any(fnmatch(name, made) for made in MADE)]
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names}


def test_a_new_mechanism_takes_eight_files_and_the_last_one_took_each() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    eight = listed(r"\d+\.")
    assert len(eight) <= MOST
    module = LAST.make.__module__.rpartition(".")[2]
    for each in eight:
        files = [ROOT / name for name in tracked if fnmatch(name, each)]
        assert len(files) == 1, each
        assert re.search(rf"\b({LAST.name}|{module})\b", files[0].read_text(encoding="utf-8")), each


def test_nothing_else_names_the_last_mechanism() -> None:
    known = listed(r"\d+\.") + listed("-") * (not LAST.library_only)
    found = naming(LAST)
    strangers = [name for name in found if not any(fnmatch(name, each) for each in known)]
    assert [name for name in strangers if not is_about_its_guarantee(found[name], LAST)] == []


def test_devices_draw_it_where_the_list_says() -> None:
    assert LAST.library_only == (LAST.name not in MECHANISMS)
    assert all(any(fnmatch(name, each) for name in naming(LAST)) for each in listed("-")) or LAST.library_only
