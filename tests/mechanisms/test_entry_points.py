"""An installed package offers a mechanism by an entry point: commands and specs know it once somebody names it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.house.house_tree import ROOT
from tests.mechanisms.toy import FAMILY

import deniable as dn
from deniable.mechanisms import entry_points, registry

PAGE = (ROOT / "docs" / "own-mechanism.md").read_text(encoding="utf-8")
TOY = "from tests.mechanisms.toy import FAMILY"
LEVEL = ("--domain", "yes,no", "--epsilon", "1")


def blocks(language: str) -> list[str]:
    """The blocks of the page."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@dataclass(frozen=True)
class Site:
    """A folder of installed packages, as pip leaves one: modules, and what is known of each package."""

    folder: Path

    def install(self, name: str, points: dict[str, str], module: str, code: str) -> None:
        """A package of one module."""
        (self.folder / f"{module}.py").write_text(code, encoding="utf-8")
        known = self.folder / f"{name}-1.0.dist-info"
        known.mkdir()
        (known / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        listed = [f"[{entry_points.GROUP}]", *(f"{point} = {value}" for point, value in points.items())]
        (known / "entry_points.txt").write_text("\n".join(listed), encoding="utf-8")

    def deniable(self, *commands: Sequence[str]) -> list[tuple[int, str]]:
        """The exit codes of commands in a process with these packages, and what they said."""
        told = json.loads(self.python("from tests.cli.every_command import main; main()", json.dumps(commands)))
        return [(code, printed + complaint) for code, printed, complaint in told]

    def python(self, text: str, given: str = "") -> str:
        """What some lines of Python print there."""
        environment = {**os.environ, "PYTHONPATH": f"{self.folder}{os.pathsep}{ROOT}"}
        done = subprocess.run(
            [sys.executable, "-c", text], input=given, cwd=self.folder, env=environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A folder without packages."""
    return Site(tmp_path)


@pytest.fixture
def here(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The same on the path of this process, which forgets what it has found after the test."""
    monkeypatch.syspath_prepend(str(site.folder))
    entry_points.installed.cache_clear()
    yield site
    entry_points.installed.cache_clear()
    registry._families.pop(FAMILY.name, None)


def test_the_package_of_the_page_is_known_to_commands_and_specs(site: Site) -> None:
    project = tomllib.loads(blocks("toml")[0])["project"]
    code = "\n\n".join(blocks("python")[:2])
    site.install(project["name"], project["entry-points"][entry_points.GROUP], project["name"], code)
    options = ["--mechanism", "roulette", "--domain", "red,black,green", "--epsilon", "1"]
    (site.folder / "answers.csv").write_text("color\n" + "red\nblack\nred\n" * 100, encoding="utf-8")
    said = site.deniable(
        ["audit", *options],
        ["privatize", "answers.csv", "--column", "color", "--out", "reports.parquet", *options],
        ["tally", "reports.parquet", "--out", "color.tally"],
        ["estimate", "color.tally"],
        ["audit", "--mechanism", "Roulete", *LEVEL],
    )
    assert [code for code, _ in said] == [0, 0, 0, 0, 2], said
    words = ("every claim is proven", "Roulette", "300 reports of Roulette", "black", "did you mean Roulette?")
    assert [word for (_, text), word in zip(said, words, strict=True) if word not in text] == [], said[-1]


def test_options_of_its_own_are_read(site: Site) -> None:
    """In processes of their own, since a command has the options of the family that it was started for."""
    site.install("wheels", {"Wheel": "wheels:FAMILY"}, "wheels", TOY)
    for words, has in (("Wheel", True), ("Subset", False)):
        [(code, said)] = site.deniable(["audit", "--mechanism", words, "--help"])
        assert (code, "--tilt" in said) == (0, has)
    [(code, said)] = site.deniable(["audit", "--mechanism=Wheel", "--tilt", "3", *LEVEL])
    assert (code, "tilt=3" in said) == (0, True)


def test_families_of_two_packages_are_known_side_by_side(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a package has offered already stands in nobody's way, and is found again by any capitals."""
    other = (
        "from deniable import extend; from tests.mechanisms.toy import Wheel\n"
        "class Reel(Wheel):\n    pass\n"
        "FAMILY = extend.plain_family(Reel, 'where a reel stops')"
    )
    for module, name, code in (("wheels", "Wheel", TOY), ("reels", "Reel", other)):
        monkeypatch.delitem(sys.modules, module, raising=False)
        here.install(module, {name: f"{module}:FAMILY"}, module, code)
    try:
        for name in ("Wheel", "Reel", "wheel", "Whale"):
            registry.load(name)
        assert {"Wheel", "Reel"} < set(registry.FAMILIES)
    finally:
        registry._families.pop("Reel", None)


def test_nobody_looks_for_packages_who_names_a_family_of_ours(site: Site) -> None:
    """Whoever names another one pays for the look, and a family that nobody names is not loaded."""
    site.install("wheels", {"Wheel": "wheels:FAMILY"}, "wheels", "raise RuntimeError('nobody named it')")
    looked = (
        "import deniable as dn; from deniable.mechanisms import entry_points, registry\n"
        "dn.from_spec(dn.Subset(4, 1.0).spec()); registry.load('subset'); registry.load('optimalchannel')\n"
        "print(entry_points.installed.cache_info().currsize)\n"
        "registry.load('Whale'); print(entry_points.installed.cache_info().currsize)"
    )
    assert site.python(looked) == "0\n1\n"


@pytest.mark.parametrize(
    ("points", "code", "message"),
    [
        ({"Wheel": "wheels:FAMILY"}, "import no_such_module", "must load, got ModuleNotFoundError from Wheel = wheels"),
        ({"Wheel": "wheels:FAMILY"}, "1 / 0", "must load, got ZeroDivisionError from Wheel = wheels:FAMILY of one"),
        ({"Wheel": "wheels:GAMILY"}, TOY, "must load, got AttributeError from Wheel = wheels:GAMILY of one"),
        ({"Wheel": "wheels:FAMILY.make"}, TOY, "must be a Family, got .* from Wheel = wheels:FAMILY.make of one"),
        ({"Wheel": "wheels"}, TOY, "must be a Family, got module from Wheel = wheels of one"),
        ({"Reel": "wheels:FAMILY"}, TOY, "must have its family's name, got Reel = wheels:FAMILY of one for Wheel"),
        ({"subset": "wheels:FAMILY"}, TOY, "must have a name of its own, got subset = wheels:FAMILY of one, which is"),
    ],
)
def test_an_entry_point_that_is_no_family_is_refused(
    here: Site, points: dict[str, str], code: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "wheels", raising=False)
    here.install("one", points, "wheels", code)
    with pytest.raises(dn.ParameterError, match=f"an entry point {message}"):
        registry.load(next(iter(points)) if "subset" not in points else "Wheel")
    assert "Wheel" not in registry.FAMILIES


def test_two_packages_with_one_name_are_refused(here: Site) -> None:
    here.install("one", {"Wheel": "wheels:FAMILY"}, "wheels", TOY)
    here.install("two", {"wheel": "reels:FAMILY"}, "reels", TOY)
    with pytest.raises(
        dn.ParameterError, match=r"must be of one package, got .*wheel = reels:FAMILY of two.*uninstall"
    ):
        registry.load("Wheel")


def test_a_module_may_register_its_row_itself(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "wheels", raising=False)
    here.install(
        "one", {"Wheel": "wheels:ROW"}, "wheels", f"{TOY}\nimport deniable as dn\nROW = dn.extend.register(FAMILY)"
    )
    spec = {"version": 1, "mechanism": "Wheel", "domain": 3, "epsilon": 1.0, "tilt": 0}
    assert dn.from_spec(spec) == FAMILY.example(dn.Domain.of(3), 1.0)
    assert registry.FAMILIES["Wheel"] is FAMILY


def test_a_spec_of_a_package_that_is_not_there_says_what_to_install(here: Site) -> None:
    with pytest.raises(dn.FormatError, match="got 'Whale'; for another mechanism install the package that offers it"):
        dn.from_spec({"version": 1, "mechanism": "Whale", "domain": 3, "epsilon": 1.0})
