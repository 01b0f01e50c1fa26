/** Two questions that are crossed: one report about both answers of a person. */

import { CapacityError, ParameterError } from "../errors.js";
import type { Mechanism } from "../mechanisms/mechanism.js";
import type { Source } from "../randomWords.js";
import { Domain, labelsOf } from "../values.js";
import { drawPoint, HALF } from "./points.js";
import { hasOneLabel, type Question } from "./questionKinds.js";

/** The most pairs of labels of two crossed questions. */
const MOST_PAIRS = 4096;
/** The mechanisms that treat all pairs of labels alike, by whose reports two questions can be crossed. */
const CROSSED = ["RandomizedResponse", "Subset", "OptimizedUnary", "Rappor"];

/** Refuse a mechanism by which two questions cannot be crossed. */
export function checkCrossed(mechanism: Mechanism): void {
  if (CROSSED.includes((mechanism.permanent ?? mechanism).name)) return;
  throw new ParameterError(`crossed questions must be reported by ${CROSSED.join(", ")}, got ${mechanism.name}`);
}

/** All pairs of the labels of two questions, those of the first label first; of a number its two ends. */
export function pairs(questions: readonly Question[]): Domain {
  const [first, second, more] = questions;
  const sides = [first, second].map((question) => sideOf(question));
  const [labels, others] = sides;
  if (more || !labels || !others || first?.name === second?.name) {
    throw new ParameterError("a pair must be of two different questions with one answer each, got others");
  }
  const cells = labels.size * others.size;
  if (cells > MOST_PAIRS) {
    throw new CapacityError(`a pair must have at most ${MOST_PAIRS} pairs of labels, got ${cells}`);
  }
  const names = labelsOf(others);
  return new Domain(
    cells,
    labelsOf(labels).flatMap((a) => names.map((b) => ({ tuple: [a, b] }))),
  );
}

function sideOf(question: Question | undefined): Domain | undefined {
  if (question?.kind === "number") return new Domain(2);
  return hasOneLabel(question) ? question.labels : undefined;
}

/** The value of two answers; that of a number is drawn. */
export function drawPair(questions: readonly Question[], answers: readonly unknown[], source: Source): unknown {
  return {
    tuple: questions.map((question, k) =>
      question.kind === "number" ? drawPoint(question, HALF, answers[k] as number, source) : answers[k],
    ),
  };
}
