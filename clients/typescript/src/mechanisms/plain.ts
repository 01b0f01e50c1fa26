/** Mechanisms of plain LDP, which treat all labels alike. */

import type { Json, Spec } from "../canonical.js";
import { checkEpsilon, checkInt } from "../checks.js";
import { byteCount, coins, drawSet, flipBit, hadamard, response, setBit } from "../draws.js";
import { ParameterError } from "../errors.js";
import { type BitsLayout, index, type Layout, type Report } from "../layouts.js";
import { dyadicOdds, type Odds, weightedOdds } from "../odds.js";
import { ldp } from "../privacy/kinds.js";
import { Domain } from "../values.js";
import type { Words } from "../words.js";
import { type Family, Mechanism } from "./mechanism.js";

/** What a plain mechanism adds to its domain and level. */
export interface Plain {
  readonly own?: Spec;
  readonly layout: Layout;
  readonly odds: Odds;
  readonly draw: (value: number, words: Words) => Report;
}

/** A family of plain LDP over a closed domain of d labels. */
export function plain(name: string, make: (d: number, epsilon: number, written: Spec) => Plain): Family {
  return (written) => {
    const domain = Domain.read(written["domain"]);
    const epsilon = checkEpsilon(written["epsilon"]);
    const { own, layout, odds, draw } = make(domain.size, epsilon, written);
    return new Mechanism({
      name,
      domain,
      parameters: { epsilon, ...own },
      guarantee: ldp(epsilon),
      layout,
      odds,
      draw: (value, words) => draw(value as number, words),
    });
  };
}

/** The truth with weight A against B for each other label; two labels: Warner's coin. */
export const randomizedResponse: Family = /* @__PURE__ */ plain("RandomizedResponse", (d, epsilon) => {
  const odds = weightedOdds(epsilon, 1, d - 1);
  return { layout: index(d), odds, draw: (value, words) => response(words, value, d, odds) };
});

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

/** A set of `size` labels, which holds the value with odds A : B. */
export const subset: Family = /* @__PURE__ */ plain("Subset", (d, epsilon, written) => {
  const size = checkSize(written["size"], d);
  const { layout, odds, draw } = sets(d, epsilon, size);
  return { own: { size: BigInt(size) }, layout, odds, draw };
});

/** Sets of `size` of d labels; a single label has one set, for which nothing is drawn. */
export interface Sets {
  readonly layout: BitsLayout;
  readonly odds: Odds;
  /** The weights of all sets that hold the value, and of all sets. */
  readonly inside: bigint;
  readonly total: bigint;
  readonly draw: (value: number, words: Words) => Uint8Array;
}

/** How sets of `size` of d labels are drawn, at a level. */
export function sets(d: number, epsilon: number, size: number): Sets {
  const odds = weightedOdds(epsilon, size, d - size);
  const inside = BigInt(size) * odds.above;
  const total = inside + BigInt(d - size) * odds.below;
  const alone = Uint8Array.of(1);
  return {
    layout: { kind: "bits", symbols: d, weight: size },
    odds,
    inside,
    total,
    draw: (value, words) => (d === 1 ? alone : drawSet(words, value, d, size, inside, total)),
  };
}

/** The size of sets of d labels: fewer than all, but for a single label. */
export function checkSize(written: Json | undefined, d: number, name = "size"): number {
  return checkInt(name, written, 1, Math.max(d - 1, 1));
}

/** An output of the + half of the label's row of a Hadamard matrix, with weight A against B for other halves. */
export const hadamardResponse: Family = /* @__PURE__ */ plain("Hadamard", (d, epsilon, written) => {
  const parts = checkInt("parts", written["parts"], 1, 2 * d - 1);
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
  const found = new Uint8Array(byteCount(symbols));
  found.set(bits);
  return found;
}
