/** Of mechanisms that treat all labels alike, how often a report fits the label of its sender, and another one. */

import { type Fraction, fraction } from "../fractions.js";
import type { Odds } from "../odds.js";
import { WORD } from "../randomWords.js";
import type { Mechanism } from "./mechanism.js";

/** Both shares; undefined of any other mechanism. */
export function fitsOf(m: Mechanism): [own: Fraction, other: Fraction] | undefined {
  const d = m.domain.kind === "labels" ? m.domain.size : 0;
  switch (m.name) {
    case "RandomizedResponse":
      return [true, false].map((own) => weighted(m.odds as Odds, own, 1, d - 1)) as [Fraction, Fraction];
    case "Rappor":
    case "OptimizedUnary":
      return [bitShare(m, true), bitShare(m, false)];
    case "Subset":
      return subsetFits(d, Number(m.parameters["size"]), m.odds as Odds);
    default:
      return undefined;
  }
}

/** A report fits the labels of its set. */
function subsetFits(d: number, size: number, { above, below }: Odds): [Fraction, Fraction] {
  const [inside, outside] = [BigInt(size) * above, BigInt(d - size) * below];
  const other = inside * BigInt(size - 1) + outside * BigInt(size);
  return [fraction(inside, inside + outside), fraction(other, (inside + outside) * BigInt(d - 1))];
}

/** A or B of `aboves` A and `belows` B. */
export function weighted({ above, below }: Odds, own: boolean, aboves: number, belows: number): Fraction {
  return fraction(own ? above : below, BigInt(aboves) * above + BigInt(belows) * below);
}

/** How often the bit of a label is set, of one that is held and of another one. */
export function bitShare(m: Mechanism, held: boolean): Fraction {
  const { above, below } = m.odds as Odds;
  if (m.name === "OptimizedUnary" && held) return [1n, 2n];
  return fraction(held ? above : below, WORD);
}
