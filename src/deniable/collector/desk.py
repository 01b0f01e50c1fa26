"""What people with a token ask of a collector: authors, readers, auditors and admins."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from deniable.arrow import is_installed
from deniable.collector.closing import Recount
from deniable.collector.collector import Collector
from deniable.collector.crowds import AT_MIXER, KEY_TAKEN, CrowdDesk
from deniable.collector.folding import chunk_sections
from deniable.collector.reading import answers_of
from deniable.collector.upkeep import Keeper
from deniable.intake.access import make_token, name_of
from deniable.intake.doors import until
from deniable.intake.intake import is_whole
from deniable.intake.invitations import invite
from deniable.intake.phases import period_phase, survey_phase
from deniable.intake.private_files import make_folder
from deniable.intake.refusals import DAMAGED, DELETED, UNKNOWN, Refusal, Refused
from deniable.intake.storage.arrivals import Arrivals
from deniable.intake.storage.checksums import DamagedError
from deniable.intake.storage.deleted_surveys import delete_survey, gone_survey, owners_of, put_away
from deniable.intake.storage.rows import CLOSING, OPEN, RELEASED, Batch, Standing, SurveyRow, Token, VisibleTally
from deniable.intake.storage.transaction import Transaction
from deniable.protocol.errors import ParameterError
from deniable.reports.arm_file import write_arm
from deniable.surveys.survey import Survey


class PeriodResult(NamedTuple):
    """A period of a survey, and what readers may see of it; the other periods beside it."""

    standings: Sequence[Standing]
    standing: Standing | None
    """None if nobody has answered the survey."""
    visible: VisibleTally | None
    """None if too few answered."""


class Desk:
    """Answers people; whether they may ask has been checked."""

    def __init__(self, collector: Collector[Any], keeper: Keeper, crowds: CrowdDesk) -> None:
        self._collector, self._keeper, self.crowds = collector, keeper, crowds
        self._run = collector.run
        self._copying = threading.Lock()
        self.opened: Callable[[SurveyRow], None] = _tell_nobody
        """Told of each survey that is new; nobody unless somebody asks to be."""

    def tell_of_counts(self, listener: Callable[[SurveyRow, str], None]) -> None:
        """Have somebody told of each period of a survey whose counts are new."""
        self._keeper.counted = listener

    # --- authors ----------------------------------------------------------------------------------------------------

    def put(self, survey: Survey, owner: str) -> bool:
        """Serve a survey; whether it is new."""
        if survey.carrier is not None:
            raise ParameterError(
                'a survey that a collector serves must have no carrier, got carrier="field": its reports are values of '
                "a field in somebody else's form, whose export deniable estimate reads"
            )
        day, crowd = self._collector.day(), survey.crowd
        row = SurveyRow(survey.digest, survey.name, survey.document, owner, day, None, crowd is not None)
        if crowd is not None and not self._run(lambda t: t.lock([survey.digest])):  # its key may be destroyed by now
            self.crowds.check(survey, crowd)

        def add(t: Transaction) -> bool:
            if survey.digest in t.lock([survey.digest], alone=True):
                return False
            if gone_survey(t, survey.digest):
                raise Refused(GONE)
            if owners_of(t, survey.name) - {owner}:
                raise Refused(TAKEN)
            if crowd is not None and not Arrivals(t.run).bind(str(crowd.key), survey.digest):
                raise Refused(KEY_TAKEN)
            t.add_survey(row)
            t.note(day, name_of(owner), "put", survey.digest)
            return True

        new = self._run(add)
        if new:
            self.opened(row)
        return new

    def surveys(self, name: str | None = None) -> list[SurveyRow]:
        """The surveys of a name, or all, the oldest first."""
        return self._run(lambda t: t.surveys(name))

    def end(self, survey: SurveyRow, who: str, *, final: bool = False) -> None:
        """Close a survey by hand: its period ends now, and only grace still runs.

        Not even that if it is ``final``: nothing more is taken then. That needs enough answers for a result.
        """
        self._check_here(survey)
        now = self._collector.now()
        if self._collector.doubts(now):
            raise Refused(DOUBTED)

        def end(t: Transaction) -> None:
            t.lock([survey.digest], alone=True)
            t.end_survey(survey.digest, now)
            if final:
                _shut(t, survey, self._collector.form(survey).survey.minimum)
            t.note(self._collector.day(), who, "close", survey.digest)

        self._run(end)

    def _check_here(self, survey: SurveyRow) -> None:
        """Refuse what a mixer does for a survey with a crowd."""
        if self._collector.form(survey).survey.crowd is not None:
            raise Refused(AT_MIXER)

    def owners(self, name: str) -> set[str]:
        """Whose a name is."""
        return self._run(lambda t: owners_of(t, name))

    def put_away(self, survey: SurveyRow, away: bool, who: str) -> None:
        """Leave a survey out of lists, or show it again."""

        def put(t: Transaction) -> None:
            put_away(t, survey.digest, away)
            t.note(self._collector.day(), who, "put away" if away else "bring back", survey.digest)

        self._run(put)

    def delete(self, survey: SurveyRow, title: str, who: str) -> None:
        """Delete a survey that is over or was never answered, if its title is given as it is; all of it, or nothing."""
        if title.strip() != title_of(self._collector.form(survey).survey):
            raise Refused(OTHER_TITLE)
        now = self._collector.now()
        doors = self._collector.doors(survey)
        is_over = doors.is_over(now) and not self._collector.doubts(now)

        def delete(t: Transaction) -> None:
            row = t.lock([survey.digest], alone=True).get(survey.digest)
            if row is None:
                raise Refused(DELETED)
            states = {batch.state for batch in t.batches(row.digest)}
            if states and (not is_over or states & {OPEN, CLOSING}):
                taken = until(doors.ends + doors.document.grace)
                raise Refused(STILL_ASKS._replace(detail=f"{STILL_ASKS.detail} {taken}"))
            day = self._collector.day()
            delete_survey(t, row, day)
            t.note(day, who, "delete", row.digest)

        self._run(delete)
        self._collector.forget(survey.digest)
        self.crowds.look()

    def invite(self, survey: SurveyRow, people: int, who: str) -> list[str]:
        """New invitations, which nobody can look up later; refused once somebody answered without one."""
        self._check_here(survey)
        return invite(self._run, survey.digest, people, self._collector.day(), who)

    def invitations(self, survey: SurveyRow) -> int:
        """How many invitations a survey has, used or not."""
        return self._run(lambda t: t.invitations(survey.digest))

    def recount(self, survey: SurveyRow, period: str) -> Recount:
        """Count what is kept again."""
        return self._keeper.recount(survey, self.batch(survey, period))

    # --- readers and auditors ---------------------------------------------------------------------------------------

    def batch(self, survey: SurveyRow, period: str) -> Batch:
        """A period that somebody answered."""
        return self._run(lambda t: _batch(t, survey, period))

    def check_closed(self, survey: SurveyRow, period: str) -> None:
        """Refuse a period that is open, of which nobody but its author may know how many answers it has."""
        if self.batch(survey, period).state in (OPEN, CLOSING):
            raise Refused(NOT_CLOSED)

    def standings(self, survey: SurveyRow) -> list[Standing]:
        """All periods of a survey that somebody answered."""
        return self._run(lambda t: t.standings(survey.digest))

    def overview(self) -> dict[SurveyRow, list[Standing]]:
        """All surveys, the oldest first, with their periods."""
        return self._run(overview_of)

    def result(self, survey: SurveyRow, period: str | None) -> PeriodResult:
        """What readers may see of a period: unless it is named, of the last one with a result, or else of the last."""
        return self._run(lambda t: _result(t, survey, period))

    def tally(self, survey: SurveyRow, period: str) -> VisibleTally:
        """What readers may see of a period; refused if too few answered."""
        result = self.result(survey, period)
        if result.visible is None:
            raise Refused(DAMAGED if result.standing is not None and result.standing.damaged else TOO_FEW)
        return result.visible

    def tallies(self, periods: Collection[int]) -> dict[int, VisibleTally]:
        """What readers may see of some periods, by their numbers."""
        return self._run(lambda t: t.visible(periods))

    def export(self, survey: SurveyRow, period: str, arm: int, path: Path | str) -> None:
        """Write the answers of a closed period to one arm as a file of a survey's answers."""
        batch, form = self.batch(survey, period), self._collector.form(survey)
        if batch.state != RELEASED:
            raise Refused(NOT_RELEASED)
        if not 0 <= arm < len(form.widths):
            raise Refused(UNKNOWN)
        if not is_installed():
            raise ParameterError("the collector's machine must have PyArrow to export: pip install 'deniable[files]'")
        layouts = [part.mechanism.layout for part in form.survey.arms[arm].parts]
        try:
            with write_arm(path, survey.document, arm, layouts) as writer:
                for sections in chunk_sections(self._run, form, batch):
                    of_arm = [section for section in sections if section.arm == arm]
                    writer.write(answers_of(form.survey, of_arm).columns[arm])
        except DamagedError:
            self._keeper.examine(survey, period)
            raise Refused(DAMAGED) from None

    # --- admins -----------------------------------------------------------------------------------------------------

    def add_token(self, name: str, scope: str, surveys: Sequence[str], who: str) -> str:
        """A new token, or a new secret for the one of this name; the secret, which is shown once."""
        token, secret = make_token(name, scope, surveys)

        def add(t: Transaction) -> None:
            t.set_token(token)
            t.note(self._collector.day(), who, "token", name)

        self._run(add)
        return secret

    def drop_token(self, name: str, who: str) -> bool:
        """Delete a token; whether it was there."""

        def drop(t: Transaction) -> bool:
            t.note(self._collector.day(), who, "drop token", name)
            return t.drop_token(name)

        return self._run(drop)

    def tokens(self) -> list[Token]:
        """All tokens."""
        return self._run(lambda t: t.tokens())

    def status(self) -> list[dict[str, Any]]:
        """All surveys with their periods, and how many uploads were refused."""
        return [self._status(row, standings) for row, standings in self.overview().items()]

    def refusals(self, row: SurveyRow) -> dict[tuple[str, str], int]:
        """How many uploads to a survey were refused, by period and kind."""
        return dict(self._run(lambda t: t.outcomes(row.digest)))

    def _status(self, row: SurveyRow, standings: Sequence[Standing]) -> dict[str, Any]:
        doors, now = self._collector.doors(row), self._collector.now()
        return {
            "name": row.name,
            "digest": row.digest,
            "owner": name_of(row.owner),
            "since": row.day,
            "closed": row.ended is not None,
            "invited": row.invited,
            "phase": survey_phase(doors, standings, now).key,
            "crowd": self.crowds.status(row),
            "periods": [
                {
                    "period": each.period,
                    "state": each.state,
                    "phase": period_phase(doors, each, now).key,
                    "until": until(doors.shuts(each.period)) if each.state == OPEN else "",
                    "answers": each.answers,
                    "shown": each.shown,
                    "minimum": doors.document.minimum,
                    "gaps": each.gaps,
                    "damaged": each.damaged,
                }
                for each in standings
            ],
            "refused": [
                {"period": period, "kind": kind, "uploads": n} for (period, kind), n in self.refusals(row).items()
            ],
        }

    def check(self) -> dict[str, Any]:
        """Read everything that is stored: what is damaged, by period, and beside all periods."""
        rows, unsound = self.surveys(), self._collector.writer.use(lambda store: store.unsound()).result()
        names = {row.digest: row.name for row in rows}
        documents = [f"the document of {row.name}" for row in rows if not is_whole(row)]
        periods = [
            {"name": names.get(each.survey, ""), "digest": each.survey, "period": each.period, "damaged": each.damaged}
            for each in self._keeper.check()
        ]
        return {"periods": periods, "beside": [*documents, *unsound]}

    def backup(self, path: Path) -> None:
        """Write a copy of the storage into a new file, while uploads are taken; one at a time."""
        make_folder(path.parent)
        writer = self._collector.writer
        with self._copying:
            end = writer.use(lambda store: store.backup(str(path), partial(writer.breathe, store))).result()
            end()
        self._collector.metrics.backup.set(self._collector.now())


def overview_of(t: Transaction) -> dict[SurveyRow, list[Standing]]:
    """All surveys, the oldest first, with their periods."""
    rows, periods = t.surveys(), defaultdict(list)
    for standing in t.standings():
        periods[standing.survey].append(standing)
    return {row: periods[row.digest] for row in rows}


def _batch(t: Transaction, survey: SurveyRow, period: str) -> Batch:
    """A period that somebody answered; refused if nobody did."""
    found = t.answered([(survey.digest, period)])
    if not found:
        raise Refused(UNKNOWN)
    return found[survey.digest, period]


def _tell_nobody(_: SurveyRow) -> None:
    """The listener where nobody asked to be told."""


def _result(t: Transaction, survey: SurveyRow, period: str | None) -> PeriodResult:
    """The named period with what readers may see of it; else the last with a result, or else the last."""
    standings = t.standings(survey.digest)
    named = [each for each in standings if each.period == period]
    if period is not None and not named:
        raise Refused(UNKNOWN)
    candidates = named or [each for each in standings if each.shown] or standings
    if not candidates:
        return PeriodResult((), None, None)
    return PeriodResult(standings, candidates[-1], t.visible([candidates[-1].number]).get(candidates[-1].number))


def _shut(t: Transaction, survey: SurveyRow, least: int) -> None:
    """Take nothing more for any period, whatever a clock says; refused unless so many have answered."""
    standings = t.standings(survey.digest)
    if sum(each.answers for each in standings) < least:
        raise Refused(TOO_EARLY)
    for each in standings:
        if each.state == OPEN:
            t.set_state(each.number, CLOSING)


def title_of(survey: Survey) -> str:
    """What a survey is called: by its title, or where it has none by its name."""
    return survey.title or survey.name


GONE = Refusal("conflict", 409, "a survey must be another than one that was deleted, got the same; change a word of it")
OTHER_TITLE = Refusal(
    "conflict",
    409,
    "the title must be that of the survey that is to be deleted, or its name if it has none, got one unlike it",
)
STILL_ASKS = Refusal(
    "conflict", 409, "a survey must be closed, or never answered, to be deleted, got one that takes answers"
)
TAKEN = Refusal("conflict", 409, "a survey's name must be its owner's, got one that another token took")
DOUBTED = Refusal(
    "conflict", 409, "the clock must be right to close a survey, got one that jumped; see deniable collector clock"
)
NOT_RELEASED = Refusal("not-closed", 409, "answers must be of a period with a result to be exported, got one without")
NOT_CLOSED = Refusal("not-closed", 409, "answers must be of a closed period to be counted again, got an open one")
TOO_EARLY = Refusal("not-closed", 409, "a result must be of as many answers as it needs to be final, got fewer so far")
TOO_FEW = Refusal(
    "withheld", 409, "a result must be of enough people, got too few that are counted; counting takes a minute or two"
)
