/** Block mechanisms: the block is told, and within it a label is hidden among the others. */

import { isList, type Json } from "../canonical.js";
import { checkInt, checkList } from "../checks.js";
import { chosen, half, uniform } from "../draws.js";
import { ParameterError } from "../errors.js";
import { type BlockLayout, index, withHead } from "../layouts.js";
import { weightedOdds } from "../odds.js";
import { blocked, checkBlocks } from "./context.js";
import { type Design, designSpec, readDesign, residues } from "./cyclic.js";
import { powerAbove } from "./manyLabels.js";
import type { Families, Family } from "./mechanism.js";
import { sets } from "./sets.js";

/** Each block has outputs of its own; a label owns the + half of its row there. */
export const blockHadamard: Family = /* @__PURE__ */ blocked("BlockHadamard", ({ sizes, epsilon }) => {
  const odds = weightedOdds(epsilon, 1, 1);
  const widths = sizes.map(powerAbove);
  const starts = startsOf(widths);
  return {
    layout: index(starts.at(-1) as number),
    odds,
    draw: (block, number, words) => {
      const drawn = uniform(words, odds.above + odds.below);
      const output = Number(words() % BigInt(widths[block] as number));
      return (starts[block] as number) + chosen(drawn < odds.above - odds.below, half(output, number + 1), output);
    },
  };
});

/** A block, and a set of its labels as in Subset. */
export const blockSubset: Family = /* @__PURE__ */ blocked("BlockSubset", ({ sizes, epsilon, spec }) => {
  checkBlocks(sizes.length);
  const weights = checkList(spec["weights"]).map((weight) => checkInt("weights", weight, 1));
  if (weights.length !== sizes.length || weights.some((weight, k) => weight > Math.max((sizes[k] ?? 0) - 1, 1))) {
    throw new ParameterError("weights must be one for each block, and leave out a label of it, got others");
  }
  const layout: BlockLayout = { kind: "block", sizes, weights };
  const inner = once(sizes, weights, (size, weight) => sets(size, epsilon, weight));
  return {
    own: { weights: weights.map(BigInt) },
    layout,
    draw: (block, number, words) => withHead(layout, block, inner(block).draw(number, words)),
  };
});

/** Each block has residues of its own, and a label reports as in Cyclic there. */
export const blockCyclic: Family = /* @__PURE__ */ blocked("BlockCyclic", ({ sizes, epsilon, spec }) => {
  const designs = readDesigns(spec["designs"], sizes);
  const starts = startsOf(designs.map((design) => design.length));
  const inner = once(sizes, designs, (size, design) => residues(size, epsilon, design));
  return {
    own: { designs: designs.map(designSpec).map(({ q, t }) => [q, t]) },
    layout: index(starts.at(-1) as number),
    draw: (block, number, words) => (starts[block] as number) + inner(block).draw(number, words),
  };
});

/** The designs of a spec, one for each block. */
export function readDesigns(json: Json | undefined, sizes: readonly number[]): Design[] {
  const pairs = checkList(json);
  if (pairs.length !== sizes.length) throw new ParameterError("designs must be one for each block, got others");
  return pairs.map((pair, block) => {
    if (!isList(pair) || pair.length !== 2) throw new ParameterError("a design must be q and t, got something else");
    return readDesign(pair[0], pair[1], sizes[block] as number);
  });
}

/** Where each block's outputs begin, and where the last one's end. */
export function startsOf(widths: readonly number[]): number[] {
  const starts = [0];
  for (const width of widths) starts.push((starts.at(-1) as number) + width);
  return starts;
}

/** What belongs to each block; blocks that are alike share it, for odds take a while to prove. */
function once<A, T>(sizes: readonly number[], others: readonly A[], make: (size: number, other: A) => T) {
  const values = new Map<string, T>();
  const each = sizes.map((size, block) => {
    const name = JSON.stringify([size, others[block]]);
    const value = values.get(name) ?? make(size, others[block] as A);
    values.set(name, value);
    return value;
  });
  return (block: number) => each[block] as T;
}

/** The families of this file, by the names that specs know them by. */
export const families: Families = { BlockHadamard: blockHadamard, BlockSubset: blockSubset, BlockCyclic: blockCyclic };
