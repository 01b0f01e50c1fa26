/** How strong a protection is, by what it lets an even guess become. */

import { hundred, outwards } from "../numbers.js";

/** So many of 100 even guesses are right at most, at a level; rounded up, since it is a bound. */
export function evenGuess(level: number): string {
  return hundred(outwards(1 / (1 + Math.exp(-level)), true));
}

/** How strong a protection is, by what an even guess becomes at most under its level. */
export function gradeOf(level: number): "strong" | "middling" | "weak" | "beyond" {
  const even = 1 / (1 + Math.exp(-level));
  return even <= 0.75 ? "strong" : even <= 0.9 ? "middling" : even <= 0.96 ? "weak" : "beyond";
}
