/** For tests alone: reports and answers from given words. On a device nothing may choose them. */

import type { Report } from "./layouts.js";
import { Mechanism } from "./mechanisms/mechanism.js";
import type { Words } from "./randomWords.js";
import { type Answers, answerFrom as answerOf } from "./surveys/answers.js";
import type { Survey } from "./surveys/survey.js";

export type { Words } from "./randomWords.js";

/** These words, one after another; it is an error to need more. */
export function givenWords(words: Iterable<bigint>): Words & { left(): number } {
  const given = [...words];
  let next = 0;
  const take = () => {
    const word = given[next++];
    if (word === undefined) throw new RangeError("there must be enough words, got fewer");
    return word;
  };
  return Object.assign(take, { left: () => given.length - next });
}

/** The report of a value, from given words. */
export function privatizeFrom(mechanism: Mechanism, value: unknown, words: Words): Report {
  return Mechanism.draw(mechanism, mechanism.domain.index(value), words);
}

/** An answer, from given words: those of the arm first, then those of each part. */
export function answerFrom(survey: Survey, answers: Answers, words: Words): Uint8Array {
  return answerOf(survey, answers, () => words);
}
