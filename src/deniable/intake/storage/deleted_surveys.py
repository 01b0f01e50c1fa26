"""Surveys that were put away or deleted: how that is done, and what remains of them."""

from __future__ import annotations

from deniable.intake.storage.rows import GoneRow, SurveyRow
from deniable.intake.storage.transaction import Transaction

GONE = "digest, name, owner, day, ended, deleted"


def put_away(t: Transaction, digest: str, away: bool) -> None:
    """Leave a survey out of lists, or show it again."""
    t.run("UPDATE survey SET away = ? WHERE digest = ?", int(away), digest)


def delete_survey(t: Transaction, row: SurveyRow, day: str) -> None:
    """Delete a survey with all that was answered, but for what says that it was there."""
    for batch in t.batches(row.digest):
        t.run(f"DROP TABLE IF EXISTS seen_{int(batch.number)}")
        for table in ("chunk", "sums", "release", "spent"):
            t.run(f"DELETE FROM {table} WHERE batch = ?", batch.number)
    for table in ("batch", "invitation", "outcome"):
        t.run(f"DELETE FROM {table} WHERE survey = ?", row.digest)
    t.run("DELETE FROM survey WHERE digest = ?", row.digest)
    if not t.surveys(row.name):
        t.run("DELETE FROM share WHERE survey = ?", row.name)
    gone = GoneRow(row.digest, row.name, row.owner, row.day, row.ended, day)
    t.run(f"INSERT INTO gone ({GONE}) VALUES (?, ?, ?, ?, ?, ?)", *gone)


def gone_survey(t: Transaction, digest: str) -> GoneRow | None:
    """What remains of a survey, if it was deleted."""
    found = t.run(f"SELECT {GONE} FROM gone WHERE digest = ?", digest)
    return GoneRow(*found[0]) if found else None


def owners_of(t: Transaction, name: str) -> set[str]:
    """Whose a name is: of all who ever put a survey of it."""
    both = "SELECT owner FROM survey WHERE name = ? UNION SELECT owner FROM gone WHERE name = ?"
    return {str(owner) for (owner,) in t.run(both, name, name)}
