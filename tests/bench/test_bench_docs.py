"""The documentation's figures are those of the kept results, and nothing else."""

from pathlib import Path
from typing import Any

import pytest
from benchmarks import docs, kept, pictures
from benchmarks.catalogue import FAMILIES, SIZES
from benchmarks.cells import Bench
from benchmarks.pages import with_part

PNG = b"\x89PNG"


def committed(name: str) -> dict[str, Any]:
    """The kept results of one bench."""
    return kept.read(kept.FOLDER / f"{name}.json")


def test_the_page_of_benchmarks_is_made_from_the_kept_results() -> None:
    made = docs.benchmarks_page({name: committed(name) for name in docs.BENCHMARKS_OF})
    assert docs.BENCHMARKS.read_text(encoding="utf-8") == made
    first, *_ = made.partition("\n\nOf ")
    assert len(first.splitlines()) == 2 + 2 + 10, "ten rows come first"


def test_all_figures_are_those_of_the_kept_results() -> None:
    made = docs.figures({name: committed(name) for name in docs.BENCHMARKS_OF})
    assert made.keys() == {f"{name}.csv" for name in docs.HELD}
    assert {file.name: file.read_text(encoding="utf-8") for file in docs.FIGURES.iterdir()} == made


@pytest.mark.parametrize(
    ("place", "parts", "kept_ones"),
    [
        (docs.CLUSTER, docs.CLUSTER_PARTS, {"files", "spark"}),
        (docs.COLLECTING, docs.COLLECTING_PARTS, set(docs.COLLECTING_PARTS)),
    ],
    ids=["clusters", "collecting"],
)
def test_the_tables_of_a_page_are_made_from_the_kept_results(place: Path, parts: Any, kept_ones: set[str]) -> None:
    page, found = place.read_text(encoding="utf-8"), docs.kept_parts(parts)
    assert set(found) >= kept_ones
    assert docs.parted_page(page, parts, found) == page


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        *(("results", picture) for picture in pictures.BY_LABELS),
        *(("aggregate", picture) for picture in pictures.BY_REPORTS),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_picture_is_drawn_from_kept_results_and_shown(name: str, picture: pictures.Picture) -> None:
    assert picture.drawn(committed(name)).startswith(PNG)
    assert (docs.PICTURES / picture.file).read_bytes().startswith(PNG)
    assert f"](pictures/{picture.file})" in docs.BENCHMARKS.read_text(encoding="utf-8")


def test_what_is_measured_is_of_its_family() -> None:
    for name, family in FAMILIES.items():
        made = family.measured_member(family.sizes[0])
        assert (made.name, made.law.labels) == (name, family.sizes[0])
    assert (min(SIZES), max(SIZES)) == (16, 1 << 20)


def test_the_kept_results_name_machine_and_versions() -> None:
    found = committed("results")
    assert {"processor", "processors", "versions", "speeds"} <= set(found["machine"])
    assert set(Bench.from_dict(found).mechanisms) <= set(FAMILIES)


def test_a_mechanism_that_is_not_measured_yet_is_named() -> None:
    bench = Bench.from_dict(committed("results"))
    assert docs.lacking(bench) == []
    bench.cells[:] = [cell for cell in bench.cells if cell.mechanism not in ("Subset", "Cyclic")]
    assert docs.lacking(bench) == ["Not measured yet: Subset, Cyclic."]


def test_results_come_back_as_they_were_kept(tmp_path: Path) -> None:
    bench, again = Bench.from_dict(committed("results")), tmp_path / "again.json"
    kept.write(again, bench.to_dict())
    assert Bench.from_dict(kept.read(again)) == bench
    assert len(again.read_text().splitlines()) < len(bench.cells) + 20


def test_a_part_of_a_page_is_replaced_and_a_missing_one_refused() -> None:
    page = "a\n<!-- t: begin -->\nold\n<!-- t: end -->\nb\n"
    assert with_part(page, "t", "new") == "a\n<!-- t: begin -->\n\nnew\n\n<!-- t: end -->\nb\n"
    with pytest.raises(ValueError, match="no part"):
        with_part(page, "u", "new")
