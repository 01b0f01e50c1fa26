/** Numbers as people read them. */

import { exact } from "./odds.js";

/** A number in up to six digits, with an exponent where it is very small or large: 0.5, 1e-06, 1.5e+06. */
export function general(value: number): string {
  if (value === Infinity) return "inf";
  const [digits = "", exponent = ""] = value.toExponential(5).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return `${Number(value.toPrecision(6))}`;
  return `${Number(digits)}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

/** A number of at least 1 with three digits, never less than it is: a bound that is shown must hold. */
export function up(value: number): string {
  const [numerator, denominator] = exact(value);
  const power = Number(value.toExponential().split("e")[1]) - 2;
  const [scaled, unit] = [
    numerator * 10n ** BigInt(Math.max(-power, 0)),
    denominator * 10n ** BigInt(Math.max(power, 0)),
  ];
  return `${Number(`${(scaled + unit - 1n) / unit}e${power}`)}`;
}

/** How many of a hundred a share is, in as many digits as it has, without an exponent. */
export function hundred(share: number): string {
  return (100 * share).toFixed(13).replace(/\.?0+$/, "");
}

/** A share that bounds something, rounded outwards to hundredths; to more digits rather than to 0 or 1. */
export function outwards(share: number, up: boolean): number {
  if (share <= 0 || share >= 1) return share;
  for (let grain = 100; grain < 1e16; grain *= 10) {
    const whole = up ? Math.ceil(share * grain - 1e-9) : Math.floor(share * grain + 1e-9);
    if (whole > 0 && whole < grain) return whole / grain;
  }
  return up ? 1 : 0;
}

/** Beyond e^14, 1.2 million, a factor is written as a power: its digits say nothing to anybody. */
export const READABLE = 14;

/** How many times likelier at a level, rounded up; as a power where the digits would say nothing. */
export function factor(level: number): string {
  return level <= READABLE ? up(Math.exp(level)) : `e^${general(level)}`;
}

/** So many of 100 even guesses are right at most, at a level; rounded up, since it is a bound. */
export function evenGuess(level: number): string {
  return hundred(outwards(1 / (1 + Math.exp(-level)), true));
}

/** How strong a protection is, by what an even guess becomes at most under its level. */
export function gradeOf(level: number): "strong" | "middling" | "weak" | "beyond" {
  const even = 1 / (1 + Math.exp(-level));
  return even <= 0.75 ? "strong" : even <= 0.9 ? "middling" : even <= 0.96 ? "weak" : "beyond";
}
