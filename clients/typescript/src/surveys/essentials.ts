/** The numbers from which a page that a collector wrote says, in a picture, how little is told; the device has its own. */

import type { Fraction } from "../fractions.js";
import { fitsOf } from "../mechanisms/fits.js";
import { levelOfAll } from "./arms.js";
import type { Survey } from "./survey.js";

/**
 * The level of a whole answer; in a crowd how far the mixed ones move a belief; and of the first question, if its reports
 * fit labels, how often one fits which.
 */
export interface Essentials {
  readonly level: number;
  readonly belief: number | null;
  readonly own: number | null;
  readonly other: number | null;
}

/** A share of the people as a number. */
export function shareOf([numerator, denominator]: Fraction): number {
  return Number((numerator << 53n) / denominator) / 2 ** 53;
}

/** What is said before consent of one survey. */
export function essentialsOf({ arms, questions, crowd }: Survey): Essentials {
  const [first] = questions.keys();
  const parts = arms.flatMap((arm) => arm.parts).filter(({ names }) => names.includes(first as string));
  const shares = parts.map(({ encoder, mechanism }) => (encoder.kind === "label" ? fitsOf(mechanism) : undefined));
  const [own, other] = shares[0]?.map(shareOf) ?? [];
  const alike = parts.every(({ mechanism }) => mechanism.toJson() === parts[0]?.mechanism.toJson());
  const belief = crowd?.belief ?? null;
  return { level: levelOfAll(arms), belief, own: (alike && own) || null, other: (alike && other) || null };
}

/** Whether what a page said is what the survey says, up to what a double cannot tell. */
export function isAsTold(survey: Survey, shown: Essentials): boolean {
  const own = essentialsOf(survey);
  const near = (a: number | null, b: number | null) => a === b || (a !== null && b !== null && Math.abs(a - b) < 1e-9);
  const levels = own.level === shown.level && own.belief === shown.belief;
  return levels && near(own.own, shown.own) && near(own.other, shown.other);
}
