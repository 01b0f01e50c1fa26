/** How sentences are said in a language: a table of wordings by key, with places for values, and numbers as people write them. */

import type { Page, Sentences } from "./english.js";

/** A sentence, with places such as `{factor}`. Where a count changes the words, one for each plural form of the language. */
export type Wording = string | Plural;

/** By the forms of CLDR, which `Intl.PluralRules` picks: English and German have `one` and `other`. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** What the label says, and how numbers are written. */
export interface Sayings {
  /** As BCP 47 has it: de, or pt-BR. */
  readonly code: string;
  /** What parts a number from its fraction. */
  readonly point: string;
  readonly percent: string;
  readonly sentences: Readonly<Record<Sentences, Wording>>;
}

/** All that a page says; a language is one such table, in a file of its own. */
export interface Language extends Sayings {
  readonly direction: "ltr" | "rtl";
  readonly page: Readonly<Record<Page, Wording>>;
}

/** What takes the places of a wording. */
export type Values = Readonly<Record<string, string | number>>;

/** A wording with its values; the plural form is that of `count`. */
export function worded(code: string, wording: Wording, values: Values = {}): string {
  return formOf(code, wording, Number(values["count"] ?? 0)).replace(/\{(\w+)\}/g, (_, place) => `${values[place]}`);
}

/** A sentence of the label. */
export function say({ code, sentences }: Sayings, key: Sentences, values?: Values): string {
  return worded(code, sentences[key], values);
}

/** A number as the language writes it, from digits with a point. */
export function written({ point }: Sayings, digits: string): string {
  return digits.replace(".", point);
}

/** A share as a percentage with so many decimals. */
export function percent(language: Sayings, share: number, decimals: number): string {
  return worded(language.code, language.percent, { number: written(language, (share * 100).toFixed(decimals)) });
}

function formOf(code: string, wording: Wording, count: number): string {
  if (typeof wording === "string") return wording;
  return wording[new Intl.PluralRules(code).select(count)] ?? wording.other;
}
