/** Mechanisms for checklists: each person holds a list of labels, maybe none. */

import type { Spec } from "../canonical.js";
import { checkEpsilon, checkInt } from "../checks.js";
import { anySet, chosen, coin, hasBit, uniform, uniformBelow } from "../draws.js";
import { CapacityError } from "../errors.js";
import { index } from "../layouts.js";
import { type Odds, weightedOdds } from "../odds.js";
import { type Cover, type EachItem, ldp } from "../privacy/guaranteeKinds.js";
import type { Words } from "../randomWords.js";
import { Domain, Lists } from "../values.js";
import { type Families, type Family, Mechanism, type Own } from "./mechanism.js";

const MOST_TOGETHER = 16;
const MOST_OUTPUTS = 2 ** 26;
/** The most labels of PrivateSet: a device shuffles all of them. */
const MOST_LABELS = 2 ** 16;

export type Held = ReadonlySet<number>;

interface OwnOfLists extends Own<[held: Held]> {
  /** Where it is another than plain LDP: the guarantee, with what surveys ask of it. */
  readonly promise?: { readonly guarantee: EachItem; readonly cover: Cover };
}

/** A family over lists of d labels; the index of a list is the set of its labels' places. */
export function ofLists(name: string, make: (labels: Domain, epsilon: number, spec: Spec) => OwnOfLists): Family {
  return (spec) => {
    const labels = Domain.read(spec["domain"]);
    const epsilon = checkEpsilon(spec["epsilon"]);
    const { own, draw, promise, ...parts } = make(labels, epsilon, spec);
    return new Mechanism({
      name,
      domain: new Lists(labels),
      parameters: { epsilon, ...own },
      ...(promise ?? { guarantee: ldp(epsilon) }),
      draw: (value, words) => draw(value as Held, words),
      ...parts,
    });
  };
}

/** The answers about `together` neighbouring labels, from a random one on, by randomized response. */
export const askedItems: Family = /* @__PURE__ */ ofLists("AskedItems", ({ size: d }, epsilon, spec) => {
  const together = checkInt("together", spec["together"], 1, Math.min(d, MOST_TOGETHER));
  const windows = together === d ? 1 : d;
  if (windows * 2 ** together > MOST_OUTPUTS) {
    throw new CapacityError(`labels times 2^together must be at most ${MOST_OUTPUTS}, got more`);
  }
  const odds = weightedOdds(epsilon, 1, 2 ** together - 1);
  return {
    own: { together: BigInt(together) },
    layout: index(windows * 2 ** together),
    odds,
    draw: (held, words) => {
      const first = uniformBelow(words, windows);
      return first * 2 ** together + patternReport(words, patternOf(held, first, together, d), together, odds);
    },
  };
});

/** A bit for each label of a window, the first one lowest. */
export function patternOf(held: Held, first: number, together: number, d: number): number {
  let pattern = 0;
  for (let place = 0; place < together; place++) pattern |= Number(held.has((first + place) % d)) << place;
  return pattern;
}

/** The report of a pattern, within its window. */
export function patternReport(words: Words, own: number, together: number, { above, below }: Odds): number {
  const drawn = uniform(words, above + BigInt(2 ** together - 1) * below);
  const beyond = [drawn - above, 0n][Number(drawn < above)] as bigint;
  return chosen(drawn < above, own, own ^ (1 + Number(beyond / below)));
}

/** A uniform set of `size` places, A/B times likelier if it meets the `most` places of the list (PrivSet). */
export const privateSet: Family = /* @__PURE__ */ ofLists("PrivateSet", ({ size: d }, epsilon, spec) => {
  if (d > MOST_LABELS) {
    throw new CapacityError(`domain must hold at most ${MOST_LABELS} labels for PrivateSet, got ${d}`);
  }
  const most = checkInt("most", spec["most"], 1, d);
  const size = checkInt("size", spec["size"], 1, d);
  const odds = weightedOdds(epsilon, 1, 1);
  return {
    own: { most: BigInt(most), size: BigInt(size) },
    layout: { kind: "bits", symbols: d + most, weight: size },
    odds,
    draw: (held, words) => {
      const places = cut(held, words, d, most);
      for (;;) {
        const drawn = anySet(words, d + most, size);
        const letIn = coin(words, odds.below, odds.above);
        if (places.reduce((met, place) => met || hasBit(drawn, place), false) || letIn) return drawn;
      }
    },
  };
});

/** The places of a list: a uniform choice of its labels, and others where it has too few. */
function cut(held: Held, words: Words, d: number, most: number): number[] {
  const order = Array.from({ length: d }, (_, place) => place);
  for (let place = 0; place < d - 1; place++) {
    const other = place + uniformBelow(words, d - place);
    [order[place], order[other]] = [order[other] as number, order[place] as number];
  }
  const labels = order.filter((label) => held.has(label)).slice(0, most);
  const spare = Array.from({ length: most - labels.length }, (_, place) => d + place);
  return [...labels, ...spare];
}

/** The families of this file, by the names that specs know them by. */
export const families: Families = { AskedItems: askedItems, PrivateSet: privateSet };
