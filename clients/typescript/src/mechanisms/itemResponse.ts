/** A mechanism for checklists that reports on every label by itself. */

import { checkFlag } from "../checks.js";
import { byteCount, coins, setBit } from "../draws.js";
import { BITS, ceilDiv, dyadicOdds, exact, expLower, type Odds } from "../odds.js";
import { coverOf } from "../privacy/composition.js";
import type { EachItem } from "../privacy/guaranteeKinds.js";
import { WORD } from "../randomWords.js";
import { type Held, ofLists } from "./lists.js";
import type { Families, Family } from "./mechanism.js";

/** A coin for each label: the answer is inverted, or one-sided made yes, in B of 2^64 cases. */
export const itemResponse: Family = /* @__PURE__ */ ofLists("ItemResponse", (labels, epsilon, spec) => {
  const oneSided = checkFlag("one_sided", spec["one_sided"]);
  const d = labels.size;
  const guarantee: EachItem = { kind: "eachItem", epsilon, labels, oneSided };
  const odds = oneSided ? oneSidedOdds(epsilon) : dyadicOdds(epsilon);
  return {
    own: oneSided ? { one_sided: true } : {},
    promise: { guarantee, cover: coverOf(guarantee) },
    layout: { kind: "bits", symbols: d },
    odds,
    draw: (held, words) => {
      const noise = coins(words, odds.below, d);
      const own = bitsOf(held, d);
      return noise.map((byte, place) => (oneSided ? byte | (own[place] ?? 0) : byte ^ (own[place] ?? 0)));
    },
  };
});

/** The labels of a list as packed bits. */
export function bitsOf(held: Held, d: number): Uint8Array {
  const bits = new Uint8Array(byteCount(d));
  for (const label of held) setBit(bits, label, true);
  return bits;
}

/** Odds with A = 2^64: B of so many words tell of what is not held what is always told of what is. */
function oneSidedOdds(epsilon: number): Odds {
  return { above: WORD, below: ceilDiv(WORD << BITS, expLower(exact(epsilon))) };
}

/** The families of this file, by the names that specs know them by. */
export const families: Families = { ItemResponse: itemResponse };
