/** Mechanisms of plain LDP for many labels: a bit for each, or a row of a Hadamard matrix. */

import { checkInt } from "../checks.js";
import { byteCount, coins, flipBit, hadamard, setBit } from "../draws.js";
import { ParameterError } from "../errors.js";
import { index } from "../layouts.js";
import { dyadicOdds, weightedOdds } from "../odds.js";
import type { Words } from "../randomWords.js";
import type { Families, Family } from "./mechanism.js";
import { plain } from "./plainFamilies.js";

/** A bit for each label, that of the value set; every bit is inverted in B of 2^64 cases. */
export const rappor: Family = /* @__PURE__ */ plain("Rappor", (d, epsilon) => {
  const odds = dyadicOdds(epsilon, 2);
  const draw = (value: number, words: Words) => {
    const noise = coins(words, odds.below, d);
    flipBit(noise, value);
    return noise;
  };
  return { layout: { kind: "bits", symbols: d }, odds, draw };
});

/** A bit for each label: the value's is a fair coin, every other is set in B of 2^64 cases. */
export const optimizedUnary: Family = /* @__PURE__ */ plain("OptimizedUnary", (d, epsilon) => {
  const odds = dyadicOdds(epsilon);
  const draw = (value: number, words: Words) => {
    const own = words() % 2n === 1n;
    const noise = coins(words, odds.below, d);
    setBit(noise, value, own);
    return noise;
  };
  return { layout: { kind: "bits", symbols: d }, odds, draw };
});

/** An output of the + half of the label's row of a Hadamard matrix, with weight A against B for other halves. */
export const hadamardResponse: Family = /* @__PURE__ */ plain("Hadamard", (d, epsilon, spec) => {
  const parts = checkInt("parts", spec["parts"], 1, 2 * d - 1);
  if (parts & (parts - 1)) throw new ParameterError(`parts must be a power of two, got parts=${parts}`);
  const size = powerAbove(Math.ceil(d / parts));
  const odds = weightedOdds(epsilon, 1, 2 * parts - 1);
  return {
    own: { parts: BigInt(parts) },
    layout: index(parts * size),
    odds,
    draw: (value, words) => hadamard(words, value, size, parts, odds),
  };
});

/** The least power of two above a number. */
export function powerAbove(number: number): number {
  return 2 ** (32 - Math.clz32(number));
}

/** Bits in the bytes of more of them. */
export function widened(bits: Uint8Array, symbols: number): Uint8Array {
  const bytes = new Uint8Array(byteCount(symbols));
  bytes.set(bits);
  return bytes;
}

/** The families of this file, by the names that specs know them by. */
export const families: Families = { Hadamard: hadamardResponse, Rappor: rappor, OptimizedUnary: optimizedUnary };
