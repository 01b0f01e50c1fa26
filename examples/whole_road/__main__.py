"""The whole road: a survey is planned, 20,000 devices answer a collector over HTTP, which is killed meanwhile.

Some devices answer while they are offline, some send twice since they were restored from a copy, and many find the
collector dead. Nothing is lost, and nothing is counted twice. Run it by `make demo`; its files are in demo-output/.
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

from devices import Device, answer, send
from rich.progress import Progress

import deniable as dn
from collector import Collector, ask

PEOPLE, AT_ONCE, PROCESSES = 20_000, 250, 2
WAYS = {"car": 0.42, "bus": 0.21, "bike": 0.16, "train": 0.11, "foot": 0.07, "otherwise": 0.03}
LATE = {"car": 0.15, "bus": 0.3, "bike": 0.05, "train": 0.4, "foot": 0.05, "otherwise": 0.2}
"""The share of those who come late. In a real survey nobody knows it, nor the shares above."""


def plan(number: int) -> dn.Survey:
    """Two questions that are crossed, for so many people."""
    questions = [dn.OneOf("way", list(WAYS), wording="How do you come to work?"), dn.OneOf("late", ["yes", "no"])]
    return dn.Survey.plan("commute", questions, epsilon=2.0, people=number, cross=[("way", "late")], grace=0)


def people(number: int, seed: int) -> list[tuple[str, str]]:
    """Made-up people: how they come, and whether they come late."""
    rng = random.Random(seed)
    ways = rng.choices(list(WAYS), list(WAYS.values()), k=number)
    return [(way, "yes" if rng.random() < LATE[way] else "no") for way in ways]


def collect(folder: Path, survey: dn.Survey, truth: Sequence[tuple[str, str]]) -> None:
    """All devices answer, and the collector is killed in the middle; a day later nothing waits any more."""
    document, groups = survey.to_json(), [truth[at : at + AT_ONCE] for at in range(0, len(truth), AT_ONCE)]
    waiting: list[Device] = []
    collector = Collector(folder)
    ask(folder, "collector", "put", "survey.json", "--data", "collected")
    with Progress() as progress, ProcessPoolExecutor(PROCESSES) as pool:
        task = progress.add_task(f"{len(truth):,} devices answer", total=len(groups))
        jobs = [pool.submit(answer, collector.url, document, group, seed) for seed, group in enumerate(groups)]
        for done, job in enumerate(jobs, 1):
            waiting += job.result()
            progress.advance(task)
            if done == len(jobs) // 2:
                collector.kill()
                progress.console.print("The collector is killed, and started again.")
                collector.start()
    print(f"{len(waiting):,} answers still wait on their devices: these were offline, or found no collector.")
    days = 0
    while waiting:
        days += 1
        waiting = send(collector.url, document, waiting, days)
    print(f"{days} day later all are acknowledged. The survey is closed and counted, then counted again:\n")
    ask(folder, "collector", "close", "commute", "--data", "collected")
    while state_of(folder) != "released":
        time.sleep(0.5)
    print(ask(folder, "collector", "status", "--data", "collected"))
    print(ask(folder, "collector", "recount", "commute", "--data", "collected"))
    ask(folder, "collector", "export", "commute", "--data", "collected", "--out", "answers")
    collector.stop()


def state_of(folder: Path) -> str:
    """The state of the survey's one period."""
    [survey] = json.loads(ask(folder, "collector", "status", "--data", "collected", "--json"))
    return str(survey["periods"][0]["state"])


def main(folder: Path, number: int) -> None:
    """The whole road, from the plan to the picture."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    survey, truth = plan(number), people(number, seed=1)
    dn.files.write_document(survey, folder / "survey.json")
    print(survey.reason, *(f"- {said}" for said in survey.label().sentences), "", sep="\n")
    collect(folder, survey, truth)
    tally = dn.files.tally_survey_files([folder / "answers"])
    if tally.n != len(truth):
        raise SystemExit(f"{len(truth)} devices answered, but {tally.n} answers were counted")
    (folder / "survey.tally").write_bytes(tally.to_bytes())
    results, counted = survey.estimate(tally), Counter(way for way, _ in truth)
    print("How people come to work: found, with 95% intervals, and the truth, which no collector ever had")
    print(results["way"].reading(truth=[counted[way] / len(truth) for way in WAYS]))
    results["way"].plot(truth=[counted[way] / len(truth) for way in WAYS]).savefig(folder / "picture.png", dpi=120)
    print(f"\n{tally.n:,} devices answered, {tally.n:,} answers were counted. The picture is {folder / 'picture.png'}.")
    print(f"In a browser: run `deniable serve --data {folder / 'collected'}` and open the address in its last line.")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo-output"), int(sys.argv[2]) if len(sys.argv) > 2 else PEOPLE)
