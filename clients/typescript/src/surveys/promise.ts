/** What a survey promises about one question; see levels.ts for whole answers. */

import type { Mechanism } from "../mechanisms/mechanism.js";
import { composed, implies } from "../privacy/composition.js";
import { type Guarantee, ldp } from "../privacy/kinds.js";
import type { Arm } from "./arms.js";

/** The guarantee of one report; of reports that are remembered that of a whole life of them. */
export function promiseOf({ ever, guarantee, cover }: Mechanism): Guarantee {
  return ever ? ldp(cover.level()) : guarantee;
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
