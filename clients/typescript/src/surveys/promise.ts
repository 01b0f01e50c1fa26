/** What a survey promises about a person's whole answer, part by part, arm by arm and in all. */

import type { Mechanism } from "../mechanisms/mechanism.js";
import { composed, implies } from "../privacy/composition.js";
import { type Guarantee, ldp } from "../privacy/kinds.js";
import { added } from "../privacy/levels.js";
import type { Arm } from "./arms.js";

/** The guarantee of one report; of reports that are remembered that of a whole life of them. */
export function promiseOf({ ever, guarantee, cover }: Mechanism): Guarantee {
  return ever ? ldp(cover.level()) : guarantee;
}

/** The level between any two joint answers; infinite where some question is protected only in part. */
export function levelOfAll(arms: readonly Arm[]): number {
  return dearest(arms, (m) => m.cover.level());
}

/** What a device's ledger counts, whatever arm it draws: of what is protected only in part the largest finite level. */
export function chargeOfAll(arms: readonly Arm[]): number {
  return dearest(arms, (m) => m.cover.charge());
}

/** Of two joint answers the levels of the parts that differ add up, and the dearest arm counts. */
function dearest(arms: readonly Arm[], level: (mechanism: Mechanism) => number): number {
  return Math.max(...arms.map((arm) => added(...arm.parts.map((part) => level(part.mechanism)))));
}

/** What is promised about one question whatever the arm: of the guarantees of those that ask it, the weakest. */
export function promisesAbout(arms: readonly Arm[], question: string): Guarantee[] {
  let found: Guarantee[] = [];
  for (const arm of arms) {
    const one = promiseAbout(arm, question);
    if (one && !found.some((kept) => implies(one, kept))) {
      found = [...found.filter((kept) => !implies(kept, one)), one];
    }
  }
  return found;
}

/** What an arm promises about one question, the answers to all others being equal; undefined if it does not ask. */
function promiseAbout(arm: Arm, question: string): Guarantee | undefined {
  const own = arm.parts.filter((part) => part.names.includes(question));
  const found = own.map((part) => {
    return part.names.length === 1 ? promiseOf(part.mechanism) : ldp(part.mechanism.cover.level());
  });
  return found.length ? composed(found) : undefined;
}
