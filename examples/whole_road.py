"""The whole road: a survey is planned, 20,000 devices answer a collector over HTTP, which is killed meanwhile.

Devices are made-up people with the Python client, each with a store of its own. Some answer while they are offline,
some send twice since they were restored from a copy, and many find the collector dead. Nothing is lost, and nothing is
counted twice. Run it by `make demo`; its files are in demo-output/.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from rich.progress import Progress

import deniable as dn
import deniable_client

PEOPLE, AT_ONCE, PROCESSES = 20_000, 250, 2
WAYS = {"car": 0.42, "bus": 0.21, "bike": 0.16, "train": 0.11, "foot": 0.07, "otherwise": 0.03}
LATE = {"car": 0.15, "bus": 0.3, "bike": 0.05, "train": 0.4, "foot": 0.05, "otherwise": 0.2}
"""The share of those who come late. In a real survey nobody knows it, nor the shares above."""
OFFLINE, RESTORED = 0.05, 0.03
DAY = 86400.0
Device = dict[str, str]
"""All that a device has stored; it still has something to send."""


def plan() -> dn.Survey:
    """Two questions that are crossed, for as many people as answer here."""
    questions = [dn.OneOf("way", list(WAYS), wording="How do you come to work?"), dn.OneOf("late", ["yes", "no"])]
    return dn.Survey.plan("commute", questions, epsilon=2.0, people=PEOPLE, cross=[("way", "late")], grace=0)


@contextmanager
def collecting(data: Path, port: int) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A collector on this machine: the process and its address."""
    ready = data.parent / "ready.json"
    ready.unlink(missing_ok=True)
    words = ["serve", "--data", str(data), "--port", str(port), "--rate", "0", "--ready-file", str(ready)]
    process = subprocess.Popen([sys.executable, "-m", "deniable", *words], stderr=subprocess.DEVNULL)
    try:
        while not ready.exists():
            if process.poll() is not None:
                raise SystemExit("the collector could not be started")
            time.sleep(0.05)
        yield process, json.loads(ready.read_text(encoding="utf-8"))["url"]
    finally:
        process.terminate()
        process.wait()


def answer(url: str, document: str, answers: Sequence[tuple[str, str]], seed: int) -> list[Device]:
    """New devices answer; those that still have something to send."""
    rng, waiting = random.Random(seed), []
    for way, late in answers:
        client = deniable_client.open(url, document)
        client.consent().grant(client.survey.sentences)
        client.answer({"way": way, "late": late})
        if rng.random() < RESTORED:  # somebody puts a copy of the whole device on another one, and both send
            waiting += send(url, document, [stored(client)], day=0)
        sent = rng.random() >= OFFLINE and is_sent(client)
        waiting += [] if sent else [stored(client)]
    return waiting


def send(url: str, document: str, devices: Sequence[Device], day: int) -> list[Device]:
    """Devices send what waits, some days later; those whose answer is still not acknowledged."""
    clients = [opened(url, document, device, day) for device in devices]
    return [stored(client) for client in clients if not is_sent(client)]


def opened(url: str, document: str, device: Device, day: int) -> deniable_client.Client:
    """A device that was put away, some days later."""
    store = deniable_client.MemoryStore()
    with store.transaction() as entries:
        for key, text in device.items():
            entries.put(key, text)
    return deniable_client.open(url, document, store=store, clock=lambda: time.time() + day * DAY)


def stored(client: deniable_client.Client) -> Device:
    """All that a device has stored."""
    with client.store.transaction() as entries:
        return {key: entries.get(key) or "" for key in entries.keys("")}


def is_sent(client: deniable_client.Client) -> bool:
    """Whether the collector acknowledges the answer now."""
    return all(receipt.state == "sent" for receipt in client.flush())


def people(seed: int) -> list[tuple[str, str]]:
    """Made-up people: how they come, and whether they come late."""
    rng = random.Random(seed)
    ways = rng.choices(list(WAYS), list(WAYS.values()), k=PEOPLE)
    return [(way, "yes" if rng.random() < LATE[way] else "no") for way in ways]


def ask(folder: Path, *words: str) -> str:
    """What a command of `deniable` prints."""
    command = [sys.executable, "-m", "deniable", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8", cwd=folder).stdout


def collect(folder: Path, survey: dn.Survey, truth: Sequence[tuple[str, str]]) -> int:
    """All devices answer, the collector is killed in the middle and started again; how many days that takes."""
    document, data = survey.to_json(), folder / "collected"
    groups = [truth[at : at + AT_ONCE] for at in range(0, len(truth), AT_ONCE)]
    waiting: list[Device] = []
    with Progress() as progress, ProcessPoolExecutor(PROCESSES) as pool:
        task = progress.add_task(f"{len(truth):,} devices answer", total=len(groups))
        with collecting(data, 0) as (process, url):
            ask(folder, "collector", "put", "survey.json", "--data", "collected")
            jobs = [pool.submit(answer, url, document, group, seed) for seed, group in enumerate(groups)]
            for done, job in enumerate(jobs):
                waiting += job.result()
                progress.advance(task)
                if done == len(jobs) // 2:
                    process.send_signal(signal.SIGKILL)
        progress.console.print(
            f"The collector was killed in the middle; {len(waiting):,} answers wait on their devices."
        )
    days = 0
    with collecting(data, int(url.rpartition(":")[2])) as (_, again):
        while waiting:
            days += 1
            waiting = send(again, document, waiting, days)
        ask(folder, "collector", "close", "commute", "--data", "collected")
        while "released" not in ask(folder, "collector", "status", "--data", "collected"):
            time.sleep(0.5)
        print(f"It was started again, and {days} day later every answer was acknowledged.\n")
        print(ask(folder, "collector", "status", "--data", "collected"))
        print(ask(folder, "collector", "recount", "commute", "--data", "collected"))
        ask(folder, "collector", "export", "commute", "--data", "collected", "--out", "answers")
    return days


def main(folder: Path) -> None:
    """The whole road, from the plan to the picture."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    survey, truth = plan(), people(seed=1)
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
    print(f"Serve it again: deniable serve --data {folder / 'collected'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("demo-output"))
