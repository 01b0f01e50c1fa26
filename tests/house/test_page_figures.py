"""Figures that a page quotes from a study are those of the study's CSV."""

import csv
from collections.abc import Iterator

from tests.house.house_tree import DOCS, words

COLUMNS = (("open", "O-RR"), ("closed", "O-RR"), ("open", "O-RAPPOR"))


def searched(given: str = "nothing") -> Iterator[dict[str, str]]:
    """The points of the study's Fig. 3 at which no parameter, or that one, was given."""
    with (DOCS / "studies" / "kairouz2016" / "figure_3.csv").open(encoding="utf-8", newline="") as file:
        yield from (row for row in csv.DictReader(file) if row["given"] == given)


def best(epsilon: str, alphabet: str, mechanism: str) -> dict[str, str]:
    """The best point of that search."""
    wanted = {"epsilon": epsilon, "alphabet": alphabet, "mechanism": mechanism}
    (row,) = (row for row in searched() if wanted.items() <= row.items())
    return row


def test_the_table_of_open_alphabets_is_that_of_the_study() -> None:
    page = words("open-alphabets.md")
    for epsilon in ("1", "3", "5", "8"):
        found = [best(epsilon, *column) for column in COLUMNS]
        cells = [f"{float(row['l1']):.3f}: {row['symbols']}, {row['cohorts']}" for row in found]
        if epsilon == "1":
            cells[0] = cells[0].replace(", ", " symbols, ") + " cohorts"
        assert f"| {' | '.join([epsilon, *cells])} |" in page


def test_one_hash_is_best_and_cohorts_matter_little_where_the_pages_say_so() -> None:
    assert {row["hashes"] for row in searched() if row["mechanism"] in ("O-RR", "O-RAPPOR")} == {"1"}
    for epsilon in ("5", "8"):
        swept = [row for row in searched("cohorts") if (row["epsilon"], row["mechanism"]) == (epsilon, "O-RR")]
        many = [float(row["l1"]) for row in swept if int(row["cohorts"]) >= 16]
        assert len(many) == 7
        assert max(many) < 1.06 * min(many)


def test_hashed_rappor_is_compared_as_in_the_study() -> None:
    page = words("mechanisms/hashed-rappor.md")
    pairs = {e: [float(best(e, "open", m)["l1"]) for m in ("O-RR", "O-RAPPOR")] for e in levels()}
    assert all((response < rappor) for epsilon, (response, rappor) in pairs.items() if float(epsilon) >= 2)
    assert all(abs(response - rappor) < 0.01 for epsilon, (response, rappor) in pairs.items() if float(epsilon) <= 1)
    for epsilon, text in (("2", "{:.3f} against {:.3f} at epsilon 2"), ("5", "{:.3f} against {:.3f} at 5")):
        assert text.format(*pairs[epsilon]) in page


def levels() -> list[str]:
    """Every epsilon of the search."""
    return sorted({row["epsilon"] for row in searched()}, key=float)
