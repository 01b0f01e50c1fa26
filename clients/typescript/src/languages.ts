/** The languages of labels and pages. Another one is a file of `wire/sentences`, and one beside these. */

export { english } from "./languages/english.js";
export { german } from "./languages/german.js";
export type { LabelLanguage, Language } from "./languages/language.js";
