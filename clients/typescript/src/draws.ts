/**
 * How reports are drawn from random words, in whole numbers: the readable twin of wire/draws.md.
 *
 * Every function reads the words that it names and no others, however the coins fall, as far as its draw allows: what
 * is drawn takes the same steps for every value. Sets of symbols are packed bits, symbol j being bit j.
 */

import type { Odds } from "./odds.js";
import { WORD, type Words } from "./randomWords.js";

/** Coins are settled together in groups of four words. */
const LANES = 4;
const COINS = 64 * LANES;
/** Sets of less than one symbol in eight are built from nothing; larger ones start from random words. */
const SPARSE = 8;

/** Lemire's exact integer below `bound`. */
export function uniform(words: Words, bound: bigint): bigint {
  for (;;) {
    const product = words() * bound;
    if (product % WORD >= WORD % bound) return product / WORD;
  }
}

/** The same, for bounds and results that are numbers. */
export function uniformBelow(words: Words, bound: number): number {
  return Number(uniform(words, BigInt(bound)));
}

/** True as often as `below` of `total`. */
export function coin(words: Words, below: bigint, total: bigint): boolean {
  return uniform(words, total) < below;
}

/** So many coins, each 1 in `below` of 2^64 cases, as packed bits in `width` bytes. */
export function coins(words: Words, below: bigint, count: number, width = byteCount(count)): Uint8Array {
  const view = new DataView(new ArrayBuffer(Math.ceil(count / COINS) * (COINS / 8) + width));
  for (let start = 0; start < count; start += COINS) {
    for (const [place, lane] of group(words, below).entries()) view.setBigUint64(start / 8 + 8 * place, lane, true);
  }
  const bytes = new Uint8Array(view.buffer, 0, width);
  bytes.fill(0, byteCount(count));
  if (count % 8) bytes[count >> 3] = (bytes[count >> 3] as number) & ((1 << (count % 8)) - 1);
  return bytes.slice();
}

/**
 * 256 coins. Each compares a random number with `below` bit by bit, the highest first; the group is done once every
 * coin of it has met a bit that differs.
 */
function group(words: Words, below: bigint): bigint[] {
  const open = Array<bigint>(LANES).fill(WORD - 1n);
  const ones = Array<bigint>(LANES).fill(0n);
  for (let bit = 63n, left = true; bit >= 0n && left; bit--) {
    const due = (below >> bit) & 1n;
    left = false;
    for (let lane = 0; lane < LANES; lane++) {
      const [drawn, undecided] = [words(), open[lane] as bigint];
      const [zeros, same] = [undecided & ~drawn, undecided & drawn];
      if (due) ones[lane] = (ones[lane] as bigint) | zeros;
      open[lane] = due ? same : zeros;
      left ||= open[lane] !== 0n;
    }
  }
  return ones;
}

/** One report at a geometric distance, within 0 to d - 1; all coins are tossed, since time would tell how many. */
export function geometric(words: Words, value: number, d: number, { above, below }: Odds): number {
  const up = coin(words, above, above + below);
  let [going, steps] = [1, 0];
  for (let tossed = 1; tossed < d; tossed++) {
    going &= Number(coin(words, below, above));
    steps += going;
  }
  return chosen(up, Math.min(value + steps, d - 1), Math.max(value - 1 - steps, 0));
}

/** One report of randomized response: the value with weight A against B for each other label. */
export function response(words: Words, value: number, d: number, { above, below }: Odds): number {
  const drawn = uniform(words, above - below + BigInt(d) * below);
  return chosen(drawn < above - below, value, Number((drawn - (above - below)) / below));
}

/** One Hadamard report: an output of the + half of the value's row, or any output of all parts. */
export function hadamard(words: Words, value: number, size: number, parts: number, { above, below }: Odds): number {
  const drawn = uniform(words, above - below + 2n * BigInt(parts) * below);
  const word = words();
  const row = (value % (size - 1)) + 1;
  const own = Math.floor(value / (size - 1)) * size + half(Number(word % BigInt(size)), row);
  return chosen(drawn < above - below, own, Number(word % BigInt(size * parts)));
}

/** The output, moved into the + half of a row of the Hadamard matrix if it is in the other. */
export function half(output: number, row: number): number {
  return chosen(isOdd(output & row), output ^ (row & -row), output);
}

/** A uniform set of `size` of d symbols that holds the value in `inside` of `total` cases, the others uniform. */
export function drawSet(
  words: Words,
  value: number,
  d: number,
  size: number,
  inside: bigint,
  total: bigint,
): Uint8Array {
  const dense = size * SPARSE >= d;
  const start = dense ? coins(words, (BigInt(size) * WORD) / BigInt(d), d) : new Uint8Array(byteCount(d));
  return exchange(words, start, value, d, size, inside, total);
}

/** A uniform set of `size` of d symbols. */
export function anySet(words: Words, d: number, size: number): Uint8Array {
  return drawSet(words, 0, d, size, BigInt(size), BigInt(d));
}

/**
 * `members` becomes a uniform set of `size` of the symbols but the value, by symbols that are put in or taken out; then
 * the value takes a place in `inside` of `total` cases.
 */
function exchange(
  words: Words,
  members: Uint8Array,
  value: number,
  d: number,
  size: number,
  inside: bigint,
  total: bigint,
): Uint8Array {
  setBit(members, value, false);
  let left = size - placesOf(members).length;
  const adding = left > 0;
  while (left) {
    const symbol = uniformBelow(words, d);
    if (symbol !== value && hasBit(members, symbol) !== adding) {
      setBit(members, symbol, adding);
      left += adding ? -1 : 1;
    }
  }
  const gone = placesOf(members)[uniformBelow(words, size)] as number;
  const included = coin(words, inside, total);
  setBit(members, chosen(included, gone, value), false); // one of the two is not in the set, and stays out
  setBit(members, chosen(included, value, gone), true);
  return members;
}

/** One of two numbers, both of which are there whichever is wanted. */
export function chosen(first: boolean, yes: number, no: number): number {
  return [no, yes][Number(first)] as number;
}

export function isOdd(bits: number): boolean {
  let odd = false;
  for (let left = bits; left; left &= left - 1) odd = !odd;
  return odd;
}

/** The bytes that so many bits take. */
export function byteCount(bits: number): number {
  return Math.ceil(bits / 8);
}

export function hasBit(bytes: Uint8Array, bit: number): boolean {
  return (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
}

export function setBit(bytes: Uint8Array, bit: number, on: boolean): void {
  const mask = 1 << (bit & 7);
  bytes[bit >> 3] = ((bytes[bit >> 3] ?? 0) & ~mask) | (on ? mask : 0);
}

export function flipBit(bytes: Uint8Array, bit: number): void {
  setBit(bytes, bit, !hasBit(bytes, bit));
}

/** The bits that are set, ascending. */
export function placesOf(bytes: Uint8Array): number[] {
  const places: number[] = [];
  for (let bit = 0; bit < 8 * bytes.length; bit++) if (hasBit(bytes, bit)) places.push(bit);
  return places;
}
