/** How a guarantee is said to the person asked: what is promised, how far a belief can move, what stays open. */

import { percent, type Sayings, say, type Values, written } from "../languages/language.js";
import { general, up } from "../numbers.js";
import { chargeOf, pairLevels, plainLevel } from "../privacy/guarantees.js";
import type { Distance, EachItem, Guarantee, Pairwise } from "../privacy/kinds.js";

/** What somebody may have believed of an answer before, for which the label says what they may believe after. */
const BELIEFS = [0.01, 0.1, 0.5];
/** Beyond e^14, 1.2 million, the factor is written as a power: its digits say nothing to anybody. */
const READABLE = 14;
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

/** A sentence on each belief, rounded outwards; of a huge factor that it is of no use. */
export function moved(
  language: Sayings,
  key: "belief" | "round_belief" | "life_belief",
  level: number,
  values: Values = {},
): string[] {
  if (level > READABLE && level < Infinity) return [say(language, "huge")];
  return beliefs(level).map(({ before, least, most }) =>
    say(language, key, {
      before: percent(language, before, 0),
      least: percent(language, Math.floor(least * 1000) / 1000, 1),
      most: percent(language, Math.ceil(most * 1000) / 1000, 1),
      ...values,
    }),
  );
}

/** How many times likelier, rounded up; as a power where the digits would say nothing. */
export function factor(language: Sayings, level: number): string {
  return written(language, level <= READABLE ? up(Math.exp(level)) : `e^${general(level)}`);
}

/** What a guarantee promises about one report. */
export function promised(language: Sayings, guarantee: Guarantee): string {
  if (guarantee.kind === "pairwise") return ofPairs(language, guarantee);
  const most = { factor: factor(language, guarantee.epsilon) };
  if (guarantee.kind === "highLow") return say(language, "protected", most);
  if (guarantee.kind === "blocks") return say(language, "grouped", most);
  if (guarantee.kind === "distance") return byDistance(language, guarantee);
  if (guarantee.kind === "eachItem") return say(language, guarantee.oneSided ? "listed_held" : "listed", most);
  const level = plainLevel(guarantee);
  if (level === Infinity) return say(language, "claimed", { promise: claimed(language, guarantee) });
  const any = say(language, "any", { factor: factor(language, level) });
  return guarantee.kind === "prior" && !guarantee.oneSided ? say(language, "relative", { ...most, any }) : any;
}

/** What a guarantee does not cover of a question. */
export function leftOpen(language: Sayings, guarantee: Guarantee, name: string): string[] {
  switch (guarantee.kind) {
    case "highLow": {
      const [count, others] = [guarantee.places.length, guarantee.domain.size - guarantee.places.length];
      const [kept, rest] = [say(language, "kept", { count }), say(language, "rest", { count: others })];
      return [say(language, "open_labels", { name, kept, rest })];
    }
    case "blocks":
      return [say(language, "open_group", { name, count: guarantee.places.length })];
    case "distance":
      return [say(language, "open_far", { name, factor: factor(language, plainLevel(guarantee)) })];
    case "eachItem":
      return [itemsOpen(language, guarantee, name)];
    case "prior":
      return [say(language, "open_prior", { name })];
    default:
      return plainLevel(guarantee) < Infinity ? [] : [say(language, "open_pairs", { name })];
  }
}

function byDistance(language: Sayings, guarantee: Distance): string {
  const [near, count] = [factor(language, guarantee.epsilon), Math.min(FAR, guarantee.domain.size - 1)];
  if (count === 1) return say(language, "near", { factor: near });
  return say(language, "near_far", { factor: near, most: factor(language, pairLevels(guarantee)(0, count)), count });
}

function itemsOpen(language: Sayings, guarantee: EachItem, name: string): string {
  if (guarantee.oneSided) return say(language, "open_absence", { name });
  const most = factor(language, plainLevel(guarantee));
  return say(language, "open_lists", { name, count: guarantee.labels.size, factor: most });
}

/** The name of a promise that leaves some report unbounded. */
function claimed(language: Sayings, guarantee: Extract<Guarantee, { kind: "ldp" | "prior" }>): string {
  const level = written(language, general(guarantee.epsilon));
  if (guarantee.kind === "ldp") return say(language, "claimed_plain", { level });
  const key = guarantee.oneSided ? "claimed_prior_held" : "claimed_prior";
  return say(language, key, { level, count: guarantee.domain.size });
}

/** Of a guarantee that binds some pairs of answers alone, or all of them. */
function ofPairs(language: Sayings, guarantee: Pairwise): string {
  const level = plainLevel(guarantee);
  if (level < Infinity) return say(language, "any", { factor: factor(language, level) });
  const pairs = guarantee.matrix.flatMap((row, x) => row.filter((_, z) => z !== x));
  if (pairs.every((each) => each === Infinity)) return say(language, "no_pair");
  return say(language, "some_pairs", { factor: factor(language, chargeOf(guarantee)) });
}
