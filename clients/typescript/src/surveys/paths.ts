/** Questions that follow from answers: who is asked which, and the ways through them as one label. */

import { isObject, type Json, type Spec } from "../canonical.js";
import { checkList } from "../checks.js";
import { CapacityError, ParameterError } from "../errors.js";
import type { Label } from "../labels.js";
import { labelsAt } from "../privacy/places.js";
import { Domain, labelsOf } from "../values.js";
import { branchOf, hasOneLabel, isAlike, type OneOf, type OnlyIf, type Question } from "./questionKinds.js";

/** The most ways through the questions of a path. */
const MOST_WAYS = 4096;
/** The most questions of a chain. */
const MOST_STEPS = 3;

/** After which answers a question is asked that a document holds; `before` are the questions before it. */
export function readOnlyIf(json: Json | undefined, before: ReadonlyMap<string, Question>): OnlyIf {
  const fields = isObject(json) ? json : {};
  const parent = before.get(fields["question"] as string);
  if (!hasOneLabel(parent) || !isAlike(parent) || wayTo(parent).length >= MOST_STEPS) {
    throw new ParameterError(
      `only_if must be about a OneOf or a Scale before it, all of whose answers are protected, in a chain of at most ${MOST_STEPS}, got another`,
    );
  }
  const places = checkList(fields["is"]).map((label) => parent.labels.index(label));
  const count = new Set(places).size;
  if (!count || count < places.length || count === parent.labels.size) {
    throw new ParameterError("only_if must be some of a question's labels, none twice and not all, got others");
  }
  return { parent, places };
}

/** That as a document holds it. */
export function writeOnlyIf({ parent, places }: OnlyIf): Spec {
  return { question: parent.name, is: labelsAt(parent.labels, places) };
}

/** Whether somebody is asked a question, by the answers to those before, of which those not asked have none. */
export function isAsked({ onlyIf }: OneOf, answers: ReadonlyMap<string, unknown>): boolean {
  return !onlyIf || onlyIf.places.includes(onlyIf.parent.labels.find(answers.get(onlyIf.parent.name)) ?? -1);
}

/** The questions from the first of a chain to this one. */
function wayTo(question: OneOf): OneOf[] {
  return [...(question.onlyIf ? wayTo(question.onlyIf.parent) : []), question];
}

/**
 * All ways through questions that follow from each other, of which those before a place only lead there; each with every
 * answer to a question beside them, if one that everybody is asked stands last.
 */
export function waysOf(questions: readonly Question[], from: number): Domain {
  const all = questions.filter(hasOneLabel);
  const path = branchOf(questions.at(-1)) ? all : all.slice(0, -1);
  const start = path[from];
  const follows = ({ onlyIf }: OneOf, k: number) =>
    k ? onlyIf && path.slice(Math.min(from, k - 1), k).includes(onlyIf.parent) : !onlyIf;
  if (!start || path.length < 2 || new Set(all).size < questions.length || !path.every(follows)) {
    throw new ParameterError("a path must be of questions that follow from each other, got others");
  }
  const found = from ? [...ways(all.slice(from + 1), new Map([[start.name, null]]))] : [];
  const most = MOST_WAYS + found.length;
  for (const way of ways(all.slice(from), new Map())) {
    if (found.push(way) > most) {
      throw new CapacityError(`a path must have at most ${MOST_WAYS} ways, got more`);
    }
  }
  return new Domain(
    found.length,
    found.map((tuple) => ({ tuple })),
  );
}

/** Label by label; whoever comes to the first question is asked it. */
function* ways([question, ...others]: readonly OneOf[], answers: ReadonlyMap<string, unknown>): Generator<Label[]> {
  if (!question) yield [];
  else if (answers.size && !isAsked(question, answers)) yield* ways(others, answers);
  else {
    for (const label of labelsOf(question.labels)) {
      for (const rest of ways(others, new Map([...answers, [question.name, label]]))) yield [label, ...rest];
    }
  }
}

/** The answers from a place on of those who were asked, as one label. */
export function wayOf(answers: readonly unknown[], from: number): unknown {
  return { tuple: answers.slice(from).filter((answer) => answer !== null) };
}
