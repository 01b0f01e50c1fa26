"""Questions with an ordered list of answers."""

from __future__ import annotations

from dataclasses import replace

from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.one_of import OneOfPage
from deniable.pages.results.shares import ScaleResult
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.scale import Scale
from deniable.protocol.say import Phrase, Statement


class ScalePage(OneOfPage):
    """One label is the answer, as of ``OneOf``; the mean needs a caution."""

    caution = Statement("the_mean_counts_every_step")
    result = ScaleResult()
    title = Statement("a_scale")
    hint = Statement("never_to_always_in_order")
    fields = "answers"
    preview = "one"

    def to_question(self, question: DraftQuestion, name: str) -> Scale:
        """A question from the answers of a draft, in their order; everybody is protected."""
        return Scale(name, question.written, question.wording, question.only_if, question.heading)

    def to_draft(self, question: OneOf, before: DraftQuestion) -> DraftQuestion:
        return replace(super().to_draft(question, before), heading=question.words.heading, rows=())

    def brief(self, question: DraftQuestion) -> Phrase:
        scale = Statement("a_scale_of", count=len(question.written))
        return Statement("scale_of_lines", scale=scale, count=len(question.rows)) if question.is_grid else scale
