/** Every payload that an answer may become, with its exact probability, before anything is drawn. */

import { hex, joined } from "../bytes.js";
import { ALWAYS, type Fraction, fraction, NEVER, plus, times } from "../fractions.js";
import { type Layout, stored } from "../layouts.js";
import { chances } from "../mechanisms/chances.js";
import { outputsOf } from "../reports.js";
import { type Answers, complete, headOf } from "./answers.js";
import { type Part, totalWeight } from "./arms.js";
import { fixedValue } from "./encoders.js";
import { sentBytes } from "./labelStatements.js";
import { HALF, type Point, split } from "./points.js";
import type { Numeric } from "./questionKinds.js";
import type { Survey } from "./survey.js";

/** So many payloads are listed; of more it is said how many there are. */
const MOST_LISTED = 4096n;

/** What may be sent for one answer. */
export interface Outcomes {
  /** How many payloads there are of all arms, also those that this answer does not send. */
  readonly count: bigint;
  readonly bytes: { readonly least: number; readonly most: number };
  /** Each with its exact probability, a pair of whole numbers; empty if there are more than 4,096. */
  readonly payloads: readonly Payload[];
  /** All that in a sentence. */
  readonly sentence: string;
  /** What the reports of each arm look like, in words. */
  readonly shapes: readonly (readonly string[])[];
}

export interface Payload {
  readonly bytes: Uint8Array;
  readonly chance: Fraction;
}

/** All payloads that an answer may become; nothing is drawn. */
export function outcomes(survey: Survey, answers: Answers): Outcomes {
  const completed = complete(survey, answers);
  const counts = survey.arms.map(({ parts }) =>
    parts.reduce((product, { mechanism }) => product * outputsOf(mechanism.layout), 1n),
  );
  const count = counts.reduce((a, b) => a + b, 0n);
  const bytes = sentBytes(survey);
  const length = bytes.least === bytes.most ? `${bytes.least}` : `${bytes.least} to ${bytes.most}`;
  return {
    count,
    bytes,
    payloads: count > MOST_LISTED ? [] : survey.arms.flatMap((_, arm) => payloadsOf(survey, arm, completed)),
    sentence: `One of ${count} payloads of ${length} bytes is sent.`,
    shapes: survey.arms.map(({ parts }) => parts.map(({ mechanism }) => shapeOf(mechanism.layout))),
  };
}

function payloadsOf(survey: Survey, number: number, completed: ReadonlyMap<string, unknown>): Payload[] {
  const { weight = 0, parts = [] } = survey.arms[number] ?? {};
  let payloads: Payload[] = [{ bytes: headOf(survey, number), chance: fraction(weight, totalWeight(survey.arms)) }];
  for (const part of parts) {
    const reports = reportsOf(part, completed);
    payloads = payloads.flatMap(({ bytes, chance }) =>
      reports.map((report) => ({ bytes: joined(bytes, report.bytes), chance: times(chance, report.chance) })),
    );
  }
  return payloads;
}

/** The reports of a part, each with its probability over the values that the answers may become. */
function reportsOf(part: Part, completed: ReadonlyMap<string, unknown>): Payload[] {
  const reports = new Map<string, Payload>();
  for (const [value, share] of valuesOf(part, completed)) {
    for (const [report, own] of chances(part.mechanism, value)) {
      const bytes = stored(part.mechanism.layout, report);
      const before = reports.get(hex(bytes))?.chance ?? NEVER;
      reports.set(hex(bytes), { bytes, chance: plus(before, times(share, own)) });
    }
  }
  return [...reports.values()];
}

/** Values, each with its exact probability. */
type Chances = readonly (readonly [unknown, Fraction])[];

/** The values of a part for complete answers. */
function valuesOf({ encoder, questions, answersTo }: Part, completed: ReadonlyMap<string, unknown>): Chances {
  const answers = answersTo(completed);
  const [only] = questions;
  if (encoder.point && only?.kind === "number") return both(only, encoder.point, answers[0]);
  if (encoder.kind !== "pair") return [[fixedValue(encoder, questions, answers), ALWAYS]];
  const [first = [], second = []] = questions.map(
    (question, k): Chances => (question.kind === "number" ? both(question, HALF, answers[k]) : [[answers[k], ALWAYS]]),
  );
  return first.flatMap(([a, p]) => second.map(([b, q]) => [{ tuple: [a, b] }, times(p, q)] as const));
}

/** The point below a number and the one above, those that may be drawn. */
function both(question: Numeric, point: Point, place: unknown): Chances {
  const [below, ups, reach] = split(question, point, place as number);
  const chances: Chances = [
    [BigInt(below), fraction(reach - ups, reach)],
    [BigInt(below + 1), fraction(ups, reach)],
  ];
  return chances.filter(([, chance]) => chance[0] > 0n);
}

/** What a report looks like, in words. */
function shapeOf(layout: Layout): string {
  if (layout.kind === "index") return `one of ${layout.outputs} numbers`;
  if (layout.kind === "cohort") return `one of ${layout.cohorts} cohorts, and ${layout.symbols} bits`;
  if (layout.kind === "block") return `one of ${layout.sizes.length} blocks, and ${Math.max(...layout.sizes)} bits`;
  const { symbols, weight, singleFrom } = layout;
  if (weight !== undefined) return `${symbols} bits, ${weight} of them set`;
  return `${symbols} bits${singleFrom === undefined ? "" : `, at most one of them set from bit ${singleFrom} on`}`;
}
