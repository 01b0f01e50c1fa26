"""A data engineer counts a stream of answers on Spark, each id once; a kill in the middle changes nothing."""

import json
import os
import signal
import sys
import tempfile
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import deniable as dn

SURVEY, DAYS, GRACE, DIES = dn.Hadamard(100, epsilon=2.0), 3, "1 day", 1


def send(folder: Path, devices: int) -> None:
    """Stands for the devices: a file a day. Each fifth answer comes again the day after, each tenth three days late."""
    for day in range(DAYS):
        reports = SURVEY.privatize_many(np.random.default_rng(day).zipf(1.6, devices) % 100, seed=day).tolist()
        rows = [{"id": f"{day}-{i}", "day": f"2026-03-0{day + 1}", "report": r} for i, r in enumerate(reports)]
        for late, sent in [(0, [row for i, row in enumerate(rows) if i % 10]), (1, rows[1::5]), (3, rows[::10])]:
            with (folder / f"{day + late}.json").open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in sent)
            os.utime(file.name, (1e9 + day + late,) * 2)  # the order in which Spark takes the files


def count(folder: Path, dies: int) -> None:
    """A tally for each batch. Spark keeps the ids of the grace, and after a kill repeats the batch that was cut off."""
    os.setpgid(0, 0)  # one group with Spark's Java, so that a kill ends both
    spark = dn.spark.spark_session("local[2]")
    spark.conf.set("spark.sql.shuffle.partitions", 2)  # parts of the ids; fixed when the stream first runs
    files = spark.readStream.schema("id string, day timestamp, report int").option("maxFilesPerTrigger", 1)
    once = files.json(str(folder / "answers")).withWatermark("day", GRACE).dropDuplicates(["id", "day"])

    def keep(batch: Any, number: int) -> None:
        part = folder / f"{number:04}.part"
        part.write_bytes(dn.spark.tally_dataframe(SURVEY, batch).to_bytes())
        part.replace(folder / f"{number:04}.tally")
        if number == dies:
            os.killpg(0, signal.SIGKILL)  # at the worst moment: the tally is there, and Spark does not know it

    stream = once.writeStream.foreachBatch(keep).option("checkpointLocation", str(folder / "checkpoint"))
    query = stream.trigger(availableNow=True).start()
    query.awaitTermination()
    most = max((each["stateOperators"][0] for each in query.recentProgress), key=lambda state: state["numRowsTotal"])
    print(f"Spark held up to {most['numRowsTotal']:,} ids in {most['memoryUsedBytes']:,} bytes", flush=True)


def run(folder: Path, dies: int) -> dict[str, bytes]:
    """Count in a process of its own; the tallies that are there when it has ended."""
    process = get_context("spawn").Process(target=count, args=(folder, dies))
    process.start()
    process.join()
    tallies = {file.name: file.read_bytes() for file in sorted(folder.glob("*.tally"))}
    print(f"ended with {process.exitcode}, and {len(tallies)} tallies are there", flush=True)
    return tallies


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        place = Path(sys.argv[1] if sys.argv[1:] else made)
        (place / "answers").mkdir()
        send(place / "answers", int(sys.argv[2]) if sys.argv[2:] else 500)
        before, after = run(place, DIES), run(place, -1)
        print(f"what the killed run wrote is there again, byte for byte: {before.items() <= after.items()}")
        first, *rest = map(dn.Tally.from_bytes, after.values())
        print(f"{sum(rest, first).n:,} answers are counted")
