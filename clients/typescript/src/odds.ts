/** Certified odds: two integers A:B, proven to satisfy A/B <= e^epsilon, that decide every coin; see wire/odds.md. */

import { CapacityError } from "./errors.js";
import { WORD } from "./randomWords.js";

/** Weights A and B: a truthful outcome is A/B times likelier than another one. */
export interface Odds {
  readonly above: bigint;
  readonly below: bigint;
}

/** A fraction of integers, its denominator above 0. */
export type Fraction = readonly [numerator: bigint, denominator: bigint];

/** `expLower` counts in units of 2^-320. */
export const BITS = 320n;
const HALVINGS = 16n;
const PRECISION = 40n;

/** The fraction that a double is. */
export function exact(value: number): Fraction {
  let [numerator, denominator] = [value, 1n];
  while (!Number.isInteger(numerator)) [numerator, denominator] = [numerator * 2, denominator * 2n];
  return [BigInt(numerator), denominator];
}

/**
 * A number at most e^x and within 2^-200 of it, relatively, for 0 <= x <= 64, in units of 2^-320. Every step rounds
 * down: the Taylor series of exp(x / 2^16) has only positive terms, and squaring keeps a lower bound a lower bound.
 */
export function expLower([numerator, denominator]: Fraction): bigint {
  const one = 1n << BITS;
  const step = (numerator << BITS) / (denominator << HALVINGS);
  let [total, term] = [one, one];
  for (let k = 1n; term; k++) {
    term = ((term * step) >> BITS) / k;
    total += term;
  }
  for (let k = 0n; k < HALVINGS; k++) total = (total * total) >> BITS;
  return total;
}

/** Odds whose total weight `aboves` A + `belows` B fits 64 bits; B is a power of two. */
export function weightedOdds(epsilon: number, aboves: number, belows: number): Odds {
  const [numerator, denominator] = exact(epsilon);
  const bound = expLower([numerator, denominator]);
  let odds: Odds = { above: 0n, below: 0n };
  for (let shift = 0n; shift < 64n; shift++) {
    const wider = { above: bound >> (BITS - shift), below: 1n << shift };
    if (BigInt(aboves) * wider.above + BigInt(belows) * wider.below >= WORD) break;
    odds = wider;
    if (odds.above * numerator >= denominator << PRECISION) break;
  }
  if (odds.above <= odds.below) {
    throw new CapacityError(
      `epsilon must leave room for odds above 1 in 64 bits, got epsilon=${epsilon} over ${aboves + belows} weights`,
    );
  }
  return odds;
}

/** Odds with A + B = 2^64 for epsilon over `parts`, so that a coin is the comparison of a 64-bit word with B. */
export function dyadicOdds(epsilon: number, parts = 1): Odds {
  const [numerator, denominator] = exact(epsilon);
  const bound = expLower([numerator, denominator * BigInt(parts)]);
  const below = ceilDiv(WORD << BITS, (1n << BITS) + bound); // rounded up: A/B only falls
  return { above: WORD - below, below };
}

/** The least integer that is at least numerator / denominator. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
