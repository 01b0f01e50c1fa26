/** Mechanisms that hash their values into the symbols of a random cohort, for any text or closed domains. */

import type { Spec } from "../canonical.js";
import { checkEpsilon, checkInt, isText } from "../checks.js";
import { coins, flipBit, response, uniformBelow } from "../draws.js";
import { CapacityError, ParameterError } from "../errors.js";
import { base, dealt, hashSymbol } from "../hashes.js";
import { type CohortLayout, index, withHead } from "../layouts.js";
import { dyadicOdds, weightedOdds } from "../odds.js";
import { ldp } from "../privacy/guaranteeKinds.js";
import { Domain, type Index, Texts } from "../values.js";
import { type Families, type Family, Mechanism } from "./mechanism.js";

const MOST_SYMBOLS = 2 ** 16;
const MOST_COHORTS = 2 ** 16;
const MOST_HASHES = 64;
/** The most labels times cohorts times hashes of a closed domain. */
const MOST_DEALT = 2 ** 23;

/** The fields of a hashed mechanism, checked. */
export interface Hashing {
  readonly domain: Domain | Texts;
  readonly epsilon: number;
  readonly symbols: number;
  readonly cohorts: number;
  readonly hashes: number;
  readonly parameters: Spec;
  /** The symbols of a label's index or a text in a cohort, one per hash. */
  readonly own: (value: Index, cohort: number) => number[];
}

/** The hashes that a spec's fields describe. */
export function hashing(spec: Spec, several = "hashes" in spec): Hashing {
  const domain = spec["domain"] === null ? new Texts() : Domain.read(spec["domain"]);
  const key = spec["key"];
  if (!isText(key)) throw new ParameterError("key must be text in Unicode, got another value");
  const epsilon = checkEpsilon(spec["epsilon"]);
  const symbols = checkInt("symbols", spec["symbols"], 2, MOST_SYMBOLS);
  const cohorts = checkInt("cohorts", spec["cohorts"], 1, MOST_COHORTS);
  const hashes = several ? checkInt("hashes", spec["hashes"], 1, MOST_HASHES) : 1;
  const labels = domain.kind === "labels" ? domain.size : 0;
  if (labels * cohorts * hashes > MOST_DEALT) {
    throw new CapacityError(`labels times cohorts times hashes must be at most ${MOST_DEALT}, got more`);
  }
  const seed = base(key, "");
  const own = (value: Index, cohort: number) => {
    const places = Array.from({ length: hashes }, (_, hash) => cohort * hashes + hash);
    if (typeof value === "number") return places.map((place) => dealt(seed, labels, place, symbols)[value] as number);
    const text = base(key, value as string);
    return places.map((place) => hashSymbol(text, place, symbols));
  };
  const fields = { symbols: BigInt(symbols), cohorts: BigInt(cohorts), key };
  const parameters: Spec = { epsilon, ...fields, ...(several ? { hashes: BigInt(hashes) } : {}) };
  return { domain, epsilon, symbols, cohorts, hashes, parameters, own };
}

/** A cohort, and randomized response of the value's symbol there. */
export const hashedResponse: Family = (spec) => {
  const { domain, epsilon, symbols, cohorts, parameters, own } = hashing(spec, false);
  const odds = weightedOdds(epsilon, 1, symbols - 1);
  return new Mechanism({
    name: "HashedResponse",
    domain,
    parameters,
    guarantee: ldp(epsilon),
    layout: index(cohorts * symbols),
    odds,
    draw: (value, words) => {
      const cohort = uniformBelow(words, cohorts);
      return cohort * symbols + response(words, own(value, cohort)[0] as number, symbols, odds);
    },
  });
};

/** A cohort, and the value's symbols there as set bits, each bit inverted at random. */
export const hashedRappor: Family = (spec) => {
  const { domain, epsilon, symbols, cohorts, hashes, parameters, own } = hashing(spec, true);
  const odds = dyadicOdds(epsilon, Math.min(2 * hashes, symbols)); // two filters differ in no more bits
  const layout: CohortLayout = { kind: "cohort", cohorts, symbols };
  return new Mechanism({
    name: "HashedRappor",
    domain,
    parameters,
    guarantee: ldp(epsilon),
    layout,
    odds,
    draw: (value, words) => {
      const cohort = uniformBelow(words, cohorts);
      const noise = coins(words, odds.below, symbols);
      for (const symbol of new Set(own(value, cohort))) flipBit(noise, symbol); // once, whatever hashes agree on it
      return withHead(layout, cohort, noise);
    },
  });
};

/** The families of this file, by the names that specs know them by. */
export const families: Families = { HashedResponse: hashedResponse, HashedRappor: hashedRappor };
