/** Grids: numbers and dates in whole steps between two bounds, exactly: no answer is rounded twice. */

import { isList, type Json, type Spec } from "../canonical.js";
import { isDay } from "../checks.js";
import { ParameterError } from "../errors.js";
import type { Fraction } from "../odds.js";
import { characters, checkWords, MOST_UNIT } from "./fields.js";

/** Squares of places times a few levels are then exact numbers. */
export const MOST_STEPS = 2 ** 20;
/** How a document writes a number: in the one way that has no digit too many. */
const DECIMAL = /^-?(0|[1-9]\d{0,14})(\.\d{0,8}[1-9])?$/;
const DAY = 86_400_000;
const WANTS = ["mean", "quantiles", "histogram", "spread"];

/** The numbers `low`, `low + step`, and so on; of `dated` scales the days since 1970. */
export interface Grid {
  readonly low: Fraction;
  readonly step: Fraction;
  readonly steps: number;
  readonly dated: boolean;
  /** The bounds and the step as the document writes them. */
  readonly written: Spec;
}

/** The scale that a document's question holds. */
export function readGrid({ low, high, step }: Spec): Grid {
  const written = { low, high, step } as Spec;
  const [least, dated] = readBound(low);
  const [most, also] = readBound(high);
  const [width, never] = readBound(step);
  if (dated !== also || never || width[0] <= 0n || (dated && width[1] > 1n)) {
    throw new ParameterError("low and high must be two numbers or two dates, and step fit them, got others");
  }
  const [steps, rest] = divided(minus(most, least), width);
  if (rest || steps < 1n || steps > MOST_STEPS) {
    throw new ParameterError(`high must be low plus 1 to ${MOST_STEPS} whole steps, got another`);
  }
  return { low: least, step: width, steps: Number(steps), dated, written };
}

/** What is wanted of a number, each once and in the order of `WANTS`, and its unit. */
export function readWishes(fields: Spec) {
  const unit = checkWords("unit", fields["unit"]);
  const want = isList(fields["want"]) ? fields["want"] : [];
  const wishes = WANTS.filter((each) => want.includes(each));
  if (characters(unit).length > MOST_UNIT || !want.length || `${want}` !== `${wishes}`) {
    throw new ParameterError(`unit must be short, and want some of ${WANTS.join(", ")} in this order, got others`);
  }
  return { unit, want: wishes };
}

/** The place of an answer: the nearest step, the higher of two that are as near; undefined if it is none. */
export function placeOf({ low, step, steps, dated }: Grid, answer: unknown): number | undefined {
  const number = dated ? dayOf(answer) : exactly(answer);
  if (!number) return undefined;
  const [numerator, denominator] = minus(number, low);
  const [above, below] = [2n * numerator * step[1] + denominator * step[0], 2n * denominator * step[0]];
  return above < 0n ? 0 : Math.min(Number(above / below), steps);
}

/** The number at a place. */
export function numberAt({ low: [n, d], step: [m, e] }: Grid, place: number): number {
  return Number(n * e + BigInt(place) * m * d) / Number(d * e);
}

function readBound(written: Json | undefined): [Fraction, boolean] {
  if (typeof written === "string" && DECIMAL.test(written) && written !== "-0") return [decimal(written), false];
  const day = dayOf(written);
  if (!day) throw new ParameterError("a bound must be a number in the shortest way or a date, got another text");
  return [day, true];
}

/** The number that people read: of a double the shortest decimal that gives it. */
function exactly(answer: unknown): Fraction | undefined {
  if (typeof answer === "bigint") return [answer, 1n];
  return typeof answer === "number" && Number.isFinite(answer) ? decimal(`${answer}`) : undefined;
}

/** The day of a date, since 1970; the date may be written as 2026-08-01. */
function dayOf(given: unknown): Fraction | undefined {
  const text = given instanceof Date && !Number.isNaN(given.getTime()) ? given.toISOString().slice(0, 10) : given;
  return typeof text === "string" && isDay(text) ? [BigInt(Date.parse(`${text}T00:00:00Z`) / DAY), 1n] : undefined;
}

/** A decimal such as -2.5 or 1e-7 as a fraction. */
function decimal(text: string): Fraction {
  const [digits = "", exponent = "0"] = text.split("e");
  const [whole = "", after = ""] = digits.split(".");
  const power = Number(exponent) - after.length;
  const number = BigInt(whole + after);
  return power < 0 ? [number, 10n ** BigInt(-power)] : [number * 10n ** BigInt(power), 1n];
}

function minus([n, d]: Fraction, [m, e]: Fraction): Fraction {
  return [n * e - m * d, d * e];
}

/** How often one fraction goes into another, towards zero, and whether something is left. */
function divided([n, d]: Fraction, [m, e]: Fraction): [bigint, boolean] {
  return [(n * e) / (d * m), (n * e) % (d * m) !== 0n];
}
