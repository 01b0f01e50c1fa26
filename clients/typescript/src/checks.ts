/** Checks of numbers and words in specs and surveys. */

import { isList, type Json } from "./canonical.js";
import { ParameterError } from "./errors.js";
import { exact, type Fraction } from "./odds.js";

const SMALLEST_EPSILON = 1e-6;
const LARGEST_EPSILON = 32;
/** The largest integer of a document. */
export const LARGEST = 0x7fff_ffff_ffff_ffffn;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** How far from 1 the sum of a prior may be. */
const SLACK = 1e-9;

/** `value` as a number if it is an integer from `least` to `most`, both included. */
export function checkInt(name: string, value: Json | undefined, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== "bigint" || value < least || value > most) {
    throw new ParameterError(`${name} must be an integer from ${least} to ${most}, got another value`);
  }
  return Number(value);
}

/** The same of one that may be as large as a document's integers are. */
export function checkCount(name: string, value: Json | undefined, least = 1n, most = LARGEST): bigint {
  if (typeof value === "bigint" && value >= least && value <= most) return value;
  throw new ParameterError(`${name} must be an integer from ${least} to ${most}, got another value`);
}

/** The same of an integer from 1 on, or null. */
export function intOrNull(value: Json | undefined, name: string, most: number): number | null {
  return value === null ? null : checkInt(name, value, 1, most);
}

/** It as a document holds it. */
export function wholeOrNull(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}

/** `value` as a number if it is a finite one above 0. */
export function checkPositive(name: string, value: Json | undefined): number {
  const number = isNumber(value) ? Number(value) : 0;
  if (!(number > 0 && number < Infinity)) {
    throw new ParameterError(`${name} must be a finite number above 0, got another value`);
  }
  return number;
}

/** A level for which odds can be certified in 64 bits. */
export function checkEpsilon(value: Json | undefined, name = "epsilon"): number {
  const level = checkPositive(name, value);
  if (level < SMALLEST_EPSILON || level > LARGEST_EPSILON) {
    throw new ParameterError(`${name} must be from ${SMALLEST_EPSILON} to ${LARGEST_EPSILON}, got ${name}=${level}`);
  }
  return level;
}

/** `value` if it is true or false; false where it is left out. */
export function checkFlag(name: string, value: Json | undefined): boolean {
  const flag = value ?? false;
  if (typeof flag === "boolean") return flag;
  throw new ParameterError(`${name} must be true or false, got another value`);
}

/** `value` if it is one of the texts `choices`. */
export function checkChoice<T extends string>(name: string, value: Json | undefined, choices: readonly T[]): T {
  const match = choices.find((choice) => choice === value);
  if (!match) throw new ParameterError(`${name} must be one of ${choices.join(", ")}, got another value`);
  return match;
}

/** A probability for each label: finite, not negative, adding up to 1 within 1e-9. */
export function checkPrior(value: Json | undefined, labels: number): number[] {
  const shares = isList(value) && value.every(isNumber) ? value.map(Number) : [];
  if (shares.length !== labels || !shares.every((share) => share >= 0 && share < Infinity)) {
    throw new ParameterError(`prior must be ${labels} probabilities, got something else`);
  }
  const [sum, unit] = exactSum(shares);
  if (Math.abs(Number(((sum - unit) << 64n) / unit)) > SLACK * 2 ** 64) {
    throw new ParameterError("prior must add up to 1, got another sum");
  }
  return shares;
}

/** The sum of doubles, without rounding: many small ones would lose more than the slack. All units are powers of two. */
function exactSum(shares: readonly number[]): Fraction {
  return shares
    .map(exact)
    .reduce(([sum, unit], [numerator, own]) =>
      own > unit ? [sum * (own / unit) + numerator, own] : [sum + numerator * (unit / own), unit],
    );
}

/** The members of a list. */
export function checkList(value: Json | undefined): readonly Json[] {
  if (!isList(value)) throw new TypeError("no list");
  return value;
}

/** Whether a value is an integer or a float. */
export function isNumber(value: Json | undefined): value is bigint | number {
  return typeof value === "bigint" || typeof value === "number";
}

/** Whether a text is a date of the years 1 to 9999. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) && text > "0001" ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Whether a value is text that UTF-8 can hold: no lone surrogates. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && !/\p{Cs}/u.test(value);
}
