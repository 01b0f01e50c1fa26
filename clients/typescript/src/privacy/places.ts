/** Labels by their places in a domain: sensitive ones, and blocks of them. */

import type { Json } from "../canonical.js";
import { checkList } from "../checks.js";
import { ParameterError } from "../errors.js";
import type { Domain } from "../values.js";

export type Places = readonly (readonly number[])[];

/** The labels at places, as a spec holds them. */
export function labelsAt(domain: Domain, places: readonly number[]): Json[] {
  return places.map((place) => domain.at(place));
}

/** The places of some of the labels, ascending, from these labels as JSON holds them. */
export function readPlaces(field: string, domain: Domain, json: Json | undefined): number[] {
  const labels = checkList(json);
  const places = [...new Set(labels.map((label) => placeOf(domain, label)))].sort((a, b) => a - b);
  if (!places.length || places.length < labels.length) {
    throw new ParameterError(`${field} must name at least one label, and none twice, got others`);
  }
  return places;
}

/** The places of each block's labels, from the labels as JSON holds them; together they are the domain. */
export function readBlocks(domain: Domain, json: Json | undefined): Places {
  const blocks = checkList(json).map((block) => checkList(block).map((label) => placeOf(domain, label)));
  if (!blocks.length || blocks.some((block) => !block.length)) {
    throw new ParameterError("blocks must be lists of labels, each of at least one, got something else");
  }
  checkPartition(blocks, domain.size);
  return blocks;
}

function placeOf(domain: Domain, label: Json): number {
  const place = domain.find(label);
  if (place === undefined) {
    throw new ParameterError("sensitive and exclusive labels, and blocks, must be labels of the domain, got others");
  }
  return place;
}

/** Every label is in exactly one block. */
export function checkPartition(blocks: Places, labels: number): void {
  const places = blocks.flat();
  if (places.length !== labels || new Set(places).size !== labels || places.some((place) => place >= labels)) {
    throw new ParameterError("blocks must hold every label of the domain once, got others");
  }
}
