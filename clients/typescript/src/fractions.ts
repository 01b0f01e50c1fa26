/** Exact fractions of whole numbers, for the probabilities that are shown. */

import type { Fraction } from "./odds.js";

export type { Fraction } from "./odds.js";

export const NEVER: Fraction = [0n, 1n];
export const ALWAYS: Fraction = [1n, 1n];

/** A fraction in lowest terms. */
export function fraction(numerator: bigint | number, denominator: bigint | number): Fraction {
  const [n, d] = [BigInt(numerator), BigInt(denominator)];
  const divisor = gcd(n, d);
  return [n / divisor, d / divisor];
}

export function times(first: Fraction, ...others: readonly Fraction[]): Fraction {
  return others.reduce(([n, d], [m, e]) => fraction(n * m, d * e), first);
}

export function plus([n, d]: Fraction, [m, e]: Fraction): Fraction {
  return fraction(n * e + m * d, d * e);
}

/** The probability that something does not happen. */
export function not([n, d]: Fraction): Fraction {
  return [d - n, d];
}

export function power([n, d]: Fraction, exponent: number): Fraction {
  return [n ** BigInt(exponent), d ** BigInt(exponent)];
}

/** The largest integer that divides both. */
export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y) [x, y] = [y, x % y];
  return x;
}
