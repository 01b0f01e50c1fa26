/** Mechanisms of plain LDP, which treat all labels alike. */

import type { Spec } from "../canonical.js";
import { checkEpsilon } from "../checks.js";
import { response } from "../draws.js";
import { index, type Layout, type Report } from "../layouts.js";
import { type Odds, weightedOdds } from "../odds.js";
import { ldp } from "../privacy/kinds.js";
import { Domain } from "../values.js";
import type { Words } from "../words.js";
import { type Family, Mechanism } from "./mechanism.js";

/** What a plain mechanism adds to its domain and level. */
export interface Plain {
  readonly own?: Spec;
  readonly layout: Layout;
  readonly odds: Odds;
  readonly draw: (value: number, words: Words) => Report;
}

/** A family of plain LDP over a closed domain of d labels. */
export function plain(name: string, make: (d: number, epsilon: number, written: Spec) => Plain): Family {
  return (written) => {
    const domain = Domain.read(written["domain"]);
    const epsilon = checkEpsilon(written["epsilon"]);
    const { own, layout, odds, draw } = make(domain.size, epsilon, written);
    return new Mechanism({
      name,
      domain,
      parameters: { epsilon, ...own },
      guarantee: ldp(epsilon),
      layout,
      odds,
      draw: (value, words) => draw(value as number, words),
    });
  };
}

/** The truth with weight A against B for each other label; two labels: Warner's coin. */
export const randomizedResponse: Family = /* @__PURE__ */ plain("RandomizedResponse", (d, epsilon) => {
  const odds = weightedOdds(epsilon, 1, d - 1);
  return { layout: index(d), odds, draw: (value, words) => response(words, value, d, odds) };
});
