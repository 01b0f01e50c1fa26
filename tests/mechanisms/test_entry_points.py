"""An installed package offers a mechanism by an entry point: commands and specs know it once somebody names it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
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

    def deniable(self, *words: str, code: int = 0) -> str:
        """What a process with these packages says."""
        done = self._run(["-m", "deniable", *words])
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def python(self, text: str) -> str:
        """What some lines of Python print there."""
        done = self._run(["-c", text])
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": f"{self.folder}{os.pathsep}{ROOT}"}
        return subprocess.run(
            [sys.executable, *words], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A folder without packages."""
    return Site(tmp_path)


@pytest.fixture
def here(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The same on the path of this process, which forgets what it has found after the test."""
    monkeypatch.syspath_prepend(str(site.folder))
    entry_points.found.cache_clear()
    yield site
    entry_points.found.cache_clear()
    registry._families.pop(FAMILY.name, None)


def test_the_package_of_the_page_is_known_to_commands_and_specs(site: Site) -> None:
    project = tomllib.loads(blocks("toml")[0])["project"]
    code = "\n\n".join(blocks("python")[:2])
    site.install(project["name"], project["entry-points"][entry_points.GROUP], project["name"], code)
    options = ("--mechanism", "roulette", "--domain", "red,black,green", "--epsilon", "1")
    assert "every claim is proven" in site.deniable("audit", *options)
    answers = site.folder / "answers.csv"
    answers.write_text("color\n" + "red\nblack\nred\n" * 100, encoding="utf-8")
    site.deniable("privatize", "answers.csv", "--column", "color", "--out", "reports.parquet", *options)
    assert "300 reports of Roulette" in site.deniable("tally", "reports.parquet", "--out", "color.tally")
    assert "black" in site.deniable("estimate", "color.tally")
    assert "did you mean Roulette?" in site.deniable("audit", "--mechanism", "Roulete", *LEVEL, code=2)


def test_options_of_its_own_are_read(site: Site) -> None:
    site.install("wheels", {"Wheel": "wheels:FAMILY"}, "wheels", TOY)
    assert "tilt=3" in site.deniable("audit", "--mechanism=Wheel", "--tilt", "3", *LEVEL)
    assert "--tilt" in site.deniable("audit", "--mechanism", "Wheel", "--help")
    assert "--tilt" not in site.deniable("audit", "--mechanism", "Subset", "--help")


def test_nobody_looks_for_packages_who_names_a_family_of_ours(site: Site) -> None:
    """Whoever names another one pays for the look, and a family that nobody names is not loaded."""
    site.install("wheels", {"Wheel": "wheels:FAMILY"}, "wheels", "raise RuntimeError('nobody named it')")
    looked = (
        "import deniable as dn; from deniable.mechanisms import entry_points, registry\n"
        "dn.from_spec(dn.Subset(4, 1.0).spec()); registry.load('subset'); registry.load('optimalchannel')\n"
        "print(entry_points.found.cache_info().currsize)\n"
        "registry.load('Whale'); print(entry_points.found.cache_info().currsize)"
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
    with pytest.raises(
        dn.FormatError, match="got another name; for another mechanism install the package that offers it"
    ):
        dn.from_spec({"version": 1, "mechanism": "Whale", "domain": 3, "epsilon": 1.0})
