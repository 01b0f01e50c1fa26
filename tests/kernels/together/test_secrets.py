"""No draw branches on a label or on the word that decides: valgrind runs them with both marked as unknown.

What may branch is whether words are rejected, and how many coins are still undecided: neither says anything about the
label, nor about the words that are used. Memory addresses do depend on the label and are not looked at here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import compile_kernels
import pytest
from tests.house.house_tree import ROOT

from deniable.kernels import _kernels

C = ROOT / "src" / "deniable" / "kernels" / "c"
SECRETS = Path(__file__).with_name("secrets.c")
HEADER = Path("/usr/include/valgrind/memcheck.h")
PLANTED = 'TOLD("planted"'
REJECTION = {
    "if (product.low >= floor)",
    "for (; i + EIGHT <= most && eight_integers(tape + i, total, floor, coins); i += EIGHT)",
    "} while ((u32)inside < block_floor || (u32)outside < length_floor);",
    "if (eight_responses(tape + used, values + i, bonus, total, shift, floor, told)) {",
    "if (!undecided(&coins))",
    "for (; bit < BITS && undecided(&coins); bit++, at += GROUP) {",
    "for (i64 tossed = 0; tossed < coins;) {",
    "while (missing != 0) {",
}
"""The lines that may branch on a word: of rejected words, of undecided coins, of a subset's missing symbols."""
BRANCH = re.compile(r"Conditional jump.*\n.*?\((\w+\.[ch]):(\d+)\)")


def branches(target: int, program: Path) -> set[str]:
    """The lines that branch on what is unknown."""
    log = program.with_suffix(f".{target}.log")
    command = ["valgrind", "-q", "--error-limit=no", f"--log-file={log}", str(program), str(target)]
    subprocess.run(command, check=True, capture_output=True)
    texts = {file.name: file.read_text(encoding="utf-8").splitlines() for file in [*C.iterdir(), SECRETS]}
    found = BRANCH.findall(log.read_text(encoding="utf-8"))
    return {texts[file][int(line) - 1].strip() for file, line in found}


@pytest.fixture
def tools() -> None:
    """Valgrind and a compiler; where they may not be installed the test is skipped, in continuous integration never."""
    if shutil.which("valgrind") and HEADER.exists() and compile_kernels.machine_compiler():
        return
    assert not os.environ.get("CI"), "continuous integration needs valgrind and a compiler"
    pytest.skip("valgrind or a compiler is not installed")


@pytest.mark.usefixtures("tools")
def test_draws_branch_on_rejection_alone(tmp_path: Path) -> None:
    """On the base and with AVX2, which is as far as valgrind goes; a planted branch on a coin is seen."""
    program, compiler = tmp_path / "secrets", compile_kernels.machine_compiler() or []
    sources = [SECRETS, *(C / f"{name}.c" for name in ("avx2", "choose"))]
    flags = [*compile_kernels.FLAGS, "-g1", "-DPLANTED", f"-I{C}"]
    unused = program.with_suffix(".o")  # which need not be quick
    subprocess.run([*compiler, *flags, "-O0", "-c", str(C / "avx512.c"), "-o", str(unused)], check=True)
    subprocess.run([*compiler, *flags, *map(str, sources), str(unused), "-o", str(program), "-lm"], check=True)
    for target in range(min(2, len(_kernels.targets()))):
        found = branches(target, program)
        assert [line for line in found if line.startswith(PLANTED)], "the planted branch"
        assert {line for line in found if not line.startswith(PLANTED)} <= REJECTION
