/** Elements of a page. Whatever a survey or a person wrote becomes text, never markup. */

import type { Page } from "../languages/english.js";
import { type Language, type Values, worded } from "../languages/language.js";

type Child = Node | string | false | undefined;

/** An element with attributes, of which those that are true are there without a value, and what it holds. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean | undefined>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== false && child !== undefined));
  return made;
}

/** Says things in a language. */
export type Say = (key: Page, values?: Values) => string;

export function saying(language: Language): Say {
  return (key, values) => worded(language, language.page[key], values);
}

/** A button that does something. */
export function button(text: string, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button" }, text);
  made.addEventListener("click", act);
  return made;
}

/** Words of the survey or its people, which may run in the other direction than the page, and be in another language. */
export function own<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text: string,
  lang?: string,
): HTMLElementTagNameMap[K] {
  return element(tag, { dir: "auto", lang }, text);
}
