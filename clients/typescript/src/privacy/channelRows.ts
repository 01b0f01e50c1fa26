/** A channel in exact form: integer weights, one row per value, with one total for all rows. */

import { ParameterError } from "../errors.js";
import { gcd } from "../fractions.js";
import { BITS, exact, expLower, type Fraction } from "../odds.js";

/** The largest exponent for which `expLower` is proven. */
export const LARGEST = 64;
const DOUBLINGS = 30;

export type Weights = readonly (readonly bigint[])[];

/** A ratio of two probabilities; undefined if it is infinite. */
export type Ratio = Fraction | undefined;

/** The total of rows, which must be of one length and one sum. */
export function totalOf(rows: Weights): bigint {
  const sums = rows.map((row) => row.reduce((a, b) => a + b, 0n));
  const [total = 0n] = sums;
  if (total < 1n || rows.some((row) => row.length !== rows[0]?.length) || sums.some((sum) => sum !== total)) {
    throw new ParameterError("weights must be rows of one length that add up to one total, got others");
  }
  return total;
}

/** Rows without their common divisor. */
export function reduced(rows: Weights): Weights {
  const divisor = divisorOf(rows) || 1n;
  return rows.map((row) => row.map((weight) => weight / divisor));
}

/** The largest integer that divides all weights. */
export function divisorOf(rows: Weights): bigint {
  return rows.flat().reduce(gcd, 0n);
}

/** The largest ratio of a weight in the rows `above` to one of the same report in the rows `below`. */
export function worstRatio(rows: Weights, above: readonly number[], below: readonly number[]): Ratio {
  const columns = (rows[0] ?? []).map((_, y) => y);
  const each = (places: readonly number[], y: number) => places.map((x) => rows[x]?.[y] as bigint);
  return largest(columns.map((y) => [each(above, y).reduce(most), each(below, y).reduce(least)]));
}

/** The largest ratio above/below of the pairs with above > 0; at least 1. */
export function largest(pairs: readonly Fraction[]): Ratio {
  let [worst, over] = [1n, 1n];
  for (const [above, below] of pairs) {
    if (above > 0n && below === 0n) return undefined;
    if (above * over > worst * below) [worst, over] = [above, below];
  }
  return [worst, over];
}

export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Whether a ratio is proven to be at most e^epsilon. */
export function within(ratio: Ratio, epsilon: number): boolean {
  if (epsilon === Infinity) return true;
  return ratio !== undefined && isProven(ratio, Math.min(epsilon, LARGEST));
}

/** The least epsilon that can be proven for a worst ratio. */
export function levelOf(ratio: Ratio): number {
  if (!ratio) return Infinity;
  const [above, below] = ratio;
  if (above === below) return 0;
  const excess = toNumber(above - below, below);
  if ((above - below) << 50n < below) return nextUp(excess); // ln(1 + x) <= x, and a float may have been rounded down
  let level = excess < 0.5 ? Math.log1p(excess) : Math.log(toNumber(above, below));
  for (let doubling = 0; doubling < DOUBLINGS && level <= LARGEST; doubling++) {
    if (isProven(ratio, level)) return lowered(level, ratio);
    level += (nextUp(level) - level) * 2 ** doubling;
  }
  return Infinity;
}

/** A proven level, lowered by units in the last place as long as it stays proven. */
function lowered(level: number, ratio: Fraction): number {
  let least = level;
  for (let lower = moved(least, -1n); isProven(ratio, lower); lower = moved(least, -1n)) least = lower;
  return least;
}

function isProven([above, below]: Fraction, level: number): boolean {
  return above << BITS <= expLower(exact(level)) * below;
}

/** The next larger double of a positive one. */
function nextUp(value: number): number {
  return moved(value, 1n);
}

function moved(value: number, by: bigint): number {
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] = (bits[0] as bigint) + by;
  return new Float64Array(bits.buffer)[0] as number;
}

/** The double nearest to a fraction of positive integers: 64 bits of it, the last one for all that follow. */
export function toNumber(numerator: bigint, denominator: bigint): number {
  if (!numerator) return 0;
  const shift = 66 + bitsOf(denominator) - bitsOf(numerator);
  const [n, d] = shift > 0 ? [numerator << BigInt(shift), denominator] : [numerator, denominator << BigInt(-shift)];
  const half = Math.trunc(shift / 2); // 2^shift itself may be no double
  return Number((n / d) | BigInt(n % d !== 0n)) / 2 ** half / 2 ** (shift - half);
}

function bitsOf(value: bigint): number {
  return 4 * value.toString(16).length;
}
