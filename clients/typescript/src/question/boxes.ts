/** Boxes to choose labels by. */

import { isList } from "../canonical.js";
import type { Held } from "./keeping.js";
import { element, own } from "./nodes.js";

/** Its labels as people read them, in the places that the document has them in. */
export interface Shown {
  readonly texts: readonly string[];
  readonly lang: string | undefined;
}

/** One of them. */
export interface Box {
  readonly input: HTMLInputElement;
  readonly place: number;
  readonly row: HTMLLabelElement;
}

/** One label to choose, in a target that is large enough for a finger. */
export function box(type: "radio" | "checkbox", id: string, { texts, lang }: Shown, place: number): Box {
  const input = element("input", { type, name: id, autocomplete: "off" });
  return { input, place, row: element("label", {}, input, own("span", texts[place] ?? "", lang)) };
}

/** Choose those that are held, and no others. */
export function check(boxes: readonly Box[], held: Held): void {
  for (const { input, place } of boxes) input.checked = isList(held) && (held as readonly number[]).includes(place);
}
