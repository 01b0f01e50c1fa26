"""How long readers of results wait: ``python -m benchmarks.result_pages [--json FILE]``.

A collector runs as a process of its own, and one reader asks it as a browser does: a page that is still being worked
out is asked for again when it says so. Twelve questions of all kinds are read at once after answers were counted, and
again; words that nobody listed are read from a server that has just started.
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import deniable as dn
from benchmarks import kept, machine
from benchmarks.collector import Job, ask, collecting
from benchmarks.pages import markdown_table
from deniable.intake.sections import Section, write_sections
from deniable.intake.uploads import ID
from deniable.protocol.questions.question import Question

PEOPLE, TURNS, VIEWS = 12_000, 5, 9
WRITERS, LONGEST = 30_000, 16
JOB = Job("SQLite", 1, 2, 1)
WAYS, DEGREES = ("car", "bus", "bike", "train", "on foot"), ("never", "rarely", "sometimes", "often", "always")
WORDS = {"bus lane": 0.3, "bike path": 0.15, "showers": 0.1}
GOAL, MOST_BYTES, TEXT_GOAL = 0.15, 120_000, 2.0
"""The most seconds and bytes of a page of twelve questions, and the most seconds of words."""
HEADINGS = ("page", "measured", "goal")


def twelve_questions() -> list[Question]:
    """Questions of all kinds but words."""
    ways = [dn.OneOf(f"way_{place}", list(WAYS), wording=f"How did you come on day {place}?") for place in range(5)]
    wish = dn.OneOf("wish", [f"Wish {place}" for place in range(40)], wording="What would help you most?")
    tools = [dn.AnyOf(f"tools_{place}", list(WAYS), wording="Which of these do you use?") for place in range(2)]
    minutes = [dn.Number(f"minutes_{place}", 0, 90, 1, "min", wording="How long does it take?") for place in range(2)]
    often = [dn.Scale(f"often_{place}", list(DEGREES), wording="How often are you late?") for place in range(2)]
    return [*ways, wish, *tools, *minutes, *often]


def answers_to(questions: Sequence[Question], people: int, seed: int) -> dict[str, list[Any]]:
    """Made-up answers."""
    draw = random.Random(seed)
    return {each.name: [_answer(each, draw) for _ in range(people)] for each in questions}


def _answer(question: Question, draw: random.Random) -> Any:
    if isinstance(question, dn.AnyOf):
        return [label for label in question.labels if draw.random() < 0.4]
    return draw.choice(list(question.choices)[:3]) if question.choices else draw.randint(5, 60)


def upload(survey: dn.Survey, answers: Mapping[str, Sequence[Any]], seed: int) -> bytes:
    """The upload of a gateway: an id, and a section for each arm."""
    head, rows = survey.head_bytes, dict[int, list[bytes]]()
    for each in survey.answer_many(answers, seed=seed).to_bytes():
        rows.setdefault(int.from_bytes(each[:head], "little"), []).append(each[head:])
    sections = [Section(arm, len(own), b"".join(own)) for arm, own in sorted(rows.items())]
    return secrets.token_bytes(ID) + write_sections(sections)


def send(folder: Path, survey: dn.Survey, body: bytes) -> None:
    """Hand answers in, and have them counted."""
    told = json.loads((folder / "data-0" / "server.json").read_text(encoding="utf-8"))
    path = f"{told['url']}/v1/surveys/{survey.digest}/periods/once"
    kind = {"Content-Type": "application/octet-stream"}
    urllib.request.urlopen(urllib.request.Request(f"{path}/answers", body, kind, method="POST")).close()
    ask(folder, "POST", f"/v1/surveys/{survey.digest}/periods/once/recount")


def view(folder: Path, path: str) -> tuple[float, bytes]:
    """The seconds until a page shows its result, and the page."""
    told = json.loads((folder / "data-0" / "server.json").read_text(encoding="utf-8"))
    headers = {"Authorization": f"Bearer {told['token']}", "Accept": "text/html"}
    began = time.perf_counter()
    while True:
        with urllib.request.urlopen(urllib.request.Request(told["url"] + path, headers=headers)) as reply:
            page, again = reply.read(), reply.headers["Refresh"]
        if again is None:
            return time.perf_counter() - began, page
        time.sleep(float(again))


def server(folder: Path) -> AbstractContextManager[list[str]]:
    """A collector over the data of the one before."""
    (folder / "ready-0.json").unlink(missing_ok=True)
    return collecting(folder, JOB, None)


def measured() -> dict[str, Any]:
    """Both results."""
    questions = twelve_questions()
    twelve = dn.Survey.plan("twelve", questions, 3.0, PEOPLE, grace=0)
    words = dn.Survey.plan("words", [dn.Text("word", LONGEST)], 4.0, WRITERS, grace=0)
    first, again, page = [], [], b""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with server(folder):
            for survey in (twelve, words):
                ask(folder, "PUT", "/v1/surveys", survey.document)
            for turn in range(TURNS + 1):
                send(folder, twelve, upload(twelve, answers_to(questions, PEOPLE, turn), turn))
                seconds, page = view(folder, "/s/twelve")
                first += [seconds] if turn else []  # what is loaded is loaded then
                again += [view(folder, "/s/twelve")[0] for _ in range(VIEWS)]
            send(folder, words, upload(words, {"word": _texts()}, 1))
        text = []
        for _ in range(TURNS):
            with server(folder):
                text.append(view(folder, "/s/words")[0])
    middle = {"first": first, "again": again, "text": text}
    return {**{name: statistics.median(seconds) for name, seconds in middle.items()}, "bytes": len(page)}


def _texts() -> list[str]:
    """Some texts that many write, and as many others as there are people left."""
    draw = random.Random(1)
    frequent = [word for word, share in WORDS.items() for _ in range(round(share * WRITERS))]
    return frequent + [f"x{draw.randrange(10**6)}" for _ in range(WRITERS - len(frequent))]


def rows(found: Mapping[str, Any]) -> list[list[str]]:
    """All that was found."""

    def milliseconds(seconds: float) -> str:
        return f"{1000 * seconds:.0f} ms"

    return [
        ["twelve questions, the first reader at once after a count", *map(milliseconds, (found["first"], GOAL))],
        ["twelve questions, every further reader", *map(milliseconds, (found["again"], GOAL))],
        ["twelve questions, bytes of the page", f"{found['bytes']:,}", f"{MOST_BYTES:,}"],
        ["words that nobody listed, of a server that has just started", f"{found['text']:.1f} s", f"{TEXT_GOAL:.0f} s"],
    ]


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(prog="benchmarks.result_pages", description="how long readers of results wait")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    args = parser.parse_args(words)
    found = {"machine": machine.brief(), **measured()}
    print(markdown_table(HEADINGS, rows(found)))
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()
