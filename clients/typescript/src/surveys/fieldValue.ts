/** Values of a field in somebody else's form, which hold a report or say that somebody would rather not; see wire/field.md. */

import { bytesOf, joined } from "../bytes.js";
import { systemWords } from "../randomWords.js";
import { sha256 } from "../sha256.js";

const PREFIX = "deniable:1:";
/** How many digits of the survey's digest a value has. */
const NAMED = 32;
const DECLINED = "!declined";
/** Bytes of the random id, and of the hash by which an altered value is found. */
export const ID = 8;
const CHECK = 4;

/** A random id, of one answer and of no other. */
export function fieldId(): Uint8Array {
  return new Uint8Array(BigUint64Array.of(systemWords()()).buffer);
}

/** The value of an answer to the survey of a digest, with an id of its own. */
export function writeField(digest: string, id: Uint8Array, answer: Uint8Array): string {
  const body = joined(id, answer);
  const check = sha256(joined(bytesOf(digest), body)).subarray(0, CHECK);
  return writtenFor(digest, base64url(joined(body, check)));
}

/** The value of somebody who would rather not answer, or has not answered yet. */
export function writeDeclined(digest: string): string {
  return writtenFor(digest, DECLINED);
}

/** How many characters the value of an answer of so many bytes has. */
export function fieldLength(answer: number): number {
  return PREFIX.length + NAMED + 1 + Math.ceil((4 * (ID + answer + CHECK)) / 3);
}

function writtenFor(digest: string, written: string): string {
  return `${PREFIX}${digest.slice(0, NAMED)}:${written}`;
}

/** Without padding, and with spare bits of 0. */
function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
