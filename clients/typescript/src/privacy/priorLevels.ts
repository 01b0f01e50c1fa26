/** Guarantees with a prior (jiang2018): how much a report may change what is believed about its value. */

import { exact } from "../odds.js";
import { largest, least, most, type Ratio, toNumber, type Weights } from "./channelRows.js";
import type { UnderPrior } from "./guaranteeKinds.js";
import { UP } from "./levels.js";

/** The prior as integers in exactly the ratios of its floats. */
export function weightsOf({ prior }: UnderPrior): bigint[] {
  const shares = prior.map(exact);
  const common = shares.map(([, denominator]) => denominator).reduce(most); // all are powers of two
  return shares.map(([numerator, denominator]) => numerator * (common / denominator));
}

/** The values with a positive prior. */
export function supportOf(weights: readonly bigint[]): number[] {
  return weights.flatMap((weight, place) => (weight ? [place] : []));
}

/** The smallest share of a value that the prior allows, of a sum of exactly 1. */
export function rarest(guarantee: UnderPrior): number {
  const allowed = weightsOf(guarantee).filter((weight) => weight);
  return toNumber(allowed.reduce(least), allowed.reduce(sum));
}

/** The largest level between two values that the prior allows, as terms of a sum. */
export function pairTerms(guarantee: UnderPrior): number[] {
  const { epsilon } = guarantee;
  return guarantee.oneSided ? [raisedLevel(epsilon, rarest(guarantee))] : [epsilon, epsilon];
}

/** The level between a value and another one, where the prior allows both. */
export function sharesOf(guarantee: UnderPrior): (value: number, other: number) => number {
  const weights = weightsOf(guarantee);
  const total = weights.reduce(sum);
  return (value, other) => {
    if (!(weights[value] && weights[other])) return Infinity;
    return guarantee.oneSided ? raisedLevel(guarantee.epsilon, toNumber(weights[value], total)) : 2 * guarantee.epsilon;
  };
}

/** The level between the rarest value and another, where the prior allows all; no other pair has a higher one. */
export function priorLevel(guarantee: UnderPrior): number {
  const weights = weightsOf(guarantee);
  const place = weights.indexOf(weights.reduce(least));
  return sharesOf(guarantee)(place, Number(place === 0));
}

/** The largest ratio of a report's probability under the prior and from a value: down, and unless one-sided up. */
export function marginalRatio(guarantee: UnderPrior, rows: Weights): Ratio {
  const weights = weightsOf(guarantee);
  const support = supportOf(weights);
  const everybody = weights.reduce(sum);
  const pairs = (rows[0] ?? []).flatMap((_, y) => {
    const column = support.map((place) => rows[place]?.[y] as bigint);
    const mean = column.reduce((total, weight, k) => total + weight * (weights[support[k] as number] as bigint), 0n);
    const down = [mean, everybody * column.reduce(least)] as const;
    return guarantee.oneSided ? [down] : [down, [everybody * column.reduce(most), mean] as const];
  });
  return largest(pairs);
}

/** ln(1 + (e^epsilon - 1)/share), rounded up. */
export function raisedLevel(epsilon: number, share: number): number {
  return Math.log1p(Math.expm1(epsilon) / share) * UP;
}

function sum(a: bigint, b: bigint): bigint {
  return a + b;
}
