/** The values that one person's answers may become, each with its exact probability; nothing is drawn. */

import { ALWAYS, type Fraction, fraction, times } from "../fractions.js";
import type { Part } from "./arms.js";
import { fixed } from "./encoders.js";
import { HALF, type Point, split } from "./points.js";
import type { Numeric } from "./questionKinds.js";

/** Values, each with its exact probability. */
export type Chances = readonly (readonly [unknown, Fraction])[];

/** The values of a part for complete answers. */
export function valuesOf({ encoder, questions, answersTo }: Part, given: ReadonlyMap<string, unknown>): Chances {
  const answers = answersTo(given);
  const [only] = questions;
  if (encoder.point && only?.kind === "number") return both(only, encoder.point, answers[0]);
  if (encoder.kind !== "pair") return [[fixed(encoder, questions, answers), ALWAYS]];
  const [first = [], second = []] = questions.map(
    (question, k): Chances => (question.kind === "number" ? both(question, HALF, answers[k]) : [[answers[k], ALWAYS]]),
  );
  return first.flatMap(([a, p]) => second.map(([b, q]) => [{ tuple: [a, b] }, times(p, q)] as const));
}

/** The point below a number and the one above, those that may be drawn. */
function both(question: Numeric, point: Point, place: unknown): Chances {
  const [below, ups, reach] = split(question, point, place as number);
  const found: Chances = [
    [BigInt(below), fraction(reach - ups, reach)],
    [BigInt(below + 1), fraction(ups, reach)],
  ];
  return found.filter(([, chance]) => chance[0] > 0n);
}
