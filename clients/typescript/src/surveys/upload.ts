/** The bytes of an upload of one answer; see wire/upload.md. */

import { joined } from "../bytes.js";
import { littleEndian } from "../layouts.js";
import { systemWords } from "../randomWords.js";
import { HEAD } from "./answers.js";
import type { Survey } from "./survey.js";

/** Bytes of an upload's id, and of the number of answers in a section. */
export const ID = 16;
export const COUNT = 4;

/** A random id, by which the collector knows a retry. Keep it with the answer: a retry sends the same bytes. */
export function newId(): Uint8Array {
  const words = systemWords();
  return new Uint8Array(BigUint64Array.of(words(), words()).buffer);
}

/** The upload of one answer: its id, one section of its arm, and the answer without the arm. */
export function uploadOf(survey: Survey, id: Uint8Array, answer: Uint8Array): Uint8Array {
  const head = survey.arms.length > 1 ? HEAD : 0;
  return uploadOfOne(id, answer.subarray(head), head ? answer.subarray(0, head) : undefined);
}

/** An upload whose one section has one answer. */
export function uploadOfOne(id: Uint8Array, body: Uint8Array, arm = littleEndian(0, HEAD)): Uint8Array {
  return joined(id, arm, littleEndian(1, COUNT), body);
}
