/** The bytes of an upload of one answer; see wire/upload.md. */

import { joined } from "../bytes.js";
import { littleEndian } from "../layouts.js";
import { systemWords } from "../randomWords.js";
import { HEAD } from "./answers.js";
import type { Survey } from "./survey.js";

/** A random id, by which the collector knows a retry. Keep it with the answer: a retry sends the same bytes. */
export function newId(): Uint8Array {
  const words = systemWords();
  return new Uint8Array(BigUint64Array.of(words(), words()).buffer);
}

/** The upload of one answer: its id, one section of its arm, and the answer without the arm. */
export function uploadOf(survey: Survey, id: Uint8Array, answer: Uint8Array): Uint8Array {
  const head = survey.arms.length > 1 ? HEAD : 0;
  const arm = head ? answer.subarray(0, head) : littleEndian(0, HEAD);
  return joined(id, arm, littleEndian(1, 4), answer.subarray(head));
}
