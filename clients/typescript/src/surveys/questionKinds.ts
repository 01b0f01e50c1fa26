/** The kinds of questions: one label, a list of labels, an answer in one's own words, or a number. */

import type { Label } from "../labels.js";
import type { Places } from "../privacy/places.js";
import type { Domain } from "../values.js";
import type { Grid } from "./grid.js";

/** The most characters of a text that can be found. */
export const LONGEST = 1024;
/** Marks the end of a text that is shorter than the prefix asked for; no text may hold it. */
export const END = "\uffff";

/** What every question has. */
interface Named {
  readonly name: string;
  readonly wording: string;
}

/** Labels of an earlier question, by their places: who gave none of them is not asked. */
export interface OnlyIf {
  readonly parent: OneOf;
  readonly places: readonly number[];
}

/**
 * A question with one answer among labels, of which some may need more protection than others; those of a scale are in
 * order, and protected alike.
 */
export interface OneOf extends Named {
  readonly kind: "one_of" | "scale";
  readonly labels: Domain;
  readonly sensitive: readonly number[] | null;
  readonly blocks: Places | null;
  readonly prior: readonly number[] | null;
  /** The answer that stands for none; null where one must answer. */
  readonly skipped: Label;
  readonly onlyIf?: OnlyIf;
  /** Of scales: what stands above all those in a row that have it. */
  readonly heading?: string;
}

/** A checklist: the answer is a list of some, all or none of the labels, of at most `most`. */
export interface AnyOf extends Named {
  readonly kind: "any_of";
  readonly labels: Domain;
  readonly most: number | null;
  /** The places of labels that stand alone: then no list is empty, or holds one of them and another. */
  readonly exclusive: readonly number[] | null;
}

/** A question answered in one's own words; frequent answers of up to `longest` characters are discovered. */
export interface Text extends Named {
  readonly kind: "text";
  readonly longest: number | null;
}

/** A number, or a date, between two bounds; beyond them it counts as the bound. */
export interface Numeric extends Named {
  readonly kind: "number";
  readonly scale: Grid;
  readonly unit: string;
  readonly want: readonly string[];
}

export type Question = OneOf | AnyOf | Text | Numeric;

/** Whether all labels are protected alike. */
export function isAlike({ sensitive, blocks, prior }: OneOf): boolean {
  return !(sensitive || blocks || prior);
}

/** Whether the answer is one of the question's labels. */
export function hasOneLabel(question: Question | undefined): question is OneOf {
  return question !== undefined && "skipped" in question;
}

/** After which answers a question is asked, if not everybody is. */
export function branchOf(question: Question | undefined): OnlyIf | undefined {
  return (question as OneOf | undefined)?.onlyIf;
}
