/** What context-aware mechanisms share: labels with the sensitive ones first, and labels in blocks. */

import type { Json, Spec } from "../canonical.js";
import { checkEpsilon, checkInt, checkList } from "../checks.js";
import { CapacityError, ParameterError } from "../errors.js";
import { coverOf } from "../privacy/composition.js";
import type { Guarantee } from "../privacy/guaranteeKinds.js";
import { checkPartition, type Places } from "../privacy/places.js";
import { Domain } from "../values.js";
import { type Family, Mechanism, type Own } from "./mechanism.js";

/** The most labels of a mechanism that stores numbers per label. */
const MOST_ROWS = 2 ** 20;
/** The most blocks that a report can name. */
const MOST_BLOCKS = 2 ** 16;

/** d labels, of which s are sensitive. */
export interface Ranked {
  readonly d: number;
  readonly s: number;
  readonly epsilon: number;
  readonly spec: Spec;
}

/** The mechanisms that protect s sensitive labels; labels are numbered with these first, in the domain's order. */
export function highLow(name: string, make: (given: Ranked) => Own<[rank: number]>): Family {
  return (spec) => {
    const domain = rowsOf(spec);
    const places = checkList(spec["sensitive"]).map((place) => checkInt("sensitive", place, 0, domain.size - 1));
    if (!places.length || places.some((place, k) => k > 0 && place <= (places[k - 1] as number))) {
      throw new ParameterError("sensitive must be places of labels, ascending, at least one, got others");
    }
    const epsilon = checkEpsilon(spec["epsilon"]);
    const rank = ranks(domain.size, places);
    const { own, draw, ...parts } = make({ d: domain.size, s: places.length, epsilon, spec });
    const guarantee: Guarantee = { kind: "highLow", epsilon, domain, places };
    return new Mechanism({
      name,
      domain,
      parameters: { epsilon, sensitive: places.map(BigInt), ...own },
      guarantee,
      cover: coverOf(guarantee),
      draw: (value, words) => draw(rank[value as number] as number, words),
      ...parts,
    });
  };
}

/** The number of each label. */
export function ranks(d: number, places: readonly number[]): number[] {
  const ranks: number[] = [];
  places.forEach((place, number) => {
    ranks[place] = number;
  });
  for (let place = 0, next = places.length; place < d; place++) ranks[place] ??= next++;
  return ranks;
}

/** Labels in blocks of these sizes. */
export interface Blocked {
  readonly sizes: readonly number[];
  readonly epsilon: number;
  readonly spec: Spec;
}

/** The mechanisms that tell the block of a label and hide which label of it. */
export function blocked(name: string, make: (given: Blocked) => Own<[block: number, number: number]>): Family {
  return (spec) => {
    const [domain, places] = readSizes(spec);
    const epsilon = checkEpsilon(spec["epsilon"]);
    const sizes = places.map((block) => block.length);
    const { own, draw, ...parts } = make({ sizes, epsilon, spec });
    const order = places.flat();
    const moved: Spec = order.some((place, k) => place !== k) ? { order: order.map(BigInt) } : {};
    const positions: (readonly [number, number])[] = [];
    for (const [b, block] of places.entries()) for (const [k, label] of block.entries()) positions[label] = [b, k];
    const guarantee: Guarantee = { kind: "blocks", epsilon, domain, places };
    return new Mechanism({
      name,
      domain,
      parameters: { epsilon, sizes: sizes.map(BigInt), ...moved, ...own },
      guarantee,
      cover: coverOf(guarantee),
      draw: (value, words) => draw(...(positions[value as number] as readonly [number, number]), words),
      ...parts,
    });
  };
}

/** The domain of a spec, and its blocks as places of labels. */
function readSizes(spec: Spec): [Domain, Places] {
  const domain = rowsOf(spec);
  const sizes = checkList(spec["sizes"]).map((size) => checkInt("sizes", size, 1));
  const identity = () => Array.from({ length: domain.size }, (_, place) => place);
  const order = "order" in spec ? readOrder(spec["order"]) : identity();
  const sum = sizes.reduce((a, b) => a + b, 0);
  if (sum !== domain.size || order.length !== domain.size) {
    throw new ParameterError("sizes must add up to the number of labels, got others");
  }
  let end = 0;
  const blocks = sizes.map((size) => {
    end += size;
    return order.slice(end - size, end);
  });
  checkPartition(blocks, domain.size);
  return [domain, blocks];
}

function readOrder(json: Json | undefined): number[] {
  return checkList(json).map((place) => checkInt("order", place, 0));
}

/** Refuse more blocks than a report can name. */
export function checkBlocks(blocks: number): void {
  if (blocks > MOST_BLOCKS) {
    throw new CapacityError(`blocks must be at most ${MOST_BLOCKS} for their reports to name them, got ${blocks}`);
  }
}

/** The domain of a mechanism that stores numbers per label. */
export function rowsOf(spec: Spec): Domain {
  const domain = Domain.read(spec["domain"]);
  if (domain.size > MOST_ROWS) {
    throw new CapacityError(`domain must hold at most ${MOST_ROWS} labels here, got ${domain.size}`);
  }
  return domain;
}
