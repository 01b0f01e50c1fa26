/** How texts and labels become symbols of cohorts; see wire/hashes.md. */

import { utf8 } from "./bytes.js";
import { hmac } from "./sha256.js";

/** The 64 bits from which all symbols of a text follow, under the key of a survey. */
export function base(key: string, text: string): bigint {
  return new DataView(hmac(utf8(key), utf8(text)).buffer).getBigUint64(0, true);
}

/** The k-th output of SplitMix64. */
export function splitMix(seed: bigint, k: number): bigint {
  let z = BigInt.asUintN(64, seed + BigInt(k + 1) * 0x9e3779b97f4a7c15n);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

/** The symbol of a base at a place: the number of a cohort, times its hashes, plus that of the hash. */
export function hashSymbol(seed: bigint, place: number, symbols: number): number {
  return Number((splitMix(seed, place) * BigInt(symbols)) >> 64n);
}

/** Each label's symbol at a place of a closed domain: labels in a random order, dealt out one by one. */
export function dealt(seed: bigint, labels: number, place: number, symbols: number): number[] {
  const order = Array.from({ length: labels }, (_, label) => [splitMix(seed, place * labels + label), label] as const);
  order.sort(([a, i], [b, j]) => (a < b ? -1 : a > b ? 1 : i - j));
  const symbolOf: number[] = [];
  for (const [rank, [, label]] of order.entries()) symbolOf[label] = rank % symbols;
  return symbolOf;
}
