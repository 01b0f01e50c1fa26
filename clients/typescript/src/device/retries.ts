/** When a device tries again to send an answer, and what an attempt makes of it. */

import { systemWords } from "../randomWords.js";
import type { AnswerRecord, Changes } from "./records.js";

/** Seconds between attempts: twice as many each time, up to a day. */
const FIRST_PAUSE = 60;
const LONGEST_PAUSE = 86400;
/** The longest that a collector can send a device away for. */
const LONGEST_WAIT = 7 * LONGEST_PAUSE;
/** A wait that is longer than this comes of a clock that jumped, and is over; a period that begins later is strange. */
export const FARTHEST = 8 * LONGEST_PAUSE;

/** How a record changes by what was answered. */
export type Outcome = (record: AnswerRecord, now: number) => Changes;

/** When to try again: after what was said, else after twice as long as last time; never all devices at once. */
export function pause({ failures }: AnswerRecord, now: number, said?: number) {
  const jitter = Number(systemWords()() >> 44n) / 2 ** 20;
  const longest = Math.min(FIRST_PAUSE * 2 ** Math.min(failures, 20), LONGEST_PAUSE);
  const wait = said === undefined ? longest * (0.5 + jitter / 2) : Math.min(said, LONGEST_WAIT) + FIRST_PAUSE * jitter;
  return { failures: failures + 1, notBefore: now + wait };
}
