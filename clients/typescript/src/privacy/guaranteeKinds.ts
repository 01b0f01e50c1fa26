/** The kinds of guarantees: what a mechanism promises about pairs of values. What follows from one is in other files. */

import type { Domain } from "../values.js";

/** No report is more than e^epsilon times likelier from one value than from another. */
export interface LDP {
  readonly kind: "ldp";
  readonly epsilon: number;
}

/** A level for each ordered pair of labels, 0 and infinity too. */
export interface Pairwise {
  readonly kind: "pairwise";
  readonly domain: Domain;
  readonly matrix: readonly (readonly number[])[];
}

/** A report is at most e^epsilon times likelier from a sensitive label than from any other; `places`: ascending. */
export interface HighLow {
  readonly kind: "highLow";
  readonly epsilon: number;
  readonly domain: Domain;
  readonly places: readonly number[];
}

/** Labels of one block cannot be told apart beyond e^epsilon; the block is not protected. */
export interface Blocks {
  readonly kind: "blocks";
  readonly epsilon: number;
  readonly domain: Domain;
  readonly places: readonly (readonly number[])[];
}

/** Labels that stand k places apart are within e^(k epsilon). */
export interface Distance {
  readonly kind: "distance";
  readonly epsilon: number;
  readonly domain: Domain;
}

/** Two lists that differ in one label are within e^epsilon; one-sided only holding a label is protected. */
export interface EachItem {
  readonly kind: "eachItem";
  readonly epsilon: number;
  readonly labels: Domain;
  readonly oneSided: boolean;
}

/** No report changes the probability of any value by more than e^epsilon; one-sided only downwards (jiang2018). */
export interface UnderPrior {
  readonly kind: "prior";
  readonly epsilon: number;
  readonly domain: Domain;
  readonly prior: readonly number[];
  readonly oneSided: boolean;
}

export type Guarantee = LDP | Pairwise | HighLow | Blocks | Distance | EachItem | UnderPrior;

/** What a reader of surveys asks of a guarantee. Levels are worked out when asked for: of a large matrix that takes a while. */
export interface Cover {
  /** The level of plain LDP that is kept; infinite if only some pairs are protected. */
  readonly level: () => number;
  /** What a ledger counts: the level, or the largest finite one between two values. */
  readonly charge: () => number;
  /** Whether all that the other guarantee protects is protected. */
  readonly protects: (wanted: Guarantee) => boolean;
}

/** Plain LDP at a level. */
export function ldp(epsilon: number): LDP {
  return { kind: "ldp", epsilon };
}

/** Of plain LDP at a level: it protects every pair of values. */
export function plainCover(epsilon: number): Cover {
  const level = () => epsilon;
  return { level, charge: level, protects: () => true };
}
