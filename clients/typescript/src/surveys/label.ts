/** The privacy label of a survey: what follows from the document for the person asked, as facts and as sentences. */

import { label } from "../languages/english.js";
import { type Sayings, type Statement, say } from "../languages/language.js";
import type { Mechanism } from "../mechanisms/mechanism.js";
import { supportOf } from "../mechanisms/support.js";
import { describe, plainLevel } from "../privacy/guarantees.js";
import { toNumber } from "../privacy/rows.js";
import { widthOfAnswer } from "./answers.js";
import type { Part } from "./arms.js";
import { bitsOf } from "./bits.js";
import { levelOfAll } from "./levels.js";
import { promisesAbout } from "./promise.js";
import { type RoundLevels, roundLevels, roundStatements, roundsOf, shownChanges } from "./rounds.js";
import { type Belief, beliefs, leftOpen, moved, promised } from "./statements.js";
import type { Survey } from "./survey.js";
import { languagesOf } from "./translations.js";

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
  const told = { mechanism: m.name, guarantee: describe(m.guarantee), level: plainLevel(m.guarantee) };
  const odds = (m.ever ? undefined : m.odds) ?? null;
  return { questions: names, ...told, bits: bitsOf(m.layout), own, other, odds, rounds: roundLevels([m]) };
}

/** The label as statements: none of them is more than is proven. */
export function statements(survey: Survey): Statement[] {
  return [
    ...drawn(survey),
    [levelOfAll(survey.arms) < Infinity ? "changed" : "changed_part"],
    ...promises(survey),
    sent(survey),
    ...again(survey),
    ...inLanguages(survey),
    ...openStatements(survey),
  ];
}

/** The label in plain sentences, for the person asked. English unless asked otherwise. */
export function sentences(survey: Survey, language: Sayings = label): string[] {
  return statements(survey).map((each) => say(language, each));
}

/** Those of the sentences that a page may fold: of weaker guesses. The one on an even guess says how far one can move. */
export function lesser(survey: Survey, language: Sayings): string[] {
  const weaker = statements(survey).filter(([, values]) => Number(values?.["before"]) < 0.5);
  return weaker.map((each) => say(language, each));
}

/** What the promise does not cover, in sentences. */
export function unprotected(survey: Survey, language: Sayings = label): string[] {
  return openStatements(survey).map((each) => say(language, each));
}

/** The least and the most bytes that an answer takes. */
export function sentBytes(survey: Survey): { least: number; most: number } {
  const sizes = survey.arms.map((_, arm) => widthOfAnswer(survey, arm));
  return { least: Math.min(...sizes), most: Math.max(...sizes) };
}

function openStatements(survey: Survey): Statement[] {
  const open = [...survey.questions.keys()].flatMap((name) => openOf(survey, name));
  const shown = roundsOf(survey) ? shownChanges(mechanismsOf(survey)) : [];
  return [...open, ...shown, ...(survey.kiosk ? [["kiosk"] as Statement] : []), ["taking_part"]];
}

/** Of one question; where arms differ in which of its answers they protect, only that some can be told apart. */
function openOf({ arms }: Survey, name: string): Statement[] {
  const found = promisesAbout(arms, name);
  const apart = found.length > 1 && found.some((guarantee) => plainLevel(guarantee) === Infinity);
  return apart
    ? [["open_pairs", { of: ["question", { name }] }]]
    : found.flatMap((guarantee) => leftOpen(guarantee, name));
}

function mechanismsOf({ arms }: Survey): Mechanism[] {
  return arms.flatMap((arm) => arm.parts.map((part) => part.mechanism));
}

function drawn({ arms }: Survey): Statement[] {
  return arms.length === 1 ? [] : [["drawn", { count: arms.length }]];
}

function promises(survey: Survey): Statement[] {
  const [level, rounds] = [levelOfAll(survey.arms), roundsOf(survey)];
  if (rounds) return roundStatements(rounds);
  if (level === Infinity) return [["differs"], ...byQuestion(survey, level)];
  const { repeat, period } = survey;
  const during: Statement | "" = repeat === "fresh" && period !== "once" ? [`during_${period}`] : "";
  return [["whole", { during, level }], ...moved("belief", level, { during }), ...byQuestion(survey, level)];
}

/** Of each question that no level of whole answers covers, or that is protected label by label or by distance. */
function byQuestion(survey: Survey, level: number): Statement[] {
  return [...survey.questions.keys()].flatMap((name): Statement[] => {
    const [found, more] = promisesAbout(survey.arms, name);
    if (!found || more || (level < Infinity && found.kind !== "eachItem" && found.kind !== "distance")) return [];
    return [["about", { of: ["question", { name }], promise: promised(found) }]];
  });
}

function sent(survey: Survey): Statement {
  const { least, most } = sentBytes(survey);
  return ["bytes", { count: most, length: least === most ? most : ["range", { least, most }] }];
}

function again({ repeat, period, cap, topic }: Survey): Statement[] {
  if (repeat === "once" || period === "once") return [];
  const every: Statement = [`every_${period}`];
  return repeat === "fresh" ? [["fresh", { every, cap, topic }]] : [["remembered", { every }]];
}

function inLanguages(survey: Survey): Statement[] {
  const tags = languagesOf(survey);
  return tags.length > 1 ? [["languages", { count: tags.length, tags: tags.join(", ") }]] : [];
}
