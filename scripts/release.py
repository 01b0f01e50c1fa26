"""Makes what is handed out of a version: ``python scripts/release.py VERSION PLATFORM ...``, as ``make release`` does.

All is made twice from what is committed: from the commit's files, and in another folder, where wheels are made of the
source archives as ``pip`` makes them. Unless both are equal byte for byte, nothing is left in ``dist/VERSION``.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from check_wheels import fault_of

ROOT: Final = Path(__file__).parents[1]
CLIENT: Final = Path("clients") / "python"
PACKAGE: Final = Path("clients") / "typescript"
SAID: Final = {
    "pyproject.toml": r'^version = "(.+)"$',
    "clients/python/pyproject.toml": r'^version = "(.+)"$',
    "src/deniable/protocol/__init__.py": r'^__version__ = "(.+)"$',
    "clients/typescript/package.json": r'^  "version": "(.+)",$',
    "clients/typescript/package-lock.json": r'"name": "deniable",\n *"version": "(.+)",$',
    "CITATION.cff": r"^version: (.+)$",
    "Containerfile": r"^ARG VERSION=(.+)$",
    "CHANGELOG.md": r"\A[^[]*^## \[(.+?)\]",
}
"""The files that say the version, and where they do."""
PIP: Final = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
SERVED: Final = "collector,files,pictures,regression"
"""The extras whose packages the bill of materials names; Spark's are half a gigabyte, and a cluster has its own."""


def versions(root: Path = ROOT) -> dict[str, set[str]]:
    """The versions that each file says."""
    return {name: set(re.findall(said, (root / name).read_text("utf-8"), re.MULTILINE)) for name, said in SAID.items()}


def run(*command: str | Path, at: Path, **told: str) -> str:
    """What a command prints; the release ends where one fails."""
    world = {**os.environ, **told}
    done = subprocess.run(command, cwd=at, env=world, check=False, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    if done.returncode:
        named = " ".join(map(str, command[:6]))
        sys.exit(f"release: {named} must end well, got {done.returncode}: {done.stdout[-2000:]}")
    return done.stdout


def hatch(target: str, source: Path, into: Path, **told: str) -> None:
    """One package of a folder with a ``pyproject.toml``."""
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into, at=source, **told)


def unpacked(archive: Path, into: Path) -> Path:
    """The one folder that a source archive holds."""
    run("tar", "xf", archive, at=into)
    return into / archive.name.removesuffix(".tar.gz")


def python_packages(source: Path, into: Path, platforms: Sequence[str], *, from_archives: bool) -> None:
    """Source archives and wheels of the library and of the client."""
    folders = [source, source / CLIENT]
    for folder in folders:
        hatch("sdist", folder, into)
    if from_archives:
        folders = [unpacked(each, into.parent) for each in sorted(into.glob("*.tar.gz"))]
    for platform in platforms:
        hatch("wheel", folders[0], into, WHEEL_PLATFORM=platform)
    hatch("wheel", folders[1], into)


def npm_package(source: Path, into: Path) -> None:
    """The package for npm, which builds itself before it is packed, and its bill of materials."""
    folder = source / PACKAGE
    run("npm", "ci", "--ignore-scripts", "--silent", at=folder)
    run("npm", "pack", "--silent", "--pack-destination", into, at=folder)
    bill = json.loads(run("npm", "sbom", "--omit=dev", "--sbom-format=cyclonedx", "--sbom-type=library", at=folder))
    del bill["serialNumber"], bill["metadata"]["timestamp"]  # of each run, and so never the same twice
    bill["metadata"]["component"]["name"] = "deniable"  # npm takes the folder's
    (into / "npm.cdx.json").write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")


def installed(folder: Path, artefacts: Path, ours: Sequence[str]) -> Path:
    """The Python of a new environment with packages of ours, from a folder, and nothing else."""
    run(sys.executable, "-m", "venv", "--without-pip", folder, at=artefacts)
    python = folder / "bin" / "python"
    run(*PIP, "--python", python, "install", "--no-index", "--no-deps", "--find-links", artefacts, *ours, at=artefacts)
    return python


def environment(folder: Path, artefacts: Path, wanted: Sequence[str], constraints: Path) -> Path:
    """The same with extras, and with what all that needs, from where pip finds it."""
    python = installed(folder, artefacts, [re.sub(r"\[.*\]", "", each) for each in wanted])
    run(*PIP, "--python", python, "install", "-c", constraints, *wanted, at=artefacts)
    return python


def python_bill(source: Path, into: Path, version: str) -> None:
    """The bill of materials of an environment with the library, the usual extras and the client."""
    wanted = [f"deniable[{SERVED}]=={version}", f"deniable-client[crowd]=={version}"]
    python = environment(into.parent / "environment", into, wanted, source / "constraints.txt")
    bill = (sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible")
    run(*bill, "--pyproject", "pyproject.toml", "-o", into / "python.cdx.json", python, at=source)


def made(folder: Path, version: str, platforms: Sequence[str], *, from_archives: bool) -> Path:
    """A folder with all artefacts of what is committed."""
    source, into = folder / "source", folder / "made"
    for each in (source, into):
        each.mkdir(parents=True)
    run("git", "archive", "-o", folder / "source.tar", "HEAD", at=ROOT)
    run("tar", "xf", folder / "source.tar", at=source)
    python_packages(source, into, platforms, from_archives=from_archives)
    npm_package(source, into)
    python_bill(source, into, version)
    return into


def checksums(folder: Path) -> str:
    """The files of a folder with their SHA-256, as ``sha256sum --check`` reads them."""
    files = sorted(each for each in folder.iterdir() if each.name != "SHA256SUMS")
    return "".join(f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files)


def differing(first: Path, again: Path) -> list[str]:
    """The names of files that are not the same in two folders."""
    lines = set(checksums(first).splitlines()) ^ set(checksums(again).splitlines())
    return sorted({line.split("  ")[1] for line in lines})


def faults(version: str) -> list[str]:
    """Why this cannot be released, as far as that can be said before."""
    found = [
        f"{name} must say {version}, got {' and '.join(sorted(said)) or 'no version'}"
        for name, said in versions().items()
        if said != {version}
    ]
    if changes := run("git", "status", "--porcelain", at=ROOT).splitlines():
        found.append(f"all must be committed, got changes of {len(changes)} files, such as {changes[0][3:]}")
    return found


def main(words: Sequence[str]) -> None:
    """Make all twice, compare, and keep the first."""
    if len(words) < 2:
        sys.exit("release: a version and at least one platform must be named, as in make release VERSION=0.1.0")
    version, *platforms = words
    if found := faults(version):
        sys.exit("release: " + "\nrelease: ".join(found))
    os.environ["SOURCE_DATE_EPOCH"] = run("git", "log", "-1", "--format=%ct", at=ROOT).strip()
    kept = ROOT / "dist" / version
    shutil.rmtree(kept, ignore_errors=True)
    with tempfile.TemporaryDirectory() as place:
        first = made(Path(place) / "first", version, platforms, from_archives=False)
        again = made(Path(place) / "again", version, platforms, from_archives=True)
        if names := differing(first, again):
            sys.exit(f"release: what is made twice must be equal, got two kinds of {', '.join(names)}")
        for wheel in sorted(first.glob("deniable-*.whl")):
            if fault := fault_of(wheel):
                sys.exit(f"release: {wheel.name}: {fault}")
        (first / "SHA256SUMS").write_text(checksums(first), encoding="utf-8")
        shutil.copytree(first, kept)
    print((kept / "SHA256SUMS").read_text("utf-8"), end="")
    if f"[{version}] - unreleased" in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        print("release: CHANGELOG.md says that this version is unreleased: write the day, commit, and make it again")


if __name__ == "__main__":
    main(sys.argv[1:])
