"""The rows of a collector's tables, in SQL that SQLite and PostgreSQL share."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from deniable.intake.clock import Watch
from deniable.intake.storage.answers import RESULTS, AnswerRows, Row
from deniable.intake.storage.checksums import DamagedError
from deniable.intake.storage.drafts import Drafts
from deniable.intake.storage.rows import CLOSING, OPEN, Batch, PeriodKey, Standing, SurveyRow, Token
from deniable.intake.storage.visits import Visits

SURVEY = "digest, name, document, owner, day, ended, invited, away"
BATCH = "number, survey, period, state, gaps, damaged"
RESTORED = "restored"
"""The fact of when the storage was last restored."""


class Transaction(AnswerRows):
    """What can be read and written at once; a store says how a statement is run, and what the two do differently."""

    # --- surveys ----------------------------------------------------------------------------------------------------

    def surveys(self, name: str | None = None) -> list[SurveyRow]:
        """The surveys of a name, or all, in the order in which they came."""
        which, given = ("", ()) if name is None else ("WHERE name = ?", (name,))
        try:
            rows = self.run(f"SELECT {SURVEY} FROM survey {which} ORDER BY number", *given)
        except DamagedError:
            rows = self._readable_surveys()
        found = [SurveyRow.of(row) for row in rows]
        return [row for row in found if name in (None, row.name)]

    def _readable_surveys(self) -> list[Row]:
        """The rows of all surveys but damaged ones; their numbers are read from the index by digest, which is whole."""
        found: list[Row] = []
        numbers = [int(number) for (number,) in self.run("SELECT number FROM survey ORDER BY digest")]
        for number in sorted(numbers):
            with suppress(DamagedError):
                found += self.run(f"SELECT {SURVEY} FROM survey WHERE number = ?", number)
        return found

    def lock(self, digests: Collection[str], alone: bool = False) -> dict[str, SurveyRow]:
        """The surveys of these digests, none of which is closed or changed until the transaction ends.

        Where several processes share the storage, others may do the same meanwhile unless ``alone``.
        """
        self._lock_surveys(sorted(digests), alone)
        one_of, given = self._one_of(digests)
        return {
            row[0]: SurveyRow.of(row) for row in self.run(f"SELECT {SURVEY} FROM survey WHERE digest {one_of}", *given)
        }

    @abstractmethod
    def _lock_surveys(self, digests: Sequence[str], alone: bool) -> None:
        """Let no other process change these surveys meanwhile, nor take answers to them if alone."""

    def add_survey(self, row: SurveyRow) -> None:
        """A survey that was not there."""
        self.run(
            f"INSERT INTO survey ({SURVEY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row[:6], int(row.invited), int(row.away)
        )

    def end_survey(self, digest: str, moment: float) -> None:
        """Close a survey by hand; one that was closed by a clock that ran ahead, earlier than that."""
        later = "(ended IS NULL OR ended > ?)"
        self.run(f"UPDATE survey SET ended = ? WHERE digest = ? AND {later}", moment, digest, moment)

    def invite(self, digest: str, codes: Collection[bytes]) -> None:
        """Add the hashes of invitations; from now on the survey takes no answer without one."""
        self.run("UPDATE survey SET invited = 1 WHERE digest = ?", digest)
        rows = [value for code in sorted(codes) for value in (digest, code)]
        self.run(f"INSERT INTO invitation (survey, code) VALUES {', '.join(['(?, ?)'] * len(codes))}", *rows)

    # --- periods ----------------------------------------------------------------------------------------------------

    def batches(self, digest: str | None = None, states: Collection[str] = ()) -> list[Batch]:
        """The periods of a survey, or of all; those in some states, or in any."""
        whose, given = ("", ()) if digest is None else ("WHERE survey = ?", (digest,))
        found = self.run(f"SELECT {BATCH} FROM batch {whose} ORDER BY survey, period", *given)
        return [row for row in map(Batch.of, found) if not states or row.state in states]

    def shut(self, digests: Collection[str]) -> dict[str, frozenset[str]]:
        """Of some surveys the periods that nothing more is taken for."""
        one_of, given = self._one_of(digests)
        by_survey: dict[str, set[str]] = {}
        rows = self.run(f"SELECT survey, period FROM batch WHERE state <> ? AND survey {one_of}", OPEN, *given)
        for survey, period in rows:
            by_survey.setdefault(survey, set()).add(period)
        return {survey: frozenset(periods) for survey, periods in by_survey.items()}

    def batch(self, digest: str, period: str, since: float = math.inf) -> Batch:
        """A period; if it was not there it is open, and may lack answers if its door, open ``since``, saw a restore."""
        found = self.answered([(digest, period)])
        if not found:
            added = self.run(
                "INSERT INTO batch (survey, period, state, gaps) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (survey, period) DO NOTHING RETURNING number",
                digest, period, OPEN, int(since < float(self.fact(RESTORED) or "-inf")),
            )  # fmt: skip
            for (number,) in added:
                self._make_id_table(number)
            return self.batch(digest, period, since)
        return found[digest, period]

    def answered(self, keys: Collection[PeriodKey]) -> dict[PeriodKey, Batch]:
        """Of some periods those that anybody answered."""
        these, digests = self._one_of({digest for digest, _ in keys})
        those, periods = self._one_of({period for _, period in keys})
        rows = self.run(f"SELECT {BATCH} FROM batch WHERE survey {these} AND period {those}", *digests, *periods)
        found = {(batch.survey, batch.period): batch for batch in map(Batch.of, rows)}
        return {key: found[key] for key in keys if key in found}

    def standings(self, digest: str | None = None) -> list[Standing]:
        """How all periods stand that anybody answered, of a survey or of all."""
        whose, given = ("", ()) if digest is None else ("WHERE survey = ?", (digest,))
        stored = "(SELECT COALESCE(SUM(n), 0) FROM chunk WHERE batch = number)"
        taken = f"CASE WHEN state IN (?, ?) AND damaged = '' THEN {stored} ELSE 0 END"
        rows = self.run(
            f"SELECT number, survey, period, state, gaps, damaged, r.n, s.n, s.shown, "
            f"{taken} {RESULTS} {whose} ORDER BY survey, period",
            OPEN, CLOSING, *given,
        )  # fmt: skip
        return [Standing.of(row) for row in rows]

    @abstractmethod
    def _make_id_table(self, batch: int) -> None:
        """Prepare for the uploads of a new period."""

    def set_state(self, batch: int, state: str) -> None:
        """Change the state of a period."""
        self.run("UPDATE batch SET state = ? WHERE number = ?", state, batch)

    def set_damaged(self, batch: int, what: str) -> None:
        """Set a period aside of which something is damaged, or take it back with nothing."""
        self.run("UPDATE batch SET damaged = ? WHERE number = ?", what, batch)

    def mark_gaps(self, moment: float) -> None:
        """Write at every period that was open at that moment that answers may be missing."""
        self.run("UPDATE batch SET gaps = 1 WHERE state = ?", OPEN)
        self.set_fact(RESTORED, repr(moment))

    # --- answers ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def known(self, batch: int, ids: Sequence[bytes]) -> dict[bytes, bytes]:
        """The hashes of those uploads that have been taken."""

    @abstractmethod
    def remember(self, ids: Mapping[int, Mapping[bytes, bytes]]) -> dict[int, dict[bytes, bytes]]:
        """Add uploads to periods by their ids and hashes, but for those that were there; of these the kept hashes."""

    @abstractmethod
    def forget_ids(self, batch: int, most: int) -> int:
        """Delete so many ids of a closed period; how many there were."""

    def invited(self, digest: str, codes: Collection[bytes]) -> set[bytes]:
        """Those of some codes that are invitations to a survey."""
        one_of, given = self._one_of(codes)
        found = self.run(f"SELECT code FROM invitation WHERE survey = ? AND code {one_of}", digest, *given)
        return {bytes(code) for (code,) in found}

    def invitations(self, digest: str) -> int:
        """How many invitations a survey has."""
        return int(self.run("SELECT COUNT(*) FROM invitation WHERE survey = ?", digest)[0][0])

    def spent(self, digest: str, periods: Collection[str], code: bytes) -> bool:
        """Whether an invitation was spent in some periods of a survey."""
        one_of = f"batch.period IN ({', '.join('?' * len(periods))})"
        found = "SELECT 1 FROM spent JOIN batch ON batch.number = spent.batch WHERE batch.survey = ? AND spent.code = ?"
        return bool(self.run(f"{found} AND {one_of}", digest, code, *periods))

    def forget_invited(self, batch: int) -> None:
        """Delete which invitations were spent in a closed period."""
        self.run("DELETE FROM spent WHERE batch = ?", batch)

    def claim(self, batch: int, digest: str, codes: Sequence[bytes]) -> set[bytes]:
        """Spend invitations in a period; those that are there and were not spent."""
        one_of, given = self._one_of(codes)
        claimed = self.run(
            f"INSERT INTO spent (batch, code) SELECT ?, code FROM invitation WHERE survey = ? AND code {one_of} "
            "ORDER BY code ON CONFLICT (batch, code) DO NOTHING RETURNING code",
            batch, digest, *given,
        )  # fmt: skip
        return {bytes(code) for (code,) in claimed}

    # --- what else is known -----------------------------------------------------------------------------------------

    def add_outcomes(self, outcomes: Mapping[tuple[str, str, str], int]) -> None:
        """Add to the numbers of refusals by survey, period and kind."""
        for key, n in sorted(outcomes.items()):
            self.run(
                "INSERT INTO outcome (survey, period, kind, n) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (survey, period, kind) DO UPDATE SET n = outcome.n + excluded.n",
                *key, n,
            )  # fmt: skip

    def outcomes(self, digest: str) -> dict[tuple[str, str], int]:
        """The numbers of refusals of a survey by period and kind."""
        found = self.run("SELECT period, kind, n FROM outcome WHERE survey = ? ORDER BY period, kind", digest)
        return {(period, kind): n for period, kind, n in found}

    def tokens(self) -> list[Token]:
        """All tokens."""
        found = self.run("SELECT name, hash, scope, surveys, id FROM token ORDER BY name")
        return [Token(name, key, scope, tuple(json.loads(surveys)), id_) for name, key, scope, surveys, id_ in found]

    def set_token(self, token: Token) -> None:
        """Add a token, or replace the one of its name, whose surveys and drafts the new one has."""
        before = self.run("DELETE FROM token WHERE name = ? RETURNING id", token.name)
        self.run(
            "INSERT INTO token (name, hash, scope, surveys, id) VALUES (?, ?, ?, ?, ?)",
            token.name, token.hash, token.scope, json.dumps(token.surveys), before[0][0] if before else token.id,
        )  # fmt: skip

    def drop_token(self, name: str) -> bool:
        """Delete a token; whether it was there."""
        return bool(self.run("DELETE FROM token WHERE name = ? RETURNING 1", name))

    @property
    def visits(self) -> Visits:
        """Who is signed in to the pages, and links to results."""
        return Visits(self.run)

    @property
    def drafts(self) -> Drafts:
        """Surveys that are being written."""
        return Drafts(self.run)

    def note(self, day: str, who: str, did: str, about: str) -> None:
        """Write into the audit log what somebody with a token did."""
        self.run("INSERT INTO audit (day, who, did, about) VALUES (?, ?, ?, ?)", day, who, did, about)

    def notes(self) -> list[tuple[str, str, str, str]]:
        """The audit log, the oldest entry first."""
        found = self.run("SELECT day, who, did, about FROM audit ORDER BY number")
        return [(str(day), str(who), str(did), str(about)) for day, who, did, about in found]

    def watch(self) -> Watch | None:
        """What was last written of time."""
        written = self.fact("watch")
        return None if written is None else Watch(*json.loads(written))

    def set_watch(self, watch: Watch) -> None:
        """Write what is believed of time."""
        self.set_fact("watch", json.dumps(watch))

    def fact(self, key: str) -> str | None:
        """Something that is known of the storage itself."""
        found = self.run("SELECT value FROM fact WHERE key = ?", key)
        return str(found[0][0]) if found else None

    def set_fact(self, key: str, value: str) -> None:
        """Write a fact of the storage itself."""
        upsert = "INSERT INTO fact (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        self.run(upsert, key, value)
