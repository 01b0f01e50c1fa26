/** Mechanisms of plain LDP, which treat all labels alike. */

import type { Spec } from "../canonical.js";
import { checkEpsilon } from "../checks.js";
import { response } from "../draws.js";
import { index } from "../layouts.js";
import { weightedOdds } from "../odds.js";
import { ldp } from "../privacy/guaranteeKinds.js";
import { Domain } from "../values.js";
import { type Family, Mechanism, type Own } from "./mechanism.js";

/** A family of plain LDP over a closed domain of d labels. */
export function plain(name: string, make: (d: number, epsilon: number, spec: Spec) => Own<[value: number]>): Family {
  return (spec) => {
    const domain = Domain.read(spec["domain"]);
    const epsilon = checkEpsilon(spec["epsilon"]);
    const { own, draw, ...parts } = make(domain.size, epsilon, spec);
    return new Mechanism({
      name,
      domain,
      parameters: { epsilon, ...own },
      guarantee: ldp(epsilon),
      draw: (value, words) => draw(value as number, words),
      ...parts,
    });
  };
}

/** The truth with weight A against B for each other label; two labels: Warner's coin. */
export const randomizedResponse: Family = /* @__PURE__ */ plain("RandomizedResponse", (d, epsilon) => {
  const odds = weightedOdds(epsilon, 1, d - 1);
  return { layout: index(d), odds, draw: (value, words) => response(words, value, d, odds) };
});
