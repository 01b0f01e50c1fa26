/** Statements, and how they are said in a language: its words, plural forms and numbers stand in wire/sentences. */

import { factor, general } from "../numbers.js";
import type { Page, Sentences } from "./english.js";

/** Words with places such as `{level:factor}`. Where a count changes the words, one for each plural form of the language. */
export type Wording = string | Plural;

/** By the forms of CLDR, which `Intl.PluralRules` picks: English and German have `one` and `other`. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** What is said, whatever the language: the key of the words, and what takes the places in them. */
export type Statement = readonly [key: Sentences, values?: Values];

/** Statements, texts, whole numbers, and for places of a kind other numbers. */
export type Values = Readonly<Record<string, string | number | Statement>>;

/** What the label says, and how numbers are written. */
export interface Sayings {
  /** As BCP 47 has it: de, or pt-BR. */
  readonly code: string;
  /** What parts a number from its fraction. */
  readonly point: string;
  /** What parts every three digits of a whole number. */
  readonly group: string;
  readonly percent: string;
  readonly sentences: Readonly<Record<Sentences, Wording>>;
}

/** All that a page says. */
export interface Language extends Sayings {
  readonly direction: "ltr" | "rtl";
  readonly page: Readonly<Record<Page, Wording>>;
}

/** A wording with its values; the plural form is that of `count`. */
export function worded(language: Sayings, wording: Wording, values: Values = {}): string {
  const form = formOf(language.code, wording, Number(values["count"]));
  return form.replace(/\{(\w+):?(\w*)\}/g, (_, place, kind) => written(language, values[place] ?? "", kind));
}

/** A statement of the label. */
export function say(language: Sayings, [key, values]: Statement): string {
  return worded(language, language.sentences[key], values);
}

/** A value in its place. */
function written(language: Sayings, value: string | number | Statement, kind: string): string {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return say(language, value);
  if (!kind) return `${value}`.replace(/\B(?=(\d{3})+$)/g, language.group);
  const share = kind === "percent" || kind === "tenths";
  const decimals = kind === "tenths" ? 1 : 0;
  const digits = share ? (100 * value).toFixed(decimals) : (kind === "factor" ? factor : general)(value);
  const shown = digits.replace(".", language.point);
  return share ? language.percent.replace("{number}", shown) : shown;
}

function formOf(code: string, wording: Wording, count: number): string {
  if (typeof wording === "string") return wording;
  return wording[new Intl.PluralRules(code).select(count)] ?? wording.other;
}
