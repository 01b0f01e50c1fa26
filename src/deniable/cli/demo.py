"""``deniable demo``: a private survey from end to end, with the same commands that users run."""

from __future__ import annotations

import csv
import io
import secrets
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

import deniable as dn
from deniable.arrow import is_installed
from deniable.cli import options
from deniable.cli.output import show
from deniable.privacy.entropy import SeededEntropy
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import made_folder

QUESTION = "What have you lied about at work this year?"
SHARES = {
    "nothing": 0.31,
    "being ill": 0.22,
    "a deadline": 0.16,
    "an expense": 0.11,
    "my résumé": 0.08,
    "liking the café": 0.06,
    "whose idea it was": 0.04,
    "knowing Ελληνικά": 0.02,
}
LABELS = "\n".join(SHARES)
EPSILON = 1.0
FILES = ("labels.txt", "truth.csv", "answers.csv", "reports.parquet", "survey.tally", "picture.png", "estimate.csv")


def demo(
    ctx: typer.Context,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder for its files.")] = Path("demo-output"),
    users: Annotated[int, typer.Option(metavar="N", min=1, help="How many people answer.")] = 20_000,
    seed: options.Seed = None,
) -> None:
    """Run a private survey of made-up people: plan, audit, privatize, tally, estimate, and a picture."""
    _check_installed()
    made_folder(out)
    _check_own(out)
    (out / "reports.parquet").unlink(missing_ok=True)  # no command replaces reports
    _make_people(out, users, seed)
    show(f'{users} made-up people are asked: "{QUESTION}"')
    show(f"Their answers are in {out / 'answers.csv'}; in a real survey they never leave the people's own devices.")
    mechanism = dn.plan(list(SHARES), EPSILON, users).best.name
    for title, words in _steps(out, users, seed, mechanism):
        show(f"\n{title}\n$ {shlex.join(['deniable', *words])}")
        _run(ctx, words)
    show(f"\nThe picture is {out / 'picture.png'}; the estimates are in {out / 'estimate.csv'}.")


def _check_installed() -> None:
    """Refuse to begin where a later step would miss a package."""
    if not is_installed() or find_spec("matplotlib") is None:
        raise ParameterError(
            "PyArrow and Matplotlib must be installed for the demo, got one or none: "
            "pip install 'deniable[files,pictures]'"
        )


def _check_own(out: Path) -> None:
    """Refuse a folder with files that are not from an earlier demo."""
    labels = out / "labels.txt"
    if labels.is_file() and labels.read_bytes() == f"{LABELS}\n".encode():
        return
    there = next((name for name in FILES if (out / name).exists()), None)
    if there is not None:
        raise ParameterError(
            f"out must be a new folder, or one of an earlier demo, got {out} with a {there} of its own"
        )


def _make_people(out: Path, users: int, seed: int | None) -> None:
    """Write the labels, the true shares (unknown in a real survey) and people drawn from them."""
    generator = np.random.default_rng(SeededEntropy(secrets.randbits(64) if seed is None else seed).seed)
    answers = generator.choice(list(SHARES), users, p=list(SHARES.values()))
    show(LABELS, out=out / "labels.txt")
    show(_csv(["label", "share"], SHARES.items()), out=out / "truth.csv")
    show(_csv(["person", "answer"], enumerate(answers.tolist(), 1)), out=out / "answers.csv")


def _csv(header: list[str], rows: Any) -> str:
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return page.getvalue()


def _steps(out: Path, users: int, seed: int | None, mechanism: str) -> list[tuple[str, list[str]]]:
    """The steps of the demo: a title and a command each."""
    labels = ["--labels-file", str(out / "labels.txt")]
    chosen = ["--mechanism", mechanism, *labels, "--epsilon", f"{EPSILON:g}"]
    answers, reports, tally = (str(out / name) for name in ("answers.csv", "reports.parquet", "survey.tally"))
    repeat = [] if seed is None else ["--seed", str(seed)]
    truth = ["--truth", str(out / "truth.csv")]
    return [
        (
            "1. Plan: which mechanism loses least?",
            ["plan", *labels, "--epsilon", f"{EPSILON:g}", "--users", str(users)],
        ),
        ("2. Audit: does it keep its promise, exactly?", ["audit", *chosen]),
        (
            "3. Privatize: every answer becomes a deniable report.",
            ["privatize", answers, "--column", "answer", *chosen, "--out", reports, *repeat],
        ),
        ("4. Tally: count the reports.", ["tally", reports, "--out", tally]),
        (
            "5. Estimate: remove the noise, beside the truth.",
            ["estimate", tally, *truth, "--plot", str(out / "picture.png")],
        ),
        (
            "6. The same as a table for other programs.",
            ["estimate", tally, "--csv", "--out", str(out / "estimate.csv")],
        ),
    ]


def _run(ctx: typer.Context, words: list[str]) -> None:
    """Run a command in this process, as if it were typed."""
    code = ctx.find_root().command.main(words, prog_name="deniable", standalone_mode=False)
    if code:
        raise typer.Exit(code)
