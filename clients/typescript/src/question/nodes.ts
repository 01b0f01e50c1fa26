/** Elements of a page. Whatever a survey or a person wrote becomes text, never markup. */

import { type Page, type PageLanguage, type Values, worded } from "../languages/language.js";

/** Elements of a stage. */
export type Nodes = readonly HTMLElement[];

type Child = Node | string | false | undefined;

/** How deep the title stands among the headings of the page around it; the others stand one deeper. */
export type Heading = 1 | 2 | 3;

/** An element with attributes, of which those that are true are there without a value, and what it holds. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean | undefined>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== false && child !== undefined));
  return node;
}

/** A heading below the title, which can take the focus. */
export function heading(level: Heading, text: string): HTMLHeadingElement {
  return element(`h${(level + 1) as 2 | 3 | 4}`, { tabindex: "-1" }, text);
}

/** A paragraph. */
export function line(...children: readonly Child[]): HTMLParagraphElement {
  return element("p", {}, ...children);
}

/** Says things in a language, whose code and decimal mark it has. */
export interface Say extends Pick<PageLanguage, "code" | "point"> {
  (key: Page, values?: Values): string;
}

export function saying(language: PageLanguage): Say {
  const say = (key: Page, values?: Values) => worded(language, language.page[key], values);
  return Object.assign(say, { code: language.code, point: language.point });
}

/** A sentence with a link in its place. */
export function linked(sentence: string, href: string, text: string): Child[] {
  const [before, after] = sentence.split("{link}");
  return [before, element("a", { href }, text), after];
}

/** A moment in the person's own time. */
export function momentOf(moment: string | Date, code: string): string {
  return new Date(moment).toLocaleString(code, { dateStyle: "long", timeStyle: "short" });
}

/** A button that does something. */
export function button(text: string, act: () => void, kind?: string): HTMLButtonElement {
  const node = element("button", { type: "button", class: kind }, text);
  node.addEventListener("click", act);
  return node;
}

/** Which way words run, by their first letter. */
export function directionOf(words: string): "ltr" | "rtl" {
  return /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(words) ? "rtl" : "ltr";
}

/** Words of the survey or its people, which may run in the other direction than the page, and be in another language. */
export function authorText<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text: string,
  lang?: string,
): HTMLElementTagNameMap[K] {
  return element(tag, { dir: "auto", lang }, text);
}
