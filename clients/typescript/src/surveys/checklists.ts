/** Checklists: which lists are answers, and what is reported of one. */

import type { Json, Spec } from "../canonical.js";
import { intOrNull, wholeOrNull } from "../checks.js";
import type { Label } from "../labels.js";
import { labelsAt, readPlaces } from "../privacy/places.js";
import { type Domain, Lists } from "../values.js";
import type { AnyOf, Question } from "./questionKinds.js";

/** Which lists of the labels are answers, as a document says. */
export function readRules(fields: Spec, labels: Domain): Pick<AnyOf, "most" | "exclusive"> {
  const exclusive = "exclusive" in fields ? readPlaces("exclusive", labels, fields["exclusive"]) : null;
  return { most: intOrNull(fields["most"], "most", labels.size), exclusive };
}

/** That as a document holds it. */
export function writeRules({ labels, most, exclusive }: AnyOf): { readonly [field: string]: Json } {
  return { most: wholeOrNull(most), ...(exclusive && { exclusive: labelsAt(labels, exclusive) }) };
}

/** What an answer must be, if it is none. */
export function wantedList({ labels, most, exclusive }: AnyOf, answer: unknown): string | undefined {
  const places = placesIn(listsOf(labels), answer);
  if (!places) return "a list of distinct labels of its own";
  if (most !== null && places.size > most) return `a list of at most ${most} labels`;
  return exclusive && places.size !== 1 && (!places.size || exclusive.some((place) => places.has(place)))
    ? "a list that is not empty, with an exclusive label alone"
    : undefined;
}

function placesIn(lists: Lists, answer: unknown): ReadonlySet<number> | undefined {
  try {
    return lists.index(answer);
  } catch {
    return undefined;
  }
}

/** The lists that can be made of labels. */
export function listsOf(labels: Domain): Lists {
  return new Lists(labels);
}

/** Whether a label is on the list that somebody answered. */
export function isHeld(question: Question | undefined, label: Label | undefined, answer: unknown): "yes" | "no" {
  if (question?.kind !== "any_of") return "no";
  const place = question.labels.find(label);
  return place !== undefined && listsOf(question.labels).index(answer).has(place) ? "yes" : "no";
}
