/** The words of a seed, those that `privatize_many(seed=...)` has in Python: for made-up people alone, never on a device. */

import type { Words } from "../src/randomWords.js";

const ROUNDS = 10;
/** The stream of the first block of a column, which holds more people than are made up here. */
const BLOCK = 0x6371_f501_9a03_d691n;
const HALF = 32n;
const LOW = 0xffff_ffffn;
/** Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011). */
const [LEFT, RIGHT] = [0xd251_1f53n, 0xcd9e_8d57n];
const [OWN, OTHER] = [0x9e37_79b9n, 0xbb67_ae85n];

/** The words of a seed, one after another. */
export function seededWords(seed: bigint): Words {
  let [counter, second] = [0n, undefined as bigint | undefined];
  return () => {
    if (second !== undefined) {
      const word = second;
      second = undefined;
      return word;
    }
    const [word, next] = enciphered(seed, counter++);
    second = next;
    return word;
  };
}

/** The two words of a counter. */
function enciphered(seed: bigint, counter: bigint): readonly [bigint, bigint] {
  let [a, b, c, d] = [counter & LOW, counter >> HALF, BLOCK & LOW, BLOCK >> HALF];
  let [own, other] = [seed & LOW, seed >> HALF];
  for (let round = 0; round < ROUNDS; round++) {
    const [left, right] = [a * LEFT, c * RIGHT];
    [a, b] = [(right >> HALF) ^ b ^ own, right & LOW];
    [c, d] = [(left >> HALF) ^ d ^ other, left & LOW];
    [own, other] = [(own + OWN) & LOW, (other + OTHER) & LOW];
  }
  return [a | (b << HALF), c | (d << HALF)];
}
