/** Sets of labels as reports: the mechanism Subset, and what others of sets share with it. */

import type { Json } from "../canonical.js";
import { checkInt } from "../checks.js";
import { drawSet } from "../draws.js";
import type { BitsLayout } from "../layouts.js";
import { type Odds, weightedOdds } from "../odds.js";
import type { Words } from "../randomWords.js";
import type { Family } from "./mechanism.js";
import { plain } from "./plainFamilies.js";

/** A set of `size` labels, which holds the value with odds A : B. */
export const subset: Family = /* @__PURE__ */ plain("Subset", (d, epsilon, spec) => {
  const size = checkSize(spec["size"], d);
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
export function checkSize(size: Json | undefined, d: number, name = "size"): number {
  return checkInt(name, size, 1, Math.max(d - 1, 1));
}
