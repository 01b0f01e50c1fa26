/** Where random words come from: the operating system, and nothing else that a device may use. */

/** Gives random 64-bit words, one after another, for one report or one answer. */
export type Words = () => bigint;

/** Makes the words of one draw: on a device new ones each time. */
export type Source = () => Words;

/** How many 64-bit words there are. */
export const WORD = 0x1_0000_0000_0000_0000n;
const AT_ONCE = 32;

/** The operating system's words. Those that are left over are dropped: make new ones for each report. */
export function systemWords(): Words {
  const words = new BigUint64Array(AT_ONCE);
  let next = AT_ONCE;
  return () => {
    if (next === AT_ONCE) {
      crypto.getRandomValues(words);
      next = 0;
    }
    return words[next++] as bigint;
  };
}
