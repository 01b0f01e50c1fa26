/** What the account says, in each language of the element. */

import type { Tongue, Values, Wording } from "../languages/language.js";
import { wordedInNumbers } from "../languages/statements.js";
import { account as german } from "../sentences/de.js";
import { account as english } from "../sentences/en.js";

/** The keys of what the account says. */
export type Words = keyof typeof english;

/** By the codes of the languages. */
export const WORDS: Readonly<Record<string, Readonly<Record<Words, Wording>>>> = { en: english, de: german };

/** Says things of the account in a language. */
export type Tell = (key: Words, values?: Values) => string;

export function telling(language: Tongue): Tell {
  const words = WORDS[language.code] ?? english;
  return (key, values) => wordedInNumbers(language, words[key], values);
}
