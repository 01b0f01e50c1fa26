"""The documentation's tables and pictures, from the kept JSON alone: ``python -m benchmarks.docs``."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import (
    clients,
    collector,
    collector_sizes,
    files,
    first_uses,
    folding,
    kept,
    large,
    mixer,
    pictures,
    promises,
    result_pages,
    scales,
    soak,
    spark,
)
from benchmarks.aggregate import AGGREGATE, LARGEST
from benchmarks.catalogue import FAMILIES, USUAL
from benchmarks.cells import Bench
from benchmarks.kernels import Share
from benchmarks.pages import markdown_table, with_part
from benchmarks.peer_process import ROOT
from benchmarks.table import SECTIONS, conditions, failures, rate, summary, usual

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from benchmarks.pictures import Picture

DOCS = ROOT / "docs"
PICTURES = DOCS / "pictures"
BENCHMARKS, CLUSTER, COLLECTING = DOCS / "benchmarks.md", DOCS / "cluster.md", DOCS / "collecting.md"
INSTALLING, FIGURES = DOCS / "installing.md", DOCS / "benchmarks"
BENCHMARKS_OF = (
    "results", "kernels", "aggregate", "clients", "scales", "promises", "files", "spark", "collector", "mixer",
    "folding", "result_pages",
)  # fmt: skip
PEERS = Path(__file__).with_name("peers.md")
METHOD = """\
`make bench` measures all this at epsilon 1, in turns with three other libraries for frequency estimation under local
differential privacy and with the limits of the machine; a rate is that of the median turn. `benchmarks/README.md` says
which calls are timed."""
HELD = {
    "limits": f"every mechanism beside its limits, at {USUAL:,} labels or the most below",
    "devices": "microseconds per report on devices, with the system's entropy",
    "billion": "a survey of a billion people",
    "numbers": "numbers and dates, beside others' reports in NumPy",
    "kernels": "each kernel beside its limit",
    "promises": "what reports give away, and how often intervals hold",
    "files": "Parquet files to a tally, beside reading them",
    "spark": "the same files counted by Spark's workers",
    "collector": "uploads to a collector",
    "sealed": "the bytes that a sealed answer gets on its way",
    "folding": "answers folded by a collector",
    "readers": "how long readers of results wait",
    **{section.file: section.title for section in SECTIONS},
}
"""What each file of figures holds, by its name."""
USUAL_HEADINGS = (
    "mechanism", "d", "client", "of its limit", "one processor", "of its limit", "tally", "of its limit",
    "one processor", "of its limit",
)  # fmt: skip
KERNEL_HEADINGS = ("kernel", "limit", "items a second", "share", "goal")
BILLION_HEADINGS = ("mechanism", "d", "in aggregate", "its reports, about")
TEN_HEADINGS = ("what", "ours", "beside it")
CELLS = (
    ("Subset", "client", "seeded", "reports made"),
    ("Subset", "tally", "tally", "reports counted"),
    ("Subset", "decode", "unbiased", "estimates"),
    ("RandomizedResponse", "tally", "tally", "reports counted"),
)
"""Of which cells the first rows are."""
CASES = (0, 2, 4)
"""Which measured cases of numbers are among the first rows."""


def benchmarks_page(results: Mapping[str, Mapping[str, Any]]) -> str:
    """The whole page: ten rows, what they come to, where all figures are, and pictures."""
    bench = Bench.from_dict(results["results"])
    first = [*device_rows(results["clients"]), *rate_rows(bench), billion_row(results["aggregate"])]
    first += [scales.brief(results["scales"]["cases"][case]) for case in CASES]
    parts = ["# Benchmarks", markdown_table(TEN_HEADINGS, first)]
    parts += [" ".join([*summary(bench), *lacking(bench)]), METHOD, bullets(conditions(bench))]
    files = [f"[{held}](benchmarks/{name}.csv)" for name, held in HELD.items()]
    parts += ["## All figures", bullets(files)]
    parts += ["How much numbers err is on [a page of its own](studies/numbers/index.md)."]
    parts += ["## What reports give away, and how often intervals hold", promises.said(results["promises"])]
    parts += ["## Cost against the number of labels", pictures.READ, *map(shown, pictures.BY_LABELS)]
    parts += ["## Cost against the number of reports", *map(shown, pictures.BY_REPORTS)]
    if failed := failures(bench):
        parts += ["## Cells that a peer did not finish", bullets(failed)]
    return "\n\n".join([*parts, PEERS.read_text(encoding="utf-8")])


def figures(results: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """All figures, as CSV, by the names of their files."""
    bench = Bench.from_dict(results["results"])
    tables: dict[str, tuple[Sequence[str], Sequence[Sequence[str]]]] = {
        "limits": (USUAL_HEADINGS, usual(bench, USUAL)),
        "devices": (clients.HEADINGS, [clients.Each(**one).row() for one in results["clients"]["clients"]]),
        "billion": (BILLION_HEADINGS, billion_rows(results["aggregate"])),
        "numbers": (scales.HEADINGS, scales.rows(results["scales"])),
        "kernels": (KERNEL_HEADINGS, [Share(**one).row() for one in results["kernels"]["kernels"]]),
        "promises": (promises.HEADINGS, promises.rows(results["promises"])),
        "files": (files.HEADINGS, [files.row(one) for one in results["files"]["results"]]),
        "spark": (spark.HEADINGS, [spark.row(one) for one in results["spark"]["jobs"]]),
        "collector": (collector.HEADINGS, [collector.row(one) for one in results["collector"]["jobs"]]),
        "folding": (folding.HEADINGS, folding.rows(results["folding"])),
        "readers": (result_pages.HEADINGS, result_pages.rows(results["result_pages"])),
        "sealed": (mixer.LAYERS, mixer.layer_rows(results["mixer"])),
        **{one.file: ([name for name, _ in one.columns], one.rows(bench)) for one in SECTIONS},
    }
    return {f"{name}.csv": csv_text(*table) for name, table in tables.items()}


def csv_text(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([headings, *rows])
    return text.getvalue()


def device_rows(devices: Mapping[str, Any]) -> list[list[str]]:
    """A report of the first family on a device, and one of the slowest."""
    sent = [clients.Each(**one) for one in devices["clients"]]
    found = [each.row() for each in (sent[0], max(sent, key=lambda each: each.python))]
    return [[f"a report on a device, {name} of {d} labels", f"{py} us", f"Node: {js} us"] for name, d, py, js in found]


def rate_rows(bench: Bench) -> list[list[str]]:
    """Rates at the usual number of labels beside the fastest peer's."""
    rows = []
    for mechanism, stage, name, what in CELLS:
        cell = next(cell for cell in bench.of(stage, mechanism) if cell.d == USUAL)
        beside = f"fastest peer: {rate(cell.fastest_peer)}"
        rows.append([f"{what} per second, {mechanism} of {USUAL:,} labels", rate(cell.named(name)), beside])
    return rows


def lacking(bench: Bench) -> list[str]:
    """Which mechanisms were not there yet when it was measured."""
    names = [name for name in FAMILIES if name not in bench.mechanisms]
    return [f"Not measured yet: {', '.join(names)}."] if names else []


def shown(picture: Picture) -> str:
    """A picture and how to read it."""
    return f"![{picture.title}](pictures/{picture.file})\n\n{picture.caption}"


def bullets(texts: Sequence[str]) -> str:
    """A list."""
    return "\n".join(f"- {text}" for text in texts)


def billion_rows(found: Mapping[str, Any]) -> list[list[str]]:
    """A billion people, in aggregate and one by one."""
    made = {one["mechanism"]: one["seconds"] for one in found["made"]}
    largest = 10**LARGEST
    return [
        [point["mechanism"], f"{point['d']:,}", milliseconds(point["seconds"]), duration(made[point["mechanism"]])]
        for point in found["points"]
        if point["way"] == AGGREGATE and point["n"] == largest
    ]


def billion_row(found: Mapping[str, Any]) -> list[str]:
    """That of Subset."""
    name, d, drawn, made = next(row for row in billion_rows(found) if row[0] == "Subset")
    return [f"a survey of a billion people in aggregate, {name} of {d} labels", drawn, f"one by one: {made}"]


def milliseconds(seconds: float) -> str:
    """A time in milliseconds, with two digits or without decimals."""
    value = seconds * 1000
    return f"{value:.0f} ms" if value >= 10 else f"{value:.2g} ms"


def duration(each: float) -> str:
    """A billion times so many seconds, in words."""
    seconds = each * 10**LARGEST
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:,.0f} minutes"


CLUSTER_PARTS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "large": large.said,
    "files": files.said,
    "spark": spark.said,
}
"""The parts of the page about clusters, each made from one kept file."""


COLLECTING_PARTS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "collector": collector.said,
    "collector_sizes": collector_sizes.said,
    "mixer": mixer.said,
    "soak_killed": soak.killed,
    "soak_killed_postgres": soak.killed,
    "soak_killed_crowd": soak.killed,
    "soak_steady": soak.steady,
}
"""The parts of the page about collecting."""


def parted_page(
    page: str, parts: Mapping[str, Callable[[Mapping[str, Any]], str]], found: Mapping[str, Mapping[str, Any]]
) -> str:
    """A page with the kept results in its parts; one without kept results stays as it is."""
    for name, one in found.items():
        page = with_part(page, name, parts[name](one))
    return page


def kept_parts(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The kept results of those that have any: Spark and large folders are not measured everywhere."""
    places = {name: kept.FOLDER / f"{name}.json" for name in names}
    return {name: kept.read(place) for name, place in places.items() if place.exists()}


def main() -> None:
    """Write the pages and the pictures."""
    results = {name: kept.read(kept.FOLDER / f"{name}.json") for name in BENCHMARKS_OF}
    BENCHMARKS.write_text(benchmarks_page(results), encoding="utf-8")
    for name, text in figures(results).items():
        (FIGURES / name).write_text(text, encoding="utf-8")
    for place, parts in ((CLUSTER, CLUSTER_PARTS), (COLLECTING, COLLECTING_PARTS)):
        page = parted_page(place.read_text(encoding="utf-8"), parts, kept_parts(parts))
        place.write_text(page, encoding="utf-8")
    first = kept.read(kept.FOLDER / "first_uses.json")
    page = with_part(INSTALLING.read_text(encoding="utf-8"), "first_uses", first_uses.said(first))
    INSTALLING.write_text(with_part(page, "sizes", first_uses.said_sizes(first)), encoding="utf-8")
    for picture in pictures.BY_LABELS:
        (PICTURES / picture.file).write_bytes(picture.drawn(results["results"]))
    for picture in pictures.BY_REPORTS:
        (PICTURES / picture.file).write_bytes(picture.drawn(results["aggregate"]))


if __name__ == "__main__":
    main()
