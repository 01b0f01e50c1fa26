/** Cyclic: the value's index, shifted by a point of a difference set or by any residue. */

import { uniform } from "../draws.js";
import { index } from "../layouts.js";
import { type Odds, weightedOdds } from "../odds.js";
import type { Words } from "../words.js";
import { type Design, named, pointsOf, readDesign } from "./designs.js";
import type { Families, Family } from "./mechanism.js";
import { plain } from "./plain.js";

const HALF = 0x1_0000_0000n;

/** How residues of a design are drawn, at a level; a single label has one, for which nothing is drawn. */
export interface Residues {
  readonly odds: Odds;
  readonly total: bigint;
  readonly draw: (value: number, words: Words) => number;
}

export function residues(labels: number, epsilon: number, design: Design): Residues {
  const { block, length } = design;
  const odds = weightedOdds(epsilon, block, length - block);
  const total = BigInt(block) * odds.above + BigInt(length - block) * odds.below;
  return { odds, total, draw: (value, words) => (labels === 1 ? 0 : cyclic(words, value, design, odds)) };
}

/** The value, shifted by a point of the difference set with weight A against B for other residues. */
function cyclic(words: Words, value: number, design: Design, { above, below }: Odds): number {
  const points = pointsOf(design);
  const [size, length] = [BigInt(points.length), BigInt(design.length)];
  const drawn = uniform(words, size * (above - below) + length * below);
  for (;;) {
    const word = words();
    const [low, high] = [(word % HALF) * size, (word / HALF) * length];
    if (low % HALF >= HALF % size && high % HALF >= HALF % length) {
      const own = points[Number(low / HALF)] as number;
      const shift = [Number(high / HALF), own][Number(drawn < size * (above - below))] as number;
      return (value + shift) % design.length;
    }
  }
}

export const cyclicResponse: Family = /* @__PURE__ */ plain("Cyclic", (d, epsilon, written) => {
  const design = readDesign(written["q"], written["t"], d);
  const { odds, draw } = residues(d, epsilon, design);
  return { own: named(design), layout: index(design.length), odds, draw };
});

/** The families of this file, by the names that specs know them by. */
export const families: Families = { Cyclic: cyclicResponse };
