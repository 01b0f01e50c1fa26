/** Checks of a survey's own fields: names, words and times. */

import type { Json } from "../canonical.js";
import { isDay, isText } from "../checks.js";
import { ParameterError } from "../errors.js";

const SURVEY = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const QUESTION = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;
const TIME = /^([1-9]\d{3}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
/** The most characters of a title, a purpose or a question's wording. */
export const MOST_WORDS = 4000;
/** The most characters of a unit. */
export const MOST_UNIT = 40;

/** A name that can stand in an address: lower-case letters, digits and hyphens. */
export function checkSurveyName(field: string, value: Json | undefined): string {
  if (typeof value === "string" && SURVEY.test(value)) return value;
  throw new ParameterError(
    `${field} must be 1 to 64 lower-case letters, digits and hyphens, and neither begin nor end with a hyphen, got another`,
  );
}

/** A question's name: a letter, then letters, digits, hyphens and underscores. */
export function checkQuestionName(value: Json | undefined): string {
  if (typeof value === "string" && QUESTION.test(value)) return value;
  throw new ParameterError(
    "a question's name must be a letter, then up to 62 letters, digits, hyphens and underscores, got another",
  );
}

/** Words for people: text in Unicode, perhaps empty, and not endless. */
export function checkWords(field: string, value: Json | undefined): string {
  if (isText(value) && characters(value).length <= MOST_WORDS) return value;
  throw new ParameterError(`${field} must be text in Unicode of at most ${MOST_WORDS} characters, got another value`);
}

/** A time in UTC to the second, or null; times in this form sort as texts do. */
export function checkTime(field: string, value: Json | undefined): string | null {
  if (value === null || (typeof value === "string" && isDay(TIME.exec(value)?.[1] ?? ""))) return value;
  throw new ParameterError(`${field} must be a time in UTC such as "2026-08-01T00:00:00Z", or null, got another value`);
}

/** The characters of a text: code points, not units of UTF-16. */
export function characters(text: string): string[] {
  return Array.from(text);
}
