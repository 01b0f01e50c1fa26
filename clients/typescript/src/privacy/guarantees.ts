/** What follows from a guarantee: its levels, whether exact rows keep it, and how it is called. */

import { general } from "../numberFormats.js";
import { LARGEST, type Ratio, type Weights, within, worstRatio } from "./channelRows.js";
import type { EachItem, Guarantee } from "./guaranteeKinds.js";
import { added, closed, times } from "./levels.js";
import { marginalRatio, pairTerms, priorLevel, sharesOf } from "./priorLevels.js";

/** The level as one number: the largest of all the pairs that the guarantee binds. */
export function claimed(guarantee: Guarantee): number {
  return guarantee.kind === "pairwise" ? largestOf(guarantee.matrix) : guarantee.epsilon;
}

/** The level of plain LDP that it implies; infinite if it protects only some pairs. */
export function plainLevel(guarantee: Guarantee): number {
  switch (guarantee.kind) {
    case "ldp":
      return guarantee.epsilon;
    case "pairwise":
      return largestOf(closed(guarantee.matrix));
    case "highLow":
      return guarantee.places.length === guarantee.domain.size ? guarantee.epsilon : Infinity;
    case "blocks":
      return guarantee.places.length === 1 ? guarantee.epsilon : Infinity;
    case "distance":
      return times(guarantee.epsilon, guarantee.domain.size - 1);
    case "eachItem":
      return guarantee.oneSided ? Infinity : times(guarantee.epsilon, guarantee.labels.size);
    case "prior": {
      const level = priorLevel(guarantee);
      return level > LARGEST ? Infinity : level;
    }
  }
}

/** The largest finite level between two values: what a ledger counts where other pairs are not protected. */
export function chargeOf(guarantee: Guarantee): number {
  if (guarantee.kind === "pairwise") {
    const finite = guarantee.matrix.flat().filter((level) => level < Infinity);
    return finite.length ? largestOf([finite]) : Infinity;
  }
  if (guarantee.kind === "eachItem") return times(guarantee.epsilon, guarantee.labels.size);
  return guarantee.kind === "prior" ? added(...pairTerms(guarantee)) : guarantee.epsilon;
}

/** The largest log ratio by which a report may favour a value over another one; infinite if it is not bound. */
export function pairLevels(guarantee: Exclude<Guarantee, EachItem>): (value: number, other: number) => number {
  switch (guarantee.kind) {
    case "ldp":
      return () => guarantee.epsilon;
    case "pairwise":
      return (value, other) => guarantee.matrix[value]?.[other] as number;
    case "highLow": {
      const sensitive = new Set(guarantee.places);
      return (value) => (sensitive.has(value) ? guarantee.epsilon : Infinity);
    }
    case "blocks": {
      const own = new Map(guarantee.places.flatMap((block, b) => block.map((place) => [place, b] as const)));
      return (value, other) => (own.get(value) === own.get(other) ? guarantee.epsilon : Infinity);
    }
    case "distance":
      return (value, other) => times(guarantee.epsilon, Math.abs(value - other));
    case "prior":
      return sharesOf(guarantee);
  }
}

/** Whether exact rows are proven to keep the guarantee. */
export function judge(guarantee: Guarantee, rows: Weights): boolean {
  if (guarantee.kind === "pairwise") {
    const pairs = guarantee.matrix.flatMap((row, x) => row.map((level, z) => [x, z, level] as const));
    return pairs.every(([x, z, level]) => x === z || within(worstRatio(rows, [x], [z]), level));
  }
  return worst(guarantee, rows).every((ratio) => within(ratio, guarantee.epsilon));
}

function worst(guarantee: Exclude<Guarantee, { kind: "pairwise" }>, rows: Weights): Ratio[] {
  const everybody = rows.map((_, x) => x);
  switch (guarantee.kind) {
    case "ldp":
      return [worstRatio(rows, everybody, everybody)];
    case "highLow":
      return [worstRatio(rows, guarantee.places, everybody)];
    case "blocks":
      return guarantee.places.map((block) => worstRatio(rows, block, block));
    case "distance":
      return everybody.slice(1).map((x) => worstRatio(rows, [x - 1, x], [x - 1, x]));
    case "prior":
      return [marginalRatio(guarantee, rows)];
    case "eachItem":
      throw new RangeError("channels over lists are not written out");
  }
}

/** A guarantee in words, for facts and messages. */
export function describe(guarantee: Guarantee): string {
  const level = general(claimed(guarantee));
  switch (guarantee.kind) {
    case "ldp":
      return `${level}-LDP`;
    case "pairwise": {
      const beside = guarantee.matrix.flatMap((row, x) => row.filter((_, z) => z !== x));
      const [low, high] = [-largestOf([beside.map((each) => -each)]), largestOf([beside])].map(general);
      return `pairwise LDP over ${guarantee.domain.size} labels, levels ${low} to ${high}`;
    }
    case "highLow":
      return `${level}-LDP for ${guarantee.places.length} sensitive of ${guarantee.domain.size} labels`;
    case "blocks":
      return `${level}-LDP within ${guarantee.places.length} blocks of ${guarantee.domain.size} labels`;
    case "prior":
      return `${level}-LIP${guarantee.oneSided ? " on one side" : ""} over ${guarantee.domain.size} labels`;
    case "distance": {
      const whole = general(plainLevel(guarantee));
      return `${level}-LDP per unit of distance, ${whole}-LDP over ${guarantee.domain.size} labels`;
    }
    case "eachItem":
      return describeItems(guarantee);
  }
}

function describeItems(guarantee: EachItem): string {
  const each = `${general(guarantee.epsilon)}-LDP for each of ${guarantee.labels.size} labels by itself`;
  if (guarantee.oneSided) return `${each}, and only for holding it: that a label is not held may show`;
  return `${each}, ${general(plainLevel(guarantee))}-LDP for whole lists`;
}

function largestOf(levels: readonly (readonly number[])[]): number {
  return levels.flat().reduce((a, b) => Math.max(a, b), -Infinity);
}
