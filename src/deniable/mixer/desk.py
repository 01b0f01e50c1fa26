"""What the operator of a mixer asks of it."""

from __future__ import annotations

import json
from typing import Any

from deniable.intake.access import OPERATOR
from deniable.intake.doors import Doors
from deniable.intake.intake import Intake
from deniable.intake.invitations import invite
from deniable.intake.refusals import Refusal, Refused
from deniable.intake.storage.parcels import ParcelRow, Parcels
from deniable.intake.storage.rows import CLOSING, RELEASED, Batch, SurveyRow
from deniable.intake.storage.transaction import Transaction
from deniable.mixer.courier import LOST
from deniable.mixer.sending import REFUSED, AddressedParcel, try_token
from deniable.mixer.terms import SealedUploads, check_token, wording_of
from deniable.mixer.upkeep import Mixer
from deniable.protocol.errors import DenialError
from deniable.protocol.surveys.periods import ONCE
from deniable.surveys.survey import Survey

ALIKE = Refusal(
    "conflict",
    409,
    "a survey must ask something else than those allowed before, got the same wording; with --confirm it is allowed",
)
REPLACING = Refusal(
    "conflict",
    409,
    "a survey's token must be the one that was given before, got a new one; --confirm puts it in its place",
)
OVER = Refusal("closed", 410, "a survey must still be open to be allowed, got one that has closed")


class Desk:
    """Answers the operator."""

    def __init__(self, intake: Intake[Any, SealedUploads], mixer: Mixer) -> None:
        self._intake, self._mixer = intake, mixer

    def allow(self, survey: Survey, token: str, confirmed: bool) -> bool:
        """Take sealed answers to a survey, and send them by a token; whether the survey is new here.

        Of two that ask the same each would have a part of those who answer: that has to be confirmed, and so has
        another token.
        """
        check_token(token)
        form, day, wording = SealedUploads.of(survey), self._intake.day(), wording_of(survey)
        row = SurveyRow(form.survey.digest, survey.name, survey.document, OPERATOR, day, None, True)

        def add(t: Transaction) -> bool:
            new, parcels = row.digest not in t.lock([row.digest], alone=True), Parcels(t.run)
            if new:
                if self._intake.now() >= Doors(survey).ends:
                    raise Refused(OVER)
                if parcels.alike(wording) and not confirmed:
                    raise Refused(ALIKE)
                t.add_survey(row)
            elif parcels.token(row.digest) != token and not confirmed:
                raise Refused(REPLACING)
            parcels.allow(row.digest, token, wording)
            t.note(day, OPERATOR, "allow", row.digest)
            return new

        return self._intake.run(add)

    def try_token(self, survey: Survey, token: str) -> bool:
        """Whether the collector of a survey could be asked of its token; refused if it takes no parcel by it."""
        collector = str(SealedUploads.of(survey).crowd.collector)
        return try_token(AddressedParcel(collector, check_token(token), survey.digest, ONCE, 0, 0, 0))

    def review(self, survey: Survey) -> dict[str, Any]:
        """What its operator reads of a survey before allowing it, and whether another one asks the same."""
        form, wording = SealedUploads.of(survey), wording_of(survey)
        surveys, alike = self._intake.run(lambda t: (t.surveys(), Parcels(t.run).alike(wording)))
        named = [row.digest for row in surveys if row.name == survey.name]
        others = {"of_this_name": len({*named, survey.digest}), "alike": bool({*alike} - {survey.digest})}
        return {
            "name": survey.name,
            "digest": survey.digest,
            "allowed": survey.digest in named,
            **form.summary,
            **others,
        }

    def codes(self, survey: SurveyRow, people: int) -> list[str]:
        """New codes, which nobody can look up later."""
        return invite(self._intake.run, survey.digest, people, self._intake.day(), OPERATOR)

    def invited(self, survey: SurveyRow) -> dict[str, int]:
        """How many codes there are, and how many answers are needed."""
        return {
            "all": self._intake.run(lambda t: t.invitations(survey.digest)),
            "least": self._intake.form(survey).crowd.least,
        }

    def doubts(self) -> bool:
        """Whether the clock has jumped, so that no period is shut until somebody says that it is right."""
        return self._intake.doubts(self._intake.now())

    def believe_the_clock(self) -> None:
        """The operator says that the clock is right."""
        self._mixer.look_at_the_clock(confirm=True)

    def close(self, survey: SurveyRow) -> None:
        """Take no new answers; those on their way are taken while grace lasts."""
        now = self._intake.now()

        def end(t: Transaction) -> None:
            t.lock([survey.digest], alone=True)
            t.end_survey(survey.digest, now)
            t.note(self._intake.day(), OPERATOR, "close", survey.digest)

        self._intake.run(end)

    def send_again(self, survey: SurveyRow) -> int:
        """Send once more what was taken and is still kept, for a collector that has lost it; how many parcels.

        They are the same bytes, and a collector that has them says so again.
        """

        def begin(t: Transaction) -> int:
            batches = {each.number: each for each in t.batches(survey.digest)}
            numbers = Parcels(t.run).send_again(survey.digest)
            for number in numbers:
                if batches[number].state == RELEASED:
                    t.set_state(number, CLOSING)
            t.note(self._intake.day(), OPERATOR, "send again", survey.digest)
            return len(numbers)

        return self._intake.run(begin)

    def status(self) -> list[dict[str, Any]]:
        """Every survey with its periods; of an open one no more than whether enough were there at midnight."""
        surveys, batches, parcels = self._intake.run(lambda t: (t.surveys(), t.batches(), Parcels(t.run).all()))
        codes = self._intake.run(lambda t: {row.digest: t.invitations(row.digest) for row in surveys})
        rows = {parcel.batch: parcel for parcel in parcels}
        statuses = []
        for row in surveys:
            same_name = len([each for each in surveys if each.name == row.name])
            periods = [self._period(each, rows.get(each.number)) for each in batches if each.survey == row.digest]
            statuses.append({**self._terms(row, same_name), "codes": codes[row.digest], "periods": periods})
        return statuses

    def _terms(self, row: SurveyRow, same_name: int) -> dict[str, Any]:
        """The status of a survey but for its periods, where so many surveys have its name."""
        known = {
            "name": row.name, "digest": row.digest, "closed": row.ended is not None, "of_this_name": same_name,
            "since": row.day,
        }  # fmt: skip
        try:
            summary, doors = self._intake.form(row).summary, self._intake.doors(row)
            shuts = [doors.shuts(each) for each in doors.open_periods(self._intake.now())]  # with answers or without
            return {**known, **summary, "shuts": min(shuts, default=None)}
        except DenialError:  # the others are shown all the same
            return {**known, "damaged": True}

    def _period(self, batch: Batch, parcel: ParcelRow | None) -> dict[str, Any]:
        """The status of a period, with its parcel once it was shut."""
        fields: dict[str, Any] = {"period": batch.period, "state": batch.state, "gaps": batch.gaps}
        trouble = self._mixer.troubles.of(batch.survey, batch.period)
        fields |= {name: what for name, what in {"damaged": batch.damaged, "trouble": trouble}.items() if what}
        if parcel is None:
            return {**fields, "enough": self._mixer.has_enough(batch.survey, batch.period)}
        reply = json.loads(parcel.reply) if parcel.reply.startswith("{") else {"is": parcel.reply}
        if parcel.reply in LOST:
            fields["state"] = REFUSED
        return {**fields, "parcel": parcel.digest, "answers": parcel.n, "day": parcel.day, "reply": reply}
