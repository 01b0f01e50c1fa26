/** What people read of a survey in each of its languages: the author's own, and translations. */

import type { Json } from "../canonical.js";
import { ParameterError } from "../errors.js";
import type { Label } from "../labels.js";
import { labelsOf } from "../values.js";
import type { Question } from "./questionKinds.js";

/** A tag of BCP 47 in its usual letters, so that no language is written in two ways. */
const TAG =
  /^(?!.{65})[a-z]{2,8}(-[a-z]{3}){0,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?(-([a-z\d]{5,8}|\d[a-z\d]{3}))*(-[a-wyz\d](-[a-z\d]{2,8})+)*(-x(-[a-z\d]{1,8})+)?$/;

/** What people read of a question, in one language. */
export interface QuestionTexts {
  readonly wording: string;
  /** Those of its labels, in their order, if it has any. */
  readonly labels?: readonly Label[];
  /** That of its table, if it is a row of one. */
  readonly heading?: string;
  /** Its unit, if it has one. */
  readonly unit?: string;
}

/** What people read of a survey, in one language. */
export interface SurveyTexts {
  readonly title: string;
  readonly purpose: string;
  readonly questions: Readonly<Record<string, QuestionTexts>>;
}

/** A survey as far as people read it. */
export interface Worded extends Pick<SurveyTexts, "title" | "purpose"> {
  readonly questions: ReadonlyMap<string, Question>;
  readonly language?: string;
  readonly translations?: Readonly<Record<string, SurveyTexts>>;
}

/** A language's tag. */
export function checkLanguage(field: string, value: Json | undefined): string {
  if (typeof value === "string" && TAG.test(value)) return value;
  throw new ParameterError(`${field} must be a BCP 47 tag such as "de" or "pt-BR", got another`);
}

/** The languages that a survey is asked in, its own first; none if it does not say. */
export function languagesOf({ language, translations = {} }: Worded): string[] {
  return language ? [language, ...Object.keys(translations).sort()] : [];
}

/** What people read in one of a survey's languages; in its own, unless told or where there is no other. */
export function texts(survey: Worded, language = ""): SurveyTexts {
  const { translations = {} } = survey;
  return (Object.hasOwn(translations, language) && translations[language]) || ownTexts(survey);
}

/** What people read in its own language. */
export function ownTexts({ title, purpose, questions }: Worded): SurveyTexts {
  const byName = [...questions].map(([name, question]) => [name, textsOf(question)] as const);
  return { title, purpose, questions: Object.fromEntries(byName) };
}

/** The language for somebody who reads those `wanted`, dearest first: the tag itself, one of its language, or the first. */
export function nearest(languages: readonly string[], wanted: readonly string[]): string | undefined {
  for (const tag of wanted.map((each) => each.toLowerCase())) {
    const alike = languages.filter((own) => firstOf(own) === firstOf(tag));
    if (alike.length) return alike.find((own) => own.toLowerCase() === tag) ?? alike[0];
  }
  return languages[0];
}

/** What a person reads, and the tag of its language, if the survey says it. */
export interface Wordings extends SurveyTexts {
  readonly lang: string | undefined;
}

/** The words for somebody who reads these languages, the dearest first. */
export function wordingsFor(survey: Worded, wanted: readonly string[]): Wordings {
  const lang = nearest(languagesOf(survey), wanted);
  return { ...texts(survey, lang), lang };
}

function firstOf(tag: string): string | undefined {
  return tag.split("-")[0];
}

function textsOf(question: Question): QuestionTexts {
  const { wording } = question;
  if ("labels" in question) {
    const heading = "heading" in question && { heading: question.heading };
    return { wording, labels: labelsOf(question.labels), ...heading };
  }
  return "unit" in question && question.unit ? { wording, unit: question.unit } : { wording };
}
