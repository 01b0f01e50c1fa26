/** Statements, and how they are said in a language: its words, plural forms and numbers stand in wire/sentences. */

import type { label, question } from "../wire/en.js";
import type { seldom } from "../wire/enSeldom.js";

/** The keys of what the label says, and of what a page says, of which some are said seldom. */
export type Sentences = keyof typeof label;
export type Seldom = keyof typeof seldom;
export type Page = keyof typeof question | Seldom;

/** Words with places such as `{level:factor}`. Where a count changes the words, one for each plural form of the language. */
export type Wording = string | Plural;

/** By the forms of CLDR, which `Intl.PluralRules` picks: English and German have `one` and `other`. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** What is said, whatever the language: the key of the words, and what takes the places in them. */
export type Statement = readonly [key: Sentences, values?: Values];

/** Statements, texts, whole numbers, and for places of a kind other numbers. */
export type Values = Readonly<Record<string, string | number | Statement>>;

/** How a language writes numbers, and which one it is. */
export interface Locale {
  /** As BCP 47 has it: de, or pt-BR. */
  readonly code: string;
  /** What parts a number from its fraction. */
  readonly point: string;
  /** What parts every three digits of a whole number. */
  readonly group: string;
  readonly percent: string;
}

/** What the label says. */
export interface LabelLanguage extends Locale {
  readonly sentences: Readonly<Record<Sentences, Wording>>;
}

/** What a page says around the label. */
export interface PageLanguage extends Locale {
  readonly direction: "ltr" | "rtl";
  readonly page: Readonly<Record<Page, Wording>>;
}

/** All that is said on a page; the label's sentences and others that not every page shows are loaded when they are. */
export interface LoadedLanguage extends PageLanguage {
  readonly label: () => Promise<LabelLanguage>;
  /** Load what is said seldom; only then `page` has it. */
  readonly seldom: () => Promise<void>;
}

/** What a page says, which has the seldom keys once they are loaded. */
export function pageTable(
  often: Readonly<Record<Exclude<Page, Seldom>, Wording>>,
  load: () => Promise<Readonly<Record<Seldom, Wording>>>,
): Pick<LoadedLanguage, "page" | "seldom"> {
  const page = { ...often } as Record<Page, Wording>;
  return { page, seldom: async () => void Object.assign(page, await load()) };
}

/** A whole language. */
export interface Language extends LabelLanguage, PageLanguage {}

/** Writes a value in its place; most places take texts and whole numbers alone. */
export type Writing = (language: Locale, value: Values[string], kind: string) => string;

/** A wording with its values; the plural form is that of `count`. */
export function worded(language: Locale, wording: Wording, values: Values = {}, write: Writing = plainly): string {
  const form = formOf(language.code, wording, Number(values["count"]));
  return form.replace(/\{(\w+):?(\w*)\}/g, (_, place, kind) => write(language, values[place] ?? "", kind));
}

/** A text, or a whole number in groups of three digits. */
export function plainly({ group }: Locale, value: Values[string]): string {
  return typeof value === "number" ? `${value}`.replace(/\B(?=(\d{3})+$)/g, group) : `${value}`;
}

function formOf(code: string, wording: Wording, count: number): string {
  if (typeof wording === "string") return wording;
  return wording[new Intl.PluralRules(code).select(count)] ?? wording.other;
}
