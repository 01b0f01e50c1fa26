/** High-low mechanisms: people with a sensitive label are protected, others may be seen to have none. */

import { anySet, chosen, coin, coins, flipBit, half, response, uniform, uniformBelow } from "../draws.js";
import { type BlockLayout, index, withHead } from "../layouts.js";
import { dyadicOdds, weightedOdds } from "../odds.js";
import { checkBlocks, highLow } from "./context.js";
import { designSpec, readDesign, residues } from "./cyclic.js";
import { powerAbove, widened } from "./manyLabels.js";
import type { Families, Family } from "./mechanism.js";
import { checkSize, sets } from "./sets.js";

/** Sensitive labels own the + halves of rows of a Hadamard matrix, each other label a report of its own. */
export const highLowHadamard: Family = /* @__PURE__ */ highLow("HighLowHadamard", ({ d, s, epsilon }) => {
  const size = powerAbove(s);
  const odds = weightedOdds(epsilon, 1, 1);
  return {
    layout: index(size + d - s),
    odds,
    draw: (rank, words) => {
      const drawn = uniform(words, odds.above + odds.below);
      const output = Number(words() % BigInt(size));
      const own = chosen(rank < s, half(output, rank + 1), size + rank - s);
      return chosen(drawn < odds.above - odds.below, own, output);
    },
  };
});

/** A sensitive label by randomized response; another label is told in A - B cases, else a sensitive one. */
export const highLowResponse: Family = /* @__PURE__ */ highLow("HighLowResponse", ({ d, s, epsilon }) => {
  const odds = weightedOdds(epsilon, 1, s - 1);
  return { layout: index(d), odds, draw: (rank, words) => response(words, rank, s, odds) };
});

/** A bit for each sensitive label, inverted at random; of the other labels only the own bit, and not always. */
export const highLowRappor: Family = /* @__PURE__ */ highLow("HighLowRappor", ({ d, s, epsilon }) => {
  const odds = dyadicOdds(epsilon, 2);
  return {
    layout: { kind: "bits", symbols: d, singleFrom: s },
    odds,
    draw: (rank, words) => {
      const truthful = coin(words, odds.above - odds.below, odds.above); // for everybody, so that time tells nothing
      const noise = widened(coins(words, odds.below, s), d);
      const own = noise.slice();
      flipBit(own, rank);
      return [noise, own][Number(truthful || rank < s)] as Uint8Array;
    },
  };
});

/** Sensitive labels answer with a set of sensitive labels, others with themselves or a uniform set. */
export const highLowSubset: Family = /* @__PURE__ */ highLow("HighLowSubset", ({ d, s, epsilon, spec }) => {
  checkBlocks(1 + d - s);
  const size = checkSize(spec["size"], s);
  const { odds, draw } = sets(s, epsilon, size);
  const alone = Array<number>(d - s).fill(1);
  const layout: BlockLayout = { kind: "block", sizes: [s, ...alone], weights: [size, ...alone] };
  const bonus = BigInt(size) * (odds.above - odds.below);
  const only = Uint8Array.of(1);
  return {
    own: { size: BigInt(size) },
    layout,
    odds,
    draw: (rank, words) => {
      if (rank < s) return withHead(layout, 0, draw(rank, words));
      if (coin(words, bonus, bonus + BigInt(s) * odds.below)) return withHead(layout, rank - s + 1, only);
      return withHead(layout, 0, s === 1 ? only : anySet(words, s, size));
    },
  };
});

/** Sensitive labels answer with a residue, others with themselves or a uniform residue. */
export const highLowCyclic: Family = /* @__PURE__ */ highLow("HighLowCyclic", ({ d, s, epsilon, spec }) => {
  const design = readDesign(spec["q"], spec["t"], s);
  const { odds, draw } = residues(s, epsilon, design);
  const bonus = BigInt(design.block) * (odds.above - odds.below);
  return {
    own: designSpec(design),
    layout: index(design.length + d - s),
    odds,
    draw: (rank, words) => {
      if (rank < s) return draw(rank, words);
      if (coin(words, bonus, bonus + BigInt(design.length) * odds.below)) return design.length + rank - s;
      return uniformBelow(words, design.length);
    },
  };
});

/** The families of this file, by the names that specs know them by. */
export const families: Families = {
  HighLowHadamard: highLowHadamard,
  HighLowResponse: highLowResponse,
  HighLowRappor: highLowRappor,
  HighLowSubset: highLowSubset,
  HighLowCyclic: highLowCyclic,
};
