"""The rooms are one-way: each imports only from itself and from rooms before it (docs/decisions/0001)."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.cases import each
from tests.house.house_tree import PUBLIC, ROOMS, ROOT, SOURCE, STUDIES, called, named, python_files

FACES = ("extend", "files", "spark")
"""Modules beside it that gather more public names: ``dn.extend``, ``dn.files``, ``dn.spark``."""


def room_of(file: Path) -> str:
    """The room that a file of the package belongs to; ``python -m deniable`` is the command line's."""
    return room_named(file.relative_to(SOURCE).parts[0].removesuffix(".py"))


def room_named(part: str) -> str:
    """The room of what lies in the package under this name."""
    return "cli" if part == "__main__" else PUBLIC if part in FACES else part


def targets(node: ast.AST, file: Path) -> list[str]:
    """The dotted names below ``deniable`` that one statement or call imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return _from_targets(node, file)
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        loads = called(node) in {"import_module", "__import__", "files"}
        return [str(node.args[0].value)] if loads else []
    return []


def _from_targets(node: ast.ImportFrom, file: Path) -> list[str]:
    package = ["deniable", *file.relative_to(SOURCE).parts[:-1]]
    above = package[: len(package) - node.level + 1] if node.level else []
    module = ".".join([*above, *([node.module] if node.module else [])])
    if module == "deniable":  # the name may be a room, or a public name of the package
        return [f"deniable.{alias.name}" if alias.name in {*ROOMS, *FACES} else "deniable" for alias in node.names]
    return [module]


def breaches(source: str, file: Path) -> Iterator[str]:
    """Each import of a file that goes up, as a line for people."""
    room = room_of(file)
    for node in ast.walk(ast.parse(source)):
        for target in targets(node, file):
            parts = target.split(".")
            if parts[0] != "deniable":
                continue
            reached = room_named(parts[1]) if len(parts) > 1 else PUBLIC
            if reached not in ROOMS or ROOMS.index(reached) > ROOMS.index(room):
                yield f"{named(file)}:{getattr(node, 'lineno', 0)}: {room} imports {reached}"


@each("file", python_files("src/deniable"), ids=named)
def test_imports_go_one_way(file: Path) -> None:
    assert room_of(file) in ROOMS, f"{named(file)} is in no room: see docs/decisions/0001"
    assert list(breaches(file.read_text(encoding="utf-8"), file)) == []


@each(
    "line",
    [
        "from deniable.mechanisms.plain.subset import Subset",
        "import deniable.mechanisms.plain.subset as subset",
        "from deniable import mechanisms",
        "from deniable import Subset",
        "import deniable",
        "from ..mechanisms import registry",
        "from .. import mechanisms",
        "def lazy():\n    from deniable.mechanisms import registry",
        "def lazy():\n    from ..cli import app",
        "if TYPE_CHECKING:\n    from deniable.reports.tally import Tally",
        "import importlib\nimportlib.import_module('deniable.engines.files')",
        "__import__('deniable.audit')",
        "from deniable.attic import old",
        "from deniable.files import write_reports",
        "from deniable import spark",
    ],
)
def test_an_import_that_goes_up_is_seen(line: str) -> None:
    assert len(list(breaches(line, SOURCE / "estimation" / "table.py"))) == 1


@each(
    "line",
    [
        "from deniable.theory.risk.support import Support",
        "from ..checks import check_int",
        "from . import simplex",
        "from deniable import values",
        "import numpy as np",
        "from importlib import import_module\nimport_module('pyspark')",
    ],
)
def test_an_import_that_goes_down_is_left_alone(line: str) -> None:
    assert list(breaches(line, SOURCE / "estimation" / "table.py")) == []


def test_the_command_line_may_use_the_public_names_and_they_do_not_use_it() -> None:
    assert list(breaches("import deniable as dn\nfrom deniable import files", SOURCE / "cli" / "app.py")) == []
    assert list(breaches("from deniable.engines.files import tally_files", SOURCE / "files.py")) == []
    assert len(list(breaches("from deniable.cli import main", SOURCE / "files.py"))) == 1
    assert len(list(breaches("from deniable.cli import main", SOURCE / "__init__.py"))) == 1


def test_the_decision_names_the_rooms_in_this_order() -> None:
    decision = (ROOT / "docs" / "decisions" / "0001-rooms-and-one-way-imports.md").read_text(encoding="utf-8")
    assert ", ".join(room for room in ROOMS if room != PUBLIC) in decision


def test_public_names_are_homes_in_rooms_before_the_package() -> None:
    """They are loaded by the stub, which is no import of the package's."""
    tree = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    targeted = {target for node in tree.body for target in targets(node, SOURCE / "__init__.py")}
    homes = {target.split(".")[1] for target in targeted if "." in target}
    assert homes - set(FACES) < set(ROOMS[: ROOMS.index(PUBLIC)])


def test_a_mixer_and_a_collector_know_nothing_of_each_other() -> None:
    """They are run by two parties; the rooms before them are what they share."""
    files = [*python_files("src/deniable/mixer"), *python_files("src/deniable/collector")]
    reached = {
        (room_of(file), target.split(".")[1])
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        for target in targets(node, file)
        if target.startswith("deniable.")
    }
    assert not {("mixer", "collector"), ("collector", "mixer")} & reached


def test_only_the_command_line_loads_its_libraries() -> None:
    """Typer belongs to the command line, and nothing but ``python -m deniable`` loads that."""
    typed = [named(file) for file in python_files("src/deniable") if room_of(file) != "cli" and imports(file, "typer")]
    assert typed == []


def test_only_reproduce_loads_the_studies() -> None:
    """They lie beside the package, which does not need them otherwise: no wheel holds them."""
    loading = [named(file) for file in python_files("src") if imports(file, STUDIES.name)]
    assert loading == ["src/deniable/cli/reproduce.py"]


def imports(file: Path, library: str) -> bool:
    """Whether a file imports anything of a library, whose name it must hold then."""
    text = file.read_text(encoding="utf-8")
    nodes = ast.walk(ast.parse(text)) if library in text else ()
    return any(target.split(".")[0] == library for node in nodes for target in targets(node, file))
