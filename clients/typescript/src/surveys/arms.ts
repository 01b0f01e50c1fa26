/** Arms: what one device is asked to report, how likely a device draws the arm, and what its answer costs. */

import { canonical, isList, type Json, type Spec } from "../canonical.js";
import { checkInt } from "../checks.js";
import { FormatError, ParameterError } from "../errors.js";
import { widthOf } from "../layouts.js";
import type { Families, Mechanism } from "../mechanisms/mechanism.js";
import { mechanismOf } from "../mechanisms/registry.js";
import { ldp } from "../privacy/guaranteeKinds.js";
import { added } from "../privacy/levels.js";
import type { Source } from "../randomWords.js";
import { checkEncoder, drawValue, type Encoder, readEncoder, writeEncoder } from "./encoders.js";
import { checkCrossed } from "./pairs.js";
import { wantedFor } from "./protection.js";
import { branchOf, hasOneLabel, isAlike, type Question } from "./questionKinds.js";
import { objects } from "./questions.js";

/** The sum of all weights stays below this. */
export const MOST_WEIGHT = 2 ** 32;
const MOST_PARTS = 2 ** 10;

/** One report of an arm: about which questions, what of their answers, and through which mechanism. */
export interface Part {
  readonly names: readonly string[];
  readonly encoder: Encoder;
  readonly mechanism: Mechanism;
  /** The value that is randomized, of one person's answers by question; some encoders draw it. */
  readonly value: (answers: ReadonlyMap<string, unknown>, source: Source) => unknown;
  readonly questions: readonly Question[];
  /** The answers to its questions. */
  readonly answersTo: (answers: ReadonlyMap<string, unknown>) => unknown[];
}

/** A choice of reports that one device answers together; `weight` in the sum of weights draw it. */
export interface Arm {
  readonly weight: number;
  readonly parts: readonly Part[];
  /** The bytes that all its reports take. */
  readonly width: number;
}

/** A document's questions and arms, and how often it is answered: what decides what a device draws. */
export interface Plan {
  readonly questions: ReadonlyMap<string, Question>;
  readonly arms: readonly Arm[];
  readonly repeat: "once" | "fresh" | "remembered";
}

/** The arm that a document holds. */
export function readArm(fields: Spec, questions: ReadonlyMap<string, Question>, families: Families): Arm {
  const parts = objects("parts", fields["parts"], MOST_PARTS).map((part) => readPart(part, questions, families));
  checkApart(parts);
  const weight = checkInt("weight", fields["weight"], 1, MOST_WEIGHT - 1);
  return { weight, parts, width: parts.reduce((sum, part) => sum + widthOf(part.mechanism.layout), 0) };
}

/** The arm as a document holds it. */
export function writeArm({ weight, parts }: Arm): Spec {
  return {
    weight: BigInt(weight),
    parts: parts.map(({ names, encoder, mechanism }) => ({
      questions: names,
      encoder: writeEncoder(encoder),
      spec: mechanism.spec(),
    })),
  };
}

/** How many questions an arm reports on. */
export function questionsOf({ parts }: Arm): number {
  return new Set(parts.flatMap(({ names }) => names)).size;
}

/** The sum of the weights by which arms are drawn. */
export function totalWeight(arms: readonly Arm[]): number {
  return arms.reduce((sum, arm) => sum + arm.weight, 0);
}

/** The level between any two joint answers; infinite where some question is protected only in part. */
export function levelOfAll(arms: readonly Arm[]): number {
  return dearest(arms, (m) => m.cover.level());
}

/** What a device's ledger counts, whatever arm it draws: of what is protected only in part the largest finite level. */
export function chargeOfAll(arms: readonly Arm[]): number {
  return dearest(arms, (m) => m.cover.charge());
}

/** The level of all that a device ever sends: of a survey that is answered afresh each time it is the cap. */
export function levelInAll({ arms, repeat, cap }: Plan & { readonly cap: number }): number {
  const level = levelOfAll(arms);
  return repeat === "fresh" && level < Infinity ? cap : level;
}

/** Of two joint answers the levels of the parts that differ add up, and the dearest arm counts. */
function dearest(arms: readonly Arm[], level: (mechanism: Mechanism) => number): number {
  return Math.max(...arms.map((arm) => added(...arm.parts.map((part) => level(part.mechanism)))));
}

function readPart(fields: Spec, questions: ReadonlyMap<string, Question>, families: Families): Part {
  const names = fields["questions"];
  const about = isList(names) ? names.map((name) => questions.get(name as string)) : [];
  if (!about.length || about.includes(undefined)) {
    throw new FormatError("a part must be about questions of its survey, got one about others");
  }
  const [subjects, encoder] = [about as Question[], readEncoder(fields["encoder"] as Spec)];
  const mechanism = mechanismOf(fields["spec"] as Json, families);
  checkEncoder(encoder, subjects, mechanism);
  checkProtected(encoder, subjects, mechanism);
  const own = subjects.map((question) => question.name);
  const answersTo = (answers: ReadonlyMap<string, unknown>) => own.map((name) => answers.get(name));
  return {
    names: own,
    encoder,
    mechanism,
    questions: subjects,
    answersTo,
    value: (answers, source) => drawValue(encoder, subjects, answersTo(answers), source),
  };
}

/** Refuse a mechanism that leaves open what is to be protected, or who is asked, or cannot cross two questions. */
function checkProtected({ kind }: Encoder, questions: readonly Question[], mechanism: Mechanism): void {
  const [first] = questions;
  const isPath = kind === "path";
  if (!isPath && questions.some(branchOf)) {
    throw new ParameterError("a question that only some are asked must be reported by a path, got another encoder");
  }
  if (kind === "pair" || (isPath && !branchOf(questions.at(-1)))) checkCrossed(mechanism);
  else if (hasOneLabel(first) && !mechanism.cover.protects(isAlike(first) ? ldp(1) : wantedFor(first))) {
    throw new ParameterError(
      `the mechanism must protect what question '${first.name}' says is to be protected, got one that does not`,
    );
  }
}

/** Refuse an arm that asks a question twice, but for different labels of a checklist. */
function checkApart(parts: readonly Part[]): void {
  const whole = new Set<string>();
  const labels = new Map<string, Set<string>>();
  for (const { names, encoder } of parts) {
    for (const name of names.slice(encoder.path?.from)) {
      const labelsAsked = labels.get(name) ?? new Set<string>();
      const label = encoder.label === undefined ? "" : canonical(encoder.label);
      if (whole.has(name) || labelsAsked.has(label) || (!label && labelsAsked.size)) {
        throw new ParameterError("an arm must ask each question once, got one twice; ask it in another arm");
      }
      if (!label) whole.add(name);
      labels.set(name, labelsAsked.add(label));
    }
  }
}
