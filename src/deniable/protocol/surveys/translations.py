"""What people read of a survey in each of its languages: the author's own, and translations, complete or refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..canonical import Spec
from ..errors import ParameterError
from ..fields import check_words
from ..questions.number import check_unit
from ..questions.question import Question, QuestionWords

TAG = re.compile(
    "[a-z]{2,8}(-[a-z]{3}){0,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"
    "(-[a-wyz0-9](-[a-z0-9]{2,8})+)*(-x(-[a-z0-9]{1,8})+)?"
)
"""A language tag as BCP 47 has it, in its usual letters, so that no language is written in two ways."""
LONGEST_TAG = 64


class SurveyWords(NamedTuple):
    """What people read of a survey, in one language."""

    title: str
    purpose: str
    questions: Mapping[str, QuestionWords]

    def to_json(self) -> Spec:
        """The words as a document holds a translation."""
        asked = {name: own.to_json() for name, own in self.questions.items()}
        return {"title": self.title, "purpose": self.purpose, "questions": asked}


def check_language(value: Any) -> str:
    """A language tag.

    >>> check_language("de"), check_language("pt-BR"), check_language("zh-Hant")
    ('de', 'pt-BR', 'zh-Hant')
    """
    if isinstance(value, str) and len(value) <= LONGEST_TAG and TAG.fullmatch(value):
        return value
    got = repr(value) if isinstance(value, str) and len(value) <= LONGEST_TAG else type(value).__name__
    raise ParameterError(f'a language must be a BCP 47 tag in its usual letters, such as "de" or "pt-BR", got {got}')


def nearest(languages: Sequence[str], wanted: Iterable[str]) -> str | None:
    """The language for somebody who reads those ``wanted``, dearest first: the tag itself, or one of its language.

    The survey's own, which is the first, if there is none; None only if the survey names no language.

    >>> nearest(["en", "de-CH", "de"], ["fr", "de-AT"]), nearest(["en", "de"], ["tr"])
    ('de-CH', 'en')
    """
    for tag in (each.strip().lower() for each in wanted):
        alike = [own for own in languages if own.lower().split("-")[0] == tag.split("-")[0]]
        if alike:
            return next((own for own in alike if own.lower() == tag), alike[0])
    return languages[0] if languages else None


def read_translations(given: Any, language: str | None, own: SurveyWords) -> Mapping[str, SurveyWords]:
    """The translations of what a survey says in its own ``language``."""
    if not isinstance(given, Mapping) or not given:
        got = "none" if isinstance(given, Mapping) else type(given).__name__
        raise ParameterError(f"translations must hold a language or more, each by its tag, got {got}")
    if language is None:
        raise ParameterError("translations must come with the language of the survey's own wordings, got none")
    translations = {check_language(tag): _Reader(tag, own).read(words) for tag, words in given.items()}
    if language in translations:
        raise ParameterError(f"translations must be into other languages than the survey's own, got {language!r}")
    return translations


class _Reader:
    """Reads the translation into one language, and says in errors which one it is."""

    def __init__(self, tag: str, own: SurveyWords) -> None:
        self._tag = tag
        self._own = own

    def read(self, given: Any) -> SurveyWords:
        """The words of a translation, given as plain values or as words that were read before."""
        plain = given.to_json() if isinstance(given, SurveyWords) else given
        title, purpose, asked = self._fields("title, purpose and questions", plain, SurveyWords._fields)
        names = tuple(self._own.questions)
        each = dict(zip(names, self._fields("a translation of every question", asked, names), strict=True))
        questions = {name: self._question(name, each[name], own) for name, own in self._own.questions.items()}
        return SurveyWords(
            self._text("the title", title, self._own.title),
            self._text("the purpose", purpose, self._own.purpose),
            questions,
        )

    def _question(self, name: str, given: Any, own: QuestionWords) -> QuestionWords:
        """The words of one question: just the fields that its own words have, of which empty ones are left out."""
        fields = tuple(own.to_json())
        by_field = dict(zip(fields, self._fields(f"{' and '.join(fields)} of {name!r}", given, fields), strict=True))
        wording = self._text(f"the wording of {name!r}", by_field["wording"], own.wording)
        labels = self._labels(name, by_field["labels"], len(own.labels)) if own.labels else ()
        unit = check_unit(self._text(f"the unit of {name!r}", by_field["unit"], own.unit)) if own.unit else ""
        heading = self._text(f"the heading of {name!r}", by_field["heading"], own.heading) if own.heading else ""
        return QuestionWords(wording, labels, unit, heading)

    def _labels(self, name: str, given: Any, count: int) -> tuple[str, ...]:
        """The translated labels of a question: as many as its own, all different."""
        if not isinstance(given, list | tuple) or len(given) != count:
            got = f"{len(given)}" if isinstance(given, list | tuple) else type(given).__name__
            raise self._refused(f"{count} labels of {name!r}, in the order of its own", got)
        labels = tuple(self._text(f"every label of {name!r}", label, "a text") for label in given)
        if len(set(labels)) < count:
            twice = next(label for label in labels if labels.count(label) > 1)
            raise self._refused(f"different labels of {name!r}", f"{twice!r} twice")
        return labels

    def _text(self, what: str, given: Any, own: str) -> str:
        """A text, which is empty where the survey's own is, and nowhere else."""
        text = check_words(f"{what} in {self._tag!r}", given)
        if bool(text) != bool(own):
            raise self._refused(*((f"a text for {what}", "none") if own else (f"no text for {what}", "one")))
        return text

    def _fields(self, wanted: str, given: Any, names: Sequence[str]) -> list[Any]:
        """The values of an object that has these fields and no others."""
        if not isinstance(given, Mapping) or given.keys() != set(names):
            missing = [name for name in names if not isinstance(given, Mapping) or name not in given]
            raise self._refused(wanted, f"no {missing[0]!r}" if missing else "more")
        return [given[name] for name in names]

    def _refused(self, wanted: str, got: str) -> ParameterError:
        return ParameterError(f"the translation into {self._tag!r} must have {wanted}, got {got}")


def words_of(title: str, purpose: str, questions: Iterable[Question]) -> SurveyWords:
    """What people read in the language that the survey is written in."""
    return SurveyWords(title, purpose, {question.name: question.words for question in questions})
