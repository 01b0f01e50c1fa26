/** What the controls of several kinds of questions share. */

import { isList, isObject } from "../canonical.js";
import type { Label } from "../labels.js";
import type { OneOf } from "../surveys/questionKinds.js";
import type { Domain } from "../values.js";
import type { FieldValue } from "./drafts.js";
import { authorText, element, type Say } from "./nodes.js";

/** What is on the page for a question, what it holds, and what is wrong with that: nothing if that is empty. */
export interface Controls {
  readonly nodes: readonly HTMLElement[];
  readonly hint: string;
  readonly value: () => FieldValue;
  readonly restore: (value: FieldValue) => void;
  readonly answer: () => unknown;
  readonly fault: () => string;
  /** The answer in words, to look it over. */
  readonly summary: () => string;
}

/** Its labels as people read them, in the places that the document has them in. */
export interface LabelTexts {
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
export function box(type: "radio" | "checkbox", id: string, { texts, lang }: LabelTexts, place: number): Box {
  const input = element("input", { type, name: id, autocomplete: "off" });
  return { input, place, row: element("label", {}, input, authorText("span", texts[place] ?? "", lang)) };
}

/** Choose those in these places, and no others. */
export function check(boxes: readonly Box[], value: FieldValue): void {
  for (const { input, place } of boxes) input.checked = isList(value) && (value as readonly number[]).includes(place);
}

/** What holds of every question with one answer among labels. */
export function single(labels: Domain, shown: LabelTexts, chosen: () => number | undefined, say: Say) {
  return {
    value: () => [chosen() ?? []].flat(),
    answer: () => labels.at(chosen() as number),
    fault: () => (chosen() === undefined ? say("missing") : ""),
    summary: () => shown.texts[chosen() as number] ?? "",
  };
}

/** The places of the labels in the order of the document, the one for those who skip the question last. */
export function orderOf({ labels, skipped }: OneOf): number[] {
  const last = skipped === null ? undefined : labels.find(skipped);
  const places = Array.from({ length: labels.size }, (_, place) => place).filter((place) => place !== last);
  return last === undefined ? places : [...places, last];
}

/** A label as people read it. */
export function textOf(label: Label, say: Say): string {
  if (typeof label === "boolean") return say(label ? "yes" : "no");
  if (!isObject(label)) return `${label}`;
  const [value] = Object.values(label);
  return isList(value) ? value.map((part) => textOf(part, say)).join(", ") : `${value}`;
}
