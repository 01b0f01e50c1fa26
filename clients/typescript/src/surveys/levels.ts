/** The level of a person's whole answer, and what it costs. A device needs no more of what a survey promises. */

import type { Mechanism } from "../mechanisms/mechanism.js";
import { added } from "../privacy/levels.js";
import type { Arm, Plan } from "./arms.js";

/** The level between any two joint answers; infinite where some question is protected only in part. */
export function levelOfAll(arms: readonly Arm[]): number {
  return dearest(arms, (m) => m.cover.level());
}

/** What a device's ledger counts, whatever arm it draws: of what is protected only in part the largest finite level. */
export function chargeOfAll(arms: readonly Arm[]): number {
  return dearest(arms, (m) => m.cover.charge());
}

/** The level of all that a device ever sends: of a survey that is answered afresh each time it is the cap. */
export function levelInAll({ arms, repeat, cap }: Plan & { readonly cap: number }): number {
  const level = levelOfAll(arms);
  return repeat === "fresh" && level < Infinity ? cap : level;
}

/** Of two joint answers the levels of the parts that differ add up, and the dearest arm counts. */
function dearest(arms: readonly Arm[], level: (mechanism: Mechanism) => number): number {
  return Math.max(...arms.map((arm) => added(...arm.parts.map((part) => level(part.mechanism)))));
}
