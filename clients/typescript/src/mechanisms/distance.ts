/** Two-sided geometric noise on a scale: the nearer two labels are, the better they are hidden from each other. */

import { checkEpsilon } from "../checks.js";
import { geometric } from "../draws.js";
import { index } from "../layouts.js";
import { weightedOdds } from "../odds.js";
import { coverOf } from "../privacy/composition.js";
import type { Distance } from "../privacy/guaranteeKinds.js";
import { rowsOf } from "./context.js";
import { type Families, type Family, Mechanism } from "./mechanism.js";

/** A label near the own one: each step further away is A/B times less likely, and all beyond an end is that end. */
export const geometricResponse: Family = (spec) => {
  const domain = rowsOf(spec);
  const epsilon = checkEpsilon(spec["epsilon_per_unit"], "epsilon_per_unit");
  const odds = weightedOdds(epsilon, 1, 1);
  const guarantee: Distance = { kind: "distance", epsilon, domain };
  return new Mechanism({
    name: "Geometric",
    domain,
    parameters: { epsilon_per_unit: epsilon },
    guarantee,
    cover: coverOf(guarantee),
    layout: index(domain.size),
    odds,
    draw: (value, words) => geometric(words, value as number, domain.size, odds),
  });
};

/** The families of this file, by the names that specs know them by. */
export const families: Families = { Geometric: geometricResponse };
