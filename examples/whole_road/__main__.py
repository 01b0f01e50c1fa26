"""The whole road: a survey is planned twice, and 4,000 devices answer over HTTP, half of them through a mixer.

Collector and mixer are killed meanwhile. Some devices answer while they are offline, some send twice since they were
restored from a copy, and many find nobody. Nothing is lost, and nothing is counted twice. Run it by `make demo`; its
files are in demo-output/.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias

from devices import Asked, Device, answer, send
from rich.progress import Progress
from servers import Service, ask

import deniable as dn

PEOPLE, AT_ONCE, PROCESSES = 4_000, 250, 2
Truth: TypeAlias = Sequence[tuple[str, str]]
WAYS = {"car": 0.42, "bus": 0.21, "bike": 0.16, "train": 0.11, "foot": 0.07, "otherwise": 0.03}
LATE = {"car": 0.15, "bus": 0.3, "bike": 0.05, "train": 0.4, "foot": 0.05, "otherwise": 0.2}
"""The share of those who come late. In a real survey nobody knows it, nor the shares above."""


ASKER, MIXES = "City of Northfield", "University of Northfield"


def plan(number: int, **terms: Any) -> dn.Survey:
    """Two questions that are crossed, for so many people."""
    questions = [dn.OneOf("way", list(WAYS), wording="How do you come to work?"), dn.OneOf("late", ["yes", "no"])]
    cross = [("way", "late")]
    return dn.Survey.plan(epsilon=2.0, questions=questions, people=number, cross=cross, grace=0, owner=ASKER, **terms)


def people(number: int, seed: int) -> Truth:
    """Made-up people: how they come, and whether they come late."""
    rng = random.Random(seed)
    ways = rng.choices(list(WAYS), list(WAYS.values()), k=number)
    return [(way, "yes" if rng.random() < LATE[way] else "no") for way in ways]


def answers_to(asked: Asked, service: Service, truth: Truth, codes: Sequence[str | None]) -> None:
    """All devices answer, and the server is killed in the middle; a day later nothing waits any more."""
    at_once = min(AT_ONCE, max(len(truth) // 4, 1))
    starts = range(0, len(truth), at_once)
    waiting: list[Device] = []
    with Progress() as progress, ProcessPoolExecutor(PROCESSES) as pool:
        task = progress.add_task(f"{len(truth):,} devices answer the {service.name}", total=len(starts))
        jobs = [pool.submit(answer, asked, truth[at : at + at_once], codes[at : at + at_once], at) for at in starts]
        for done, job in enumerate(jobs, 1):
            waiting += job.result()
            progress.advance(task)
            if done == len(jobs) // 2:
                service.kill()
                progress.console.print(f"The {service.name} is killed, and started again.")
                service.start()
    print(f"{len(waiting):,} answers still wait on their devices: these were offline, or found no {service.name}.")
    days = 0
    while waiting:
        days += 1
        waiting = send(asked, waiting, days)
    print(f"{days} day later all are acknowledged.\n")


def directly(folder: Path, collector: Service, survey: dn.Survey, truth: Truth) -> None:
    """Devices answer the collector itself."""
    dn.files.write_document(survey, folder / "direct.json")
    ask(folder, "collector", "put", "direct.json", "--data", "collector")
    answers_to(Asked(survey.to_json(), collector.url), collector, truth, [None] * len(truth))
    ask(folder, "collector", "close", survey.name, "--data", "collector")


def in_crowd(folder: Path, collector: Service, mixer: Service, truth: Truth) -> None:
    """Devices seal their answers for the collector, and the mixer hands them over in one parcel."""
    crowd = dn.Crowd(mixer.url, MIXES, least=len(truth) // 2, level=1.5)
    survey = plan(len(truth), name="commute-mixed", crowd=crowd, closes="2100-01-01T00:00:00Z")
    dn.files.write_document(survey, folder / "planned.json")
    print(f"{ASKER} asks, {MIXES} mixes, {crowd.least:,} answers or more at a time:")
    print(*(f"- {said}" for said in survey.label().sentences if MIXES in said), sep="\n")
    print("Here both are on one machine, so only the first level holds: that of each report by itself.\n")
    put = ("collector", "put", "planned.json", "--data", "collector", "--address", collector.url, "--out", "mixed.json")
    ask(folder, *put)
    token = ask(folder, "token", "mixer", "--scope", "mixer", "--survey", survey.name, "--data", "collector")
    (folder / "token.txt").write_text(token, encoding="utf-8")
    ask(folder, "mixer", "allow", "mixed.json", "--data", "mixer", "--token", "token.txt")
    codes = ask(folder, "mixer", "codes", survey.name, "--data", "mixer", "--people", f"{len(truth)}").split()
    document = (folder / "mixed.json").read_text(encoding="utf-8")
    answers_to(Asked(document, None), mixer, truth, codes)
    ask(folder, "mixer", "close", survey.name, "--data", "mixer", "--yes")


def counted(folder: Path, collector: Service, mixer: Service, names: Sequence[str]) -> None:
    """Wait for the results; count all again; keep the answers."""
    while any(state_of(folder, name) != "released" for name in names):
        time.sleep(0.5)
    print(ask(folder, "collector", "status", "--data", "collector"))
    print(ask(folder, "mixer", "status", "--data", "mixer"))
    for name in names:
        print(ask(folder, "collector", "recount", name, "--data", "collector"))
        ask(folder, "collector", "export", name, "--data", "collector", "--out", f"answers-{name}")
    collector.stop()
    mixer.stop()


def state_of(folder: Path, name: str) -> str:
    """The state of a survey's one period; nothing while no answer has come."""
    surveys = json.loads(ask(folder, "collector", "status", "--data", "collector", "--json"))
    periods = [each["periods"] for each in surveys if each["name"] == name]
    return str(periods[0][0]["state"]) if periods and periods[0] else ""


def shown(folder: Path, name: str, survey: dn.Survey, truth: Truth) -> None:
    """What was found, beside the truth."""
    tally = dn.files.tally_survey_files([folder / f"answers-{name}"])
    if tally.n != len(truth):
        raise SystemExit(f"{len(truth)} devices answered, but {tally.n} answers were counted")
    (folder / f"{name}.tally").write_bytes(tally.to_bytes())
    ways = Counter(way for way, _ in truth)
    shares = [ways[way] / len(truth) for way in WAYS]
    found = survey.estimate(tally)["way"]
    print(f"{name}: how people come to work, with 95% intervals, and the truth, which no collector ever had")
    print(found.reading(truth=shares))
    picture = folder / f"{name}.png"
    found.plot(truth=shares).savefig(picture, dpi=120)
    print(f"{tally.n:,} devices answered, {tally.n:,} answers were counted. The picture is {picture}.\n")


def main(folder: Path, number: int) -> None:
    """The whole road, from the plan to the pictures."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    half, truth = number // 2, people(number, seed=1)
    survey = plan(half, name="commute")
    print(survey.reason, *(f"- {said}" for said in survey.label().sentences), "", sep="\n")
    collector, mixer = Service(folder, "collector", "serve"), Service(folder, "mixer", "mixer", "serve")
    directly(folder, collector, survey, truth[:half])
    in_crowd(folder, collector, mixer, truth[half:])
    counted(folder, collector, mixer, ["commute", "commute-mixed"])
    shown(folder, "commute", survey, truth[:half])
    shown(folder, "commute-mixed", dn.files.read_document(folder / "mixed.json"), truth[half:])
    print(f"In a browser: run `deniable serve --data {folder / 'collector'}` and open the address in its last line.")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo-output"), int(sys.argv[2]) if len(sys.argv) > 2 else PEOPLE)
