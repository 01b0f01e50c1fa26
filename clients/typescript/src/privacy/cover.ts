/** What a reader of surveys asks of a guarantee: how much it costs, and whether it protects what has to be protected. */

import { protects } from "./composition.js";
import { chargeOf, plainLevel } from "./guarantees.js";
import type { Guarantee } from "./kinds.js";

/** Its levels are worked out when they are asked for: of a large matrix that takes a while. */
export interface Cover {
  /** The level of plain LDP that is kept; infinite if only some pairs are protected. */
  readonly level: () => number;
  /** What a ledger counts: the level, or the largest finite one between two values. */
  readonly charge: () => number;
  /** Whether all that the other guarantee protects is protected. */
  readonly protects: (wanted: Guarantee) => boolean;
}

/** Of any guarantee. Plain LDP has its own, so that an app without other mechanisms does not load what these need. */
export function coverOf(guarantee: Guarantee): Cover {
  const level = () => plainLevel(guarantee);
  return {
    level,
    charge: () => (level() < Infinity ? level() : chargeOf(guarantee)),
    protects: (wanted) => protects(guarantee, wanted),
  };
}
