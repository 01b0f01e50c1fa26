/** The privacy label of a survey: what follows from the document for the person asked, as facts and as sentences. */

import { label } from "../languages/english.js";
import { type Sayings, say, written } from "../languages/language.js";
import type { Mechanism } from "../mechanisms/mechanism.js";
import { supportOf } from "../mechanisms/support.js";
import { general } from "../numbers.js";
import { describe, plainLevel } from "../privacy/guarantees.js";
import { toNumber } from "../privacy/rows.js";
import { widthOfAnswer } from "./answers.js";
import type { Part } from "./arms.js";
import { bitsOf } from "./bits.js";
import { levelOfAll } from "./levels.js";
import { promisesAbout } from "./promise.js";
import { type RoundLevels, roundLevels, roundSentences, roundsOf, shownChanges } from "./rounds.js";
import { type Belief, beliefs, factor, leftOpen, moved, promised } from "./sayings.js";
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
  const told = { mechanism: m.name, guarantee: describe(m.guarantee), level: plainLevel(m.guarantee) };
  const odds = (m.ever ? undefined : m.odds) ?? null;
  return { questions: names, ...told, bits: bitsOf(m.layout), own, other, odds, rounds: roundLevels([m]) };
}

/** The label in plain sentences, for the person asked: none says more than is proven. English unless asked otherwise. */
export function sentences(survey: Survey, language: Sayings = label): string[] {
  return [
    ...drawn(survey, language),
    ...promises(survey, language),
    sent(survey, language),
    ...again(survey, language),
    ...unprotected(survey, language),
  ];
}

/** Those of the sentences that a page may fold: of weaker guesses. The one on an even guess says how far one can move. */
export function lesser(survey: Survey, language: Sayings): string[] {
  const [level, rounds] = [levelOfAll(survey.arms), roundsOf(survey)];
  const told = rounds
    ? [moved(language, "round_belief", rounds.each), moved(language, "life_belief", rounds.life)]
    : [moved(language, "belief", level, { during: duringOf(survey, language) })];
  return told.flatMap((each) => each.slice(0, -1));
}

/** What the promise does not cover, in sentences. */
export function unprotected(survey: Survey, language: Sayings = label): string[] {
  const open = [...survey.questions.keys()].flatMap((name) =>
    promisesAbout(survey.arms, name).flatMap((guarantee) => leftOpen(language, guarantee, name)),
  );
  const changes = roundsOf(survey) ? shownChanges(language, mechanismsOf(survey)) : [];
  return [...open, ...changes, say(language, "taking_part")];
}

/** The least and the most bytes that an answer takes. */
export function sentBytes(survey: Survey): { least: number; most: number } {
  const sizes = survey.arms.map((_, arm) => widthOfAnswer(survey, arm));
  return { least: Math.min(...sizes), most: Math.max(...sizes) };
}

function mechanismsOf({ arms }: Survey): Mechanism[] {
  return arms.flatMap((arm) => arm.parts.map((part) => part.mechanism));
}

function drawn({ arms }: Survey, language: Sayings): string[] {
  return arms.length === 1 ? [] : [say(language, "drawn", { count: arms.length })];
}

function promises(survey: Survey, language: Sayings): string[] {
  const [level, rounds] = [levelOfAll(survey.arms), roundsOf(survey)];
  const changed = say(language, "changed");
  if (rounds) return [changed, ...roundSentences(language, rounds)];
  if (level === Infinity) return [changed, say(language, "differs"), ...byQuestion(survey, level, language)];
  const during = duringOf(survey, language);
  const whole = say(language, "whole", { during, factor: factor(language, level) });
  return [changed, whole, ...moved(language, "belief", level, { during }), ...byQuestion(survey, level, language)];
}

function duringOf({ repeat, period }: Survey, language: Sayings): string {
  return repeat === "fresh" && period !== "once" ? say(language, `during_${period}`) : "";
}

/** Of each question that no level of whole answers covers, or that is protected label by label or by distance. */
function byQuestion(survey: Survey, level: number, language: Sayings): string[] {
  return [...survey.questions.keys()].flatMap((name) => {
    const [found, more] = promisesAbout(survey.arms, name);
    if (!found || more || (level < Infinity && found.kind !== "eachItem" && found.kind !== "distance")) return [];
    return [say(language, "about", { name, promise: promised(language, found) })];
  });
}

function sent(survey: Survey, language: Sayings): string {
  const { least, most } = sentBytes(survey);
  const length = least === most ? most : say(language, "range", { least, most });
  return say(language, "bytes", { count: most, length });
}

function again({ repeat, period, cap, topic }: Survey, language: Sayings): string[] {
  if (repeat === "once" || period === "once") return [];
  const every = say(language, `every_${period}`);
  return [say(language, repeat, { every, topic, cap: written(language, general(cap)) })];
}
