/** Labels by their places in a domain: sensitive ones, and blocks of them. */

import type { Json } from "../canonical.js";
import { listed } from "../checks.js";
import { ParameterError } from "../errors.js";
import type { Domain } from "../values.js";

export type Places = readonly (readonly number[])[];

/** The labels at places, as a spec holds them. */
export function written(domain: Domain, places: readonly number[]): Json[] {
  return places.map((place) => domain.at(place));
}

/** The places of some of the labels, ascending, from these labels as JSON holds them. */
export function readSome(field: string, domain: Domain, given: Json | undefined): number[] {
  const labels = listed(given);
  const places = [...new Set(labels.map((label) => placeOf(domain, label)))].sort((a, b) => a - b);
  if (!places.length || places.length < labels.length) {
    throw new ParameterError(`${field} must name at least one label, and none twice, got others`);
  }
  return places;
}

/** The places of each block's labels, from the labels as JSON holds them; together they are the domain. */
export function readBlocks(domain: Domain, given: Json | undefined): Places {
  const blocks = listed(given).map((block) => listed(block).map((label) => placeOf(domain, label)));
  if (!blocks.length || blocks.some((block) => !block.length)) {
    throw new ParameterError("blocks must be lists of labels, each of at least one, got something else");
  }
  checkPartition(blocks, domain.size);
  return blocks;
}

function placeOf(domain: Domain, label: Json): number {
  const found = domain.find(label);
  if (found === undefined) {
    throw new ParameterError("sensitive and exclusive labels, and blocks, must be labels of the domain, got others");
  }
  return found;
}

/** Every label is in exactly one block. */
export function checkPartition(blocks: Places, labels: number): void {
  const held = blocks.flat();
  if (held.length !== labels || new Set(held).size !== labels || held.some((place) => place >= labels)) {
    throw new ParameterError("blocks must hold every label of the domain once, got others");
  }
}
