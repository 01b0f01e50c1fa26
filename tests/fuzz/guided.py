"""Fuzz one parser under Atheris, which keeps what makes the code do something new.

`python -m tests.fuzz.guided PARSER FOLDER SECONDS`. An input that does what must not happen ends the run, and is kept
in the folder, beside those that are changed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["deniable"]):
    from tests.fuzz.parsers import PARSERS, Parser

OWN = 0.7
"""How often an input is changed by what it means, and not byte by byte."""
SLOWEST, MOST, LONGEST = 10, 2048, 20_000
"""The most seconds that an input may take, the most MiB of the process, and the most bytes of an input."""


def fuzzed(parser: Parser, folder: Path, seconds: int) -> None:
    """Change inputs until the time is over or one is found."""
    for number, seed in enumerate(parser.seeds):
        (folder / f"seed-{number}").write_bytes(seed)
    limits = [f"-max_total_time={seconds}", f"-timeout={SLOWEST}", f"-rss_limit_mb={MOST}", f"-max_len={LONGEST}"]
    told = [*limits, "-print_final_stats=1", f"-artifact_prefix={folder}/found-", str(folder)]

    def changed(data: bytes, most: int, seed: int) -> bytes:
        source = Random(seed)
        return (parser.change(source, data) if source.random() < OWN else bytes(atheris.Mutate(data, most)))[:most]

    def checked(data: bytes) -> None:
        parser.check(data)

    atheris.Setup([sys.argv[0], *told], checked, custom_mutator=changed)
    atheris.Fuzz()


if __name__ == "__main__":
    fuzzed(PARSERS[sys.argv[1]], Path(sys.argv[2]), int(sys.argv[3]))
