"""What an author may take instead of typing it: example surveys, levels of protection, texts that are seldom known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from deniable.pages.builder.draft import Draft
from deniable.pages.kinds.draft_question import DraftQuestion, silence_in
from deniable.protocol.say import Say, Statement, language
from deniable.protocol.surveys.protection import Protection

RARE_GUESS: Final = 0.01
"""How often a guess is right at something that few people do."""


class Example(NamedTuple):
    """A survey to begin with: its texts, the kind of its question, and ``terms``, a draft with all else."""

    title: Statement
    purpose: Statement
    wording: Statement
    answers: tuple[Statement, ...]
    terms: Draft
    kind: str = "one_of"


YES_OR_NO: Final = (Statement("yes"), Statement("no"))
EXAMPLES: Final[Mapping[str, Example]] = MappingProxyType(
    {
        "work": Example(
            Statement("safety_at_work"), Statement("to_see_whether_a_second"), Statement("were_you_threatened_or_hit"),
            YES_OR_NO, Draft(people="1800", epsilon="1"),
        ),
        "class": Example(
            Statement("a_question_to_our_class"), Statement("to_talk_about_it_in_class"),
            Statement("did_you_copy_from_somebody"), YES_OR_NO,
            Draft(people="28", census=True, epsilon="2"),
        ),
        "product": Example(
            Statement("what_people_use"), Statement("to_decide_which_of_these"),
            Statement("which_of_these_have_you_used"),
            (
                Statement("search"), Statement("share"), Statement("offline"), Statement("dark_mode"),
                Statement("export"),
            ),
            Draft(people="20000", epsilon="2"), "any_of",
        ),
    }
)  # fmt: skip
"""Surveys to begin with, which can be said in each author's language."""
PLACES: Final = {
    "work": Statement("at_work"), "class": Statement("in_a_class"), "product": Statement("in_a_product"),
}  # fmt: skip


def example_in(place: str, code: str) -> Draft:
    """An example in one of the languages of authors, as its author would have typed it."""
    example, say = EXAMPLES[place], language(code)
    answers = tuple(map(say, example.answers))
    question = DraftQuestion(say(example.wording), example.kind, answers, silent=silence_in(code))
    return replace(
        example.terms, title=say(example.title), purpose=say(example.purpose), questions=(question,), language=code
    )


class Strength(NamedTuple):
    """A level, what it is called, which subjects it suits, and examples of them."""

    level: str
    suits: Statement
    examples: Statement

    @property
    def name(self) -> Statement:
        """What it is called."""
        return Statement("grade_heading", grade=self.protection.name)

    @property
    def protection(self) -> Protection:
        """What it comes to."""
        return Protection(float(self.level))

    @property
    def even(self) -> Statement:
        """What a guess that is as likely as not becomes."""
        return self.protection.guess()

    @property
    def rare(self) -> float:
        """The share of guesses that are right at most afterwards and were right once in 100."""
        return self.protection.most(RARE_GUESS)


STRENGTHS: Final = (
    Strength("1", Statement("for_what_could_cost_a_job"), Statement("breaking_rules_violence_drugs")),
    Strength("2", Statement("for_what_may_embarrass"), Statement("pay_debts_workload_conflicts")),
    Strength("3", Statement("for_everyday_things"), Statement("the_way_to_work")),
)


class ReadyText(NamedTuple):
    """What its button says, and what it writes."""

    button: Statement
    text: Statement


READY: Final[Mapping[str, tuple[ReadyText, ...]]] = {
    "legal_basis": tuple(
        ReadyText(Statement(key), Statement(key)) for key in ("basis_consent", "basis_tasks", "basis_interest")
    ),
    "officer": (ReadyText(Statement("we_have_no_officer"), Statement("officer_none")),),
}
"""By what is stated of who is responsible."""


def with_ready_text(draft: Draft, name: str, place: str, say: Say) -> Draft:
    """The draft with one of these texts; as it is if there is none such."""
    ready = {str(number): each for number, each in enumerate(READY.get(name, ()))}.get(place)
    return draft if ready is None else replace(draft, responsible={**draft.responsible, name: say(ready.text)})
