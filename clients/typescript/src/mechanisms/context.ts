/** What context-aware mechanisms share: labels with the sensitive ones first, and labels in blocks. */

import type { Json, Spec } from "../canonical.js";
import { checkEpsilon, checkInt, listed } from "../checks.js";
import { CapacityError, ParameterError } from "../errors.js";
import type { Layout, Report } from "../layouts.js";
import type { Odds } from "../odds.js";
import { coverOf } from "../privacy/composition.js";
import type { Guarantee } from "../privacy/kinds.js";
import { checkPartition, type Places } from "../privacy/places.js";
import { Domain } from "../values.js";
import type { Words } from "../words.js";
import { type Family, Mechanism } from "./mechanism.js";

/** The most labels of a mechanism that stores numbers per label. */
const MOST_ROWS = 2 ** 20;
/** The most blocks that a report can name. */
const MOST_BLOCKS = 2 ** 16;

/** What a family adds to the context that it shares with others. */
interface Own {
  readonly own?: Spec;
  readonly layout: Layout;
  readonly odds?: Odds;
}

/** d labels, of which s are sensitive. */
export interface Ranked {
  readonly d: number;
  readonly s: number;
  readonly epsilon: number;
  readonly written: Spec;
}

/** The mechanisms that protect s sensitive labels; labels are numbered with these first, in the domain's order. */
export function highLow(
  name: string,
  make: (given: Ranked) => Own & { draw: (rank: number, words: Words) => Report },
): Family {
  return (written) => {
    const domain = rowsOf(written);
    const places = listed(written["sensitive"]).map((place) => checkInt("sensitive", place, 0, domain.size - 1));
    if (!places.length || places.some((place, k) => k > 0 && place <= (places[k - 1] as number))) {
      throw new ParameterError("sensitive must be places of labels, ascending, at least one, got others");
    }
    const epsilon = checkEpsilon(written["epsilon"]);
    const rank = ranks(domain.size, places);
    const { own, draw, ...parts } = make({ d: domain.size, s: places.length, epsilon, written });
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
  const found: number[] = [];
  places.forEach((place, number) => {
    found[place] = number;
  });
  for (let place = 0, next = places.length; place < d; place++) found[place] ??= next++;
  return found;
}

/** Labels in blocks of these sizes. */
export interface Blocked {
  readonly sizes: readonly number[];
  readonly epsilon: number;
  readonly written: Spec;
}

/** The mechanisms that tell the block of a label and hide which label of it. */
export function blocked(
  name: string,
  make: (given: Blocked) => Own & { draw: (block: number, number: number, words: Words) => Report },
): Family {
  return (written) => {
    const [domain, places] = readSizes(written);
    const epsilon = checkEpsilon(written["epsilon"]);
    const sizes = places.map((block) => block.length);
    const { own, draw, ...parts } = make({ sizes, epsilon, written });
    const order = places.flat();
    const moved: Spec = order.some((place, k) => place !== k) ? { order: order.map(BigInt) } : {};
    const found: (readonly [number, number])[] = [];
    for (const [b, block] of places.entries()) for (const [k, label] of block.entries()) found[label] = [b, k];
    const guarantee: Guarantee = { kind: "blocks", epsilon, domain, places };
    return new Mechanism({
      name,
      domain,
      parameters: { epsilon, sizes: sizes.map(BigInt), ...moved, ...own },
      guarantee,
      cover: coverOf(guarantee),
      draw: (value, words) => draw(...(found[value as number] as readonly [number, number]), words),
      ...parts,
    });
  };
}

/** The domain of a spec, and its blocks as places of labels. */
function readSizes(written: Spec): [Domain, Places] {
  const domain = rowsOf(written);
  const sizes = listed(written["sizes"]).map((size) => checkInt("sizes", size, 1));
  const identity = () => Array.from({ length: domain.size }, (_, place) => place);
  const order = "order" in written ? readOrder(written["order"]) : identity();
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

function readOrder(written: Json | undefined): number[] {
  return listed(written).map((place) => checkInt("order", place, 0));
}

/** Refuse more blocks than a report can name. */
export function checkBlocks(blocks: number): void {
  if (blocks > MOST_BLOCKS) {
    throw new CapacityError(`blocks must be at most ${MOST_BLOCKS} for their reports to name them, got ${blocks}`);
  }
}

/** The domain of a mechanism that stores numbers per label. */
export function rowsOf(written: Spec): Domain {
  const domain = Domain.read(written["domain"]);
  if (domain.size > MOST_ROWS) {
    throw new CapacityError(`domain must hold at most ${MOST_ROWS} labels here, got ${domain.size}`);
  }
  return domain;
}
