/** Answers: the arm that a device draws, the reports of its parts, and both as bytes; see wire/survey.md. */

import { joined } from "../bytes.js";
import { uniformBelow } from "../draws.js";
import { LabelError, ParameterError } from "../errors.js";
import { littleEndian, type Report, stored } from "../layouts.js";
import { Mechanism } from "../mechanisms/mechanism.js";
import type { Source } from "../randomWords.js";
import { type Plan, totalWeight } from "./arms.js";
import { isAsked } from "./paths.js";
import { hasOneLabel } from "./questionKinds.js";
import { checkAnswer } from "./questions.js";

/** One person's answers by question. */
export type Answers = Readonly<Record<string, unknown>>;

/** Bytes that name the arm, where there is more than one. */
export const HEAD = 2;

/** An answer from words of the source: those of the arm, before any answer is looked at, then those of each part. */
export function answerFrom(survey: Plan, answers: Answers, source: Source): Uint8Array {
  if (survey.repeat === "remembered") {
    throw new ParameterError(
      "a remembered survey must be answered by a device that keeps its permanent reports, got a single answer",
    );
  }
  const arm = drawArm(survey, source);
  return answerBytes(survey, arm, drawReports(survey, arm, complete(survey, answers), source));
}

/** The number of the arm that a device answers, drawn by the weights. */
export function drawArm(survey: Plan, source: Source): number {
  const drawn = uniformBelow(source(), totalWeight(survey.arms));
  let [end, chosen] = [0, 0];
  for (const arm of survey.arms) {
    end += arm.weight;
    chosen += Number(end <= drawn);
  }
  return chosen;
}

/**
 * An answer to every question, checked and as encoders take it: one that is skipped gets its answer for that, and one that
 * is not asked null.
 */
export function complete(survey: Plan, answers: Answers): ReadonlyMap<string, unknown> {
  if (typeof answers !== "object" || answers === null || Array.isArray(answers)) {
    throw new ParameterError("answers must be an object from questions to answers, got something else");
  }
  const strange = Object.keys(answers).filter((name) => !survey.questions.has(name)).length;
  if (strange) {
    throw new ParameterError(
      `answers must be to the questions ${[...survey.questions.keys()].join(", ")}, got ${strange} to others`,
    );
  }
  const complete = new Map<string, unknown>();
  for (const [name, question] of survey.questions) {
    const onlyIf = hasOneLabel(question) && question.onlyIf;
    const given = Object.hasOwn(answers, name) && !(onlyIf && (answers[name] ?? null) === null);
    if (onlyIf && !isAsked(question, complete)) {
      if (given) throw new LabelError(`the answer to '${name}' must be left out by those who are not asked, got one`);
      complete.set(name, null);
    } else if (given) {
      complete.set(name, checkAnswer(question, answers[name]));
    } else if (hasOneLabel(question) && question.skipped !== null) {
      complete.set(name, question.skipped);
    } else {
      throw new LabelError(`the question '${name}' must be answered, since it has no answer for those who skip it`);
    }
  }
  return complete;
}

/** The report of each part of an arm, for complete answers. */
export function drawReports(
  survey: Plan,
  arm: number,
  completed: ReadonlyMap<string, unknown>,
  source: Source,
): Report[] {
  return partsOf(survey, arm).map(({ mechanism, value }) =>
    Mechanism.draw(mechanism, mechanism.domain.index(value(completed, source)), source()),
  );
}

/** An arm's number and its reports, as they travel. */
export function answerBytes(survey: Plan, arm: number, reports: readonly Report[]): Uint8Array {
  const parts = partsOf(survey, arm);
  return joined(headOf(survey, arm), ...reports.map((report, k) => storedBy(parts[k]?.mechanism as Mechanism, report)));
}

/** The bytes that name an arm; none where there is only one. */
export function headOf(survey: Plan, arm: number): Uint8Array {
  return littleEndian(arm, survey.arms.length > 1 ? HEAD : 0);
}

/** How many bytes an answer of an arm takes. */
export function widthOfAnswer(survey: Plan, arm: number): number {
  return headOf(survey, arm).length + (survey.arms[arm]?.width ?? 0);
}

function partsOf(survey: Plan, arm: number) {
  return survey.arms[arm]?.parts ?? [];
}

function storedBy({ layout }: Mechanism, report: Report): Uint8Array {
  return stored(layout, report);
}
