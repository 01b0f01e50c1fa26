"""The survey: one document from question to result, and all that authors, devices and readers do with it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from deniable.checks import naming_arguments
from deniable.estimation.words import rounded
from deniable.planning.outlook import TWO_SIDED, least_error_in_words
from deniable.privacy.entropy import Entropy, checked_entropy, entropy_of
from deniable.protocol.checks import check_epsilon, check_positive
from deniable.protocol.errors import ParameterError, TallyError
from deniable.protocol.python_values import checked_list
from deniable.protocol.questions.question import Question
from deniable.protocol.surveys.crowd import Crowd
from deniable.surveys.answer_bytes import Answers, fault_of, read_answers
from deniable.surveys.answers import answer_many, answer_one
from deniable.surveys.auditing import SurveyCertificate, audit_survey
from deniable.surveys.choosing import FreshChoice, MechanismChoice, RememberedChoice
from deniable.surveys.crowd_planning import best_design_in_crowd
from deniable.surveys.document import Document
from deniable.surveys.enrolment import Enrolment, enrolled
from deniable.surveys.expectation import Expectation, expected
from deniable.surveys.field_column import FieldColumn, read_column
from deniable.surveys.grid import Grid, one_by_one
from deniable.surveys.label import Label
from deniable.surveys.manipulation import Manipulation, manipulation
from deniable.surveys.planning import ChosenDesign, best_design, minimum_for
from deniable.surveys.results import Results
from deniable.surveys.simulation import draw_survey
from deniable.surveys.tally import SurveyTally
from deniable.surveys.weighted_results import WeightedResults
from deniable.values.columns import python_values

if TYPE_CHECKING:
    from deniable.estimation.models.fit import Fit


class Survey(Document):
    """A survey: what is asked, who is asked what, and what is promised. Made by ``plan``, or of arms that one writes.

    >>> import deniable as dn
    >>> survey = Survey.plan("commute", [dn.OneOf("way", ["car", "bus", "bike"])], epsilon=2.0, people=5000)
    >>> tally = survey.tally(survey.answer_many({"way": ["bus"] * 3000 + ["car"] * 2000}, seed=1))
    >>> survey.estimate(tally)["way"].frequencies.round(1).tolist()
    [0.4, 0.6, 0.0]
    """

    @classmethod
    @naming_arguments
    def plan(
        cls,
        name: str,
        questions: Iterable[Question | Grid],
        epsilon: float,
        people: int,
        cross: Iterable[tuple[str, str]] = (),
        each: float | None = None,
        wanted: float | None = None,
        crowd: Crowd | Mapping[str, Any] | None = None,
        **terms: Any,
    ) -> Self:
        """The survey whose whole answer costs ``epsilon`` and whose shares err least among so many people.

        ``cross`` names pairs of questions whose answers will be set side by side; ``terms`` are fields of the document,
        such as ``title`` and ``period``; of fewer than 75 people ``minimum`` is two thirds. ``reason`` then
        says what was chosen and why, ``expected`` with what error.
        With ``repeat="remembered"`` a life of answers costs ``epsilon``, and a report about a question by itself at
        most ``each``. If a question errs by more than ``wanted``, half of a 95% interval as a share, it is refused.
        With a ``crowd`` answers go through a mixer: ``epsilon`` then is what both parties see together, 4 at most.
        """
        asked = one_by_one(checked_list("questions", questions, "a list of questions"))
        choice: MechanismChoice = FreshChoice()
        if terms.get("repeat") == "remembered":
            choice = RememberedChoice(None if each is None else check_epsilon(each, "each"))
        elif each is not None:
            raise ParameterError('each must be left out unless repeat="remembered", got a level')
        population = terms.get("population")

        def best_at(level: float, choice: MechanismChoice = choice) -> ChosenDesign:
            return best_design(name, asked, level, people, cross, choice, population)

        if crowd is None:
            design = best_at(epsilon)
        else:
            design = best_design_in_crowd(best_at, epsilon, asked, people, Crowd.read(crowd))
        survey = cls(name, asked, design.arms, **{"minimum": minimum_for(people), **terms}, crowd=design.crowd)
        if wanted is not None:

            def expected_at(level: float) -> Expectation:
                return expected(name, asked, best_at(level).arms, people, population)

            check_reached(wanted, people, epsilon, survey.expected(people), expected_at)
        vars(survey)["reason"] = design.why
        return survey

    reason: str = ""
    """Why a planned survey asks as it does; empty for one whose arms were written."""

    def expected(self, people: int) -> Expectation:
        """The standard error to expect in a share of each question if so many people answer.

        Where the survey has a ``population``, among these people.
        """
        return expected(self.name, self.questions, self.arms, people, self.population)

    def audit(self) -> SurveyCertificate:
        """The proof, or the refutation, of the survey's promise from the exact channels of its parts."""
        return audit_survey(self)

    def manipulation(self, share: float) -> Manipulation:
        """How far each result can move if a ``share`` of all answers is made up; see ``Manipulation``."""
        return manipulation(self, share)

    @cached_property
    def guarantee(self) -> Any:
        """Plain LDP of whole answers, which a ledger counts; None where some question is protected only in part."""
        return self.promise.guarantee

    def label(self) -> Label:
        """The privacy label: what follows for the person asked, as numbers and as sentences."""
        return Label(self)

    def answer(self, answers: Mapping[str, Any], entropy: Entropy | None = None) -> bytes:
        """One person's answer as bytes, from the operating system's entropy unless told otherwise.

        The arm is drawn first. Every question must be answered, or have an answer for those who skip it; all answers
        are checked, and only those of the arm are reported, each changed at random. Where reports are remembered a
        device answers by what ``enrol`` made.
        """
        return answer_one(self, answers, checked_entropy(entropy))

    def enrol(self, entropy: Entropy | None = None) -> Enrolment:
        """What a device draws once and keeps for life, where reports are remembered: its arm and permanent reports.

        >>> import deniable as dn
        >>> well = dn.OneOf("well", ["yes", "no"])
        >>> survey = Survey.plan("weekly", [well], 2.0, 500, period="week", repeat="remembered")
        >>> kept = survey.enrol()
        >>> kept.answer({"well": "yes"}) == kept.answer({"well": "yes"})  # week after week
        True
        """
        return enrolled(self, checked_entropy(entropy))

    def answer_many(self, table: Any, seed: int | None = None) -> Answers:
        """Everybody's answers, from a dictionary or a data frame with a column for each question.

        A seed makes it repeatable, for simulation only: not on devices.
        """
        return answer_many(self, table, entropy_of(seed))

    def check(self, answer: bytes) -> str | None:
        """Why bytes are no answer to the survey, in words that follow "it"; None if they are one."""
        return fault_of(self, answer)

    def read_column(self, column: Iterable[Any]) -> FieldColumn:
        """The reports in a column of somebody else's table, of a survey with carrier="field".

        What cannot be used is counted by its reason; the same report in several rows is counted once.
        """
        return read_column(self, column)

    def tally(self, answers: Answers | bytes | Iterable[bytes | str] = ()) -> SurveyTally:
        """Count answers. If any is malformed all are refused, with the reason; the tally of none changes nothing.

        Of a column with reports, of a survey with carrier="field", those that can be used are counted.
        """
        if self.carrier is not None and not isinstance(answers, Answers | bytes | bytearray):
            answers = python_values(answers)
            if any(isinstance(each, str) for each in answers):
                return self.read_column(answers).tally
        read = answers if isinstance(answers, Answers) else read_answers(self, _listed(answers))
        if read.document != self:
            raise TallyError("the answers must be to this survey, got some to another; a changed document is another")
        return SurveyTally.of(read)

    def draw_tally(self, table: Any, people: Any, generator: np.random.Generator) -> SurveyTally:
        """The tally of ``people`` with each row of a table of answers, by its exact law: for simulation only."""
        return draw_survey(self, table, people, generator)

    def estimate(
        self,
        tally: SurveyTally | Any,
        decoder: str = "projected",
        candidates: Mapping[str, Iterable[str]] | None = None,
        weights: Any = None,
        strata: Any = None,
        clusters: Any = None,
    ) -> Results:
        """The results: an estimate of each question by its name, tables of crossed ones by ``cross``.

        A question answered in words that are not discovered needs the ``candidates`` to look for, by its name. With
        ``weights``, such as those of ``dn.raked``, people count by these: in the place of the tally, which never holds
        weights, stand the answers in the order of the weights: bytes, field values, or what ``read_column`` gave.
        ``strata`` and ``clusters`` say how people were drawn, as columns in the same order.
        """
        sampling = weights, strata, clusters
        if any(column is not None for column in sampling):
            if candidates:
                raise ParameterError(
                    "candidates must be left out with weights, for texts are found by counts, got some"
                )
            return WeightedResults.of_rows(self, tally, sampling, decoder)
        return Results(self, _checked(self, tally), decoder, dict(candidates or {}))

    def regress(
        self,
        answers: Any,
        formula: str | tuple[str, Sequence[str]],
        frame: Any = None,
        column: str | None = None,
        model: str = "logit",
        event: Hashable = None,
        weights: Any = None,
        strata: Any = None,
        clusters: Any = None,
        missing: str = "refuse",
    ) -> Fit:
        """A regression of answers on the open columns of a frame, or the reverse; see ``dn.regress``.

        ``answers`` are bytes or field values in the order of the frame's rows, None where there is none; or a host's
        export by itself, of which one ``column`` holds field values. Names of questions in the formula are private, on
        either side. Rows without a report on what is asked for are left out, and counted in a note.
        """
        from deniable.surveys.survey_regression import regress_survey  # planning and answering need none of it

        sampling = (weights, strata, clusters)
        return regress_survey(self, answers, formula, frame, column, model, event, sampling, missing)

    def _repr_html_(self) -> str:
        return self.label()._repr_html_()


def _listed(answers: Any) -> list[Any]:
    """The answers as a list; the bytes of a single one are one answer."""
    return [answers] if isinstance(answers, bytes | bytearray) else list(answers)


def _checked(survey: Survey, tally: Any) -> SurveyTally:
    """A tally of this very survey."""
    if not isinstance(tally, SurveyTally):
        raise ParameterError(f"tally must be a survey's tally, got {type(tally).__name__}")
    if tally.document != survey:
        raise TallyError(
            f"the tally must be of the survey of digest {survey.digest[:12]}, got one of {tally.digest[:12]}; "
            "a changed document is another survey"
        )
    return tally


def largest_error(expected: Expectation) -> float:
    """Half of the 95% interval of the question that errs most, as a share."""
    return TWO_SIDED * max(error for row in expected.values() for error in row.deciding)


def check_reached(
    wanted: Any, people: int, level: float, expected: Expectation, expected_at: Callable[[float], Expectation]
) -> None:
    """Refuse a wanted error that a plan at a level does not reach; ``expected_at`` plans anew for another level."""
    limit, error = check_positive("wanted", wanted), largest_error(expected)
    if limit >= 1:
        raise ParameterError(f"wanted must be a share below 1, such as 0.1 for 10 points of 100, got wanted={limit:g}")
    if error > limit * (1 + 1e-9):
        words = least_error_in_words(people, lambda other: largest_error(expected_at(other)), give_or_take, level)
        raise ParameterError(
            f"wanted must be an error that the survey reaches, {rounded(error, 2)} or more, got wanted={limit:g}; "
            f"in points of 100, {words}"
        )


def give_or_take(error: float) -> str:
    """An error in points of a hundred.

    >>> give_or_take(0.126)
    'give or take 13'
    """
    return f"give or take {rounded(100 * error, 2)}"
