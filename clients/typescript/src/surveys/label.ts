/** The privacy label of a survey: what follows from the document for the person asked, as facts and as sentences. */

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
import { type Belief, beliefs, factor, leftOpen, promised, SEEN, said, TAKING_PART } from "./sayings.js";
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

/** The label in plain sentences, for the person asked: none says more than is proven. */
export function sentences(survey: Survey): string[] {
  return [...drawn(survey), ...promises(survey), sent(survey), ...again(survey), ...unprotected(survey)];
}

/** What the promise does not cover, in sentences. */
export function unprotected(survey: Survey): string[] {
  const open = [...survey.questions.keys()].flatMap((name) =>
    promisesAbout(survey.arms, name).flatMap((guarantee) => leftOpen(guarantee, `'${name}'`)),
  );
  return [...open, ...(roundsOf(survey) ? shownChanges(mechanismsOf(survey)) : []), TAKING_PART];
}

/** The least and the most bytes that an answer takes. */
export function sentBytes(survey: Survey): { least: number; most: number } {
  const sizes = survey.arms.map((_, arm) => widthOfAnswer(survey, arm));
  return { least: Math.min(...sizes), most: Math.max(...sizes) };
}

function mechanismsOf({ arms }: Survey): Mechanism[] {
  return arms.flatMap((arm) => arm.parts.map((part) => part.mechanism));
}

function drawn({ arms }: Survey): string[] {
  if (arms.length === 1) return [];
  return [
    `Your device draws by lot what it reports on, one of ${arms.length} choices, before it looks at ` +
      "your answers; all else that you answer never leaves it.",
  ];
}

function promises(survey: Survey): string[] {
  const [level, rounds] = [levelOfAll(survey.arms), roundsOf(survey)];
  const changed = "Your answers are changed at random on your own device before anything is sent.";
  if (rounds) return [changed, ...roundSentences(rounds)];
  if (level === Infinity) {
    return [changed, "What is protected, and what is not, differs by question.", ...byQuestion(survey, level)];
  }
  const once = survey.repeat === "fresh" ? ` in one ${survey.period}` : "";
  const whole =
    `Whatever is sent${once} could come from any answers: it is at most ${factor(level)} times likelier from ` +
    "yours than from anybody else's.";
  return [changed, ...said(whole, level, "Somebody who", SEEN + once), ...byQuestion(survey, level)];
}

/** Of each question that no level of whole answers covers, or that is protected label by label. */
function byQuestion(survey: Survey, level: number): string[] {
  return [...survey.questions.keys()].flatMap((name) => {
    const [found, more] = promisesAbout(survey.arms, name);
    if (!found || more || (level < Infinity && found.kind !== "eachItem")) return [];
    return [`About '${name}', all your other answers being the same: ${promised(found)}`];
  });
}

function sent(survey: Survey): string {
  const { least, most } = sentBytes(survey);
  const length = least === most ? `${least}` : `${least} to ${most}`;
  return `What is sent about your answers takes ${length} ${most === 1 ? "byte" : "bytes"}.`;
}

function again({ repeat, period, cap, topic }: Survey): string[] {
  if (repeat === "once") return [];
  if (repeat === "fresh") {
    return [
      `You are asked again every ${period}, and what all your answers tell together adds up: your ` +
        `device stops once it reaches the limit of ${general(cap)} for the topic '${topic}'.`,
    ];
  }
  return [
    `You are asked again every ${period}. Your device drew all that it will ever send about each ` +
      "answer when you agreed, and keeps it in this browser or app, whose storage shows it to anybody who can " +
      "open it.",
  ];
}
