"""The documents are complete and agree with the code: mechanisms, commands, rooms, dependencies, version."""

import re
import tomllib
from pathlib import Path

from floors import floors, picture, uses
from options import COMMANDS
from options import on_page_markdown as with_options
from reference import entries
from rooms import on_page_markdown
from tests.cases import each
from tests.house.house_tree import ROOT, SOURCE, STUDIES, named

import deniable as dn
from deniable.mechanisms.registry import FAMILIES

DOCS = ROOT / "docs"
FILE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, DEVELOPING = FILE["project"], FILE["dependency-groups"]
ABOUT_ALL = ("index.md", "names.md")
"""Pages about all mechanisms."""
TEXTS = {".cfg", ".csv", ".json", ".md", ".py", ".pyi", ".sh", ".toml", ".txt", ".yaml", ".yml", ""}
HIDDEN = {
    ".venv",
    ".bench-venv",
    ".hosts",
    ".arm",
    ".git",
    "site",
    "demo-output",
    "__pycache__",
    "dist",
    ".hypothesis",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "node_modules",
    "build",
}
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|root|Users|mnt|opt)/\w")


def needed() -> set[str]:
    """Every package that the project, one of its extras or one of its groups asks for."""
    optional = [*PROJECT["optional-dependencies"].values(), *DEVELOPING.values()]
    extras = [need for group in optional for need in group if isinstance(need, str)]
    return {re.split(r"[\[<>=]", need)[0] for need in [*PROJECT["dependencies"], *extras]}


def sections(page: str) -> dict[str, str]:
    """The text below each second-level heading of a page."""
    parts = re.split(r"^## +(.+)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def tracked_texts() -> list[Path]:
    """Every text of the repository, whatever tool made its neighbours."""
    files = (file for file in ROOT.rglob("*") if not HIDDEN.intersection(file.relative_to(ROOT).parts))
    return [f for f in files if f.is_file() and f.suffix in TEXTS]


@each("name", FAMILIES)
def test_every_mechanism_has_a_page(name: str) -> None:
    pages = [page.read_text(encoding="utf-8") for page in (DOCS / "mechanisms").glob("*.md")]
    own = [page for page in pages if page.startswith(f"# {name}\n")]
    assert len(own) == 1
    assert {"A worked report", "Channel", "Estimate", "Report"} <= set(sections(own[0]))
    assert f"dn.{name}(" in own[0]


@each(
    "page",
    [page for page in sorted((DOCS / "mechanisms").glob("*.md")) if page.stem not in ("index", "names")],
    ids=named,
)
def test_pages_of_mechanisms_have_one_order(page: Path) -> None:
    """A coin, a table of four rows, a worked report with what it prints; formulas after."""
    title, coin, table, worked, *rest = page.read_text(encoding="utf-8").split("\n\n")
    assert title.startswith("# ")
    assert re.search(r"\b(coins?|toss|tosses|tossed|dice|draw)\b", coin, re.IGNORECASE)
    rows = [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()[2:]]
    assert rows == ["a report is", "it takes", "choose it", "rather"]
    assert worked == "## A worked report"
    report, _, formulas = "\n\n".join(rest).partition("\n## ")
    assert "```output\n" in report
    assert "```math" in formulas
    assert "```math" not in report


def test_every_public_name_has_a_page_of_the_reference_and_an_example() -> None:
    listed = [entry.name for entry in entries()]
    assert len(listed) == len(set(listed)) == len({entry.file.lower() for entry in entries()})
    public = {name: getattr(dn, name).__doc__ or "" for name in vars(dn)["__all__"]}
    assert public.keys() <= set(listed)
    assert {name for name, says in public.items() if ">>> " not in says} == {"spark"}, "Java takes too long to start"


def test_there_are_commands() -> None:
    assert {"demo", "plan", "audit", "privatize", "tally", "estimate", "simulate"} <= set(COMMANDS)


@each("name", COMMANDS)
def test_every_command_has_its_place_and_a_line_to_try(name: str) -> None:
    section = sections((DOCS / "command-line.md").read_text(encoding="utf-8")).get(f"deniable {name}", "")
    assert f"\n```options\n{name}\n```\n" in section
    assert f"$ deniable {name} " in section


@each("name", COMMANDS)
def test_every_option_is_told_of(name: str) -> None:
    options = {option for p in COMMANDS[name].real.params if p.param_type_name == "option" for option in p.opts}
    shown = re.findall(r"^\| `(--[a-z-]+)[^|]*\| (.+) \|$", with_options(f"```options\n{name}\n```"), re.MULTILINE)
    assert {option for option, _ in shown} == {option for option in options if option.startswith("--")} - {"--help"}


def test_every_room_has_a_page() -> None:
    rooms = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    pages = {page.stem for page in (DOCS / "rooms").glob("*.md")}
    public = {"__init__", "__main__", "extend", "files", "spark"}
    ground = {"version", "arrays", "checks", "arrow", "sentence"}
    assert rooms - public - ground | {STUDIES.name} == pages - {"index", "ground-floor"}
    page = (DOCS / "rooms" / "index.md").read_text(encoding="utf-8")
    assert all(f"`{name}.py`" in page for name in public)


@each("room", [*sorted(p.parent for p in SOURCE.glob("*/__init__.py")), STUDIES], ids=named)
def test_the_page_of_a_room_lists_its_files_from_the_code(room: Path) -> None:
    page = (DOCS / "rooms" / f"{room.name}.md").read_text(encoding="utf-8")
    files = {path.relative_to(room).as_posix() for path in room.rglob("*.py") if path.name != "__init__.py"}
    rows = dict(re.findall(r"^\| `([a-z0-9_/]+\.py)` \| (.*) \|$", on_page_markdown(page), re.MULTILINE))
    assert rows.keys() == files
    assert all(rows.values())
    assert not re.search(r"^\| `\S+\.py`", page, re.MULTILINE)  # nothing is listed by hand


def test_the_picture_of_rooms_follows_the_imports() -> None:
    rooms = uses()
    assert all(floors(rooms)[used] < floor for room, floor in floors(rooms).items() for used in rooms[room])
    assert all(f">{room}</text>" in picture(rooms) for room in rooms)
    assert "```floors\n```" in (DOCS / "rooms" / "index.md").read_text(encoding="utf-8")


def test_every_dependency_has_its_reason() -> None:
    decision = (DOCS / "decisions" / "0002-dependencies.md").read_text(encoding="utf-8")
    assert needed() - {"deniable"} == set(re.findall(r"^\| ([a-z0-9-]+) \|", decision, re.MULTILINE)) - {"package"}


def test_constraints_name_every_dependency() -> None:
    pinned = re.findall(r"^([\w.-]+)==\S+$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert needed() - {"deniable"} <= {name.lower().replace("_", "-") for name in pinned}


def test_decisions_are_numbered_without_gaps() -> None:
    decisions = sorted((DOCS / "decisions").glob("0*.md"))
    index = (DOCS / "decisions" / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"\((0.+\.md)\)", index) == [page.name for page in decisions]
    assert [int(page.name[:4]) for page in decisions] == list(range(1, len(decisions) + 1))
    assert all(page.read_text(encoding="utf-8").startswith(f"# {int(page.name[:4])}. ") for page in decisions)


def test_bundle_sizes_are_those_of_the_package() -> None:
    """Which a test of the package measures."""
    readme = (ROOT / "clients" / "typescript" / "README.md").read_text(encoding="utf-8")
    page = (DOCS / "devices.md").read_text(encoding="utf-8")
    shown = re.findall(r"^(\| .* KB \|)$", page[page.index("### Bundle size") :], re.MULTILINE)
    assert len(shown) == 2
    assert all(row in readme for row in shown)


def test_nothing_is_fetched_by_the_documentation() -> None:
    assert "://" not in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_no_text_names_a_machine() -> None:
    strays = [
        f"{named(file)}:{number}"
        for file in tracked_texts()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert strays == []


def test_a_machine_path_is_seen() -> None:
    assert MACHINE_PATH.search("open('" + "/home" + "/ada/survey.csv')")
    assert not MACHINE_PATH.search("docs/home/plan.md")
