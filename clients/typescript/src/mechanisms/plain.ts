/** Mechanisms of plain LDP, which treat all labels alike. */

import type { Json, Spec } from "../canonical.js";
import { checkEpsilon, checkInt } from "../checks.js";
import { drawSet, response } from "../draws.js";
import { type BitsLayout, index, type Layout, type Report } from "../layouts.js";
import { type Odds, weightedOdds } from "../odds.js";
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
