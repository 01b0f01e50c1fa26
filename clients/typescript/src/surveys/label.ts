/** The privacy label of a survey: what follows from the document for the person asked, as facts and as sentences. */

import { label } from "../languages/english.js";
import type { LabelLanguage } from "../languages/language.js";
import { say } from "../languages/statements.js";
import type { Layout } from "../layouts.js";
import { supportOf } from "../mechanisms/support.js";
import { toNumber } from "../privacy/channelRows.js";
import { describe, plainLevel } from "../privacy/guarantees.js";
import { levelOfAll, type Part } from "./arms.js";
import { type Belief, beliefs } from "./guaranteeStatements.js";
import { openStatements, sentBytes } from "./labelStatements.js";
import { type RoundLevels, roundLevels, roundsOf } from "./rounds.js";
import { sentences } from "./sentences.js";
import type { Survey } from "./survey.js";

/** The facts of one report. `own` and `other`: how often it fits an answer of its sender's, and another one. */
export interface PartFacts {
  readonly questions: readonly string[];
  readonly mechanism: string;
  readonly guarantee: string;
  /** Infinite where no level of plain LDP holds. */
  readonly level: number;
  readonly bits: number;
  readonly own: number | null;
  readonly other: number | null;
  /** A truthful outcome is above/below times likelier, where the mechanism has one pair of odds. */
  readonly odds: { readonly above: bigint; readonly below: bigint } | null;
  readonly rounds: RoundLevels | null;
}

/** The label as numbers: what is promised, how far beliefs can move, what is sent, and what each arm reports. */
export interface Facts {
  readonly level: number;
  readonly charge: number;
  readonly rounds: RoundLevels | null;
  readonly beliefs: readonly Belief[];
  readonly bytes: { readonly least: number; readonly most: number };
  readonly arms: readonly { readonly weight: number; readonly parts: readonly PartFacts[] }[];
  readonly unprotected: readonly string[];
  readonly sentences: readonly string[];
}

/** The label as numbers. */
export function facts(survey: Survey): Facts {
  const level = levelOfAll(survey.arms);
  return {
    level,
    charge: survey.charge,
    rounds: roundsOf(survey),
    beliefs: beliefs(level),
    bytes: sentBytes(survey),
    arms: survey.arms.map(({ weight, parts }) => ({ weight, parts: parts.map(partFacts) })),
    unprotected: unprotected(survey),
    sentences: sentences(survey),
  };
}

function partFacts({ names, mechanism: m }: Part): PartFacts {
  const [own = null, other = null] = supportOf(m)?.map((share) => toNumber(...share)) ?? [];
  const promise = { mechanism: m.name, guarantee: describe(m.guarantee), level: plainLevel(m.guarantee) };
  const odds = (m.permanent ? undefined : m.odds) ?? null;
  return { questions: names, ...promise, bits: bitsOf(m.layout), own, other, odds, rounds: roundLevels([m]) };
}

/** What the promise does not cover, in sentences. */
export function unprotected(survey: Survey, language: LabelLanguage = label): string[] {
  return openStatements(survey).map((each) => say(language, each));
}

/** The information of one report in bits. */
function bitsOf(layout: Layout): number {
  if (layout.kind === "index") return numberBits(layout.outputs);
  if (layout.kind === "bits") return layout.symbols;
  if (layout.kind === "cohort") return numberBits(layout.cohorts) + layout.symbols;
  return numberBits(layout.sizes.length) + Math.max(...layout.sizes);
}

/** The bits that name one of so many. */
function numberBits(count: number): number {
  return count > 1 ? (count - 1).toString(2).length : 0;
}
