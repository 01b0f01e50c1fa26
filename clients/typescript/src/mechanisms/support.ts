/** How often a report fits a label that its sender holds, and one that they do not. */

import { type Fraction, fraction } from "../fractions.js";
import type { Odds } from "../odds.js";
import { mixture } from "./chances.js";
import { readDesign } from "./cyclic.js";
import { fitsOf } from "./fits.js";
import type { Mechanism } from "./mechanism.js";
import { inBits, labelsOf, ownPlaces, PARTS, placesOf } from "./remembered.js";

/** Both shares; undefined of a mechanism whose labels differ. */
export function supportOf(m: Mechanism): [own: Fraction, other: Fraction] | undefined {
  const [d, odds] = [labelsOf(m), m.odds as Odds];
  switch (m.name) {
    case "Cyclic":
      return cyclicSupport(m, d, odds);
    case "Remembered":
      return rememberedSupport(m, m.permanent as Mechanism);
    default:
      return fitsOf(m);
  }
}

/** A report fits the labels from which it is a point of the design. */
function cyclicSupport(m: Mechanism, d: number, { above, below }: Odds): [Fraction, Fraction] {
  const { length, block, overlap } = readDesign(m.parameters["q"], m.parameters["t"], d);
  const total = BigInt(block) * above + BigInt(length - block) * below;
  const shared = BigInt(overlap) * (above - below) + BigInt(block) * below;
  return [fraction(BigInt(block) * above, total), fraction(shared, total)];
}

/** As the permanent report's, at the weaker odds of one round. */
function rememberedSupport(m: Mechanism, permanent: Mechanism): [Fraction, Fraction] | undefined {
  const keepShare = fraction(m.parameters["u"] as bigint, PARTS);
  const share = fraction(ownPlaces(permanent), placesOf(permanent) || 1);
  const shares = supportOf(permanent);
  return (
    shares && [
      mixture(keepShare, shares[0], share, inBits(permanent)),
      mixture(keepShare, shares[1], share, inBits(permanent)),
    ]
  );
}
