/** What a label states of a guarantee: what is promised, how far a belief can move, what stays open. */

import type { Statement, Values } from "../languages/language.js";
import { outwards, READABLE } from "../numberFormats.js";
import type { Guarantee, Pairwise } from "../privacy/guaranteeKinds.js";
import { chargeOf, pairLevels, plainLevel } from "../privacy/guarantees.js";

/** What somebody may have believed of an answer before, for which the label says what they may believe after. */
const BELIEFS = [0.01, 0.1, 0.5];
/** Of answers in an order the label also says how well one so many places away is protected. */
const FAR = 10;

/** How far a belief can move: before, and at least and at most after. */
export interface Belief {
  readonly before: number;
  readonly least: number;
  readonly most: number;
}

/** How far one answer can move a belief, by Bayes, at a level of plain LDP. */
export function beliefs(level: number): Belief[] {
  if (level === Infinity) return [];
  const odds = Math.exp(Math.min(level, 700));
  return BELIEFS.map((b) => ({ before: b, least: b / (b + (1 - b) * odds), most: (b * odds) / (b * odds + 1 - b) }));
}

/** A statement on each belief, rounded outwards; of a huge factor that it is of no use. */
export function beliefStatements(
  key: "belief" | "round_belief" | "life_belief" | "crowd_belief",
  level: number,
  values: Values = {},
): Statement[] {
  if (level > READABLE && level < Infinity) return [["huge"]];
  return beliefs(level).map(({ before, least, most }) => {
    return [key, { before, least: outwards(least, false), most: outwards(most, true), ...values }];
  });
}

/** What a guarantee promises about one report. */
export function promiseStatement(guarantee: Guarantee): Statement {
  if (guarantee.kind === "pairwise") return ofPairs(guarantee);
  const { epsilon: level } = guarantee;
  if (guarantee.kind === "eachItem") return [guarantee.oneSided ? "listed_held" : "listed", { level }];
  if (guarantee.kind === "distance") {
    const count = Math.min(FAR, guarantee.domain.size - 1);
    return count === 1 ? ["near", { level }] : ["near_far", { level, far: pairLevels(guarantee)(0, count), count }];
  }
  const whole = plainLevel(guarantee);
  if (whole < Infinity) {
    const any: Statement = ["any", { level: whole }];
    return guarantee.kind === "prior" && !guarantee.oneSided ? ["relative", { level, any }] : any;
  }
  if (guarantee.kind === "highLow") return ["protected", { level }];
  if (guarantee.kind === "ldp") return ["no_level"];
  if (guarantee.kind === "prior") return ["claimed", { promise: claimed(guarantee) }];
  return guarantee.places.every((block) => block.length === 1) ? ["no_pair"] : ["grouped", { level }];
}

/** What a guarantee does not cover of a question. */
export function unprotectedStatements(guarantee: Guarantee, name: string): Statement[] {
  const of: Statement = ["question", { name }];
  switch (guarantee.kind) {
    case "highLow": {
      const count = guarantee.places.length;
      const others = guarantee.domain.size - count;
      return others ? [["open_labels", { of, kept: ["kept", { count }], rest: ["rest", { count: others }] }]] : [];
    }
    case "blocks":
      return guarantee.places.length > 1 ? [["open_group", { of, count: guarantee.places.length }]] : [];
    case "distance":
      return [["open_far", { of, level: plainLevel(guarantee) }]];
    case "eachItem":
      if (guarantee.oneSided) return [["open_absence", { of }]];
      return [["open_lists", { of, count: guarantee.labels.size, level: plainLevel(guarantee) }]];
    case "prior":
      return [["open_prior", { of }]];
    default:
      return plainLevel(guarantee) < Infinity ? [] : [["open_pairs", { of }]];
  }
}

/** What a promise is called that leaves some report unbounded. */
function claimed(guarantee: Extract<Guarantee, { kind: "prior" }>): Statement {
  return [guarantee.oneSided ? "lip_held" : "lip", { level: guarantee.epsilon, count: guarantee.domain.size }];
}

/** Of a guarantee that binds some pairs of answers alone, or all of them. */
function ofPairs(guarantee: Pairwise): Statement {
  const level = plainLevel(guarantee);
  if (level < Infinity) return ["any", { level }];
  const pairs = guarantee.matrix.flatMap((row, x) => row.filter((_, z) => z !== x));
  return pairs.every((each) => each === Infinity) ? ["no_pair"] : ["some_pairs", { level: chargeOf(guarantee) }];
}
