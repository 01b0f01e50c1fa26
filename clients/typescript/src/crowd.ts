/** Sealing an answer so that its collector alone can open it, by WebCrypto; see wire/crowd.md. */

import { bytesOf, joined, utf8 } from "./bytes.js";
import { ParameterError, ReportError } from "./errors.js";
import { CURVE, sealed } from "./hpke.js";

/** What an answer is sealed with: the survey's `crowd.key`, its digest, the period, and the bytes of its longest answer. */
export interface Seal {
  readonly key: string;
  readonly digest: string;
  readonly period: string;
  readonly longest: number;
}

/** Bytes of the id inside. */
export const INNER_ID = 16;
/** The first of the 65 bytes of a point of P-256 that is written as it is, and not compressed. */
const PLAIN_POINT = 4;

/** The sealed bytes of an answer; `id` is the inner one, 16 random bytes of its own. They are others at every call. */
export async function sealAnswer(seal: Seal, id: Uint8Array, answer: Uint8Array): Promise<Uint8Array> {
  if (id.length !== INNER_ID || answer.length > seal.longest) {
    throw new ReportError("what is sealed must be an id of 16 bytes and an answer to the survey, got other bytes");
  }
  const plain = joined(id, answer, new Uint8Array(seal.longest - answer.length));
  return sealed(await readKey(seal.key), infoOf(seal.digest, seal.period), plain);
}

/** What an answer is sealed for: in no other survey and no other period can it be opened. */
export function infoOf(digest: string, period: string): Uint8Array {
  return joined(utf8("deniable crowd 1\0"), bytesOf(digest), utf8(period));
}

/** The key of a survey; refused unless it is a point on the curve, in the one writing that there is of it. */
export async function readKey(text: string): Promise<CryptoKey> {
  const point = pointOf(text);
  try {
    if (point) return await crypto.subtle.importKey("raw", point, CURVE, true, []);
  } catch {} // it is not on the curve
  throw new ParameterError("key must be an uncompressed point of P-256 in base64url without padding, got another text");
}

function pointOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]{87}$/.test(text)) return undefined;
  const plain = `${text.replaceAll("-", "+").replaceAll("_", "/")}=`;
  const letters = atob(plain);
  const isOnly = btoa(letters) === plain && letters.charCodeAt(0) === PLAIN_POINT;
  return isOnly ? Uint8Array.from(letters, (letter) => letter.charCodeAt(0)) : undefined;
}
