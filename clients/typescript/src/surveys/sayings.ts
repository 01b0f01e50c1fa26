/** How a guarantee is said to the person asked: what is promised, how far a belief can move, what stays open. */

import { general, percent, up } from "../numbers.js";
import { chargeOf, describe, plainLevel } from "../privacy/guarantees.js";
import type { EachItem, Guarantee } from "../privacy/kinds.js";

/** What somebody may have believed of an answer before, for which the label says what they may believe after. */
const BELIEFS = [0.01, 0.1, 0.5];
/** Beyond e^14, 1.2 million, the factor is written as a power: its digits say nothing to anybody. */
const READABLE = 14;
const HUGE = "So large a factor is no protection to rely on.";
export const SEEN = "after seeing what you send";
export const ABOUT = "of one of your answers";
export const TAKING_PART = "That you took part, and when, is not hidden by the randomness.";

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

/** The promise, then a sentence on each belief, rounded outwards; of a huge factor that it is of no use. */
export function said(promise: string, level: number, holder = "Somebody who", seen = SEEN): string[] {
  if (level > READABLE && level < Infinity) return [promise, HUGE];
  const moved = beliefs(level).map(({ before, least, most }) => {
    const [high, low] = [Math.ceil(most * 1000) / 1000, Math.floor(least * 1000) / 1000];
    return (
      `${holder} was ${percent(before, 0)} sure ${ABOUT} can be at most ${percent(high, 1)} sure, ` +
      `and is at least ${percent(low, 1)} sure, ${seen}.`
    );
  });
  return [promise, ...moved];
}

/** How many times likelier, rounded up; as a power where the digits would say nothing. */
export function factor(level: number): string {
  return level <= READABLE ? up(Math.exp(level)) : `e^${general(level)}`;
}

/** What a guarantee promises about one report. */
export function promised(guarantee: Guarantee): string {
  const most = `What is sent is at most ${factor(guarantee.kind === "pairwise" ? 0 : guarantee.epsilon)} times likelier`;
  if (guarantee.kind === "highLow") return `${most} from a protected answer than from any other.`;
  if (guarantee.kind === "blocks") return `${most} from one answer of a group than from another of it.`;
  if (guarantee.kind === "eachItem") {
    const other = guarantee.oneSided ? "" : ", and the other way round";
    return `${most} from a list with a certain label than from the same list without it${other}.`;
  }
  const level = plainLevel(guarantee);
  return level < Infinity ? `${relative(guarantee)}${plain(level, "your answer")}` : inPart(guarantee);
}

/** A level of plain LDP in words. */
export function plain(level: number, answers: string): string {
  return `What is sent is at most ${factor(level)} times likelier from ${answers} than from any other.`;
}

/** What a guarantee does not cover; `of` names the question. */
export function leftOpen(guarantee: Guarantee, of: string): string[] {
  switch (guarantee.kind) {
    case "highLow": {
      const [kept, others] = [guarantee.places.length, guarantee.domain.size - guarantee.places.length];
      const which = kept === 1 ? "1 answer is protected" : `${kept} answers are protected`;
      const rest = others === 1 ? "the other answer" : `one of the other ${others}`;
      return [`Of ${of} only ${which}; that you gave ${rest}, and so none that is protected, may show.`];
    }
    case "blocks":
      return [`Of ${of} it is not hidden in which of ${guarantee.places.length} groups of answers yours is.`];
    case "eachItem":
      return [itemsOpen(guarantee, of)];
    case "prior":
      return [`The promise about ${of} is relative to how people were known to answer before.`];
    default:
      if (plainLevel(guarantee) < Infinity) return [];
      return [`Of ${of} some pairs of answers can be told apart with certainty.`];
  }
}

function itemsOpen(guarantee: EachItem, of: string): string {
  if (guarantee.oneSided) return `Of ${of} it may show that a label is not on your list.`;
  return (
    `Of ${of} each label is protected by itself; lists that differ in all ${guarantee.labels.size} labels are ` +
    `protected only up to a factor of ${factor(plainLevel(guarantee))}.`
  );
}

/** What information privacy says of people who answer as was known before. */
function relative(guarantee: Guarantee): string {
  if (guarantee.kind !== "prior" || guarantee.oneSided) return "";
  const often = factor(guarantee.epsilon);
  return (
    `If people answer as was known before, what is sent makes no answer more than ${often} times as likely as it ` +
    `was, and none less likely than it was divided by ${often}. `
  );
}

/** Of a guarantee that binds some pairs of answers alone. */
function inPart(guarantee: Guarantee): string {
  if (guarantee.kind !== "pairwise")
    return `No level holds for every report; what is promised is ${describe(guarantee)}.`;
  const pairs = guarantee.matrix.flatMap((row, x) => row.filter((_, z) => z !== x));
  if (pairs.every((level) => level === Infinity)) return "No answer is protected from another.";
  return (
    `Where an answer is protected from another, what is sent is at most ${factor(chargeOf(guarantee))} times ` +
    "likelier from the one than from the other."
  );
}
